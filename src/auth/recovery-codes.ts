/**
 * Recovery codes of an account with passkeys or a second factor: each works once, in place of the digits where the account has a second
 * factor, otherwise in place of the password. Only hashes are stored.
 */

import { createHash } from "node:crypto";
import type { Randomness } from "../util/randomness.ts";
import { type Account, type AccountStore, findAccountById } from "./records.ts";

const CODES = 10;
const GROUPS = 4;
const GROUP_CHARACTERS = 5;
/** 32 characters, so that each byte gives one without a bias: a code has 100 bits, which a plain hash protects. */
const ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const CODE = /^[a-km-np-z2-9]{5}(?:-[a-km-np-z2-9]{5}){3}$/;

export function isRecoveryCode(text: string): boolean {
  return CODE.test(text);
}

export function makeRecoveryCodes(randomness: Randomness): readonly string[] {
  const group = () => [...randomness.bytes(GROUP_CHARACTERS)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
  return Array.from({ length: CODES }, () => Array.from({ length: GROUPS }, group).join("-"));
}

export function hashOfCode(code: string): string {
  return createHash("sha256").update(code).digest("base64url");
}

/** Codes end with the last thing that they stand in for. */
export function withoutUselessCodes(account: Account): Account {
  if (account.secondFactor || account.passkeys?.length) return account;
  const { recoveryCodes: _codes, ...rest } = account;
  return rest;
}

/**
 * Uses the code up, on disk when it settles.
 * @param mayUse called when the code is right, before it is used up; what it throws is thrown
 * @returns the account as it is from now on; null when the code is none of its codes
 */
export async function redeemCode(
  accounts: AccountStore,
  accountId: string,
  code: string,
  mayUse: (account: Account) => void = () => {},
): Promise<Account | null> {
  const account = findAccountById(accounts, accountId);
  const hash = hashOfCode(code);
  if (!account?.recoveryCodes?.includes(hash)) return null;
  mayUse(account);
  const redeemed = { ...account, recoveryCodes: account.recoveryCodes.filter((other) => other !== hash) };
  await accounts.putAccount(redeemed);
  return redeemed;
}
