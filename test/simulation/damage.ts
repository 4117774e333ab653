/** Damage that disks and people do to the files of a data directory while nobody looks. */

import { closeSync, existsSync, openSync, readSync, rmSync, statSync, truncateSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Randomness } from "../../src/util/randomness.ts";

export type Damage = {
  /** In words, with the place. */
  readonly what: string;
  /** Whether the service can see it: a log that ends a little earlier looks like one that was never longer. */
  readonly shows: boolean;
};

const PAGE_BYTES = 4096;

const KINDS = [flipBits, flipBits, zeroPage, truncateDatabase, flipBitsOfLog, truncateLog, removeLog] as const;
export const DAMAGE_KINDS = KINDS.length;

/** @param kind 0 … `DAMAGE_KINDS` − 1 */
export function damage(data: string, kind: number, randomness: Randomness): Damage {
  const below = (bound: number) => Math.floor(randomness.next() * bound);
  const spoil = KINDS[kind % KINDS.length] ?? flipBits;
  return spoil(data, below);
}

type Below = (bound: number) => number;

const database = (data: string) => join(data, "domovoi.sqlite");
const log = (data: string) => join(data, "domovoi.sqlite-wal");
const sizeOf = (file: string) => (existsSync(file) ? statSync(file).size : 0);

function flipBits(data: string, below: Below): Damage {
  return { what: `bits of the database flipped at ${flip(database(data), 8, below)}`, shows: true };
}

function flipBitsOfLog(data: string, below: Below): Damage {
  if (sizeOf(log(data)) === 0) return flipBits(data, below);
  return { what: `bits of the log flipped at ${flip(log(data), 4, below)}`, shows: true };
}

function zeroPage(data: string, below: Below): Damage {
  const page = below(sizeOf(database(data)) / PAGE_BYTES);
  change(database(data), page * PAGE_BYTES, Buffer.alloc(PAGE_BYTES));
  return { what: `page ${page} of the database zeroed`, shows: true };
}

function truncateDatabase(data: string, below: Below): Damage {
  const bytes = below(sizeOf(database(data)));
  truncateSync(database(data), bytes);
  return { what: `the database cut to ${bytes} bytes`, shows: true };
}

function truncateLog(data: string, below: Below): Damage {
  const bytes = below(sizeOf(log(data)) + 1);
  if (existsSync(log(data))) truncateSync(log(data), bytes);
  return { what: `the log cut to ${bytes} bytes`, shows: false };
}

function removeLog(data: string): Damage {
  rmSync(log(data), { force: true });
  return { what: "the log removed", shows: false };
}

/** @returns the offsets. */
function flip(file: string, count: number, below: Below): readonly number[] {
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
