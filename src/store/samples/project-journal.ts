/** Follows the journal and writes its numeric reports as samples, some rows at a time. Runs in the store's thread. */

import type { DatabaseSync } from "node:sqlite";
import { type StoredJournalRow, soundJournalRow } from "../database/tables.ts";
import { decodeJournal, rowTypeOf } from "../journal.ts";
import type { JournalSample, SamplesFile } from "./samples-file.ts";

const REPORTS = rowTypeOf("property-changed");
/** A commit that comes meanwhile waits for the slice. */
const SLICE_MS = 5;
const ROWS_AT_ONCE = 256;
/** A row of reports holds up to 512 of them, every other row none. */
const REPORT_CHARS_AT_ONCE = 32_768;

/** Writes one slice. @returns whether there is more. */
export function projectSome(db: DatabaseSync, samples: SamplesFile): boolean {
  const endMs = performance.now() + SLICE_MS;
  const fromSeq = samples.lastSeq;
  const select = db.prepare("SELECT * FROM journal WHERE seq > ? ORDER BY seq LIMIT ?");
  select.setReturnArrays(true);
  const reports: StoredJournalRow[] = [];
  let last: StoredJournalRow | null = null;
  let count = 0;
  let chars = 0;
  for (const row of select.iterate(fromSeq, ROWS_AT_ONCE) as unknown as Iterable<StoredJournalRow>) {
    last = row;
    count += 1;
    if (row[6] === REPORTS) {
      reports.push(row);
      chars += row[7].length;
    }
    if (chars >= REPORT_CHARS_AT_ONCE) break;
  }
  if (!last) {
    followNewJournal(db, samples, fromSeq);
    return false;
  }
  // The slice before may have ended within a row.
  const added = readRecording(db) ? reports.flatMap(samplesOf).filter(({ seq }) => seq > fromSeq) : [];
  const isWhole = samples.append(added, last[0], last[2], () => performance.now() > endMs);
  return !isWhole || count === ROWS_AT_ONCE || chars >= REPORT_CHARS_AT_ONCE;
}

function samplesOf(stored: StoredJournalRow): readonly JournalSample[] {
  const row = soundJournalRow(stored);
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
