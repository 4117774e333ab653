/**
 * Checks a user name and a password, for the portal's login and for basic authentication alike.
 *
 * Credentials that were right before pass again from the same source without a hash and without regard to anybody's
 * failures, so a client that works never waits. After a restart they need a hash once, still without regard to failures: a few
 * bits of their fingerprint are stored. Everything else needs a place in the guess limit, then a hash.
 * Equal credentials from one source at the same moment share one hash.
 */

import type { Config } from "../config.ts";
import { ControllerError, type ErrorCode } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import { createFingerprint, type Fingerprint, fingerprintWith, makeFingerprintKey } from "../util/fingerprint.ts";
import type { Log } from "../util/log.ts";
import type { Randomness } from "../util/randomness.ts";
import { RecentlyUsed } from "../util/recently-used.ts";
import { sourceNetwork } from "../util/source-network.ts";
import { type Guess, GuessLimit } from "./guess-limit.ts";
import type { AccountHours } from "./hours.ts";
import type { Passwords } from "./passwords.ts";
import { type Account, type AccountStore, findAccount, findAccountById } from "./records.ts";
import { isRecoveryCode, redeemCode } from "./recovery-codes.ts";

type CredentialParts = {
  readonly config: Config;
  readonly accounts: AccountStore;
  readonly passwords: Passwords;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly hours: Pick<AccountHours, "check">;
};

type Claimed = {
  readonly kind: Account["kind"];
  readonly login: string;
  readonly password: string;
  readonly remoteAddress: string;
};

type Attempt = Omit<Claimed, "remoteAddress"> & { readonly source: string; readonly fingerprint: string };

/** `account`: null when none has this passkey. `isForEverybody`: one budget for known and other devices together. */
type Guessing = {
  readonly account: Account | null;
  readonly remoteAddress: string;
  readonly isForEverybody?: boolean;
};

const REFUSALS: ReadonlySet<string> = new Set<ErrorCode>(["PASSKEY_REFUSED", "SECOND_FACTOR_REFUSED"]);
const DAY_MS = 86_400_000;
/** A source from which the account logged in within this span is a known device. */
const KNOWN_DEVICE_MS = 30 * DAY_MS;
/** Bits removed from a proof of 24 bits, so that 20 are stored. */
const PROOF_BITS_DROPPED = 4;
/** Credentials that are remembered as right. */
const VERIFIED_MAX = 4096;

export class Credentials {
  readonly #parts: CredentialParts;
  readonly #guesses: GuessLimit;
  readonly #fingerprint: Fingerprint;
  /** Password hash that the credentials were right for: a new password makes the entry worthless by itself. */
  readonly #verified = new RecentlyUsed<string>(VERIFIED_MAX);
  /** Derived from a key that survives a restart. */
  readonly #storedFingerprint: Fingerprint;
  readonly #underWay = new Map<string, Promise<Account | null>>();

  constructor(parts: CredentialParts) {
    this.#parts = parts;
    this.#guesses = new GuessLimit(parts.clock, parts.config);
    this.#fingerprint = createFingerprint(parts.randomness);
    const key = parts.accounts.secret("credential-key", () => makeFingerprintKey(parts.randomness));
    this.#storedFingerprint = fingerprintWith(key);
  }

  /** @throws ControllerError LOGIN_FAILED, TOO_MANY_TRIES, LOGINS_BUSY; OUT_OF_HOURS for a recovery code, which stays good. */
  async check({ kind, login, password, remoteAddress }: Claimed): Promise<Account> {
    const source = sourceNetwork(remoteAddress);
    const attempt = { kind, login, password, source, fingerprint: this.#fingerprint(kind, source, login, password) };
    const account = this.#findVerified(attempt) ?? (await this.#checkOnce(attempt));
    if (!account) throw new ControllerError("LOGIN_FAILED");
    // A password alone makes no known device of an account that needs more.
    if (!account.secondFactor) this.#see(deviceId(account, source));
    return account;
  }

  #findVerified({ kind, login, fingerprint }: Attempt): Account | null {
    const hash = this.#verified.get(fingerprint);
    if (hash === undefined) return null;
    const account = findAccount(this.#parts.accounts, kind, login);
    return account?.passwordHash === hash ? account : null;
  }

  /**
   * A try with a passkey or a second factor. Failures count as those of passwords do.
   * @param name that stands for a passkey which no account has
   * @throws ControllerError TOO_MANY_TRIES, LOGINS_BUSY, and what `verify` throws.
   */
  async attempt(
    name: string,
    { account, remoteAddress, isForEverybody = false }: Guessing,
    verify: () => Promise<Account>,
  ) {
    const claimed = { kind: "portal", login: name, source: sourceNetwork(remoteAddress) } as const;
    const guess = this.#guessOf(claimed, account);
    const place = await this.#guesses.admit({ ...guess, isKnownDevice: guess.isKnownDevice && !isForEverybody });
    try {
      const verified = await verify();
      place.withdraw();
      this.#see(deviceId(verified, claimed.source));
      return verified;
    } catch (error) {
      if (!(error instanceof ControllerError) || !REFUSALS.has(error.code)) place.withdraw();
      else this.#warnWhenSpent(place.failed(), claimed, account);
      throw error;
    }
  }

  async #checkOnce(attempt: Attempt): Promise<Account | null> {
    // A code works once, so equal tries do not share its outcome.
    if (isRecoveryCode(attempt.password)) return this.#checkByHash(attempt);
    const sameUnderWay = this.#underWay.get(attempt.fingerprint);
    if (sameUnderWay) return (await sameUnderWay) ?? this.#countAsFailed(attempt);
    const check = this.#checkByHash(attempt);
    this.#underWay.set(attempt.fingerprint, check);
    try {
      return await check;
    } finally {
      this.#underWay.delete(attempt.fingerprint);
    }
  }

