/**
 * Passkeys of portal accounts. A login names no account: the passkey does. An account keeps its password. A new password, set by an
 * owner or on the machine, removes its passkeys and recovery codes (`withoutPasskeys`), so that a thief cannot stay signed in with one.
 */

import { ControllerError } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { Randomness } from "../util/randomness.ts";
import { sourceNetwork } from "../util/source-network.ts";
import type { Credentials } from "./credentials.ts";
import { requireFreshPerson } from "./own-account.ts";
import { CHALLENGE_MS, PasskeyChallenges, type Site } from "./passkey-challenges.ts";
import {
  type Assertion,
  type Attestation,
  challengeIn,
  checkAssertion,
  checkAttestation,
  KEY_ALGORITHMS,
} from "./passkey-check.ts";
import type { Principal } from "./principal.ts";
import { type Account, type AccountStore, findAccountById, type Passkey } from "./records.ts";
import { hashOfCode, makeRecoveryCodes, withoutUselessCodes } from "./recovery-codes.ts";
import type { Sessions } from "./sessions.ts";
import { TurnQueue } from "./turn-queue.ts";

type PasskeyParts = {
  readonly accounts: AccountStore;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  readonly credentials: Credentials;
  readonly sessions: Sessions;
};

export type PasskeyFacts = Omit<Passkey, "publicKey" | "counter">;

const PASSKEYS_PER_ACCOUNT_MAX = 10;
/** Of all accounts together. */
const PASSKEYS_MAX = 1000;
/** Of signatures; the others wait. */
const CHECKS = { atOnce: 4, waitingMax: 64 } as const;

export function withoutPasskeys({ passkeys: _keys, recoveryCodes: _codes, ...account }: Account): Account {
  return account;
}

/** For a lost phone. */
export function withoutSecondWays(account: Account): Account {
  const { secondFactor: _factor, ...rest } = withoutPasskeys(account);
  return rest;
}

export class Passkeys {
  readonly #parts: PasskeyParts;
  /** Apart, so that strangers cannot use up those of people who are signed in. */
  readonly #logins: PasskeyChallenges;
  readonly #additions: PasskeyChallenges;
  readonly #turns = new TurnQueue(CHECKS);

  constructor(parts: PasskeyParts) {
    this.#parts = parts;
    this.#logins = new PasskeyChallenges(parts.clock, parts.randomness);
    this.#additions = new PasskeyChallenges(parts.clock, parts.randomness);
  }

