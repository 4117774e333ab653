/**
 * The trace on disk: a ring of records in a database of its own, so that the journal's commits neither wait for it nor
 * are endangered by it. Records that belong together (a run) share an entry, which can be found by program and by time.
 *
 * Nobody was promised a trace: nothing is synced, and a damaged file is set aside for a new one.
 */

import { closeSync, existsSync, openSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { KeptEntry, KeptPage, TraceQuery, TraceRow } from "../../programs/trace/stored-trace.ts";
import { DamageError, isDamageAtOpen } from "./damage.ts";
import { rowSum } from "./tables.ts";

export type TraceLimits = { readonly recordsMax: number; readonly bytesMax: number };

const SHAPE = 1;
const TABLES = `
  CREATE TABLE entries (id INTEGER PRIMARY KEY, program_id INTEGER NOT NULL, key TEXT, at_ms INTEGER NOT NULL, last_id INTEGER NOT NULL) STRICT;
  CREATE INDEX entries_by_program ON entries (program_id, id);
  CREATE UNIQUE INDEX entries_by_key ON entries (key) WHERE key IS NOT NULL;
  CREATE INDEX entries_by_time ON entries (at_ms);
  CREATE INDEX entries_by_last ON entries (last_id);
  CREATE TABLE records (id INTEGER PRIMARY KEY, entry INTEGER NOT NULL, total_bytes INTEGER NOT NULL, body TEXT NOT NULL, sum INTEGER NOT NULL) STRICT;
  CREATE INDEX records_by_entry ON records (entry, id);
  PRAGMA user_version = ${SHAPE}`;

const RECORDS_AN_ENTRY_MAX = 500;
/** A page of long runs has fewer entries than were asked for. */
const RECORDS_A_PAGE_MAX = 5000;
/** A ring that is too large after its settings were changed is made smaller a step at a time. */
const TRIM_RECORDS = 1024;
const BUSY_TIMEOUT_MS = 1000;
const COMPANIONS = ["", "-wal", "-shm"] as const;

export class TraceFile {
  readonly #path: string;
  readonly #limits: TraceLimits;
  #open: Open | null = null;

  constructor(path: string, limits: TraceLimits) {
    this.#path = path;
    this.#limits = limits;
  }

  /** @throws the error of SQLite when the disk does not take it. */
  append(rows: readonly TraceRow[]): void {
    this.#attempt((open) => appendAll(open, rows, this.#limits));
  }

  read(query: TraceQuery): KeptPage {
    return this.#attempt((open) => readPage(open, query));
  }

  close(): void {
    this.#open?.db.close();
    this.#open = null;
  }

  #attempt<R>(work: (open: Open) => R): R {
    try {
      this.#open ??= openFile(this.#path);
      return work(this.#open);
    } catch (error) {
      if (!isDamageAtOpen(error)) throw error;
      this.#setAside();
      this.#open = openFile(this.#path);
      return work(this.#open);
    }
  }

  /** One damaged file is kept for whoever wants to look. */
  #setAside(): void {
    try {
      this.close();
    } catch {
      this.#open = null; // A file that does not even close is left to the system.
    }
    const aside = `${this.#path}.damaged`;
    for (const companion of COMPANIONS) {
      rmSync(aside + companion, { force: true });
      if (existsSync(this.#path + companion)) renameSync(this.#path + companion, aside + companion);
    }
  }
}

type Statement = ReturnType<DatabaseSync["prepare"]>;
type Open = {
  readonly db: DatabaseSync;
  readonly findEntry: Statement;
  readonly addEntry: Statement;
  readonly extendEntry: Statement;
  readonly addRecord: Statement;
  first: Place;
  last: Place;
};
/** A record's number, and the bytes of all records up to it since the ring began. */
type Place = { readonly id: number; readonly totalBytes: number };

function openFile(path: string): Open {
  closeSync(openSync(path, "a", 0o600));
  const db = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA trusted_schema = OFF");
    const { user_version: shape } = db.prepare("PRAGMA user_version").get() as { user_version: number };
    if (shape === 0) db.exec(TABLES);
    else if (shape !== SHAPE) throw new DamageError("The trace has the shape of another version.");
    return {
      db,
      findEntry: db.prepare("SELECT id FROM entries WHERE key = ?"),
      addEntry: db.prepare("INSERT INTO entries VALUES (?, ?, ?, ?, ?)"),
      extendEntry: db.prepare("UPDATE entries SET last_id = ? WHERE id = ?"),
      addRecord: db.prepare("INSERT INTO records VALUES (?, ?, ?, ?, ?)"),
      first: placeAt(db, "ASC"),
      last: placeAt(db, "DESC"),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

function placeAt(db: DatabaseSync, order: "ASC" | "DESC"): Place {
  const found = db.prepare(`SELECT id, total_bytes FROM records ORDER BY id ${order} LIMIT 1`).get();
  const row = found as { id: number; total_bytes: number } | undefined;
  return row ? { id: row.id, totalBytes: row.total_bytes } : { id: 0, totalBytes: 0 };
}

function appendAll(open: Open, rows: readonly TraceRow[], limits: TraceLimits): void {
  const { first, last } = open;
  open.db.exec("BEGIN IMMEDIATE");
  try {
    appendRows(open, rows);
    trim(open, limits, Math.max(TRIM_RECORDS, 2 * rows.length));
    open.db.exec("COMMIT");
  } catch (error) {
    open.first = first;
    open.last = last;
    if (open.db.isTransaction) open.db.exec("ROLLBACK");
    throw error;
  }
}

/** Of what shares a key the entry is written once, with the last of its records: most of a run comes in one go. */
function appendRows(open: Open, rows: readonly TraceRow[]): void {
  const entries = new Map<string, OpenEntry>();
  for (const [programId, key, atMs, body] of rows) {
    const id = open.last.id + 1;
    const totalBytes = open.last.totalBytes + Buffer.byteLength(body);
    let entry = id;
    if (key === null) open.addEntry.run(id, programId, key, Math.round(atMs), id);
    else {
      const known = entries.get(key) ?? openEntry(open, key, { id, programId, atMs });
      known.lastId = id;
      entries.set(key, known);
      entry = known.id;
    }
    open.addRecord.run(id, entry, totalBytes, body, rowSum(String(id), body));
    open.last = { id, totalBytes };
    if (open.first.id === 0) open.first = open.last;
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

/** Drops the oldest records, and the entries that have none left. */
function trim(open: Open, { recordsMax, bytesMax }: TraceLimits, budget: number): void {
  const { db, first, last } = open;
  let dropTo = Math.max(0, last.id - recordsMax);
  if (last.totalBytes - first.totalBytes > bytesMax)
    dropTo = Math.max(dropTo, firstWithin(db, last.totalBytes - bytesMax));
  dropTo = Math.min(dropTo, first.id + budget, last.id - 1);
  if (dropTo < first.id) return;
  db.prepare("DELETE FROM records WHERE id <= ?").run(dropTo);
  db.prepare("DELETE FROM entries WHERE last_id <= ?").run(dropTo);
  open.first = placeAt(db, "ASC");
}

/** The last record that is to go when all up to `totalBytes` must; a chunk at a time, as totals have no index. */
function firstWithin(db: DatabaseSync, totalBytes: number): number {
  const found = db
    .prepare(
      "SELECT max(id) AS id FROM (SELECT id, total_bytes FROM records ORDER BY id LIMIT ?) WHERE total_bytes <= ?",
    )
    .get(2 * TRIM_RECORDS, totalBytes) as { id: number | null };
  return found.id ?? 0;
}

function readPage({ db, last }: Open, query: TraceQuery): KeptPage {
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
  const entries: KeptEntry[] = [];
  let records = 0;
  for (const { id, program_id: programId, at_ms: atMs } of found) {
    const rows = bodies.all(id, RECORDS_AN_ENTRY_MAX) as unknown as readonly RecordRow[];
    records += rows.length;
    if (entries.length > 0 && records > RECORDS_A_PAGE_MAX) break;
    const sound = rows.filter((row) => row.sum === rowSum(String(row.id), row.body));
    entries.push({ id, programId, atMs, bodies: sound.map(({ body }) => body).reverse() });
  }
  return { entries, lastRecordId: last.id };
}

type EntryRow = { readonly id: number; readonly program_id: number; readonly at_ms: number };
type RecordRow = { readonly id: number; readonly body: string; readonly sum: number };
