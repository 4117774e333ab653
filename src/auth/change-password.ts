/**
 * A new password for an account. What was there before ends: sessions, cached credentials, passkeys, recovery codes, notifications in
 * browsers. A second factor stays: it still protects the account when the new password becomes known.
 */

import { ControllerError } from "../errors.ts";
import { withoutPasskeys } from "./passkeys.ts";
import { checkNewPassword, type Passwords } from "./passwords.ts";
import { withoutDevices } from "./push-devices.ts";
import { type AccountStore, findAccountById } from "./records.ts";
import type { Sessions } from "./sessions.ts";

type PasswordParts = {
  readonly accounts: AccountStore;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
};

/** On disk when it settles. @throws ControllerError BAD_VALUE for a password that is too short, ACCOUNT_NOT_FOUND. */
export async function changePassword(parts: PasswordParts, accountId: string, password: string): Promise<void> {
  const { accounts, passwords, sessions } = parts;
  checkNewPassword(password);
  const passwordHash = await passwords.hash(password, "known");
  const account = findAccountById(accounts, accountId);
  if (!account) throw new ControllerError("ACCOUNT_NOT_FOUND");
  await accounts.putAccount(withoutPasskeys(withoutDevices({ ...account, passwordHash })));
  await sessions.endOfAccount(accountId);
}
