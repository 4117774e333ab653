/**
 * A new database in the place of a damaged one. It is written completely beside it and only then takes its place, so an
 * end of the process at any moment leaves one of the two; the damaged files are retained, so that they can be looked at.
 */

import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { CommitNote } from "./commit-note.ts";
import { COMPANIONS } from "./damage.ts";
import { openDatabase } from "./open-database.ts";
import { syncDirectory } from "./sync-directory.ts";
import type { JournalRow } from "./tables.ts";
import { type Batch, createBatchWriter, type JournalLimits } from "./write-batch.ts";

const JOURNAL_ROWS_A_COMMIT = 2000;

/**
 * @param journal rows that were saved from the damaged database.
 * @param batch the whole state.
 * @param commits of the damaged database, as far as known.
 */
export function rebuildDatabase(
  path: string,
  journal: readonly JournalRow[],
  batch: Batch,
  limits: JournalLimits,
  commits: number,
): CommitNote {
  const fresh = freshPath(path);
  removeDatabase(fresh);
  const db = openDatabase(fresh);
  let note: CommitNote;
  try {
    const writer = createBatchWriter(db, limits, commits);
    for (let at = 0; at < journal.length; at += JOURNAL_ROWS_A_COMMIT) {
      writer.write({
        nowMs: batch.nowMs,
        lastSeq: batch.lastSeq,
        deletes: [],
        puts: [],
        journal: journal.slice(at, at + JOURNAL_ROWS_A_COMMIT),
      });
    }
    note = writer.write(batch);
    checkpoint(db);
  } finally {
    db.close();
  }
  const aside = `${path}.damaged-${new Date(batch.nowMs).toISOString().replaceAll(":", "-")}`;
  for (const companion of COMPANIONS) if (existsSync(path + companion)) renameSync(path + companion, aside + companion);
  renameSync(fresh, path);
  syncDirectory(dirname(path));
  return note;
}

/** Ends a rebuild that was interrupted, or throws its unfinished file away. Called before the database is opened. */
export function settleRebuild(path: string): void {
  const fresh = freshPath(path);
  if (!existsSync(fresh)) return;
  if (existsSync(path)) {
    removeDatabase(fresh);
    return;
  }
  // The damaged file is away already, so the new one was complete.
  for (const companion of ["-wal", "-shm"]) rmSync(path + companion, { force: true });
  renameSync(fresh, path);
  syncDirectory(dirname(path));
}

/** Moves everything from the write-ahead log into the file. @returns false when a reader was in the way. */
export function checkpoint(db: DatabaseSync): boolean {
  const { busy } = db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get() as { busy: number };
  return busy === 0;
}

function freshPath(path: string): string {
  return `${path}.rebuilt`;
}

/** Removes a database and its companion files; does nothing without them. */
export function removeDatabase(path: string): void {
  for (const companion of COMPANIONS) rmSync(path + companion, { force: true });
}
