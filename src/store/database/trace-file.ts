/**
 * The trace on disk: records in a database of its own, so that the journal's commits neither wait for it nor are endangered
 * by it. Records that belong together (a run) share an entry, which can be found by program and by time. When there are too
 * many, the oldest go of those programs that have most: a program that runs all the time pushes out nothing of the others.
 */

import type { DatabaseSync } from "node:sqlite";
import type { StoredEntry, StoredPage, TraceQuery, TraceRow } from "../../programs/trace/stored-trace.ts";
import { ReplaceableFile } from "./replaceable-file.ts";
import { rowSum } from "./tables.ts";

export type TraceLimits = { readonly recordsMax: number; readonly bytesMax: number };

const SHAPE = 2;
const TABLES = `
  CREATE TABLE entries (id INTEGER PRIMARY KEY, program_id INTEGER NOT NULL, key TEXT, at_ms INTEGER NOT NULL, last_id INTEGER NOT NULL) STRICT;
  CREATE INDEX entries_by_program ON entries (program_id, id);
  CREATE UNIQUE INDEX entries_by_key ON entries (key) WHERE key IS NOT NULL;
  CREATE INDEX entries_by_time ON entries (at_ms);
  CREATE INDEX entries_by_last ON entries (last_id);
  CREATE TABLE records (id INTEGER PRIMARY KEY, entry INTEGER NOT NULL, program_id INTEGER NOT NULL, bytes INTEGER NOT NULL, body TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
  CREATE INDEX records_by_entry ON records (entry, id);
  CREATE INDEX records_by_program ON records (program_id, id, bytes);
  PRAGMA user_version = ${SHAPE}`;
/** Shape 1 had no programs in its records, and sums of bytes in place of their own. */
const FROM_SHAPE_1 = `
  BEGIN;
  ALTER TABLE records RENAME TO former;
  ALTER TABLE entries RENAME TO former_entries;
  DROP INDEX entries_by_program; DROP INDEX entries_by_key; DROP INDEX entries_by_time; DROP INDEX entries_by_last;
  DROP INDEX records_by_entry;
  ${TABLES};
  INSERT INTO entries SELECT * FROM former_entries;
  INSERT INTO records SELECT f.id, f.entry, e.program_id, length(CAST(f.body AS BLOB)), f.body, f.sum
    FROM former f JOIN entries e ON e.id = f.entry;
  DROP TABLE former; DROP TABLE former_entries;
  COMMIT`;

const RECORDS_AN_ENTRY_MAX = 500;
/** A page of long runs has fewer entries than requested. */
const RECORDS_A_PAGE_MAX = 1000;
/** A trace that is too large after its settings were changed is made smaller a step at a time. */
const TRIM_RECORDS = 1024;

export class TraceFile {
  readonly #file: ReplaceableFile<Open>;
  readonly #limits: TraceLimits;

  constructor(path: string, limits: TraceLimits) {
    this.#file = new ReplaceableFile(path, { number: SHAPE, tables: TABLES, from: { 1: FROM_SHAPE_1 } }, prepare);
    this.#limits = limits;
  }

  /** @throws the error of SQLite when the disk does not take it. */
  append(rows: readonly TraceRow[]): void {
    this.#file.use((open) => appendAll(open, rows, this.#limits));
  }

  read(query: TraceQuery): StoredPage {
    return this.#file.use((open) => readPage(open, query));
  }

  close(): void {
    this.#file.close();
  }
}

type Statement = ReturnType<DatabaseSync["prepare"]>;
type Open = {
  readonly db: DatabaseSync;
  readonly findEntry: Statement;
  readonly addEntry: Statement;
  readonly extendEntry: Statement;
  readonly addRecord: Statement;
  /** Number of the newest record. */
  lastId: number;
  /** The number and size of each program's records. */
  holdings: Map<number, Holding>;
};
type Holding = { readonly records: number; readonly bytes: number };

function prepare(db: DatabaseSync): Open {
  return {
    db,
    findEntry: db.prepare("SELECT id FROM entries WHERE key = ?"),
    addEntry: db.prepare("INSERT INTO entries VALUES (?, ?, ?, ?, ?)"),
    extendEntry: db.prepare("UPDATE entries SET last_id = ? WHERE id = ?"),
    addRecord: db.prepare("INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)"),
    lastId: lastIdOf(db),
    holdings: holdingsOf(db),
  };
}

function lastIdOf(db: DatabaseSync): number {
  const { id } = db.prepare("SELECT max(id) AS id FROM records").get() as { id: number | null };
  return id ?? 0;
}

function holdingsOf(db: DatabaseSync): Map<number, Holding> {
  const found = db
    .prepare("SELECT program_id, count(*) AS records, sum(bytes) AS bytes FROM records GROUP BY program_id")
    .all() as unknown as readonly { program_id: number; records: number; bytes: number }[];
  return new Map(found.map(({ program_id, records, bytes }) => [program_id, { records, bytes }]));
}

function appendAll(open: Open, rows: readonly TraceRow[], limits: TraceLimits): void {
  const before = { lastId: open.lastId, holdings: new Map(open.holdings) };
  open.db.exec("BEGIN IMMEDIATE");
  try {
    appendRows(open, rows);
    trim(open, limits, Math.max(TRIM_RECORDS, 2 * rows.length));
    open.db.exec("COMMIT");
  } catch (error) {
    Object.assign(open, before);
    if (open.db.isTransaction) open.db.exec("ROLLBACK");
    throw error;
  }
}

