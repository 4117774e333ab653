/**
 * Reads a backup file of any kind and checks it: it decrypts, its lines are rows, it is complete. Rows are only
 * reliable once the end was read; a caller that uses them earlier must be able to discard them.
 */

import { closeSync, createReadStream, openSync, readSync, statSync } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { ControllerError } from "../../errors.ts";
import { latest, MIGRATIONS } from "../database/migrate.ts";
import { BackupSums } from "./backup-sums.ts";
import { decrypt, ENCRYPTED_BEGINNING } from "./encryption.ts";
import {
  type BackupEnd,
  type BackupHeader,
  type BackupRow,
  newerBackup,
  parseEnd,
  parseHeader,
  parseRow,
  refusedBackup,
} from "./format.ts";
import { GZIP_HEADER } from "./write-backup.ts";

export type BackupPart =
  | { readonly kind: "header"; readonly header: BackupHeader }
  | { readonly kind: "row"; readonly row: BackupRow }
  /** Everything before was whole. */
  | { readonly kind: "end"; readonly end: BackupEnd };

/** The kind of a backup file by its first bytes. */
type BackupWrapping = "open" | "encrypted";

/** A line that is longer is none of ours; it must not fill the memory. */
const LINE_BYTES_MAX = 67_108_864;
const LINE_BREAK = 10;

/** @throws ControllerError BACKUP_REFUSED when there is no such file, or it is no backup. */
export function wrappingOf(path: string): BackupWrapping {
  const beginning = readBeginning(path);
  if (beginning.subarray(0, ENCRYPTED_BEGINNING.length).equals(ENCRYPTED_BEGINNING)) return "encrypted";
  if (beginning.subarray(0, 2).equals(GZIP_HEADER.subarray(0, 2))) return "open";
  throw refusedBackup("is not a backup of Domovoi");
}

/**
 * @param passphrase for an encrypted file; ignored otherwise.
 * @param onBytes called with the number of bytes read.
 * @throws ControllerError BACKUP_REFUSED with the reason; Node's error when the disk fails.
 */
export async function* readBackup(
  path: string,
  passphrase: string | null,
  onBytes: (done: number, total: number) => void = () => {},
): AsyncGenerator<BackupPart> {
  const wrapping = wrappingOf(path);
  if (wrapping === "encrypted" && passphrase === null)
    throw refusedBackup("is encrypted: it needs the passphrase with which it was made");
  const total = statSync(path).size;
  const file = createReadStream(path);
  const packed = wrapping === "encrypted" ? await decrypt(file, passphrase ?? "") : file;
  try {
    yield* readLines(unpack(packed, () => onBytes(file.bytesRead, total)));
  } catch (error) {
    throw whyUnreadable(error, wrapping);
  } finally {
    packed.destroy();
    file.destroy();
  }
}

async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<BackupPart> {
  let header: BackupHeader | null = null;
  let sums = new BackupSums([]);
  let end: BackupEnd | null = null;
  let lineNumber = 0;
  for await (const line of splitLines(chunks)) {
    lineNumber += 1;
    if (end) throw refusedBackup("is damaged: data after its end");
    if (!header) {
      header = await readHeader(line, chunks);
      sums = new BackupSums(header.contents);
      sums.addHeader(line);
      yield { kind: "header", header };
      continue;
    }
    end = parseEnd(line);
    if (end) continue;
    const row = parseRow(line, lineNumber);
    if (!sums.addRow(line, row))
      throw refusedBackup(`is damaged: its line ${lineNumber} is of a content it does not name`);
    yield { kind: "row", row };
  }
  if (!header || !end) throw refusedBackup("is cut off: its end is missing");
  compare(end, sums.end());
  yield { kind: "end", end };
}

/** A damaged version number must not look like a newer version, so the rest is unpacked before the error. */
async function readHeader(line: string, rest: AsyncIterable<Buffer>): Promise<BackupHeader> {
  try {
    const header = parseHeader(line);
    if (header.shape > latest(MIGRATIONS)) throw newerBackup(header.product);
    return header;
  } catch (error) {
    for await (const _ of rest) void _;
    throw error;
  }
}

function compare(given: BackupEnd, found: BackupEnd): void {
  for (const [at, { name, rows, sha256 }] of found.contents.entries()) {
    const said = given.contents[at];
    if (said?.name !== name) throw refusedBackup("is damaged: its last line lists other contents than its first");
    if (said.rows !== rows) throw refusedBackup(`is damaged: of ${name} it holds ${rows} rows instead of ${said.rows}`);
    if (said.sha256 !== sha256) throw refusedBackup(`is damaged: the sum of ${name} is wrong`);
  }
  if (given.contents.length !== found.contents.length || given.sha256 !== found.sha256)
    throw refusedBackup("is damaged: the sum of the whole is wrong");
  if (given.logicalHash !== found.logicalHash)
    throw refusedBackup("is damaged: the hash of the logical state is wrong");
}

/** Lines with their breaks; the text after the last break is a line too. */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of keepOpen(chunks)) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_BREAK); at >= 0; at = chunk.indexOf(LINE_BREAK, from)) {
      pieces.push(chunk.subarray(from, at + 1));
      yield decode(pieces);
      pieces = [];
      bytes = 0;
      from = at + 1;
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > LINE_BYTES_MAX) throw refusedBackup("is not a backup of Domovoi: a line is too long");
  }
  if (pieces.length > 0) yield decode(pieces);
}

/** Whoever stops in the middle may read on elsewhere. */
async function* keepOpen(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const iterator = chunks[Symbol.asyncIterator]();
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
}

function decode(pieces: readonly Buffer[]): string {
  return Buffer.concat(pieces).toString("utf8");
}

async function* unpack(packed: Readable, onChunk: () => void): AsyncGenerator<Buffer> {
  let bytes = 0;
  let isFirst = true;
  const gunzip = createGunzip();
  const checked = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      if (isFirst && !GZIP_HEADER.every((byte, at) => chunk[at] === byte))
        throw refusedBackup("is damaged: its header was not written by Domovoi");
      isFirst = false;
      onChunk();
      bytes += chunk.length;
      yield chunk;
    }
  };
  pipeline(packed, checked, gunzip, () => {}); // Its errors come out of the iteration.
  yield* gunzip;
  if (gunzip.bytesWritten < bytes) throw refusedBackup("is damaged: data after its end");
}

function readBeginning(path: string): Buffer {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (cause) {
    throw new ControllerError("BACKUP_REFUSED", { sentence: `The file ${path} cannot be read.`, cause });
  }
  try {
    const beginning = Buffer.alloc(ENCRYPTED_BEGINNING.length);
    return beginning.subarray(0, readSync(file, beginning, 0, beginning.length, 0));
  } finally {
    closeSync(file);
  }
}

/** Errors that are not the file's fault are rethrown. */
function whyUnreadable(error: unknown, wrapping: BackupWrapping): unknown {
  if (!(error instanceof Error) || error instanceof ControllerError || Reflect.has(error, "syscall")) return error;
  const { code } = error as NodeJS.ErrnoException;
  if (code === "Z_BUF_ERROR") return refusedBackup("is cut off", error);
  if (code?.startsWith("Z_")) return refusedBackup("is damaged: it cannot be unpacked", error);
  return wrapping === "encrypted" ? refusedBackup("is damaged: it cannot be decrypted", error) : error;
}
