/**
 * Writes one batch in one transaction: state rows, journal rows, and a little of the journal's retention, so that old
 * entries go without commits of their own. Knows tables and checksums, nothing of the home. Used by the worker and by recovery.
 */

import type { DatabaseSync } from "node:sqlite";
import type { CommitNote } from "./commit-note.ts";
import type { JournalRow, StateTable } from "./tables.ts";
import { rowSum, STATE_TABLES, storedJournalRow } from "./tables.ts";

export type Batch = {
  readonly nowMs: number;
  /** Number of the last entry that the state holds once this is written. */
  readonly lastSeq: number;
  /** Before the puts, so that a row put again after its removal comes last. */
  readonly deletes: readonly (readonly [table: StateTable, key: string])[];
  readonly puts: readonly (readonly [table: StateTable, key: string, body: string])[];
  readonly journal: readonly JournalRow[];
  /** The puts are the whole state: rows that are not among them go. */
  readonly isWhole?: boolean;
};

/** Limits of the journal; the oldest rows are removed first. */
export type JournalLimits = { readonly ageMsMax: number; readonly bytesMax: number };

export type BatchWriter = { write(batch: Batch): CommitNote };

const ROW_OVERHEAD_BYTES = 64;
/** Retention frees at least this much a commit, and twice what the commit brought, so it always catches up. */
const RETENTION_STEP_BYTES = 65_536;

/** @param commitsBefore of a database that this one replaces. */
export function createBatchWriter(db: DatabaseSync, limits: JournalLimits, commitsBefore = 0): BatchWriter {
  const puts = statementsOf(db, (table) => {
    return `INSERT INTO "${table}" (key, body, sum) VALUES (?, ?, ?) ON CONFLICT (key) DO UPDATE SET body = excluded.body, sum = excluded.sum`;
  });
  const deletes = statementsOf(db, (table) => `DELETE FROM "${table}" WHERE key = ?`);
  // A batch is written again when its outcome was not known, hence REPLACE.
  const append = db.prepare("INSERT OR REPLACE INTO journal VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const trim = createTrimmer(db, limits);
  const put = (table: StateTable, key: string, body: string) => puts[table].run(key, body, rowSum(key, body));
  let journalBytes = readJournalBytes(db);
  let commits = Math.max(commitsBefore, readMeta(db, "commits") ?? 0);

  const writeAll = (batch: Batch): number => {
    if (batch.isWhole) for (const table of STATE_TABLES) db.exec(`DELETE FROM "${table}"`);
    for (const [table, key] of batch.deletes) deletes[table].run(key);
    for (const [table, key, body] of batch.puts) put(table, key, body);
    let added = 0;
    for (const row of batch.journal) {
      append.run(...storedJournalRow(row));
      added += Buffer.byteLength(row[7]) + ROW_OVERHEAD_BYTES;
    }
    const bytes = trim(journalBytes + added, batch.nowMs, Math.max(RETENTION_STEP_BYTES, 2 * added));
    if (bytes !== journalBytes || batch.isWhole) put("meta", "journal_bytes", String(bytes));
    put("meta", "last_seq", String(batch.lastSeq));
    put("meta", "commits", String(commits + 1));
    return bytes;
  };

  return {
    write(batch) {
      db.exec("BEGIN IMMEDIATE");
      try {
        const bytes = writeAll(batch);
        db.exec("COMMIT");
        journalBytes = bytes;
        commits += 1;
        return { commits, lastSeq: batch.lastSeq };
      } catch (error) {
        if (db.isTransaction) db.exec("ROLLBACK");
        throw error;
      }
    },
  };
}

type Statement = ReturnType<DatabaseSync["prepare"]>;

function statementsOf(db: DatabaseSync, sql: (table: StateTable) => string): Readonly<Record<StateTable, Statement>> {
  const entries = STATE_TABLES.map((table) => [table, db.prepare(sql(table))]);
  return Object.fromEntries(entries) as Record<StateTable, Statement>;
}

type Trimmer = (bytes: number, nowMs: number, budget: number) => number;

/** Deletes the oldest rows while the journal is too large or they are too old, `budget` bytes at most. */
function createTrimmer(db: DatabaseSync, limits: JournalLimits): Trimmer {
  const oldest = db.prepare("SELECT seq, at_ms, octet_length(body) AS bytes FROM journal ORDER BY seq LIMIT 1");
  const drop = db.prepare("DELETE FROM journal WHERE seq = ?");
  return (bytes, nowMs, budget) => {
    let left = bytes;
    while (bytes - left < budget) {
      const row = oldest.get() as { seq: number; at_ms: number; bytes: number } | undefined;
      if (!row || (left <= limits.bytesMax && row.at_ms >= nowMs - limits.ageMsMax)) break;
      drop.run(row.seq);
      left -= row.bytes + ROW_OVERHEAD_BYTES;
    }
    return Math.max(0, left);
  };
}

/** null: there is no such row, or it is damaged. */
function readMeta(db: DatabaseSync, key: string): number | null {
  const row = db.prepare("SELECT body, sum FROM meta WHERE key = ?").get(key) as
    | { body: string; sum: number }
    | undefined;
  return row && row.sum === rowSum(key, row.body) ? Number(row.body) : null;
}

function readJournalBytes(db: DatabaseSync): number {
  const known = readMeta(db, "journal_bytes");
  if (known !== null) return known;
  const counted = db.prepare(`SELECT total(octet_length(body) + ${ROW_OVERHEAD_BYTES}) AS bytes FROM journal`).get();
  return Number((counted as { bytes: number }).bytes);
}
