/** Who may log in at a controller, and the backups that it holds. */

export type AccountRole = "owner" | "user" | "guest";

export type Account = {
  readonly id: string;
  readonly kind: "portal" | "local";
  readonly login: string;
  readonly role: AccountRole;
  /** ISO 8601 in UTC. */
  readonly createdAt: string;
};

export type NewAccount = Pick<Account, "kind" | "login" | "role"> & {
  /** Default: the controller generates one. */
  readonly password?: string;
};

/** The generated password, returned only in this answer. Null when the request gave one. */
export type WithPassword = { readonly password: string | null };

export type Backup = {
  readonly id: string;
  /** `asked` or `nightly`. */
  readonly kind: string;
  readonly state: "making" | "proving" | "ready" | "failed";
  /** 0 to 1. */
  readonly progress: number;
  /** Null until it is ready, as the sum. */
  readonly bytes: number | null;
  readonly sha256: string | null;
  /** Why it failed. */
  readonly failure: string | null;
  readonly encrypted: boolean;
  /** ISO 8601 in UTC. */
  readonly time: string;
  /** The last self-test, when it was of this backup; `failure` is null when it restores. */
  readonly test: { readonly time: string; readonly failure: string | null } | null;
};

export type BackupOrder = {
  /** At least 12 characters. Without one the backup is open, and without secrets. */
  readonly passphrase?: string;
  /** The journal and the trace too. */
  readonly history?: boolean;
};

/** Who may log in, and as what. In portal mode, for owners. */
export type Accounts = {
  list(): Promise<readonly Account[]>;
  add(account: NewAccount): Promise<Account & WithPassword>;
  setRole(id: string, role: AccountRole): Promise<Account>;
  /** @param password default: the controller generates one */
  setPassword(id: string, password?: string): Promise<WithPassword>;
  remove(id: string): Promise<void>;
};

/** Backups that the controller makes, verifies by restoring them, and holds. In portal mode, for owners. */
export type Backups = {
  list(): Promise<readonly Backup[]>;
  /** Resolves when it is under way: follow it until it is `ready` or `failed`. */
  begin(order?: BackupOrder): Promise<Backup>;
  /** How it is now; while it is under way, within a second or when it is done. */
  follow(id: string): Promise<Backup>;
  /** Begins to restore it into memory; `follow` tells when its state is `ready` again, with the outcome in `test`. */
  test(id: string): Promise<Backup>;
  /** Its file in pieces, as they come. */
  download(id: string): Promise<AsyncIterable<Uint8Array>>;
  remove(id: string): Promise<void>;
};
