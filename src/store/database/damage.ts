/** Telling a damaged database from trouble with the disk: the first is rebuilt, the second is waited for. */

/** Damage that our own checks found: a checksum or the shape. */
export class DamageError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = "DamageError";
  }
}

/** Suffixes of SQLite's files: the database itself, and its companions. */
export const COMPANIONS = ["", "-wal", "-shm"] as const;

const READ_ONLY = 8;
const IO = 10;
const FULL = 13;
const CANNOT_OPEN = 14;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
const IO_SHORT_READ = 522;
/** The index of the write-ahead log, which connections share. */
const IO_SHARED_OPEN = 4618;
const IO_SHARED_SIZE = 4874;
/** Primary result codes that speak of the disk or of another process, never of the content: permission, busy, locked,
 * out of memory, read-only, interrupted, input/output, full, cannot open, no large files, not authorised. */
const ENVIRONMENT: ReadonlySet<number> = new Set([3, 5, 6, 7, 8, 9, 10, 13, 14, 22, 23]);

/** The result code of SQLite, extended; 0 for other errors. */
export function resultCode(error: unknown): number {
  const code = error instanceof Error ? Reflect.get(error, "errcode") : 0;
  return typeof code === "number" ? code : 0;
}

/** The disk failed to read, write or sync. */
export function isInputOutput(error: unknown): boolean {
  return (resultCode(error) & 0xff) === IO;
}

/** The disk has no space left. */
function isFullDisk(error: unknown): boolean {
  return (resultCode(error) & 0xff) === FULL || codeOf(error) === "ENOSPC";
}

/** No space left, or the files beside the database could be neither made nor made longer: of a full disk SQLite says only that. */
export function mayBeFullDisk(error: unknown): boolean {
  const code = resultCode(error);
  return isFullDisk(error) || (code & 0xff) === CANNOT_OPEN || code === IO_SHARED_OPEN || code === IO_SHARED_SIZE;
}

/** Nothing on the disk can be written. */
export function isReadOnlyDisk(error: unknown): boolean {
  return (resultCode(error) & 0xff) === READ_ONLY || codeOf(error) === "EROFS";
}

/** The disk may still be read: it is full, read-only, or does not take a file that SQLite needs beside the database. */
export function isUnwritable(error: unknown): boolean {
  const code = resultCode(error) & 0xff;
  return isFullDisk(error) || isReadOnlyDisk(error) || code === CANNOT_OPEN || code === IO;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? Reflect.get(error, "code") : null;
}

/** While running, our own statements are known to be good, so only the plain verdicts count. */
export function isPlainDamage(error: unknown): boolean {
  const code = resultCode(error);
  return error instanceof DamageError || (code & 0xff) === CORRUPT || (code & 0xff) === NOT_A_DATABASE;
}

/** While opening, everything that the disk does not explain is damage: a flipped bit can hide a table or a column. */
export function isDamageAtOpen(error: unknown): boolean {
  const code = resultCode(error);
  if (error instanceof DamageError || code === IO_SHORT_READ) return true;
  return code !== 0 && !ENVIRONMENT.has(code & 0xff);
}
