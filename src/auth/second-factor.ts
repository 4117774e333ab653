/**
 * The second factor of portal accounts: six digits by time (RFC 6238) from an app on the person's phone, beside the password. A passkey
 * needs none, because its device verifies the person. A recovery code counts in place of the digits.
 */

import { ControllerError } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { Randomness } from "../util/randomness.ts";
import { RecentlyUsed } from "../util/recently-used.ts";
import type { Credentials } from "./credentials.ts";
import { requireFreshPerson, requirePerson } from "./own-account.ts";
import type { Principal } from "./principal.ts";
import { type Account, type AccountStore, findAccountById, type SecondFactor } from "./records.ts";
import { hashOfCode, isRecoveryCode, makeRecoveryCodes, redeemCode, withoutUselessCodes } from "./recovery-codes.ts";
import type { Sessions } from "./sessions.ts";

type SecondFactorParts = {
  readonly accounts: AccountStore;
  readonly clock: Clock;
  readonly credentials: Credentials;
  readonly log: Log;
  readonly randomness: Randomness;
  readonly sessions: Sessions;
};

/** `uri`: for the QR code that the app reads. */
type Offered = { readonly secret: string; readonly uri: string };

const ISSUER = "Domovoi";
const DIGITS = /^\d{6}$/;
/** RFC 4226 recommends 160 bits. */
const SECRET_BYTES = 20;
/** The phone's clock may be wrong by one step. */
const TOLERANCE_S = 30;
const OFFER_MS = 600_000;
const OFFERS_MAX = 256;

export class SecondFactors {
  readonly #parts: SecondFactorParts;
  /** Secrets that are shown and not confirmed yet, by session. */
  readonly #offers = new RecentlyUsed<{ readonly secret: string; readonly endsAtMs: number }>(OFFERS_MAX);

  constructor(parts: SecondFactorParts) {
    this.#parts = parts;
  }

