/**
 * Management of accounts by an owner. Each kind of account keeps at least one owner. Changing a password or removing
 * an account ends its sessions and open streams.
 */

import type { Config } from "../config.ts";
import { badValue, ControllerError } from "../errors.ts";
import type { Limits } from "../home/limits.ts";
import type { Clock } from "../util/clock.ts";
import { type Randomness, randomId } from "../util/randomness.ts";
import { changePassword } from "./change-password.ts";
import { generatePassword } from "./first-accounts.ts";
import { type AccountHours, checkHours } from "./hours.ts";
import { checkNewLogin } from "./logins.ts";
import { withoutSecondWays } from "./passkeys.ts";
import { checkNewPassword, type Passwords } from "./passwords.ts";
import type { Role } from "./principal.ts";
import { mayHaveDevices, withoutDevices } from "./push-devices.ts";
import {
  type Account,
  type AccountStore,
  type AllowedKind,
  findAccount,
  findAccountById,
  type Hours,
  type Session,
} from "./records.ts";
import type { Sessions } from "./sessions.ts";

/** An account with a login; guest links are in guest-links.ts. */
type LoginAccount = Account & { readonly kind: "portal" | "local" };

/** An account without what is secret of it. */
export type AccountFacts = Omit<
  LoginAccount,
  "passwordHash" | "proposals" | "passkeys" | "secondFactor" | "recoveryCodes"
>;

type NewAccount = Pick<LoginAccount, "kind" | "login" | "role" | "limits" | "assistant" | "hours"> & {
  /** null: it is generated. */
  readonly password: string | null;
};

export type Accounts = {
  list(): readonly AccountFacts[];
  /**
   * On disk when it settles, like everything here.
   * @returns the account, with the password when it was generated. The password is not shown again.
   * @throws ControllerError BAD_VALUE for a login or password that cannot be used, ACCOUNT_EXISTS, LIMIT_REACHED.
   */
  add(wanted: NewAccount): Promise<{ readonly account: AccountFacts; readonly generated: string | null }>;
  /**
   * Another role, other limits (null: none), other hours (null: always), an assistant with these rights or a person (null). Other limits
   * and hours end the streams of the account, which showed what was before.
   * @throws ControllerError ACCOUNT_NOT_FOUND, LAST_OWNER; BAD_VALUE for an owner with limits or hours.
   */
  revise(id: string, rights: NewRights): Promise<AccountFacts>;
  /**
   * @param password null: a password is generated.
   * @returns the generated password, which is not shown again; else null.
   * @throws ControllerError ACCOUNT_NOT_FOUND, BAD_VALUE.
   */
  setPassword(id: string, password: string | null): Promise<string | null>;
  /**
   * Ends its sessions and streams. The account of an assistant gets a password that is known to no one.
   * @throws ControllerError ACCOUNT_NOT_FOUND.
   */
  stop(id: string): Promise<void>;
  /** Removes its passkeys, second factor and recovery codes, and ends its sessions and streams. @throws ControllerError ACCOUNT_NOT_FOUND. */
  removePasskeys(id: string): Promise<void>;
  /** @throws ControllerError ACCOUNT_NOT_FOUND, LAST_OWNER. */
  remove(id: string): Promise<void>;
  /** The latest login first. @throws ControllerError ACCOUNT_NOT_FOUND. */
  sessions(id: string): readonly Session[];
  /** Nothing happens when it has ended already. @throws ControllerError ACCOUNT_NOT_FOUND. */
  endSession(id: string, sessionId: string): Promise<void>;
  /** Called with the ids of accounts whose old credentials are no longer valid. */
  onRevoked(listener: RevokedListener): void;
};

type NewRights = {
  readonly role?: Role;
  readonly limits?: Limits | null;
  readonly hours?: Hours | null;
  readonly assistant?: readonly AllowedKind[] | null;
};

type AccountBookParts = {
  readonly config: Pick<Config, "accountsMax">;
  readonly accounts: AccountStore;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly hours: Pick<AccountHours, "follow">;
};

type RevokedListener = (accountId: string) => void;

export class AccountBook implements Accounts {
  readonly #parts: AccountBookParts;
  readonly #listeners = new Set<RevokedListener>();

  constructor(parts: AccountBookParts) {
    this.#parts = parts;
  }

  list(): readonly AccountFacts[] {
    return this.#logins().map(factsOf);
  }

  async add({ kind, login, role, limits, hours, assistant, password }: NewAccount) {
    const { accounts, passwords, clock, randomness } = this.#parts;
    checkNewLogin(kind, login);
    if (limits) refuseLimitedOwner(role);
    if (hours) checkHoursOf(role, hours);
    if (assistant) refuseOwningAssistant(role);
    if (password !== null) checkNewPassword(password);
    this.#checkRoom(kind, login);
    const generated = password === null ? generatePassword(randomness) : null;
    const passwordHash = await passwords.hash(password ?? generated ?? "", "known");
    // Another request may have taken the name while the hash was computed.
    this.#checkRoom(kind, login);
    const about = { id: randomId(randomness), kind, login, role, passwordHash, createdAtMs: clock.now() };
    const account = { ...about, ...(limits && { limits }), ...(hours && { hours }), ...(assistant && { assistant }) };
    await accounts.putAccount(account);
    this.#parts.hours.follow();
    return { account: factsOf(account), generated };
  }

