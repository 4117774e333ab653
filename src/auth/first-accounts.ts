/**
 * The accounts of a new data directory: the owner, for the portal, and the local administrator. Names and passwords
 * that are not chosen are generated and shown once; only a hash is stored.
 */

import type { Config } from "../config.ts";
import type { Clock } from "../util/clock.ts";
import { type Randomness, randomId } from "../util/randomness.ts";
import { checkNewLogin } from "./logins.ts";
import { checkNewPassword, createPasswords, type PasswordCost } from "./passwords.ts";
import type { Account, AccountStore } from "./records.ts";

/** Chosen by the person who installs the controller; the rest is generated. */
export type FirstAccounts = {
  readonly ownerEmail?: string | undefined;
  readonly ownerPassword?: string | undefined;
  readonly localUser?: string | undefined;
  readonly localPassword?: string | undefined;
};

export type GeneratedCredential = { readonly login: string; readonly password: string };

/** Accounts whose password was generated; null for one whose password was given. */
export type GeneratedCredentials = {
  readonly owner: GeneratedCredential | null;
  readonly local: GeneratedCredential | null;
};

export type FirstAccountsParts = {
  readonly accounts: AccountStore;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly config: Config;
  readonly passwordCost?: PasswordCost | undefined;
};

/** Without what is easily mistaken for something else: 0 O o, 1 l I i. */
const ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz";
/** 24 characters of 55: 138 bits. */
const GENERATED_CHARACTERS = 24;

/**
 * Creates the missing accounts, one of each kind. They are on disk when it settles. A new home lacks both. A damaged
 * home lacks those that could not be recovered, and without them its owner could not log in.
 *
 * @returns the generated credentials; null when nothing was generated.
 * @throws ControllerError BAD_VALUE for an e-mail address, user name or password that cannot be used.
 */
export async function ensureFirstAccounts(
  parts: FirstAccountsParts,
  first: FirstAccounts,
): Promise<GeneratedCredentials | null> {
  const known = new Set(parts.accounts.accounts().map(({ kind }) => kind));
  const wanted = [
    { kind: "portal", login: first.ownerEmail ?? "owner@domovoi.local", given: first.ownerPassword },
    { kind: "local", login: first.localUser ?? "admin", given: first.localPassword },
  ] as const;
  const missing = wanted.filter(({ kind }) => !known.has(kind));
  for (const { kind, login } of missing) checkNewLogin(kind, login);
  const made = missing.map(({ given, ...account }) => ({
    ...account,
    password: given ?? generatePassword(parts.randomness),
    isGenerated: given === undefined,
  }));
  await makeAccounts(parts, made);
  const generated = made.filter(({ isGenerated }) => isGenerated);
  return generated.length === 0 ? null : { owner: ofKind(generated, "portal"), local: ofKind(generated, "local") };
}

/** The alphabet has no two characters that look alike. */
export function generatePassword(randomness: Randomness): string {
  let password = "";
  while (password.length < GENERATED_CHARACTERS) {
    // Bytes beyond the last whole multiple of the alphabet are thrown away, so that every character is equally likely.
    for (const byte of randomness.bytes(GENERATED_CHARACTERS)) {
      if (byte < ALPHABET.length * Math.floor(256 / ALPHABET.length))
        password += ALPHABET.charAt(byte % ALPHABET.length);
    }
  }
  return password.slice(0, GENERATED_CHARACTERS);
}

type NewAccount = GeneratedCredential & Pick<Account, "kind">;

async function makeAccounts(
  { accounts, clock, randomness, config, passwordCost }: FirstAccountsParts,
  wanted: readonly NewAccount[],
): Promise<void> {
  for (const { password } of wanted) checkNewPassword(password);
  const passwords = createPasswords(config, randomness, passwordCost);
  const make = async ({ kind, login, password }: NewAccount): Promise<Account> => {
    const passwordHash = await passwords.hash(password, "known");
    return { id: randomId(randomness), kind, login, role: "owner", passwordHash, createdAtMs: clock.now() };
  };
  const made = await Promise.all(wanted.map(make));
  // Side by side, so that both share one commit: a crash must not leave a home with half of its accounts.
  await Promise.all(made.map((account) => accounts.putAccount(account)));
}

function ofKind(made: readonly NewAccount[], kind: Account["kind"]): GeneratedCredential | null {
  const found = made.find((account) => account.kind === kind);
  return found ? { login: found.login, password: found.password } : null;
}
