/** Follows the journal and writes its reports as samples, some rows at a time. Runs in the store's thread. */

import type { DatabaseSync } from "node:sqlite";
import { type StoredJournalRow, soundJournalRow } from "../database/tables.ts";
import { decodeJournal, rowTypeOf } from "../journal.ts";
import type { JournalSample, SamplesFile } from "./samples-file.ts";

const REPORTS = rowTypeOf("property-changed");
/** A commit that comes meanwhile waits for the slice. */
const SLICE_MS = 2;
const ROWS_AT_ONCE = 256;
/** A row of reports holds up to 512 of them, every other row none. */
const REPORT_CHARS_AT_ONCE = 16_384;

/** Samples of rows of the journal that are not written yet. */
type Read = {
  readonly samples: readonly JournalSample[];
  readonly lastSeq: number;
  readonly atMs: number;
  /** Whether more rows may follow. */
  readonly hasMore: boolean;
};

export class JournalProjection {
  readonly #samples: SamplesFile;
  /** What the slice before left, and the number up to which the file was written then. */
  #left: (Read & { readonly afterSeq: number }) | null = null;

  constructor(samples: SamplesFile) {
    this.#samples = samples;
  }

  /** Writes one slice. @returns whether there is more. */
  project(db: DatabaseSync): boolean {
    const endMs = performance.now() + SLICE_MS;
    const fromSeq = this.#samples.lastSeq;
    const read = this.#left?.afterSeq === fromSeq ? this.#left : readSome(db, fromSeq);
    this.#left = null;
    if (!read) {
      followNewJournal(db, this.#samples, fromSeq);
      return false;
    }
    const { samples, lastSeq, atMs } = read;
    const count = this.#samples.append(samples, lastSeq, atMs, () => performance.now() > endMs);
    const afterSeq = samples[count - 1]?.seq;
    if (count < samples.length && afterSeq) this.#left = { ...read, samples: samples.slice(count), afterSeq };
    return this.#left !== null || read.hasMore;
  }
}

/** @returns null when there is nothing more. */
function readSome(db: DatabaseSync, fromSeq: number): Read | null {
  const select = db.prepare("SELECT * FROM journal WHERE seq > ? ORDER BY seq LIMIT ?");
  select.setReturnArrays(true);
  const reports: StoredJournalRow[] = [];
  let last: StoredJournalRow | null = null;
  let chars = 0;
  let rows = 0;
  for (const row of select.iterate(fromSeq, ROWS_AT_ONCE) as unknown as Iterable<StoredJournalRow>) {
    last = row;
    rows += 1;
    if (row[6] !== REPORTS) continue;
    reports.push(row);
    chars += row[7].length;
    if (chars >= REPORT_CHARS_AT_ONCE) break;
  }
  if (!last) return null;
  // A slice may have ended within a row.
  const reported = reports.flatMap(samplesOf).filter(({ seq }) => seq > fromSeq);
  // A value that is not recorded ends the one before it.
  const samples = readRecording(db) ? reported : reported.map((sample) => ({ ...sample, value: null }));
  const hasMore = rows === ROWS_AT_ONCE || chars >= REPORT_CHARS_AT_ONCE;
  return { samples, lastSeq: last[0], atMs: last[2], hasMore };
}

function samplesOf(stored: StoredJournalRow): readonly JournalSample[] {
  const row = soundJournalRow(stored);
  return (row ? decodeJournal(row) : []).flatMap((item): readonly JournalSample[] => {
    if (!("change" in item) || item.change.type !== "property-changed") return [];
    const { address, property } = item.change;
    const { id, value, uom, prec } = property;
    return [{ seq: item.seq, address, property: id, atMs: item.atMs, value, uom, prec }];
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
