/** The lock of a data directory. SQLite's lock on a file of its own ends with the process, and holds on every system we run on. */

import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

export type DirectoryLock = { release(): void };

/** @throws SQLite's error with the code BUSY when another process has it; Node's error when the file cannot be made. */
export function takeLock(path: string): DirectoryLock {
  closeSync(openSync(path, "a", 0o600));
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    // A journal of its own would need space on a disk that may be full.
    lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
    return { release: () => lock.close() };
  } catch (error) {
    lock.close();
    throw error;
  }
}