/** An entry is written once per batch, with the last of its records: most of a run comes in one batch. */
function appendRows(open: Open, rows: readonly TraceRow[]): void {
  const entries = new Map<string, OpenEntry>();
  for (const [programId, key, atMs, body] of rows) {
    const id = open.lastId + 1;
    const bytes = Buffer.byteLength(body);
    let entry = id;
    if (key === null) open.addEntry.run(id, programId, key, Math.round(atMs), id);
    else {
      const known = entries.get(key) ?? openEntry(open, key, { id, programId, atMs });
      known.lastId = id;
      entries.set(key, known);
      entry = known.id;
    }
    open.addRecord.run(id, entry, programId, bytes, body, rowSum(String(id), body));
    open.lastId = id;
    change(open.holdings, programId, { records: 1, bytes });
  }
  for (const [key, { id, lastId, isNew, programId, atMs }] of entries) {
    if (isNew) open.addEntry.run(id, programId, key, Math.round(atMs), lastId);
    else open.extendEntry.run(lastId, id);
  }
}

type OpenEntry = EntryBegin & { readonly isNew: boolean; lastId: number };
type EntryBegin = { readonly id: number; readonly programId: number; readonly atMs: number };

/** The entry with this key, or the one that this record begins. */
function openEntry({ findEntry }: Open, key: string, begin: EntryBegin): OpenEntry {
  const known = findEntry.get(key) as { id: number } | undefined;
  return { ...begin, id: known?.id ?? begin.id, isNew: known === undefined, lastId: begin.id };
}

/** Drops the oldest records of the programs that have most, and the entries that have none left. */
function trim(open: Open, { recordsMax, bytesMax }: TraceLimits, budget: number): void {
  const over = Math.min(totalOf(open.holdings, "records") - recordsMax, budget);
  for (const [programId, share] of shares(open.holdings, "records", over)) drop(open, programId, share, null);
  const overBytes = totalOf(open.holdings, "bytes") - bytesMax;
  for (const [programId, share] of shares(open.holdings, "bytes", overBytes)) drop(open, programId, budget, share);
}

/** The oldest records of a program: so many, or as many as make up these bytes; never the newest one. */
function drop({ db, holdings }: Open, programId: number, records: number, bytes: number | null): void {
  const oldest = db
    .prepare("SELECT id, bytes FROM records WHERE program_id = ? ORDER BY id LIMIT ?")
    .all(programId, Math.min(records, (holdings.get(programId)?.records ?? 1) - 1)) as unknown as readonly {
    id: number;
    bytes: number;
  }[];
  let [lastId, count, sum] = [0, 0, 0];
  for (const record of oldest) {
    if (bytes !== null && sum >= bytes) break;
    lastId = record.id;
    count += 1;
    sum += record.bytes;
  }
  if (count === 0) return;
  db.prepare("DELETE FROM records WHERE program_id = ? AND id <= ?").run(programId, lastId);
  db.prepare("DELETE FROM entries WHERE program_id = ? AND last_id <= ?").run(programId, lastId);
  change(holdings, programId, { records: -count, bytes: -sum });
}

function totalOf(holdings: ReadonlyMap<number, Holding>, of: keyof Holding): number {
  let total = 0;
  for (const holding of holdings.values()) total += holding[of];
  return total;
}

/** Takes so much from those that have most that all of these have the same afterwards. */
function shares(
  holdings: ReadonlyMap<number, Holding>,
  of: keyof Holding,
  over: number,
): readonly (readonly [programId: number, share: number])[] {
  if (over <= 0) return [];
  const sorted = [...holdings].map(([id, holding]) => [id, holding[of]] as const).sort((a, b) => b[1] - a[1]);
  let above = 0;
  for (const [index, [, amount]] of sorted.entries()) {
    above += amount;
    const level = Math.floor((above - over) / (index + 1));
    if (level < (sorted[index + 1]?.[1] ?? 0)) continue;
    return sorted.slice(0, index + 1).map(([id, has]) => [id, has - Math.max(0, level)]);
  }
  return [];
}

function change(holdings: Map<number, Holding>, programId: number, by: Holding): void {
  const before = holdings.get(programId) ?? { records: 0, bytes: 0 };
  holdings.set(programId, { records: before.records + by.records, bytes: before.bytes + by.bytes });
}

function readPage({ db, lastId }: Open, query: TraceQuery): StoredPage {
  const conditions = [
    ["program_id = ?", query.programId],
    ["id < ?", query.beforeId],
    ["last_id > ?", query.afterRecordId],
    ["at_ms <= ?", query.untilMs],
  ] as const;
  const asked = conditions.filter(([, value]) => value !== null);
  const where = asked.length > 0 ? `WHERE ${asked.map(([sql]) => sql).join(" AND ")}` : "";
  const found = db
    .prepare(`SELECT id, program_id, at_ms FROM entries ${where} ORDER BY id DESC LIMIT ?`)
    .all(...asked.map(([, value]) => value ?? 0), query.limit) as unknown as readonly EntryRow[];
  const bodies = db.prepare("SELECT id, body, sum FROM records WHERE entry = ? ORDER BY id DESC LIMIT ?");
  const entries: StoredEntry[] = [];
  let records = 0;
  for (const { id, program_id: programId, at_ms: atMs } of found) {
    const rows = bodies.all(id, RECORDS_AN_ENTRY_MAX) as unknown as readonly RecordRow[];
    records += rows.length;
    if (entries.length > 0 && records > RECORDS_A_PAGE_MAX) break;
    const sound = rows.filter((row) => row.sum === rowSum(String(row.id), row.body));
    entries.push({ id, programId, atMs, bodies: sound.map(({ body }) => body).reverse() });
  }
  return { entries, lastRecordId: lastId };
}

type EntryRow = { readonly id: number; readonly program_id: number; readonly at_ms: number };
type RecordRow = { readonly id: number; readonly body: string; readonly sum: number };
