/** Writes a backup into a file of its own: complete and on disk when it settles, removed when it fails. */

import { closeSync, createWriteStream, fsyncSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { invariant } from "../../errors.ts";
import { openForSalvage } from "../database/open-database.ts";
import { syncDirectory } from "../database/sync-directory.ts";
import { type BackupLines, type BackupRequest, type BackupSource, readBackupLines } from "./backup-lines.ts";
import { encrypt } from "./encryption.ts";
import type { BackupEnd, BackupHeader } from "./format.ts";

export type BackupOrder = Omit<BackupRequest, "withSecrets"> & {
  /** Encrypts it; null: it is open, and without secrets. */
  readonly passphrase: string | null;
};

export type BackupContent = { readonly header: BackupHeader; readonly end: BackupEnd };

/** How far a piece of work is: rows of all rows. */
export type Progress = (rowsDone: number, rowsTotal: number) => void;

const CHUNK_CHARACTERS = 65_536;

/**
 * @param path of a file that is not there yet; made with mode 0600.
 * @throws ControllerError STORE_UNAVAILABLE for a database that cannot be backed up; Node's error for the disk's trouble.
 */
export async function writeBackup(
  source: BackupSource,
  path: string,
  order: BackupOrder,
  onProgress: Progress = () => {},
): Promise<BackupContent> {
  using db = openForSalvage(source.database);
  const requested = { ...order, withSecrets: order.passphrase !== null };
  const lines = readBackupLines(db, source, requested);
  const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
  const end = await writeLines(lines, file, order.passphrase, onProgress).catch((error: unknown) => {
    if (Reflect.get(Object(error), "code") !== "EEXIST") rmSync(path, { force: true });
    throw error;
  });
  syncFile(path);
  return { header: lines.header, end };
}

async function writeLines(
  { lines, rowsTotal }: BackupLines,
  file: NodeJS.WritableStream,
  passphrase: string | null,
  onProgress: Progress,
): Promise<BackupEnd> {
  let done = 0;
  let end: BackupEnd | null = null;
  const chunks = function* (): Generator<Buffer> {
    let text = "";
    const all = lines(() => {
      done += 1;
    });
    for (let next = all.next(); ; next = all.next()) {
      if (next.done) end = next.value;
      else text += next.value;
      if (next.done || text.length >= CHUNK_CHARACTERS) {
        yield Buffer.from(text);
        text = "";
        onProgress(done, rowsTotal);
      }
      if (next.done) return;
    }
  };
  const seal = async function* (packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const content = anonymous(packed);
    yield* passphrase === null ? content : await encrypt(Readable.from(content), passphrase);
  };
  await pipeline(chunks, createGzip(), seal, file);
  invariant(end, "The lines end with their sums.");
  return end;
}

/** gzip's header names the compression's effort and the system; without them equal homes give equal files everywhere. */
async function* anonymous(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let isFirst = true;
  for await (const chunk of packed) {
    if (isFirst) chunk.set(GZIP_HEADER);
    isFirst = false;
    yield chunk;
  }
}

/** Deflate, no flags, no time, no effort, no system (RFC 1952). */
export const GZIP_HEADER: Uint8Array = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

function syncFile(path: string): void {
  const file = openSync(path, "r+");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncDirectory(dirname(path));
}
