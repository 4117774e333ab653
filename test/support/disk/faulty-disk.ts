/**
 * A process whose disk fails on request, and the content that a power cut would have left of its files. Needs Linux
 * and a C compiler; otherwise `hasFaultyDisk` is false and the tests that need it are skipped.
 */

import { spawnSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Randomness } from "../../../src/util/randomness.ts";
import { temporaryDirectory } from "../test-store.ts";

/** The disk's behavior for writes from now on. */
export type Fault = "none" | "full" | "read-only" | "sync fails" | "stalls" | "full until a file is removed";

const FAULTS: Readonly<Record<Fault, number>> = {
  none: 0,
  full: 1,
  "read-only": 2,
  "sync fails": 4,
  stalls: 8,
  "full until a file is removed": 16,
};
const SOURCE = join(import.meta.dirname, "faulty-disk.c");

export const hasFaultyDisk = process.platform === "linux" && spawnSync("cc", ["--version"]).status === 0;

export class FaultyDisk {
  readonly #data: string;
  readonly #control: string;
  readonly #log: string;
  readonly #library: string;

  /** @param data directory whose files it intercepts. */
  constructor(data: string) {
    const own = temporaryDirectory();
    this.#data = data;
    this.#control = join(own, "control");
    this.#log = join(own, "log");
    this.#library = join(own, "faulty-disk.so");
    writeFileSync(this.#control, Buffer.of(0));
    writeFileSync(this.#log, "");
    const built = spawnSync("cc", ["-shared", "-fPIC", "-O1", "-o", this.#library, SOURCE, "-ldl", "-lpthread"]);
    if (built.status !== 0) throw new Error(`The faulty disk does not compile: ${built.stderr}`);
  }

  /** For the process that is to have this disk. */
  get environment(): Readonly<Record<string, string>> {
    return {
      LD_PRELOAD: this.#library,
      FAULTY_DISK_DIRECTORY: this.#data,
      FAULTY_DISK_CONTROL: this.#control,
      FAULTY_DISK_LOG: this.#log,
    };
  }

  set(fault: Fault): void {
    const file = openSync(this.#control, "r+");
    writeSync(file, Buffer.of(FAULTS[fault]), 0, 1, 0);
    closeSync(file);
  }

  /**
   * Undoes writes that were never synced, once the process has ended: all of them, or with a chance a part of them,
   * as disks write in any order. Data of a failed sync is not on disk, even after later syncs, until it is written
   * again.
   * @returns how many writes are undone.
   */
  cutPower(chance: Randomness | null = null): number {
    const files = new Map<bigint, Write[]>();
    for (const record of readRecords(this.#log)) {
      const writes = files.get(record.inode) ?? [];
      files.set(record.inode, writes);
      if (record.kind === SYNC)
        for (const write of writes) write.state = write.state === "cached" ? "on disk" : write.state;
      else if (record.kind === FAILED_SYNC)
        for (const write of writes) write.state = write.state === "cached" ? "dropped" : write.state;
      else writes.push({ ...record, state: "cached" });
    }
    let undone = 0;
    for (const path of filesOf(this.#data)) {
      const writes = files.get(statSync(path, { bigint: true }).ino) ?? [];
      const isLost = ({ state }: Write) => state !== "on disk" && (chance === null || chance.next() < 0.5);
      undone += undo(path, writes, new Set(writes.filter(isLost)));
    }
    writeFileSync(this.#log, "");
    return undone;
  }
}

const WRITE = 1;
const SYNC = 2;
const FAILED_SYNC = 4;
const RECORD_BYTES = 40;

type LogRecord = {
  readonly kind: number;
  readonly inode: bigint;
  /** For a write: its offset. For a truncation: the new size. */
  readonly offset: number;
  readonly bytes: number;
  readonly sizeBefore: number;
  /** The previous bytes. */
  readonly before: Buffer;
};
type Write = LogRecord & { state: "cached" | "dropped" | "on disk" };

function* readRecords(path: string): Iterable<LogRecord> {
  const log = readFileSync(path);
  for (let at = 0; at + RECORD_BYTES <= log.length; ) {
    const beforeBytes = log.readUInt32LE(at + 4);
    const number = (offset: number) => Number(log.readBigUInt64LE(at + offset));
    const before = log.subarray(at + RECORD_BYTES, at + RECORD_BYTES + beforeBytes);
    yield {
      kind: log.readUInt32LE(at),
      inode: log.readBigUInt64LE(at + 8),
      offset: number(16),
      bytes: number(24),
      sizeBefore: number(32),
      before,
    };
    at += RECORD_BYTES + beforeBytes;
  }
}

function filesOf(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** Backwards, so that a later write that is on disk keeps its bytes. */
function undo(path: string, writes: readonly Write[], lost: ReadonlySet<Write>): number {
  if (lost.size === 0) return 0;
  const content = Buffer.from(readFileSync(path));
  const kept = new Uint8Array(Math.max(content.length, ...writes.map(endOf)));
  const image = Buffer.alloc(kept.length);
  content.copy(image);
  let size = content.length;
  let sizeIsKept = false;
  for (const write of writes.toReversed()) {
    const { kind, offset, sizeBefore, before } = write;
    const end = kind === WRITE ? endOf(write) : kept.length;
    if (lost.has(write)) {
      for (let at = offset; at < end; at += 1) if (kept[at] === 0) image[at] = before[at - offset] ?? 0;
      if (!sizeIsKept) size = sizeBefore;
    } else {
      kept.fill(1, offset, end);
      sizeIsKept = true;
    }
  }
  writeFileSync(path, image.subarray(0, size));
  return lost.size;
}

function endOf({ kind, offset, bytes, sizeBefore }: Write): number {
  return kind === WRITE ? offset + bytes : sizeBefore;
}
