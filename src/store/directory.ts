/** The data directory: made private to its owner, and used by one process at a time. */

import { existsSync, lstatSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ControllerError } from "../errors.ts";
import { attempt } from "../util/attempt.ts";
import { messageOf } from "../util/message-of.ts";
import { awaitsRestore, settleRestore } from "./backup/settle-restore.ts";
import { isReadOnlyDisk, resultCode } from "./database/damage.ts";
import { type DirectoryLock, takeLock } from "./lock.ts";

export type Directory = {
  readonly path: string;
  /** Null on a read-only disk: the first write takes it, once the disk can be written. */
  readonly lock: DirectoryLock | null;
  readonly lockFile: string;
  readonly reserve: string;
  readonly database: string;
  /** Number of the last commit, see commit-note.ts. */
  readonly note: string;
  readonly snapshots: string;
  readonly trace: string;
  readonly samples: string;
  readonly secrets: string;
  readonly backups: string;
  /** Lets another process have it. */
  release(): void;
};

const DATABASE = "domovoi.sqlite";
export const NOTE = "domovoi.last-commit";
/** Held by the one process that uses the directory. */
export const LOCK = "domovoi.lock";
const RESERVE = "domovoi.reserve";
const TRACE = "trace.sqlite";
const SAMPLES = "samples.sqlite";
const FILES: readonly string[] = [
  ...[DATABASE, TRACE, SAMPLES].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]),
  NOTE,
  LOCK,
  RESERVE,
];
const BUSY = 5;

/**
 * @param dir value of the setting `data`.
 * @throws ControllerError STORE_UNAVAILABLE when it cannot be written or another process has it.
 */
export function openDirectory(dir: string): Directory {
  let lock: DirectoryLock | null = null;
  try {
    makeDirectory(resolve(dir));
    refuseLinks(dir);
    lock = lockUnlessReadOnly(join(dir, LOCK));
    settleRestore(dir);
  } catch (error) {
    lock?.release();
    if (error instanceof ControllerError) throw error;
    if (resultCode(error) === BUSY)
      throw refused(dir, "is in use by another Domovoi. Stop that one first, or choose another directory", error);
    throw refused(dir, `cannot be written (${reasonOf(error)})`, error);
  }
  return {
    path: dir,
    lock,
    lockFile: join(dir, LOCK),
    reserve: join(dir, RESERVE),
    database: join(dir, DATABASE),
    note: join(dir, NOTE),
    snapshots: join(dir, "snapshots"),
    trace: join(dir, TRACE),
    samples: join(dir, SAMPLES),
    secrets: join(dir, "secrets"),
    backups: join(dir, "backups"),
    release: () => lock?.release(),
  };
}

function lockUnlessReadOnly(path: string): DirectoryLock | null {
  try {
    return takeLock(path);
  } catch (error) {
    if (isReadOnlyDisk(error)) return null;
    throw error;
  }
}

/**
 * Files that are locked or replaced by their name must be in the directory itself: two directories could lead to the same
 * database, each with a lock of its own. Directories in it may be links.
 */
function refuseLinks(dir: string): void {
  const linked = FILES.find((name) => lstatSync(join(dir, name), { throwIfNoEntry: false })?.isSymbolicLink());
  if (linked === undefined) return;
  const what = `has a symbolic link in place of the file "${linked}". Put the file itself there, or choose the directory that it is in`;
  throw refused(dir, what, null);
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
  return messageOf(error);
}

/** Changes with every boot of the machine; null where the system does not report one. */
export function readBootId(): string | null {
  return attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim());
}
