/**
 * `domovoi reset-password`: a new password for an account of a data directory, whose service does not run meanwhile. It is the last way in,
 * so a second factor ends too.
 */

import { changePassword } from "../auth/change-password.ts";
import { type FirstAccountsParts, type GeneratedCredential, generatePassword } from "../auth/first-accounts.ts";
import { withoutSecondWays } from "../auth/passkeys.ts";
import { createPasswords } from "../auth/passwords.ts";
import { findAccount } from "../auth/records.ts";
import { Sessions } from "../auth/sessions.ts";
import { badValue } from "../errors.ts";
import { hasHome } from "../store/directory.ts";
import { openStore } from "../store/open-store.ts";
import { systemClock } from "../util/clock.ts";
import { createLog } from "../util/log.ts";
import { systemRandomness } from "../util/randomness.ts";
import { readSettings } from "./read-settings.ts";

/** Prints the password that the account has now. */
export async function resetPassword(login: string, { data: dir }: { readonly data: string }): Promise<void> {
  const config = readSettings({ data: dir });
  if (!hasHome(dir)) throw badValue(`There is no home in "${dir}".`);
  const parts = { config, clock: systemClock, randomness: systemRandomness };
  const store = await openStore({ dir, config, clock: systemClock, log: createLog("error") });
  try {
    const given = process.env.DOMOVOI_NEW_PASSWORD || undefined;
    const { login: name, password } = await setPassword({ ...parts, accounts: store.accounts }, login, given);
    process.stdout.write(`${name}   ${password}\n`);
  } finally {
    await store.close();
  }
}

/**
 * @param given the new password; without one it is generated.
 * @throws ControllerError BAD_VALUE for an unknown login or a password that is too short.
 */
export async function setPassword(
  parts: FirstAccountsParts,
  login: string,
  given: string | undefined,
): Promise<GeneratedCredential> {
  const { accounts, config, randomness } = parts;
  const account = findAccount(accounts, "portal", login) ?? findAccount(accounts, "local", login);
  if (!account) throw badValue(`There is no account "${login}".`);
  const password = given ?? generatePassword(randomness);
  const passwords = createPasswords(config, randomness);
  await accounts.putAccount(withoutSecondWays(account));
  await changePassword({ accounts, passwords, sessions: new Sessions(parts) }, account.id, password);
  return { login: account.login, password };
}
