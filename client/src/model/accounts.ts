/** The accounts of a controller, and the backups that it holds. */

import type { Account, AccountSession, Backup, Limits, Routes } from "./routes.ts";

export type { Account, AccountSession, Backup } from "./routes.ts";
export type AccountRole = Account["role"];
export type NewAccount = Routes["POST /api/accounts"]["body"];
/** The generated password, returned only in this answer. Null when the request gave one. */
export type WithPassword = Routes["POST /api/accounts/:id/password"]["data"];
export type BackupOrder = NonNullable<Routes["POST /api/backup"]["body"]>;

/** The accounts and their roles. In portal mode, for owners. */
export type Accounts = {
  list(): Promise<readonly Account[]>;
  add(account: NewAccount): Promise<Account & WithPassword>;
  setRole(id: string, role: AccountRole): Promise<Account>;
  /** Limits what the account reaches in the home. @param limits null: everything */
  setLimits(id: string, limits: Limits | null): Promise<Account>;
  /** @param password default: the controller generates one */
  setPassword(id: string, password?: string): Promise<WithPassword>;
  remove(id: string): Promise<void>;
  /** Logins that have not ended, the latest first. */
  sessions(id: string): Promise<readonly AccountSession[]>;
  /** Ends a login and its event streams. */
  endSession(id: string, session: string): Promise<void>;
};

/** Backups that the controller makes, verifies by restoring them, and holds. In portal mode, for owners. */
export type Backups = {
  list(): Promise<readonly Backup[]>;
  /** Resolves when it is under way: follow it until it is `ready` or `failed`. */
  begin(order?: BackupOrder): Promise<Backup>;
  /** How it is now; while it is under way, within a second or when it is done. */
  follow(id: string): Promise<Backup>;
  /** Starts to restore it into memory. `follow` reports when its state is `ready` again, with the outcome in `test`. */
  test(id: string): Promise<Backup>;
  /** Its file in pieces, as they come. */
  download(id: string): Promise<AsyncIterable<Uint8Array>>;
  remove(id: string): Promise<void>;
};
