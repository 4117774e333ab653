/** The number of changes over time, for the band on which a person moves through the past. */

import type { DatabaseSync } from "node:sqlite";
import type { Change, JournalEntry } from "../../home/change.ts";
import type { ChangesQuery, NearChanges } from "../../home/past.ts";
import { seqAt } from "../database/journal-window.ts";
import { type StoredJournalRow, soundJournalRow } from "../database/tables.ts";
import { decodeJournal, rowTypesOf } from "../journal.ts";
import { journalSpan } from "./read-journal.ts";

/** Beside edits: changes that alter what a page shows. */
const SHOWN = ["property-changed", "variable-written", "program-ran"] as const satisfies readonly Change["type"][];
const TYPES = rowTypesOf(SHOWN);
const MARKS = TYPES.map(() => "?").join(",");
/** Rows on either side of an instant that are searched for the next change. */
const ROWS_MAX = 64;

export function readChanges(db: DatabaseSync, { atMs, fromMs, toMs, parts }: ChangesQuery): NearChanges {
  return {
    beginsMs: journalSpan(db)?.firstAtMs ?? null,
    beforeMs: neighbor(db, atMs, "before"),
    afterMs: neighbor(db, atMs, "after"),
    parts: countedParts(db, fromMs, toMs, parts),
  };
}

/** A row of many reports counts in the part of its last one. */
function countedParts(db: DatabaseSync, fromMs: number, toMs: number, parts: number): NearChanges["parts"] {
  const [first, last] = [seqAt(db, fromMs), seqAt(db, toMs)];
  if (first === null || last === null) return [];
  const widthMs = (toMs - fromMs) / parts;
  const rows = db
    .prepare(
      `SELECT CAST((at_ms - ?) / ? AS INTEGER) AS part, sum(seq - first_seq + 1) AS count FROM journal
       WHERE seq >= ? AND seq <= ? AND at_ms >= ? AND at_ms < ? AND type IN (${MARKS}) GROUP BY part ORDER BY part`,
    )
    .all(fromMs, widthMs, first, last, fromMs, toMs, ...TYPES) as { part: number; count: number }[];
  return rows.map(({ part, count }) => ({ fromMs: fromMs + part * widthMs, count }));
}

function neighbor(db: DatabaseSync, atMs: number, side: "before" | "after"): number | null {
  const from = seqAt(db, side === "before" ? atMs : atMs + 1);
  if (from === null) return null;
  const [compare, order] = side === "before" ? ["<=", "DESC"] : [">=", "ASC"];
  const select = db.prepare(
    `SELECT * FROM journal WHERE seq ${compare} ? AND type IN (${MARKS}) ORDER BY seq ${order} LIMIT ${ROWS_MAX}`,
  );
  select.setReturnArrays(true);
  for (const stored of select.iterate(from, ...TYPES) as unknown as Iterable<StoredJournalRow>) {
    const times = shownTimes(stored).filter((time) => (side === "before" ? time < atMs : time > atMs));
    if (times.length > 0) return side === "before" ? Math.max(...times) : Math.min(...times);
  }
  return null;
}

function shownTimes(stored: StoredJournalRow): readonly number[] {
  const row = soundJournalRow(stored);
  const entries = row ? decodeJournal(row) : [];
  return entries.flatMap((entry) => ("dropped" in entry || !isShown(entry) ? [] : [entry.atMs]));
}

/** A report that repeats the value changes nothing. */
function isShown(entry: JournalEntry): boolean {
  if ("edit" in entry || entry.change.type !== "property-changed") return true;
  const { before, property } = entry.change;
  return before?.value !== property.value || before.uom !== property.uom;
}
