/**
 * Guest links give one person access to certain things for a time, by a link instead of a login. Each is an account
 * of its own kind, without a password. Its token is too long to guess, and only a hash of it is stored.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import type { Config } from "../config.ts";
import { badValue, ControllerError } from "../errors.ts";
import { type Limits, NO_ACCESS } from "../home/limits.ts";
import type { Clock, Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import { type Randomness, randomId } from "../util/randomness.ts";
import { type AccountHours, checkHours } from "./hours.ts";
import type { Principal, Role } from "./principal.ts";
import { type PrincipalPorts, principalOf } from "./principal-of.ts";
import { type Account, type AccountStore, findAccount, findAccountById, type Hours } from "./records.ts";

export type GuestFacts = {
  readonly id: string;
  readonly name: string;
  readonly role: Exclude<Role, "owner">;
  readonly limits: Limits;
  /** null: at all times. */
  readonly hours: Hours | null;
  readonly createdAtMs: number;
  /** null: until it is revoked. */
  readonly expiresAtMs: number | null;
  /** Start of the latest visit; null: none since the controller started. */
  readonly visitedAtMs: number | null;
};

type NewGuest = Pick<GuestFacts, "name" | "role" | "limits"> & {
  readonly hours?: Hours | null;
  /** null: until it is revoked. */
  readonly lifetimeMs: number | null;
};

export type Guests = {
  /** Without those whose time is over. */
  list(): readonly GuestFacts[];
  /**
   * On disk when it settles.
   * @returns the link with its token, which is not shown again.
   * @throws ControllerError BAD_VALUE for a name that cannot be used, ACCOUNT_EXISTS, LIMIT_REACHED
   */
  add(wanted: NewGuest): Promise<{ readonly guest: GuestFacts; readonly token: string }>;
  /** Its streams end too. On disk when it settles. @throws ControllerError GUEST_NOT_FOUND */
  revoke(id: string): Promise<void>;
  /** Looks for the end of none of them any more. */
  stop(): void;
};

type GuestParts = PrincipalPorts & {
  readonly hours: Pick<AccountHours, "follow">;
  readonly config: Pick<Config, "guestLinksMax" | "guestVisitMinutes">;
  readonly accounts: AccountStore;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly log: Log;
  /** Ends what the account has open. */
  readonly end: (accountId: string) => void;
  /** A visit begins. */
  readonly visited: (account: Account) => void;
};

/** Tells a guest's token from the tokens of portal sessions. */
const TOKEN = /^guest\.([0-9a-f]{16})\.([0-9a-f]{64})$/;
const SECRET_BYTES = 32;
const NAME = /^[^\p{Cc}]{1,200}$/u;
/** The time of day can be set, so the end is looked for again after this time at the latest. */
const LOOK_MS = 600_000;
const MINUTE_MS = 60_000;

export class GuestLinks implements Guests {
  readonly #parts: GuestParts;
  #timer: Timer | null = null;
  /** Begin of the latest visit, by account id. */
  readonly #visits = new Map<string, number>();

  constructor(parts: GuestParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#endExpired();
  }

  stop(): void {
    this.#timer?.cancel();
  }

  /** Whether this is the token of a guest link rather than of a session. */
  static isToken(token: string): boolean {
    return TOKEN.test(token);
  }