  /** Shares the outcome of an equal try, but is a try of its own. */
  async #countAsFailed(attempt: Attempt): Promise<null> {
    const account = findAccount(this.#parts.accounts, attempt.kind, attempt.login);
    const place = await this.#guesses.admit(this.#guessOf(attempt, account));
    this.#warnWhenSpent(place.failed(), attempt, account);
    return null;
  }

  async #checkByHash(attempt: Attempt): Promise<Account | null> {
    const { accounts } = this.#parts;
    const account = findAccount(accounts, attempt.kind, attempt.login);
    const guess = this.#guessOf(attempt, account);
    if (account && this.#isProven(account, attempt)) {
      const proven = await this.#verify(attempt, guess);
      if (proven) return this.#remember(proven, attempt);
    }
    const place = await this.#guesses.admit(guess);
    try {
      const verified = await this.#verify(attempt, guess);
      const accepted = verified ? this.#remember(verified, attempt) : await this.#redeem(attempt, account);
      if (accepted) place.withdraw();
      else this.#warnWhenSpent(place.failed(), attempt, account);
      return accepted;
    } catch (error) {
      place.withdraw();
      throw error;
    }
  }

  /** Never remembered: what it says is right only once. */
  async #redeem({ password }: Attempt, account: Account | null): Promise<Account | null> {
    if (!account || account.secondFactor || !isRecoveryCode(password)) return null;
    const { accounts, hours } = this.#parts;
    const redeemed = await redeemCode(accounts, account.id, password, (found) => hours.check(found));
    if (redeemed) this.#parts.log.warn("A recovery code was used to sign in.", { account: account.login });
    return redeemed;
  }

  #remember(account: Account, attempt: Attempt): Account {
    this.#verified.set(attempt.fingerprint, account.passwordHash);
    this.#see(this.#proofId(account, attempt));
    return account;
  }

  /** True for a password that was right here lately, and by chance for one in a million others, which then need a hash. */
  #isProven(account: Account, attempt: Attempt): boolean {
    return this.#wasSeen(this.#proofId(account, attempt));
  }

  /** Too few bits to recover the password from a stolen store. Another password gives another proof. */
  #proofId({ id, passwordHash }: Account, { source, password }: Attempt): string {
    const bits = Buffer.from(this.#storedFingerprint(id, passwordHash, source, password), "base64").readUIntBE(0, 3);
    return `${id} ${source} ${(bits >> PROOF_BITS_DROPPED).toString(36)}`;
  }

  /** Hashing takes a while; when the account got another hash meanwhile, the answer is for the new one. */
  async #verify(attempt: Attempt, guess: Guess): Promise<Account | null> {
    const { accounts, passwords } = this.#parts;
    const priority = guess.isKnownDevice ? "known" : "stranger";
    const account = findAccount(accounts, attempt.kind, attempt.login);
    const isRight = await passwords.verify(attempt.password, account?.passwordHash ?? null, priority);
    const current = account && findAccountById(accounts, account.id);
    if (current?.passwordHash !== account?.passwordHash) return this.#verify(attempt, guess);
    if (!isRight || !current) return null;
    return passwords.isOutdated(current.passwordHash) ? this.#renewHash(current, attempt.password, priority) : current;
  }

  /** @returns the account as it is kept from now on. A full queue or a busy disk leaves the old hash, which is as good. */
  async #renewHash(account: Account, password: string, priority: "known" | "stranger"): Promise<Account> {
    const { accounts, passwords, log } = this.#parts;
    try {
      const passwordHash = await passwords.hash(password, priority);
      const current = findAccountById(accounts, account.id);
      if (current?.passwordHash !== account.passwordHash) return account;
      const renewed = { ...current, passwordHash };
      await accounts.putAccount(renewed);
      return renewed;
    } catch (error) {
      log.warn("A password hash was not renewed; the next login tries again.", { account: account.login, error });
      return account;
    }
  }

  #guessOf({ kind, login, source }: Pick<Attempt, "kind" | "login" | "source">, account: Account | null): Guess {
    return {
      accountId: account?.id ?? null,
      nameFingerprint: this.#fingerprint(kind, login.toLowerCase()),
      source,
      isKnownDevice: account !== null && this.#wasSeen(deviceId(account, source)),
    };
  }

  #wasSeen(id: string): boolean {
    return this.#lastSeenMs(id) > this.#parts.clock.now() - KNOWN_DEVICE_MS;
  }

  #lastSeenMs(id: string): number {
    return this.#parts.accounts.knownDevices().get(id) ?? Number.NEGATIVE_INFINITY;
  }

  /** Once a day is enough to keep a device known, and spares the disk. */
  #see(id: string): void {
    const now = this.#parts.clock.now();
    if (this.#lastSeenMs(id) <= now - DAY_MS) this.#parts.accounts.putKnownDevice(id, now);
  }

  /** Unknown names are not logged: people type passwords into the wrong field. */
  #warnWhenSpent(isSpent: boolean, { source }: Pick<Attempt, "source">, account: Account | null): void {
    if (!isSpent || !account) return;
    this.#parts.log.warn("Too many wrong passwords or codes: devices that are not known have to wait.", {
      account: account.login,
      source,
    });
  }
}

function deviceId(account: Account, source: string): string {
  return `${account.id} ${source}`;
}
