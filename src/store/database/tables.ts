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
] as const;

export type StateTable = (typeof STATE_TABLES)[number];

/** The migration that made a table, where that was not the first one. */
export const TABLE_SINCE: { readonly [T in StateTable]?: number } = {
  program_progress: 2,
  told_documents: 3,
  integrations: 4,
  hidden_nodes: 5,
  edits: 5,
};

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
];

/** Keys and bodies must be well-formed: SQLite and this sum would otherwise disagree on a lone surrogate. */
export function rowSum(key: string, body: string): number {
  return crc32(`${key}\n${body}`);
}

export function journalSum([seq, firstSeq, atMs, causeKind, causeId, causeBy, type, body]: JournalRow): number {
  return crc32(`${seq} ${firstSeq} ${atMs} ${causeKind} ${causeId} ${causeBy} ${type}\n${body}`);
}
