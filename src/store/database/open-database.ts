/** Opens the database file as the service uses it: private to its owner, write-ahead log, every commit synced. */

import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { ControllerError } from "../../errors.ts";
import { latest, MIGRATIONS, type Migration, migrate, shapeNumber } from "./migrate.ts";

const BUSY_TIMEOUT_MS = 1000;
const WAL_BYTES_KEPT = 16_777_216;
const PAGE_BYTES = 4096;

/** A database of an older version, see `upgradeDatabase`. */
export class OlderDatabaseError extends Error {
  constructor() {
    super("The database is of an older version and was not upgraded.");
    this.name = "OlderDatabaseError";
  }
}

/**
 * Creates the file (mode 0600) and its tables when they are not there.
 * @throws OlderDatabaseError, DamageError, or SQLite's error.
 */
export function openDatabase(path: string, migrations: readonly Migration[] = MIGRATIONS): DatabaseSync {
  closeSync(openSync(path, "a", 0o600));
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    configure(db);
    const shape = shapeNumber(db, migrations);
    if (shape === null) migrate(db, migrations);
    else if (shape < latest(migrations)) throw new OlderDatabaseError();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Settings of every connection that writes. */
export function configure(db: DatabaseSync): void {
  db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`);
}

/**
 * Opens the database of a disk that takes no writes, to read it as it is, the write-ahead log included.
 * @throws SQLite's error, or ControllerError for a database of an older or a newer version.
 */
export function openUnwritable(path: string): DatabaseSync {
  const db = isWritable(path) ? new DatabaseSync(path) : openReadOnly(path);
  try {
    // Keeps the index of the write-ahead log in memory. Otherwise it is a file, which may not fit on a full disk.
    if (isWritable(path)) db.exec("PRAGMA locking_mode = EXCLUSIVE");
    const shape = shapeNumber(db);
    if (shape !== null && shape < latest(MIGRATIONS)) throw new ControllerError("STORE_UNAVAILABLE", CANNOT_UPGRADE);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const CANNOT_UPGRADE =
  "The database is of an older version and cannot be upgraded, because the disk rejects writes. Free space or make it writable.";

function isWritable(path: string): boolean {
  try {
    closeSync(openSync(path, "r+"));
    return true;
  } catch {
    return false;
  }
}

/** Without a log beside it the file is complete, and SQLite must not look for one that it cannot make. */
export function openReadOnly(path: string): DatabaseSync {
  const log = `${path}-wal`;
  return existsSync(log) && statSync(log).size > 0 ? openForSalvage(path) : openUnchanging(path);
}

/** A database that is gone with its connection. */
export function openInMemory(migrations: readonly Migration[]): DatabaseSync {
  const db = new DatabaseSync(":memory:");
  try {
    migrate(db, migrations);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens a database that may be damaged, to read what it can be read of; nothing is written to it. */
export function openForSalvage(path: string): DatabaseSync {
  return new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
}

/**
 * Opens a database that is no longer written, such as a snapshot. Unless SQLite knows that the file is immutable, it
 * leaves the companions of a write-ahead log beside it.
 */
export function openUnchanging(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, { readOnly: true });
}
