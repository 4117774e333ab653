/** Follows the journal and writes its numeric reports as samples, some rows at a time. Runs in the store's thread. */

import type { DatabaseSync } from "node:sqlite";
import { type StoredJournalRow, soundJournalRow } from "../database/tables.ts";
import { decodeJournal } from "../journal.ts";
import type { JournalSample, SamplesFile } from "./samples-file.ts";

/** Ten milliseconds of work at most: commits go in between. */
const ROWS_AT_ONCE = 4;

/** @returns whether there is more. */
export function projectSome(db: DatabaseSync, samples: SamplesFile): boolean {
  const fromSeq = samples.lastSeq;
  const select = db.prepare("SELECT * FROM journal WHERE seq > ? ORDER BY seq LIMIT ?");
  select.setReturnArrays(true);
  const rows = select.all(fromSeq, ROWS_AT_ONCE) as unknown as readonly StoredJournalRow[];
  const last = rows.at(-1);
  if (!last) {
    followNewJournal(db, samples, fromSeq);
    return false;
  }
  const isOn = readRecording(db);
  samples.append(isOn ? rows.flatMap(samplesOf) : [], last[0], last[2]);
  return rows.length === ROWS_AT_ONCE;
}

function samplesOf(stored: StoredJournalRow): readonly JournalSample[] {
  const row = stored[6] === "reports" ? soundJournalRow(stored) : null;
  return (row ? decodeJournal(row) : []).flatMap((item): readonly JournalSample[] => {
    if (!("change" in item) || item.change.type !== "property-changed") return [];
    const { address, property } = item.change;
    const { id, value, uom, prec } = property;
    return value === null ? [] : [{ seq: item.seq, address, property: id, atMs: item.atMs, value, uom, prec }];
  });
}

/** After a recovery that lost entries the numbers may begin again below. */
function followNewJournal(db: DatabaseSync, samples: SamplesFile, fromSeq: number): void {
  const { seq } = db.prepare("SELECT max(seq) AS seq FROM journal").get() as { seq: number | null };
  if ((seq ?? 0) < fromSeq) samples.append([], seq ?? 0, 0);
}

/** The owner may turn recording off; the row of `meta` is the store's, see `SampleHistory`. */
function readRecording(db: DatabaseSync): boolean {
  const row = db.prepare("SELECT body FROM meta WHERE key = 'history'").get() as { body: string } | undefined;
  return row?.body !== '"off"';
}