  list(): readonly GuestFacts[] {
    return this.#all()
      .filter((account) => !this.#isOver(account))
      .map((account) => this.#factsOf(account));
  }

  async add({ name, role, limits, hours, lifetimeMs }: NewGuest) {
    const { accounts, clock, config, randomness } = this.#parts;
    if (!NAME.test(name) || !name.isWellFormed()) throw badValue("The name of a guest has 1 to 200 characters.");
    if (hours) checkHours(hours);
    this.#endExpired();
    if (findAccount(accounts, "guest", loginOf(name)))
      throw new ControllerError("ACCOUNT_EXISTS", `There is a guest link "${name}" already.`);
    if (this.#all().length >= config.guestLinksMax) throw new ControllerError("LIMIT_REACHED");
    const createdAtMs = clock.now();
    const secret = randomId(randomness, SECRET_BYTES);
    const end = lifetimeMs === null ? {} : { expiresAtMs: createdAtMs + lifetimeMs };
    const about = { id: randomId(randomness), kind: "guest", login: loginOf(name), role } as const;
    const account: Account = {
      ...about,
      passwordHash: hashOf(secret),
      createdAtMs,
      limits,
      ...(hours && { hours }),
      ...end,
    };
    await accounts.putAccount(account);
    this.#endExpired();
    this.#parts.hours.follow();
    return { guest: this.#factsOf(account), token: `guest.${account.id}.${secret}` };
  }

  async revoke(id: string): Promise<void> {
    if (!this.#find(id)) throw new ControllerError("GUEST_NOT_FOUND");
    await this.#remove(id);
  }

  /** @throws ControllerError TOKEN_REFUSED */
  principalOf(token: string): Principal {
    const [, id = "", secret = ""] = TOKEN.exec(token) ?? [];
    const account = this.#find(id);
    // Both are hashes of the same length.
    const isRight = account && timingSafeEqual(Buffer.from(account.passwordHash), Buffer.from(hashOf(secret)));
    if (!isRight || this.#isOver(account)) throw new ControllerError("TOKEN_REFUSED");
    this.#noteVisit(account);
    return principalOf(this.#parts, account, null);
  }

  /** Only the first request in a while is noted as a visit; every request would flood the journal. */
  #noteVisit(account: Account): void {
    const { clock, config, visited } = this.#parts;
    const beganAtMs = this.#visits.get(account.id);
    if (beganAtMs !== undefined && Math.abs(clock.now() - beganAtMs) < config.guestVisitMinutes * MINUTE_MS) return;
    this.#visits.set(account.id, clock.now());
    visited(account);
  }

  #factsOf(account: Account): GuestFacts {
    const { id, role, limits, hours = null, createdAtMs, expiresAtMs = null } = account;
    return {
      id,
      name: nameOf(account),
      role: role === "user" ? "user" : "guest",
      limits: limits ?? NO_ACCESS,
      hours,
      createdAtMs,
      expiresAtMs,
      visitedAtMs: this.#visits.get(id) ?? null,
    };
  }

  #all(): readonly Account[] {
    return this.#parts.accounts.accounts().filter(({ kind }) => kind === "guest");
  }

  #find(id: string): Account | null {
    const account = findAccountById(this.#parts.accounts, id);
    return account?.kind === "guest" ? account : null;
  }

  #isOver({ expiresAtMs }: Account): boolean {
    return expiresAtMs !== undefined && expiresAtMs <= this.#parts.clock.now();
  }

  async #remove(id: string): Promise<void> {
    const removed = this.#parts.accounts.removeAccount(id);
    this.#visits.delete(id);
    this.#parts.end(id);
    await removed;
  }

  /** Removes those whose time is over, and sets the timer for the next one. */
  #endExpired(): void {
    const { clock, log } = this.#parts;
    this.#timer?.cancel();
    for (const account of this.#all().filter((each) => this.#isOver(each))) {
      log.info("The time of a guest link is over; it is removed.", { guest: nameOf(account) });
      this.#remove(account.id).catch((error: unknown) => {
        log.warn("A guest link whose time is over could not be removed; it is refused all the same.", { error });
      });
    }
    const ends = this.#all().flatMap((account) => (this.#isOver(account) ? [] : (account.expiresAtMs ?? [])));
    if (ends.length === 0) return;
    const waitMs = Math.min(Math.max(Math.min(...ends) - clock.now(), 0), LOOK_MS);
    this.#timer = clock.setTimer(() => this.#endExpired(), waitMs);
  }
}

/** Causes and logs name a guest like this; no local account has a colon in its name. */
function loginOf(name: string): string {
  return `guest:${name}`;
}

function nameOf({ login }: Account): string {
  return login.slice(loginOf("").length);
}

function hashOf(secret: string): string {
  return `sha256:${createHash("sha256").update(secret).digest("base64")}`;
}