  /** In the order in which they were added. */
  of(accountId: string): { readonly passkeys: readonly PasskeyFacts[]; readonly recoveryCodesLeft: number } {
    const { passkeys = [], recoveryCodes = [] } = findAccountById(this.#parts.accounts, accountId) ?? {};
    return { passkeys: passkeys.map(factsOf), recoveryCodesLeft: recoveryCodes.length };
  }

  /** What the browser needs to make a passkey. @throws ControllerError FORBIDDEN, SIGN_IN_AGAIN, LIMIT_REACHED. */
  beginAdding(principal: Principal, site: Site, remoteAddress: string) {
    const { sessionId } = principal;
    const account = requireFreshPerson(this.#parts, principal);
    this.#checkRoom(account);
    return {
      challenge: this.#additions.make({ site, sessionId }, sourceNetwork(remoteAddress)),
      rp: { id: site.rpId, name: "Domovoi" },
      user: { id: handleOf(account), name: account.login, displayName: account.login },
      pubKeyCredParams: KEY_ALGORITHMS.map((alg) => ({ type: "public-key", alg }) as const),
      excludeCredentials: (account.passkeys ?? []).map(({ id }) => ({ type: "public-key", id }) as const),
      authenticatorSelection: { residentKey: "required", requireResidentKey: true, userVerification: "required" },
      attestation: "none",
      timeout: CHALLENGE_MS,
    } as const;
  }

  /**
   * On disk when it settles.
   * @returns the passkey, and recovery codes when the account had none; they are not shown again.
   * @throws ControllerError FORBIDDEN, SIGN_IN_AGAIN, LIMIT_REACHED, PASSKEY_REFUSED, LOGINS_BUSY.
   */
  async add(principal: Principal, site: Site, name: string, given: Attestation) {
    const { accounts, clock, log, randomness } = this.#parts;
    const { sessionId } = principal;
    requireFreshPerson(this.#parts, principal);
    const challenge = challengeIn(given.clientDataJSON);
    const asked = this.#additions.take(challenge);
    if (asked?.sessionId !== sessionId || asked?.site.origin !== site.origin) throw refused();
    const key = await this.#turns.run("known", () => checkAttestation(given, { challenge, site }));
    const account = requireFreshPerson(this.#parts, principal);
    this.#checkRoom(account);
    if (this.#find(key.id)) throw refused();
    const passkey: Passkey = { ...key, name, rpId: site.rpId, createdAtMs: clock.now(), lastUsedAtMs: null };
    const recoveryCodes = account.recoveryCodes?.length ? null : makeRecoveryCodes(randomness);
    await accounts.putAccount({
      ...account,
      passkeys: [...(account.passkeys ?? []), passkey],
      ...(recoveryCodes && { recoveryCodes: recoveryCodes.map(hashOfCode) }),
    });
    log.info("A passkey was added.", { account: account.login, name });
    return { passkey: factsOf(passkey), recoveryCodes };
  }

  /** Nothing happens when the account has no such passkey. The codes go with the last one. */
  async remove(accountId: string, id: string): Promise<void> {
    const account = findAccountById(this.#parts.accounts, accountId);
    if (!account?.passkeys?.some((passkey) => passkey.id === id)) return;
    const passkeys = account.passkeys.filter((passkey) => passkey.id !== id);
    const { passkeys: _all, ...bare } = account;
    await this.#parts.accounts.putAccount(withoutUselessCodes(passkeys.length > 0 ? { ...bare, passkeys } : bare));
  }

  /** What the browser needs to sign in. The same for everybody. */
  beginLogin(site: Site, remoteAddress: string) {
    const challenge = this.#logins.make({ site, sessionId: null }, sourceNetwork(remoteAddress));
    return { challenge, rpId: site.rpId, userVerification: "required", timeout: CHALLENGE_MS } as const;
  }

  /** The account whose passkey signed. @throws ControllerError PASSKEY_REFUSED, whatever was wrong; TOO_MANY_TRIES, LOGINS_BUSY. */
  async check(site: Site, given: Assertion, remoteAddress: string): Promise<Account> {
    const challenge = challengeIn(given.clientDataJSON);
    const asked = this.#logins.take(challenge);
    const found = this.#find(given.id);
    return this.#parts.credentials.attempt(given.id, { account: found?.account ?? null, remoteAddress }, async () => {
      const isAsked = asked?.site.origin === site.origin && found?.passkey.rpId === site.rpId;
      if (!found || !isAsked || given.userHandle !== handleOf(found.account)) throw refused();
      const { publicKey } = found.passkey;
      const verify = () => checkAssertion(given, publicKey, { challenge, site });
      return this.#used(given.id, publicKey, await this.#turns.run("stranger", verify));
    });
  }

  /** It may have been removed, or used, while its signature was checked. */
  #used(id: string, publicKey: string, counter: number): Account {
    const { accounts, clock, log } = this.#parts;
    const found = this.#find(id);
    if (found?.passkey.publicKey !== publicKey) throw refused();
    const { account, passkey } = found;
    // Passkeys that are copied between a person's devices do not count: they say zero.
    if ((counter > 0 || passkey.counter > 0) && counter <= passkey.counter) {
      log.warn("The counter of a passkey went back, so it may have been copied. The sign-in was refused.", {
        account: account.login,
        name: passkey.name,
      });
      throw refused();
    }
    const used = { ...passkey, counter, lastUsedAtMs: clock.now() };
    const current = {
      ...account,
      passkeys: account.passkeys?.map((other) => (other === passkey ? used : other)) ?? [],
    };
    // As with sessions: while the disk refuses, its owner must get in to see what is wrong.
    accounts.putAccount(current).catch((error: unknown) => log.warn("The use of a passkey was not stored.", { error }));
    return current;
  }

  #find(id: string): { readonly account: Account; readonly passkey: Passkey } | null {
    for (const account of this.#parts.accounts.accounts()) {
      const passkey = account.passkeys?.find((other) => other.id === id);
      if (passkey) return { account, passkey };
    }
    return null;
  }

  #checkRoom({ passkeys = [] }: Account): void {
    const all = this.#parts.accounts.accounts().reduce((sum, account) => sum + (account.passkeys?.length ?? 0), 0);
    if (passkeys.length < PASSKEYS_PER_ACCOUNT_MAX && all < PASSKEYS_MAX) return;
    const sentence = `An account has at most ${PASSKEYS_PER_ACCOUNT_MAX} passkeys, all accounts together ${PASSKEYS_MAX}. Remove one first.`;
    throw new ControllerError("LIMIT_REACHED", sentence);
  }
}

/** What a passkey keeps of its account: a random id, not the login. */
function handleOf({ id }: Account): string {
  return Buffer.from(id).toString("base64url");
}

function factsOf({ publicKey: _key, counter: _count, ...facts }: Passkey): PasskeyFacts {
  return facts;
}

function refused(): ControllerError {
  return new ControllerError("PASSKEY_REFUSED");
}