  /** `addedAtMs`: null without a second factor. */
  of(accountId: string): { readonly addedAtMs: number | null; readonly recoveryCodesLeft: number } {
    const { secondFactor, recoveryCodes = [] } = findAccountById(this.#parts.accounts, accountId) ?? {};
    return { addedAtMs: secondFactor?.addedAtMs ?? null, recoveryCodesLeft: recoveryCodes.length };
  }

  /** A secret for the app; it counts when `add` gets digits that the app made with it. @throws ControllerError FORBIDDEN, SIGN_IN_AGAIN */
  async begin(principal: Principal): Promise<Offered> {
    const { login } = requireFreshPerson(this.#parts, principal);
    const { generateURI, ScureBase32Plugin } = await import("otplib");
    const bytes = new Uint8Array(this.#parts.randomness.bytes(SECRET_BYTES));
    const secret = new ScureBase32Plugin().encode(bytes, { padding: false });
    this.#offers.set(principal.sessionId ?? "", { secret, endsAtMs: this.#parts.clock.elapsed() + OFFER_MS });
    return { secret, uri: generateURI({ issuer: ISSUER, label: login, secret }) };
  }

  /**
   * From now on the account needs it. On disk when it settles.
   * @returns recovery codes when the account had none; they are not shown again
   * @throws ControllerError FORBIDDEN, SIGN_IN_AGAIN, SECOND_FACTOR_UNCONFIRMED
   */
  async add(principal: Principal, code: string): Promise<readonly string[] | null> {
    const { accounts, clock, log, randomness } = this.#parts;
    const offer = this.#offers.get(principal.sessionId ?? "");
    if (!offer || offer.endsAtMs <= clock.elapsed()) throw new ControllerError("SECOND_FACTOR_UNCONFIRMED");
    const step = await stepOf(code, { secret: offer.secret, lastStep: -1 }, clock.now());
    const account = requireFreshPerson(this.#parts, principal);
    if (step === null) throw new ControllerError("SECOND_FACTOR_UNCONFIRMED");
    const recoveryCodes = account.recoveryCodes?.length ? null : makeRecoveryCodes(randomness);
    await accounts.putAccount({
      ...account,
      secondFactor: { secret: offer.secret, lastStep: step, addedAtMs: clock.now() },
      ...(recoveryCodes && { recoveryCodes: recoveryCodes.map(hashOfCode) }),
    });
    log.info("A second factor was added.", { account: account.login });
    return recoveryCodes;
  }

  /** On disk when it settles. @throws ControllerError FORBIDDEN, SIGN_IN_AGAIN */
  async remove(principal: Principal): Promise<void> {
    const { secondFactor: _gone, ...account } = requireFreshPerson(this.#parts, principal);
    await this.#parts.accounts.putAccount(withoutUselessCodes(account));
    this.#parts.log.warn("A second factor was removed.", { account: account.login });
  }

  /** Ten new recovery codes; the former ones end. On disk when it settles. @throws ControllerError FORBIDDEN, SIGN_IN_AGAIN, NO_SECOND_WAY */
  async renewCodes(principal: Principal): Promise<readonly string[]> {
    const account = requireFreshPerson(this.#parts, principal);
    if (!account.secondFactor && !account.passkeys?.length) throw new ControllerError("NO_SECOND_WAY");
    const codes = makeRecoveryCodes(this.#parts.randomness);
    await this.#parts.accounts.putAccount({ ...account, recoveryCodes: codes.map(hashOfCode) });
    return codes;
  }

  /** Whether some account has one: then programs with a password alone are for the home network. */
  isUsed(): boolean {
    return this.#parts.accounts.accounts().some(({ secondFactor }) => secondFactor !== undefined);
  }

  /**
   * After a right password.
   * @param code digits, or a recovery code; null: the client sent none
   * @throws ControllerError SECOND_FACTOR_NEEDED, SECOND_FACTOR_REFUSED, TOO_MANY_TRIES, LOGINS_BUSY
   */
  async check(account: Account, code: string | null, remoteAddress: string): Promise<void> {
    if (!account.secondFactor) return;
    if (code === null) throw new ControllerError("SECOND_FACTOR_NEEDED");
    const guess = { account, remoteAddress, isForEverybody: true } as const;
    await this.#parts.credentials.attempt(account.id, guess, () => this.#verify(account.id, code));
  }

  async #verify(accountId: string, written: string): Promise<Account> {
    const { accounts, clock, log } = this.#parts;
    const code = written.replaceAll(/\s/g, "");
    const { secondFactor, login } = requirePerson(accounts, accountId);
    if (isRecoveryCode(code)) {
      const redeemed = await redeemCode(accounts, accountId, code);
      if (!redeemed) throw refused();
      log.warn("A recovery code was used to sign in.", { account: login });
      return redeemed;
    }
    const step = secondFactor ? await stepOf(code, secondFactor, clock.now()) : null;
    // The same digits may have signed in, or the factor may have ended, while they were checked.
    const current = requirePerson(accounts, accountId);
    const factor = current.secondFactor;
    if (step === null || factor?.secret !== secondFactor?.secret || !factor || factor.lastStep >= step) {
      log.warn("The password was right, and the digits of the second factor were wrong.", { account: login });
      throw refused();
    }
    const used = { ...current, secondFactor: { ...factor, lastStep: step } };
    // As with sessions: while the disk refuses, its owner must get in to see what is wrong.
    accounts
      .putAccount(used)
      .catch((error: unknown) => log.warn("The use of a second factor was not stored.", { error }));
    return used;
  }
}

/** @returns the step of time that the digits belong to; null when they belong to none that is near, or not after the last one */
async function stepOf(
  token: string,
  { secret, lastStep }: Pick<SecondFactor, "secret" | "lastStep">,
  nowMs: number,
): Promise<number | null> {
  if (!DIGITS.test(token)) return null;
  const { verify } = await import("otplib");
  const given = { secret, token, epoch: Math.floor(nowMs / 1000), epochTolerance: TOLERANCE_S };
  const result = await verify({ ...given, ...(lastStep >= 0 && { afterTimeStep: lastStep }) });
  return result.valid && "timeStep" in result ? result.timeStep : null;
}

function refused(): ControllerError {
  return new ControllerError("SECOND_FACTOR_REFUSED");
}
