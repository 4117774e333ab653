/**
 * Reads defensively. At start: every state row against its checksum, every state table's structure, and the end of
 * the journal where the next row will go; the time for this does not grow with the journal. In recovery: everything
 * that is still readable.
 */

import type { DatabaseSync } from "node:sqlite";
import { DamageError } from "./damage.ts";
import { openForSalvage } from "./open-database.ts";
import {
  isInShape,
  type JournalRow,
  rowSum,
  STATE_TABLES,
  type StateTable,
  type StoredJournalRow,
  soundJournalRow,
} from "./tables.ts";

/** Key and body of the rows, in the order in which they came. */
export type StateRows = Readonly<Record<StateTable, Map<string, string>>>;

const JOURNAL_ROWS_CHECKED = 32;

/**
 * @param db perhaps a copy made before an update: tables that came later are empty.
 * @throws DamageError, or SQLite's error for what it cannot read.
 */
export function readState(db: DatabaseSync): StateRows {
  checkJournalEnd(db);
  const shape = readShape(db) ?? 0;
  const entries = STATE_TABLES.map((table) => [table, isInShape(table, shape) ? readTable(db, table) : new Map()]);
  return Object.fromEntries(entries) as StateRows;
}

/** Number of the last migration; null without one. @throws SQLite's error when the list of them does not read. */
export function readShape(db: DatabaseSync): number | null {
  return (db.prepare("SELECT max(number) AS shape FROM migrations").get() as { shape: number | null }).shape;
}

/** The rows of a table that is sound as a whole. @throws DamageError, or SQLite's error. */
export function readTable(db: DatabaseSync, table: StateTable): Map<string, string> {
  const verdict = db.prepare(`PRAGMA integrity_check("${table}")`).get() as { integrity_check: string } | undefined;
  if (verdict?.integrity_check !== "ok") throw new DamageError(`The table ${table} is damaged.`);
  const rows = new Map<string, string>();
  for (const [key, body, sum] of selectRows(db, table).all() as unknown as StoredRow[]) {
    if (sum !== rowSum(key, body)) throw new DamageError(`A row of the table ${table} is damaged.`);
    rows.set(key, body);
  }
  return rows;
}

/** The number of the journal's last entry, 0 when it is empty. */
export function readLastJournalSeq(db: DatabaseSync): number {
  const last = db.prepare("SELECT max(seq) AS seq FROM journal").get() as { seq: number | null };
  return last.seq ?? 0;
}

/** Entries in which a key of a client is looked for: minutes to hours, far longer than a client tries again. */
export const KEYS_WITHIN_ENTRIES = 20_000;

/** Causes of the newest entries that clients named by keys of their own. */
export function readWrittenKeys(db: DatabaseSync, lastSeq: number): readonly string[] {
  const select = db.prepare("SELECT DISTINCT cause_id FROM journal WHERE seq > ? AND cause_id LIKE 'key %'");
  select.setReturnArrays(true);
  return (select.all(lastSeq - KEYS_WITHIN_ENTRIES) as unknown as [string][]).map(([id]) => id);
}

/** The sound rows of a table that may be damaged: from its beginning and from its end, as far as they read. */
export function salvageTable(db: DatabaseSync, table: StateTable): Map<string, string> {
  const ahead = readWhilePossible<StoredRow>(() => selectRows(db, table).iterate());
  const back = ahead.complete ? [] : readWhilePossible<StoredRow>(() => selectRows(db, table, "DESC").iterate()).rows;
  const sound = [...ahead.rows, ...back.toReversed()].filter(([key, body, sum]) => sum === rowSum(key, body));
  return new Map(sound.map(([key, body]) => [key, body]));
}

/** The sound rows of the journal, oldest first. `complete` is false when a part of it did not read. */
export function salvageJournal(db: DatabaseSync): { readonly rows: readonly JournalRow[]; readonly complete: boolean } {
  const ahead = readWhilePossible<StoredJournalRow>(() => selectJournal(db, "ASC").iterate());
  const end = Number(ahead.rows.at(-1)?.[0] ?? 0);
  const back = ahead.complete
    ? []
    : readWhilePossible<StoredJournalRow>(() => selectJournal(db, "DESC").iterate()).rows;
  const all = [...ahead.rows, ...back.toReversed().filter(([seq]) => Number(seq) > end)];
  const rows = all.map(soundJournalRow).filter((row) => row !== null);
  return { rows, complete: ahead.complete && rows.length === all.length };
}

/** The journal of a sound database, oldest first. */
export function* journalInParts(path: string, rowsMax: number): Iterable<readonly JournalRow[]> {
  using db = openForSalvage(path);
  let part: JournalRow[] = [];
  for (const stored of selectJournal(db, "ASC").iterate() as unknown as Iterable<StoredJournalRow>) {
    const row = soundJournalRow(stored);
    if (row) part.push(row);
    if (part.length === rowsMax) {
      yield part;
      part = [];
    }
  }
  if (part.length > 0) yield part;
}

type StoredRow = readonly [key: string, body: string, sum: number];

function selectRows(db: DatabaseSync, table: StateTable, order: "ASC" | "DESC" = "ASC") {
  const select = db.prepare(`SELECT key, body, sum FROM "${table}" ORDER BY rowid ${order}`);
  select.setReturnArrays(true);
  return select;
}

function selectJournal(db: DatabaseSync, order: "ASC" | "DESC") {
  const select = db.prepare(`SELECT * FROM journal ORDER BY seq ${order}`);
  select.setReturnArrays(true);
  return select;
}

function checkJournalEnd(db: DatabaseSync): void {
  let checked = 0;
  for (const row of selectJournal(db, "DESC").iterate() as unknown as Iterable<StoredJournalRow>) {
    if (!soundJournalRow(row)) throw new DamageError("The end of the journal is damaged.");
    checked += 1;
    if (checked === JOURNAL_ROWS_CHECKED) return;
  }
}

function readWhilePossible<R>(open: () => Iterable<unknown>): {
  readonly rows: readonly R[];
  readonly complete: boolean;
} {
  const rows: R[] = [];
  try {
    for (const row of open()) rows.push(row as R);
    return { rows, complete: true };
  } catch {
    return { rows, complete: false };
  }
}
