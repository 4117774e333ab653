/** Opens the database file as the service uses it: private to its owner, write-ahead log, every commit synced. */

import { closeSync, existsSync, fsyncSync, openSync, readSync, statSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { DamageError } from "./damage.ts";
import { type Migration, migrate } from "./migrate.ts";

const BUSY_TIMEOUT_MS = 1000;
const WAL_BYTES_KEPT = 16_777_216;
/** Of every database of ours. */
export const PAGE_BYTES = 4096;
const HEADER_BYTES = 100;
const HEADER_REPAIR_BYTES_MAX = 4;

/**
 * Creates the file (mode 0600) when it is not there, and brings it to the newest shape.
 * @throws DamageError, or SQLite's error.
 */
export function openDatabase(path: string, migrations?: readonly Migration[]): DatabaseSync {
  closeSync(openSync(path, "a", 0o600));
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA journal_size_limit = ${WAL_BYTES_KEPT}`);
    migrate(db, migrations);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
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
 * Opens a database that nobody writes any more, such as a snapshot. Without its promise that the file stays as it is, SQLite
 * would leave the companions of a write-ahead log beside it.
 */
export function openUnchanging(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.searchParams.set("immutable", "1");
  return new DatabaseSync(url, { readOnly: true });
}

/**
 * Call when no connection is open: the file then holds everything.
 * @throws DamageError when it is shorter than it says, which SQLite tells only when it comes to the missing part.
 */
export function checkLength(path: string): void {
  const header = readHeader(path);
  const pages = statSync(path).size / PAGE_BYTES;
  if (pages < (header?.readUInt32BE(28) ?? 0)) throw new DamageError("The database file is cut off.");
}

/** What is the same in the header of every database of ours: offset, and the bytes that may stand there, the usual one first. */
const HEADER: readonly (readonly [offset: number, allowed: readonly number[]])[] = [
  ...[...Buffer.from("SQLite format 3\0")].map((byte, at) => [at, [byte]] as const),
  [16, [PAGE_BYTES >> 8]],
  [17, [0]],
  [18, [2, 1]],
  [19, [2, 1]],
  [20, [0]],
  [21, [64]],
  [22, [32]],
  [23, [32]],
  ...[0, 0, 0, 4].map((byte, at) => [44 + at, [byte]] as const),
  ...[0, 0, 0, 1].map((byte, at) => [56 + at, [byte]] as const),
];

/**
 * Puts right the few header bytes that can have one value only, and that SQLite would take for a foreign or read-only file.
 * @returns the number of bytes put right.
 * @throws DamageError when it is no database of ours at all.
 */
export function repairHeader(path: string): number {
  const header = readHeader(path);
  if (!header) return 0;
  const wrong = HEADER.filter(([offset, allowed]) => !allowed.includes(header[offset] ?? -1));
  if (wrong.length === 0) return 0;
  if (wrong.length > HEADER_REPAIR_BYTES_MAX) throw new DamageError("The file does not begin as a database does.");
  const file = openSync(path, "r+");
  try {
    for (const [offset, allowed] of wrong) writeSync(file, Buffer.of(allowed[0] ?? 0), 0, 1, offset);
    fsyncSync(file);
    return wrong.length;
  } finally {
    closeSync(file);
  }
}

/** null when there is no file, or an empty one. @throws DamageError when it ends within the header. */
function readHeader(path: string): Buffer | null {
  if (!existsSync(path) || statSync(path).size === 0) return null;
  const file = openSync(path, "r");
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    if (readSync(file, header, 0, HEADER_BYTES, 0) < HEADER_BYTES)
      throw new DamageError("The database file is cut off.");
    return header;
  } finally {
    closeSync(file);
  }
}
