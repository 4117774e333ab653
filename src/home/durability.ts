/** The guarantees of the store for the rest of the controller: for acknowledged writes and for backups. */

import type { Readable } from "node:stream";

/**
 * What keeps two machines from commanding the same devices. `connection`: a new owner ends the connection of the one before;
 * `local`: the radio is in this machine; `none`: nothing, so the database must confirm that this machine writes the home.
 */
export type Fence = "connection" | "local" | "none";

/** Who writes the home. `alone`: the data directory keeps it, and no other machine can. */
export type StoreStatus = {
  readonly role: "writer" | "alone";
  /** Counts the changes of the writer; 0: alone. */
  readonly epoch: number;
  /** Name of this machine. */
  readonly writer: string;
  /** Since when it writes the home. */
  readonly sinceMs: number;
  /** Whether the database confirms it at the moment. */
  readonly isConfirmed: boolean;
};

export type Durability = {
  /**
   * Settles when the entry with this number and all before it are on disk (≤ 10 ms under load).
   * @throws ControllerError STORE_UNAVAILABLE when the disk does not take it.
   */
  committed(seq: number): Promise<void>;
  /** Whether this machine may act on the world; asked at the last moment before it does. Absent: it is alone and always may. */
  mayAct?(fence: Fence): boolean;
};

/** `asked`: requested by a person; `nightly`: made at the setting backupHour. */
export type BackupKind = "asked" | "nightly";

export type Backup = {
  readonly id: string;
  readonly kind: BackupKind;
  /** `proving`: it is complete and restored into memory for a proof; `ready`: that went well. */
  readonly state: "making" | "proving" | "ready" | "failed";
  readonly takenAtMs: number;
  readonly isEncrypted: boolean;
  /** Progress of writing and verifying, 0 … 1. */
  readonly progress: number;
  /** null until it is ready. */
  readonly bytes: number | null;
  /** Hash of the file, lower-case hex; null until it is ready, and after a restart of the controller. */
  readonly sha256: string | null;
  /** Hash of the home's logical state; null as `sha256` is. @see docs/backup.md */
  readonly logicalHash: string | null;
  /** A sentence; null unless it failed. */
  readonly failure: string | null;
  /** The last self-test, when it was of this backup. */
  readonly test: BackupTest | null;
};

/** The backup's file, read again and restored into memory. */
export type BackupTest = {
  readonly atMs: number;
  /** A sentence; null: it restores. */
  readonly failure: string | null;
};

export type BackupFile = { readonly name: string; readonly bytes: number; open(): Readable };

export type Backups = {
  /** Newest first; also the one under way, and the last one that failed. */
  list(): readonly Backup[];
  /** @throws ControllerError BACKUP_NOT_FOUND */
  find(id: string): Backup;
  /**
   * Begins one of everything that was committed until now.
   * @param passphrase encrypts it, with all that is secret; null: it is open, and without secrets.
   * @throws ControllerError BAD_VALUE for a passphrase that is too short; BACKUP_UNDER_WAY; STORE_UNAVAILABLE.
   */
  make(passphrase: string | null, withHistory: boolean): Promise<Backup>;
  /**
   * Begins to restore one that is ready into memory. An encrypted one is opened with the passphrase of nightly backups.
   * @throws ControllerError BACKUP_NOT_FOUND; BACKUP_UNDER_WAY; BACKUP_REFUSED for one whose passphrase is not known
   */
  prove(id: string): Backup;
  /** Settles when it is no longer under way, or the signal aborts. */
  settled(id: string, signal: AbortSignal): Promise<void>;
  /** @throws ControllerError BACKUP_NOT_FOUND, also for one that is not ready. */
  file(id: string): BackupFile;
  /** Removes one that is ready. @throws ControllerError BACKUP_NOT_FOUND */
  remove(id: string): void;
};
