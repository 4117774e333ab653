/**
 * Accounts as their owner looks after them. Each kind keeps an owner, or nobody could let the others in again. Whoever got
 * in with a password that is changed, or by an account that is removed, is out: sessions end, open streams too.
 */

import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import { type Randomness, randomId } from "../util/randomness.ts";
import { changePassword } from "./change-password.ts";
import { generatePassword } from "./first-accounts.ts";
import { checkNewLogin } from "./logins.ts";
import { checkNewPassword, type Passwords } from "./passwords.ts";
import type { Role } from "./principal.ts";
import { type Account, type AccountStore, findAccount, findAccountById } from "./records.ts";
import type { Sessions } from "./sessions.ts";

/** An account without what is secret of it. */
export type AccountFacts = Omit<Account, "passwordHash">;

export type NewAccount = Pick<Account, "kind" | "login" | "role"> & {
  /** null: it is generated. */
  readonly password: string | null;
};

export type Accounts = {
  list(): readonly AccountFacts[];
  /**
   * On disk when it settles, as everything here.
   * @returns with the password when it was generated; it is not told again.
   * @throws ControllerError BAD_VALUE for a login or password that cannot be used, ACCOUNT_EXISTS, LIMIT_REACHED.
   */
  add(wanted: NewAccount): Promise<{ readonly account: AccountFacts; readonly generated: string | null }>;
  /** @throws ControllerError ACCOUNT_NOT_FOUND, LAST_OWNER. */
  setRole(id: string, role: Role): Promise<AccountFacts>;
  /**
   * @param password null: it is generated.
   * @returns the generated one, not told again; else null.
   * @throws ControllerError ACCOUNT_NOT_FOUND, BAD_VALUE.
   */
  setPassword(id: string, password: string | null): Promise<string | null>;
  /** @throws ControllerError ACCOUNT_NOT_FOUND, LAST_OWNER. */
  remove(id: string): Promise<void>;
  /** Told the ids of accounts whose credentials of before are worth nothing any more. @returns a function that ends it. */
  onRevoked(listener: RevokedListener): () => void;
};

export type AccountBookParts = {
  readonly config: Pick<Config, "accountsMax">;
  readonly accounts: AccountStore;
  readonly passwords: Passwords;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly randomness: Randomness;
};

type RevokedListener = (accountId: string) => void;

export class AccountBook implements Accounts {
  readonly #parts: AccountBookParts;
  readonly #listeners = new Set<RevokedListener>();

  constructor(parts: AccountBookParts) {
    this.#parts = parts;
  }

  list(): readonly AccountFacts[] {
    return this.#parts.accounts.accounts().map(factsOf);
  }

  async add({ kind, login, role, password }: NewAccount) {
    const { accounts, passwords, clock, randomness } = this.#parts;
    checkNewLogin(kind, login);
    if (password !== null) checkNewPassword(password);
    this.#checkRoom(kind, login);
    const generated = password === null ? generatePassword(randomness) : null;
    const passwordHash = await passwords.hash(password ?? generated ?? "", "known");
    // While the hash was made somebody else may have taken the name.
    this.#checkRoom(kind, login);
    const account = { id: randomId(randomness), kind, login, role, passwordHash, createdAtMs: clock.now() };
    await accounts.putAccount(account);
    return { account: factsOf(account), generated };
  }

  async setRole(id: string, role: Role): Promise<AccountFacts> {
    const account = this.#require(id);
    if (role !== "owner") this.#refuseLastOwner(account);
    const changed = { ...account, role };
    await this.#parts.accounts.putAccount(changed);
    return factsOf(changed);
  }

  async setPassword(id: string, password: string | null): Promise<string | null> {
    const generated = password === null ? generatePassword(this.#parts.randomness) : null;
    this.#require(id);
    await changePassword(this.#parts, id, password ?? generated ?? "");
    this.#revoke(id);
    return generated;
  }

  async remove(id: string): Promise<void> {
    const { accounts, sessions } = this.#parts;
    this.#refuseLastOwner(this.#require(id));
    await accounts.removeAccount(id);
    await sessions.endOfAccount(id);
    this.#revoke(id);
  }

  onRevoked(listener: RevokedListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #revoke(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }

  #require(id: string): Account {
    const account = findAccountById(this.#parts.accounts, id);
    if (!account) throw new ControllerError("ACCOUNT_NOT_FOUND");
    return account;
  }

  #checkRoom(kind: Account["kind"], login: string): void {
    const { accounts, config } = this.#parts;
    if (findAccount(accounts, kind, login)) throw new ControllerError("ACCOUNT_EXISTS");
    if (accounts.accounts().length >= config.accountsMax) throw new ControllerError("LIMIT_REACHED");
  }

  #refuseLastOwner({ id, kind, role }: Account): void {
    const others = this.#parts.accounts.accounts().filter((other) => other.kind === kind && other.id !== id);
    if (role === "owner" && !others.some((other) => other.role === "owner")) throw new ControllerError("LAST_OWNER");
  }
}

function factsOf({ passwordHash: _secret, ...facts }: Account): AccountFacts {
  return facts;
}