  async revise(id: string, { role, limits, hours, assistant }: NewRights): Promise<AccountFacts> {
    const account = this.#require(id);
    const { limits: before, hours: open, assistant: allowed, ...rest } = account;
    const now = limits === undefined ? before : limits;
    const openNow = hours === undefined ? open : hours;
    const kinds = assistant === undefined ? allowed : assistant;
    const revised = {
      ...{ ...rest, role: role ?? account.role },
      ...(now && { limits: now }),
      ...(openNow && { hours: openNow }),
      ...(kinds && { assistant: kinds }),
    };
    if (now) refuseLimitedOwner(revised.role);
    if (openNow) checkHoursOf(revised.role, openNow);
    if (kinds) refuseOwningAssistant(revised.role);
    if (revised.role !== "owner") this.#refuseLastOwner(account);
    await this.#parts.accounts.putAccount(mayHaveDevices(revised) ? revised : withoutDevices(revised));
    if (limits !== undefined || hours !== undefined || !mayHaveDevices(revised)) this.revoke(id);
    this.#parts.hours.follow();
    return factsOf(revised);
  }

  async setPassword(id: string, password: string | null): Promise<string | null> {
    const generated = password === null ? generatePassword(this.#parts.randomness) : null;
    this.#require(id);
    await changePassword(this.#parts, id, password ?? generated ?? "");
    this.revoke(id);
    return generated;
  }

  async stop(id: string): Promise<void> {
    if (this.#require(id).assistant) return void (await this.setPassword(id, null));
    await this.#parts.sessions.endOfAccount(id);
    this.revoke(id);
  }

  async removePasskeys(id: string): Promise<void> {
    await this.#parts.accounts.putAccount(withoutSecondWays(this.#require(id)));
    await this.#parts.sessions.endOfAccount(id);
    this.revoke(id);
  }

  async remove(id: string): Promise<void> {
    const { accounts, sessions } = this.#parts;
    this.#refuseLastOwner(this.#require(id));
    await accounts.removeAccount(id);
    await sessions.endOfAccount(id);
    this.revoke(id);
  }

  sessions(id: string): readonly Session[] {
    const now = this.#parts.clock.now();
    const live = this.#parts.sessions.ofAccount(this.#require(id).id).filter(({ expiresAtMs }) => expiresAtMs > now);
    return live.sort((one, other) => other.createdAtMs - one.createdAtMs);
  }

  async endSession(id: string, sessionId: string): Promise<void> {
    if (this.sessions(id).some((session) => session.id === sessionId)) await this.#parts.sessions.end([sessionId]);
  }

  onRevoked(listener: RevokedListener): void {
    this.#listeners.add(listener);
  }

  /** Ends the streams that the account has open. */
  revoke(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }

  #logins(): readonly LoginAccount[] {
    return this.#parts.accounts.accounts().filter(isLogin);
  }

  #require(id: string): LoginAccount {
    const account = findAccountById(this.#parts.accounts, id);
    if (!account || !isLogin(account)) throw new ControllerError("ACCOUNT_NOT_FOUND");
    return account;
  }

  #checkRoom(kind: Account["kind"], login: string): void {
    const { accounts, config } = this.#parts;
    if (findAccount(accounts, kind, login)) throw new ControllerError("ACCOUNT_EXISTS");
    if (this.#logins().length >= config.accountsMax) throw new ControllerError("LIMIT_REACHED");
  }

  #refuseLastOwner({ id, kind, role }: Account): void {
    const others = this.#logins().filter((other) => other.kind === kind && other.id !== id);
    if (role === "owner" && !others.some((other) => other.role === "owner")) throw new ControllerError("LAST_OWNER");
  }
}

function isLogin(account: Account): account is LoginAccount {
  return account.kind !== "guest";
}

function checkHoursOf(role: Role, hours: Hours): void {
  if (role === "owner")
    throw badValue("An owner has no hours, because outside of them an owner could not change the home.");
  checkHours(hours);
}

function refuseLimitedOwner(role: Role): void {
  if (role !== "owner") return;
  throw badValue("An owner has no limits. Choose the role user or guest.");
}

function refuseOwningAssistant(role: Role): void {
  if (role === "owner") throw badValue("An assistant is no owner. Choose the role user or guest.");
}

function factsOf({
  passwordHash,
  proposals,
  passkeys,
  secondFactor,
  recoveryCodes,
  ...facts
}: LoginAccount): AccountFacts {
  return facts;
}
