/**
 * What SQLite says nothing about: when it opens a write-ahead log with a bad frame, it silently takes everything before
 * it for all there was. This reads the log as SQLite will and tells what lies behind its end.
 *
 * @see https://www.sqlite.org/fileformat2.html#walformat
 */

import { existsSync, readFileSync } from "node:fs";

export type LogEnd = {
  /** Pages of the running log that SQLite will not take. */
  readonly pagesDropped: number;
  /** Whole commits among them: with any, acknowledged writes are lost; with none, it is the torn end of a last write. */
  readonly commitsDropped: number;
};

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const MAGIC_LITTLE_ENDIAN = 0x377f0682;

/** Call before the database is opened. @param pageBytes size of the database's pages. */
export function inspectLog(path: string, pageBytes: number): LogEnd {
  const log = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  if (log.length < LOG_HEADER_BYTES + frameBytes) return { pagesDropped: 0, commitsDropped: 0 };
  const littleEndian = log.readUInt32BE(0) === MAGIC_LITTLE_ENDIAN;
  let sum = addToSum(log, 0, 24, littleEndian, [0, 0]);
  let intact = equalsSum(log, 24, sum);
  // A frame belongs to the running log when it has its salts; others are left from before it was last begun anew.
  const salts = intact ? log.subarray(16, 24) : log.subarray(LOG_HEADER_BYTES + 8, LOG_HEADER_BYTES + 16);
  let pagesDropped = 0;
  let commitsDropped = 0;
  for (let at = LOG_HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    const belongs = salts.equals(log.subarray(at + 8, at + 16));
    if (intact && belongs) {
      sum = addToSum(log, at, 8, littleEndian, sum);
      sum = addToSum(log, at + FRAME_HEADER_BYTES, pageBytes, littleEndian, sum);
    }
    intact &&= belongs && equalsSum(log, at + 16, sum);
    if (intact || !belongs) continue;
    pagesDropped += 1;
    if (log.readUInt32BE(at + 4) !== 0) commitsDropped += 1;
  }
  return { pagesDropped, commitsDropped };
}

type Sum = readonly [number, number];

function addToSum(log: Buffer, from: number, bytes: number, littleEndian: boolean, [first, second]: Sum): Sum {
  const view = new DataView(log.buffer, log.byteOffset + from, bytes);
  let a = first;
  let b = second;
  for (let at = 0; at + 8 <= bytes; at += 8) {
    a = (a + view.getUint32(at, littleEndian) + b) >>> 0;
    b = (b + view.getUint32(at + 4, littleEndian) + a) >>> 0;
  }
  return [a, b];
}

function equalsSum(log: Buffer, at: number, [first, second]: Sum): boolean {
  return first === log.readUInt32BE(at) && second === log.readUInt32BE(at + 4);
}
