/**
 * The journal as a recording: its entries in order, from rows with a correct checksum. A gap stands in the place of
 * missing entries. Reads beside a running service; writes nothing.
 */

import type { DatabaseSync } from "node:sqlite";
import type { JournalEntry } from "../../home/change.ts";
import { type StoredJournalRow, soundJournalRow } from "../database/tables.ts";
import { decodeJournal, type Gap } from "../journal.ts";

/** Numbers and times of the first and the last entry that is there. */
export type JournalSpan = {
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly firstAtMs: number;
  readonly lastAtMs: number;
};

/** null: the journal is empty. The time of a first row of many reports is that of its last one. */
export function journalSpan(db: DatabaseSync): JournalSpan | null {
  const end = (order: "ASC" | "DESC") =>
    db.prepare(`SELECT seq, first_seq, at_ms FROM journal ORDER BY seq ${order} LIMIT 1`).get() as
      | { seq: number; first_seq: number; at_ms: number }
      | undefined;
  const first = end("ASC");
  const last = end("DESC");
  if (!first || !last) return null;
  return { firstSeq: first.first_seq, lastSeq: last.seq, firstAtMs: first.at_ms, lastAtMs: last.at_ms };
}

/** Number from which on the entries of an instant can be: none before it is as late. null: all are earlier. */
export function firstSeqSince(db: DatabaseSync, atMs: number): number | null {
  const row = db.prepare("SELECT first_seq FROM journal WHERE at_ms >= ? ORDER BY seq LIMIT 1").get(atMs);
  return (row as { first_seq: number } | undefined)?.first_seq ?? null;
}

/** @param type only rows of this type: a type of change that is not packed. Then gaps do not show. */
export function* readJournal(
  db: DatabaseSync,
  fromSeq: number,
  toSeq: number,
  type: string | null = null,
): Iterable<JournalEntry | Gap> {
  const ofType = type === null ? "" : "AND type = ?";
  const select = db.prepare(`SELECT * FROM journal WHERE seq >= ? AND first_seq <= ? ${ofType} ORDER BY seq`);
  select.setReturnArrays(true);
  const rows = select.iterate(fromSeq, toSeq, ...(type === null ? [] : [type]));
  let covered = fromSeq - 1;
  for (const stored of rows as unknown as Iterable<StoredJournalRow>) {
    const [seq, firstSeq, atMs] = stored;
    if (type === null && firstSeq > covered + 1) yield { seq: firstSeq - 1, atMs, dropped: firstSeq - 1 - covered };
    covered = seq;
    for (const item of decode(stored)) if (item.seq >= fromSeq && item.seq <= toSeq) yield item;
  }
}

function decode(stored: StoredJournalRow): readonly (JournalEntry | Gap)[] {
  const [seq, firstSeq, atMs] = stored;
  const row = soundJournalRow(stored);
  return row ? decodeJournal(row) : [{ seq, atMs, dropped: seq - firstSeq + 1 }];
}
