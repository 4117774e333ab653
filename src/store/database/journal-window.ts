/** A part of the journal, newest row first. Parts are small, so that commits of the home take place between them. */

import type { DatabaseSync } from "node:sqlite";
import { type JournalRow, type StoredJournalRow, soundJournalRow } from "./tables.ts";

export type WindowQuery = {
  /** Types of the rows. */
  readonly types: readonly string[];
  /** Only rows whose body holds it. */
  readonly holding: string;
  /** Where to begin: at a time, at the row of the entry before another one, or where the window before ended. */
  readonly from: { readonly untilMs: number } | { readonly beforeEntry: number } | { readonly untilSeq: number };
};

/** `nextSeq`: where the next window begins; null at the journal's beginning. `sinceMs`: how far back this one goes. */
export type JournalWindow = {
  readonly rows: readonly JournalRow[];
  readonly nextSeq: number | null;
  readonly sinceMs: number | null;
};

/** Entries of a window. Reports of many devices share a row, so these are some dozens of rows. */
export const ENTRIES_A_WINDOW = 16_384;
/** A row of 512 reports takes about a millisecond to decode on the main thread. */
const ROWS_A_WINDOW = 4;

export function readWindow(db: DatabaseSync, { types, holding, from }: WindowQuery): JournalWindow {
  const untilSeq = firstRow(db, from);
  if (untilSeq === null) return { rows: [], nextSeq: null, sinceMs: null };
  const sinceSeq = Math.max(0, untilSeq - ENTRIES_A_WINDOW);
  const select = db.prepare(
    `SELECT * FROM journal WHERE seq <= ? AND seq > ? AND type IN (${types.map(() => "?").join()}) AND instr(body, ?) > 0 ORDER BY seq DESC LIMIT ?`,
  );
  select.setReturnArrays(true);
  const given = [untilSeq, sinceSeq, ...types, holding, ROWS_A_WINDOW];
  const stored = select.all(...given) as unknown as readonly StoredJournalRow[];
  const isWhole = stored.length < ROWS_A_WINDOW;
  const nextSeq = isWhole ? sinceSeq : (stored.at(-1)?.[0] ?? 1) - 1;
  const since = db.prepare("SELECT seq, at_ms FROM journal WHERE seq > ? ORDER BY seq LIMIT 1").get(nextSeq);
  const oldest = db.prepare("SELECT seq FROM journal ORDER BY seq LIMIT 1").get() as { seq: number } | undefined;
  return {
    rows: stored.map(soundJournalRow).filter((row) => row !== null),
    nextSeq: oldest && oldest.seq <= nextSeq ? nextSeq : null,
    sinceMs: (since as { at_ms: number } | undefined)?.at_ms ?? null,
  };
}

function firstRow(db: DatabaseSync, from: WindowQuery["from"]): number | null {
  if ("untilSeq" in from) return from.untilSeq;
  if ("untilMs" in from) return seqAt(db, from.untilMs);
  // A row has the number of its last entry.
  const row = db.prepare("SELECT seq FROM journal WHERE seq >= ? ORDER BY seq LIMIT 1").get(from.beforeEntry - 1);
  return (row as { seq: number } | undefined)?.seq ?? null;
}

/** The last row that may hold an entry of that time: times grow with the numbers, but for a clock that was set. */
export function seqAt(db: DatabaseSync, atMs: number): number | null {
  const bounds = db.prepare("SELECT min(seq) AS first, max(seq) AS last FROM journal").get() as {
    first: number | null;
    last: number | null;
  };
  if (bounds.first === null || bounds.last === null) return null;
  const rowFrom = db.prepare("SELECT seq, at_ms FROM journal WHERE seq >= ? ORDER BY seq LIMIT 1");
  let [low, high] = [bounds.first, bounds.last];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const row = rowFrom.get(middle) as { seq: number; at_ms: number };
    // The row of many reports has the time of its last one.
    if (row.at_ms >= atMs) high = middle;
    else low = row.seq + 1;
  }
  return (rowFrom.get(Math.min(low, bounds.last)) as { seq: number }).seq;
}
