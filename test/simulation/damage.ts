/** Damage that disks and people do to the files of a data directory while the service is down. */

import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { NOTE } from "../../src/store/directory.ts";
import type { Randomness } from "../../src/util/randomness.ts";

const PAGE_BYTES = 4096;

const KINDS = [
  flipBits,
  flipHeader,
  zeroPage,
  truncateDatabase,
  emptyDatabase,
  removeDatabase,
  removeDatabaseAndLog,
  removeDatabaseAndNote,
  flipBitsOfLog,
  zeroPageOfLog,
  truncateLog,
  removeLog,
  flipNote,
  truncateNote,
  removeNote,
  flipSnapshot,
] as const;
export const DAMAGE_KINDS = KINDS.length;

/** @param kind 0 … `DAMAGE_KINDS` − 1. @returns what was done, in words, with the place. */
export function damage(data: string, kind: number, randomness: Randomness): string {
  const below = (bound: number) => Math.floor(randomness.next() * bound);
  const spoil = KINDS[kind % KINDS.length] ?? flipBits;
  return spoil(data, below);
}

type Below = (bound: number) => number;

const database = (data: string) => join(data, "domovoi.sqlite");
const log = (data: string) => join(data, "domovoi.sqlite-wal");
const note = (data: string) => join(data, NOTE);
const sizeOf = (file: string) => (existsSync(file) ? statSync(file).size : 0);

function flipBits(data: string, below: Below): string {
  return `bits of the database flipped at ${flip(database(data), 8, below)}`;
}

function flipHeader(data: string, below: Below): string {
  return `bits of the database's header flipped at ${flip(database(data), 2, () => below(100))}`;
}

function flipBitsOfLog(data: string, below: Below): string {
  if (sizeOf(log(data)) === 0) return flipBits(data, below);
  return `bits of the log flipped at ${flip(log(data), 4, below)}`;
}

function zeroPage(data: string, below: Below): string {
  const page = below(sizeOf(database(data)) / PAGE_BYTES);
  change(database(data), page * PAGE_BYTES, Buffer.alloc(PAGE_BYTES));
  return `page ${page} of the database zeroed`;
}

function zeroPageOfLog(data: string, below: Below): string {
  const page = below(sizeOf(log(data)) / PAGE_BYTES);
  if (existsSync(log(data))) change(log(data), page * PAGE_BYTES, Buffer.alloc(PAGE_BYTES));
  return `page ${page} of the log zeroed`;
}

function truncateDatabase(data: string, below: Below): string {
  const bytes = below(sizeOf(database(data)));
  truncateSync(database(data), bytes);
  return `the database cut to ${bytes} bytes`;
}

function emptyDatabase(data: string): string {
  truncateSync(database(data), 0);
  return "the database emptied";
}

function removeDatabase(data: string): string {
  rmSync(database(data));
  return "the database removed";
}

function removeDatabaseAndLog(data: string): string {
  for (const companion of ["", "-wal", "-shm"]) rmSync(database(data) + companion, { force: true });
  return "the database and its log removed";
}

function removeDatabaseAndNote(data: string): string {
  removeDatabaseAndLog(data);
  rmSync(note(data), { force: true });
  return "the database, its log and the note removed";
}

function truncateLog(data: string, below: Below): string {
  const bytes = below(sizeOf(log(data)) + 1);
  if (existsSync(log(data))) truncateSync(log(data), bytes);
  return `the log cut to ${bytes} bytes`;
}

function removeLog(data: string): string {
  rmSync(log(data), { force: true });
  return "the log removed";
}

function flipNote(data: string, below: Below): string {
  return `bits of the note flipped at ${flip(note(data), 2, below)}`;
}

function truncateNote(data: string, below: Below): string {
  const bytes = below(sizeOf(note(data)));
  if (existsSync(note(data))) truncateSync(note(data), bytes);
  return `the note cut to ${bytes} bytes`;
}

function removeNote(data: string): string {
  rmSync(note(data), { force: true });
  return "the note removed";
}

function flipSnapshot(data: string, below: Below): string {
  const directory = join(data, "snapshots");
  const names = existsSync(directory) ? readdirSync(directory) : [];
  const name = names[below(names.length)];
  if (name === undefined) return flipBits(data, below);
  return `bits of a snapshot flipped at ${flip(join(directory, name), 8, below)}`;
}

/** @returns the offsets. */
function flip(file: string, count: number, below: Below): readonly number[] {
  if (sizeOf(file) === 0) return [];
  const offsets = Array.from({ length: count }, () => below(sizeOf(file)));
  for (const offset of offsets) {
    const byte = Buffer.alloc(1);
    const opened = openSync(file, "r");
    readSync(opened, byte, 0, 1, offset);
    closeSync(opened);
    change(file, offset, Buffer.from([(byte[0] ?? 0) ^ (1 << below(8))]));
  }
  return offsets;
}

function change(file: string, offset: number, bytes: Buffer): void {
  const opened = openSync(file, "r+");
  writeSync(opened, bytes, 0, bytes.length, offset);
  closeSync(opened);
}
