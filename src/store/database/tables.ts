/** The tables: their names, the rows of the journal, and the checksums that guard both. */

import { crc32 } from "node:zlib";

export const STATE_TABLES = [
  "meta",
  "controller",
  "folders",
  "groups",
  "nodes",
  "properties",
  "programs",
  "program_runs",
  "program_progress",
  "variables",
  "network_resources",
  "integrations",
  "accounts",
  "sessions",
  "known_devices",
  "driver_store",
  "told_documents",
  "hidden_nodes",
  "edits",
  "program_holds",
] as const;

export type StateTable = (typeof STATE_TABLES)[number];

/** The migration that made a table, where that was not the first one. */
const SINCE: { readonly [T in StateTable]?: number } = {
  program_progress: 2,
  told_documents: 3,
  integrations: 4,
  hidden_nodes: 5,
  edits: 5,
  program_holds: 7,
};

/** @param shape number of the last migration of a database. */
export function isInShape(table: StateTable, shape: number): boolean {
  return (SINCE[table] ?? 0) <= shape;
}

/**
 * A row of the journal without its checksum. `seq` is the number of its last entry; `firstSeq` follows the row before, so
 * rows tile the numbers and a missing row shows.
 */
export type JournalRow = readonly [
  seq: number,
  firstSeq: number,
  atMs: number,
  causeKind: string,
  causeId: string,
  causeBy: string | null,
  type: string,
  body: string,
  /** Version of the form of `body`, see `decodeJournal`. */
  version: number,
];

/** The migration that gave rows of the journal a version. */
export const JOURNAL_VERSION_SINCE = 6;

/** The row in the table. A database that was not upgraded yet has no column for the version. */
export type StoredJournalRow = readonly [
  ...entry: JournalRow extends readonly [...infer Entry, number] ? Entry : never,
  sum: number,
  version?: number,
];

export function storedJournalRow(row: JournalRow): Required<StoredJournalRow> {
  const [seq, firstSeq, atMs, causeKind, causeId, causeBy, type, body, version] = row;
  return [seq, firstSeq, atMs, causeKind, causeId, causeBy, type, body, journalSum(row), version];
}

/** null when its checksum is wrong. */
export function soundJournalRow(stored: StoredJournalRow): JournalRow | null {
  const [seq, firstSeq, atMs, causeKind, causeId, causeBy, type, body, sum, version = 1] = stored;
  const row: JournalRow = [seq, firstSeq, atMs, causeKind, causeId, causeBy, type, body, version];
  return sum === journalSum(row) ? row : null;
}

/** Keys and bodies must be well-formed: SQLite and this sum would otherwise disagree on a lone surrogate. */
export function rowSum(key: string, body: string): number {
  return crc32(`${key}\n${body}`);
}

export function journalSum([seq, firstSeq, atMs, kind, id, by, type, body, version]: JournalRow): number {
  // Rows of the first version were written before there was a second one.
  const typed = version === 1 ? type : `${type} ${version}`;
  return crc32(`${seq} ${firstSeq} ${atMs} ${kind} ${id} ${by} ${typed}\n${body}`);
}
