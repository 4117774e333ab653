/**
 * After damage: the home from what still reads. A sound table of the damaged database is taken as it is. A damaged one is made
 * from the newest sound copy, then the journal since, then every single row that is sound. Logs what was kept and what was lost.
 */

import type { Config } from "../config.ts";
import type { JournalEntry } from "../home/change.ts";
import type { Home } from "../home/home.ts";
import { attempt } from "../util/attempt.ts";
import type { Clock } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { CommitNote } from "./database/commit-note.ts";
import { openForSalvage } from "./database/open-database.ts";
import { readTable, type StateRows, salvageJournal, salvageTable } from "./database/read-tables.ts";
import { rebuildDatabase } from "./database/rebuild.ts";
import { type JournalRow, STATE_TABLES, type StateTable } from "./database/tables.ts";
import { shapeOrNewest, upgradedRows } from "./database/upgraded-rows.ts";
import type { JournalLimits } from "./database/write-batch.ts";
import type { Directory } from "./directory.ts";
import { HOME_TABLES, type HomeTableName, homeOf, homeRow, isHomeTable } from "./home-tables.ts";
import { decodeJournal } from "./journal.ts";
import { homeByReplaying } from "./recording/past-home.ts";
import { lastSeqOf, newestCopy } from "./recovery-copies.ts";

type RecoverPorts = {
  readonly directory: Directory;
  readonly limits: JournalLimits;
  readonly noted: CommitNote | null;
  readonly config: Pick<Config, "backupDirectory" | "backupPassphraseFile">;
  readonly clock: Clock;
  readonly log: Log;
};

type Saved = {
  /** The rows of the tables that are sound as a whole. */
  readonly whole: Partial<StateRows>;
  /** Single sound rows of the others. */
  readonly single: Partial<StateRows>;
  readonly journal: readonly JournalRow[];
};

/**
 * Puts a sound database in the place of the damaged one.
 * @param damage what was found.
 * @returns the note of its last commit.
 */
export async function recover(ports: RecoverPorts, damage: unknown): Promise<CommitNote> {
  const { directory, limits, noted, log } = ports;
  const found = salvage(directory.database);
  const copy = await newestCopy(ports, directory);
  const foundSeq = Math.max(lastSeqOf(found.whole), lastSeqOf(found.single), found.journal.at(-1)?.[0] ?? 0);
  const since = copy?.lastSeq ?? 0;
  // A database that lost its log may be sound and older than a copy of it.
  const saved = since > foundSeq ? { ...found, whole: {}, single: {} } : found;
  const entries = saved.journal.flatMap(decodeJournal).filter((item): item is JournalEntry => !("dropped" in item));
  // Without a copy, of the journal alone when it reaches back to the first entry.
  const replayed = homeByReplaying(
    copy && homeOf(copy.rows),
    entries.filter(({ seq }) => seq > since),
  );
  const rows = STATE_TABLES.map((table) => [table, tableRows(table, saved, replayed, copy?.rows)] as const);
  const puts = rows.flatMap(([table, bodies]) => [...bodies].map(([key, body]) => [table, key, body] as const));
  const kept = puts.filter(([table, key]) => table !== "meta" || key === "boot_id" || key === "history");
  const lastSeq = Math.max(since, foundSeq, noted?.lastSeq ?? 0);
  const batch = { nowMs: ports.clock.now(), lastSeq, deletes: [], puts: kept, journal: [] };
  const note = rebuildDatabase(directory.database, saved.journal, batch, limits, noted?.commits ?? 0);
  log.error(sentenceOf(rows), {
    damage,
    tablesDamaged: STATE_TABLES.filter((table) => !saved.whole[table]),
    rowsKept: Object.fromEntries(rows.map(([table, bodies]) => [table, bodies.size])),
    journalRowsKept: saved.journal.length,
    journalEntriesMissing: countMissing(saved.journal, lastSeq),
    restoredFrom: copy ? `${copy.kind} of ${new Date(copy.takenAtMs).toISOString()}` : "none",
  });
  return note;
}

function sentenceOf(rows: readonly (readonly [StateTable, ReadonlyMap<string, string>])[]): string {
  const hasHome = rows.some(([table, bodies]) => table === "controller" && bodies.size > 0);
  return hasHome
    ? "The database was damaged or missing. It was set aside, and a new one was made from the readable data."
    : "The database was damaged or missing, and nothing is left to restore the home from. A new home is made.";
}

function salvage(path: string): Saved {
  using db = attempt(() => openForSalvage(path));
  if (!db) return { whole: {}, single: {}, journal: [] };
  const whole = STATE_TABLES.map((table) => [table, attempt(() => readTable(db, table))] as const);
  const broken = whole.filter(([, rows]) => !rows).map(([table]) => table);
  const single = broken.map((table) => [table, attempt(() => salvageTable(db, table))] as const);
  const present = (tables: typeof whole): Partial<StateRows> => Object.fromEntries(tables.filter(([, rows]) => rows));
  const shape = shapeOrNewest(db);
  return {
    whole: upgradedRows(present(whole), shape),
    single: upgradedRows(present(single), shape),
    journal: attempt(() => salvageJournal(db).rows) ?? [],
  };
}

function tableRows(
  table: StateTable,
  saved: Saved,
  replayed: Home | null,
  copied?: StateRows,
): ReadonlyMap<string, string> {
  const whole = saved.whole[table];
  if (whole) return whole;
  const older =
    isHomeTable(table) && replayed ? homeRows(replayed, table) : (copied?.[table] ?? new Map<string, string>());
  return new Map([...older, ...(saved.single[table] ?? [])]);
}

function homeRows(home: Home, table: HomeTableName): ReadonlyMap<string, string> {
  const rows = new Map<string, string>();
  for (const key of HOME_TABLES[table].keys(home)) {
    const body = homeRow(home, table, String(key));
    if (body !== null) rows.set(String(key).toWellFormed(), body);
  }
  return rows;
}

/** Numbers between the first row kept and the last entry that no row covers. */
function countMissing(rows: readonly JournalRow[], lastSeq: number): number {
  let missing = 0;
  let covered = (rows[0]?.[1] ?? 1) - 1;
  for (const [seq, firstSeq] of rows) {
    missing += Math.max(0, firstSeq - covered - 1);
    covered = seq;
  }
  return missing + Math.max(0, lastSeq - covered);
}
