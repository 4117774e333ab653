/** The data directory: made private to its owner, and used by one process at a time. */

import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ControllerError } from "../errors.ts";
import { awaitsRestore, settleRestore } from "./backup/settle-restore.ts";
import { resultCode } from "./database/damage.ts";

export type Directory = {
  readonly database: string;
  /** Of the last commit, see commit-note.ts. */
  readonly note: string;
  readonly snapshots: string;
  readonly trace: string;
  readonly secrets: string;
  readonly backups: string;
  /** Lets another process have it. */
  release(): void;
};

const DATABASE = "domovoi.sqlite";
export const NOTE = "domovoi.last-commit";
/** Held by the one process that uses the directory. */
export const LOCK = "domovoi.lock";
const BUSY = 5;

/**
 * @param dir value of the setting `data`.
 * @throws ControllerError STORE_UNAVAILABLE when it cannot be written or another process has it.
 */
export function openDirectory(dir: string): Directory {
  try {
    makeDirectory(resolve(dir));
    const lock = takeLock(join(dir, LOCK));
    try {
      settleRestore(dir);
    } catch (error) {
      lock.close();
      throw error;
    }
    return {
      database: join(dir, DATABASE),
      note: join(dir, NOTE),
      snapshots: join(dir, "snapshots"),
      trace: join(dir, "trace.sqlite"),
      secrets: join(dir, "secrets"),
      backups: join(dir, "backups"),
      release: () => lock.close(),
    };
  } catch (error) {
    if (resultCode(error) === BUSY)
      throw refused(dir, "is in use by another Domovoi. Stop that one first, or choose another directory", error);
    throw refused(dir, `cannot be written (${reasonOf(error)})`, error);
  }
}

/** Whether a home was kept in the directory; false when there is no such directory. */
export function hasHome(dir: string): boolean {
  return existsSync(join(dir, DATABASE)) || awaitsRestore(dir);
}

/** Parent by parent: Node's recursive form never ends where a file system says of a new name that nothing is there. */
function makeDirectory(path: string): void {
  if (existsSync(path)) return;
  makeDirectory(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** An error with a sentence for the person who starts the service. */
export function refused(dir: string, what: string, cause: unknown): ControllerError {
  return new ControllerError("STORE_UNAVAILABLE", {
    sentence: `The data directory "${dir}" (setting data) ${what}.`,
    cause,
  });
}

export function reasonOf(error: unknown): string {
  const code = error instanceof Error ? Reflect.get(error, "code") : null;
  if (code === "EACCES" || code === "EPERM") return "permission denied";
  if (code === "EROFS") return "the file system is read-only";
  if (code === "ENOSPC") return "the disk is full";
  if (code === "ENOTDIR" || code === "EEXIST") return "a file is in the way";
  return error instanceof Error ? error.message : String(error);
}

/** Changes with every boot of the machine; null where the system does not tell. */
export function readBootId(): string | null {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return null;
  }
}

/** SQLite's lock on a file of its own ends with the process, however that ends, and holds on every system we run on. */
function takeLock(path: string): DatabaseSync {
  closeSync(openSync(path, "a", 0o600));
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}
