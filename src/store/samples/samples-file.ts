/**
 * The samples on disk, in a database of their own: a projection of the journal's reports, written by the store's
 * thread. The newest samples of a property are rows; a number of them becomes a chunk with a summary. Charts read
 * summaries and few chunks.
 *
 * Samples lost in a power cut are read from the journal again.
 */

import type { DatabaseSync } from "node:sqlite";
import { crc32 } from "node:zlib";
import type { Sample } from "../../home/history.ts";
import { ReplaceableFile } from "../database/replaceable-file.ts";
import { CHUNK_SAMPLES, encodeChunk, UNKNOWN, weigh } from "./chunk.ts";

/** A report of the journal. Null: the value is unknown from then on. */
export type JournalSample = Omit<Sample, "value"> & {
  readonly seq: number;
  readonly address: string;
  readonly property: string;
  readonly value: number | null;
};

export type SampleLimits = { readonly ageMsMax: number; readonly bytesMax: number };

const SHAPE = 1;
const TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE series (id INTEGER PRIMARY KEY, address TEXT NOT NULL, property TEXT NOT NULL, UNIQUE (address, property)) STRICT;
  CREATE TABLE newest (series INTEGER NOT NULL, seq INTEGER NOT NULL, at_ms INTEGER NOT NULL, value REAL NOT NULL,
    uom INTEGER NOT NULL, prec INTEGER NOT NULL, PRIMARY KEY (series, seq)) STRICT, WITHOUT ROWID;
  CREATE TABLE chunks (series INTEGER NOT NULL, from_ms INTEGER NOT NULL, id INTEGER NOT NULL, to_ms INTEGER NOT NULL,
    count INTEGER NOT NULL, lo REAL NOT NULL, hi REAL NOT NULL, total REAL NOT NULL, last REAL NOT NULL,
    uom INTEGER NOT NULL, prec INTEGER NOT NULL, PRIMARY KEY (series, from_ms, id)) STRICT, WITHOUT ROWID;
  CREATE INDEX chunks_by_time ON chunks (to_ms);
  CREATE TABLE bodies (id INTEGER PRIMARY KEY, body BLOB NOT NULL, sum INTEGER NOT NULL) STRICT;
  PRAGMA user_version = ${SHAPE}`;
/**
 * A table of its own, made when the file opens: an earlier version still writes chunks, which then have none, and a higher
 * number of the shape would cost it the file.
 */
const AREAS =
  "CREATE TABLE IF NOT EXISTS areas (id INTEGER PRIMARY KEY, area REAL NOT NULL, known_ms INTEGER NOT NULL) STRICT";
/** Bytes of a chunk beside its body, with SQLite's overhead. */
const CHUNK_OVERHEAD_BYTES = 120;
/** Chunks that retention removes at a time. */
const TRIM_CHUNKS = 64;

export class SamplesFile {
  readonly #file: ReplaceableFile<OpenFile>;
  readonly #limits: SampleLimits;

  constructor(path: string, limits: SampleLimits) {
    this.#file = new ReplaceableFile(path, { number: SHAPE, tables: TABLES }, prepare);
    this.#limits = limits;
  }

  /** Number of the journal entry up to which it was written. */
  get lastSeq(): number {
    return this.#file.use(({ db }) => readMeta(db, "last_seq"));
  }

  /**
   * @param samples in the order of the journal. @param lastSeq up to which there are no others.
   * @param isDue looked at after each sample: whether the rest is left for later. @returns how many were written.
   */
  append(samples: readonly JournalSample[], lastSeq: number, nowMs: number, isDue = () => false): number {
    return this.#file.use((open) => {
      open.db.exec("BEGIN IMMEDIATE");
      try {
        const written = addUntil(open, samples, isDue);
        const rest = samples.length - written;
        writeMeta(open.db, "last_seq", rest > 0 ? (samples[written - 1]?.seq ?? lastSeq) : lastSeq);
        trim(open.db, this.#limits, nowMs);
        open.db.exec("COMMIT");
        return written;
      } catch (error) {
        if (open.db.isTransaction) open.db.exec("ROLLBACK");
        // The cached state may belong to the failed transaction.
        this.close();
        throw error;
      }
    });
  }

  close(): void {
    this.#file.close();
  }
}

type Statement = ReturnType<DatabaseSync["prepare"]>;
type Growing = { readonly id: number; count: number; uom: number; prec: number; isKnown: boolean };
type OpenFile = {
  readonly db: DatabaseSync;
  /** By address and property: how many rows are not in a chunk yet. */
  readonly growing: Map<string, Growing>;
  readonly insert: Statement;
};

function prepare(db: DatabaseSync): OpenFile {
  db.exec(AREAS);
  return { db, insert: db.prepare("INSERT OR REPLACE INTO newest VALUES (?, ?, ?, ?, ?, ?)"), growing: new Map() };
}

/** @returns how many were added: at least one. */
function addUntil(open: OpenFile, samples: readonly JournalSample[], isDue: () => boolean): number {
  let count = 0;
  for (const sample of samples) {
    add(open, sample);
    count += 1;
    if (isDue()) break;
  }
  return count;
}

function add(open: OpenFile, sample: JournalSample): void {
  const { seq, address, property, atMs, value } = sample;
  const key = `${address} ${property}`;
  const known = open.growing.get(key);
  if (value === null && known && !known.isKnown) return;
  const series = known ?? findSeries(open.db, sample);
  open.growing.set(key, series);
  if (value === null && !series.isKnown) return;
  // An unknown value has no unit: it begins no chunk.
  const { uom, prec } = value === null ? series : sample;
  const isOther = series.uom !== uom || series.prec !== prec;
  if (series.count >= CHUNK_SAMPLES || (isOther && series.count > 0)) pack(open.db, series);
  series.uom = uom;
  series.prec = prec;
  series.isKnown = value !== null;
  open.insert.run(series.id, seq, Math.round(atMs), value ?? UNKNOWN, uom, prec);
  series.count += 1;
}

function findSeries(db: DatabaseSync, { address, property, uom, prec }: JournalSample): Growing {
  const text = [address.toWellFormed(), property.toWellFormed()] as const;
  db.prepare("INSERT OR IGNORE INTO series (address, property) VALUES (?, ?)").run(...text);
  const { id } = db.prepare("SELECT id FROM series WHERE address = ? AND property = ?").get(...text) as { id: number };
  const { count } = db.prepare("SELECT count(*) AS count FROM newest WHERE series = ?").get(id) as { count: number };
  const select = "SELECT uom, prec, value FROM newest WHERE series = ? ORDER BY seq DESC LIMIT 1";
  const last = db.prepare(select).get(id) as { uom: number; prec: number; value: number } | undefined;
  if (!last) return { id, count, uom, prec, isKnown: false };
  return { id, count, uom: last.uom, prec: last.prec, isKnown: last.value !== UNKNOWN };
}

/** The rows of a series become a chunk. They share unit and precision. */
function pack(db: DatabaseSync, series: Growing): void {
  const select = db.prepare("SELECT at_ms, value FROM newest WHERE series = ? ORDER BY seq");
  const rows = select.all(series.id) as unknown as readonly { at_ms: number; value: number }[];
  const times = Float64Array.from(rows, ({ at_ms }) => at_ms);
  const values = Float64Array.from(rows, ({ value }) => value);
  writeChunk(db, { series: series.id, times, values, uom: series.uom, prec: series.prec });
  db.prepare("DELETE FROM newest WHERE series = ?").run(series.id);
  series.count = 0;
}

type Chunk = {
  readonly series: number;
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly uom: number;
  readonly prec: number;
};

/** Samples of one unit and precision, with their summary. */
export function writeChunk(db: DatabaseSync, { series, times, values, uom, prec }: Chunk): void {
  const body = encodeChunk({ times, values });
  const known = values.filter((value) => value !== UNKNOWN);
  const summary = [Math.min(...known), Math.max(...known), known.reduce((sum, value) => sum + value, 0)] as const;
  const [fromMs, toMs] = [Math.min(...times), Math.max(...times)];
  const insertBody = db.prepare("INSERT INTO bodies (body, sum) VALUES (?, ?) RETURNING id");
  const { id } = insertBody.get(body, crc32(body)) as { id: number };
  const insert = db.prepare("INSERT INTO chunks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  insert.run(series, fromMs, id, toMs, known.length, ...summary, values.at(-1) ?? 0, uom, prec);
  const { area, knownMs } = weigh({ times, values });
  db.prepare("INSERT OR REPLACE INTO areas VALUES (?, ?, ?)").run(id, area, knownMs);
  writeMeta(db, "bytes", readMeta(db, "bytes") + body.length + CHUNK_OVERHEAD_BYTES);
}

function trim(db: DatabaseSync, { ageMsMax, bytesMax }: SampleLimits, nowMs: number): void {
  let bytes = readMeta(db, "bytes");
  const oldest = db.prepare(
    "SELECT series, from_ms, id, to_ms, length(body) AS bytes FROM chunks JOIN bodies USING (id) ORDER BY to_ms LIMIT 1",
  );
  for (let removed = 0; removed < TRIM_CHUNKS; removed += 1) {
    const chunk = oldest.get() as Oldest | undefined;
    if (!chunk || (bytes <= bytesMax && chunk.to_ms >= nowMs - ageMsMax)) break;
    db.prepare("DELETE FROM chunks WHERE series = ? AND from_ms = ? AND id = ?").run(
      chunk.series,
      chunk.from_ms,
      chunk.id,
    );
    for (const table of ["bodies", "areas"]) db.prepare(`DELETE FROM ${table} WHERE id = ?`).run(chunk.id);
    bytes -= chunk.bytes + CHUNK_OVERHEAD_BYTES;
  }
  writeMeta(db, "bytes", Math.max(0, bytes));
}

type Oldest = { series: number; from_ms: number; id: number; to_ms: number; bytes: number };

function readMeta(db: DatabaseSync, key: string): number {
  const row = db.prepare("SELECT value FROM meta WHERE key = ?").get(key) as { value: number } | undefined;
  return row?.value ?? 0;
}

function writeMeta(db: DatabaseSync, key: string, value: number): void {
  db.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)").run(key, value);
}
