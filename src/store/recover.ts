/**
 * After damage: the home from what still reads. A sound table of the damaged database is taken as it is; for a damaged one,
 * the newest sound snapshot, then the journal since, then every single row that is sound. Says what was kept and what was lost.
 */

import type { DatabaseSync } from "node:sqlite";
import { applyChange } from "../home/apply-change.ts";
import type { Entry } from "../home/change.ts";
import { Home } from "../home/home.ts";
import type { Log } from "../util/log.ts";
import { openForSalvage, openUnchanging } from "./database/open-database.ts";
import { readState, readTable, type StateRows, salvageJournal, salvageTable } from "./database/read-tables.ts";
import { rebuildDatabase } from "./database/rebuild.ts";
import { listSnapshots } from "./database/snapshot.ts";
import { type JournalRow, STATE_TABLES, type StateTable } from "./database/tables.ts";
import type { JournalLimits } from "./database/write-batch.ts";
import type { Directory } from "./directory.ts";
import { HOME_TABLES, type HomeTableName, homeOf, homeRow, isHomeTable } from "./home-tables.ts";
import { decodeJournal } from "./journal.ts";

type RecoverPorts = {
  readonly directory: Directory;
  readonly limits: JournalLimits;
  readonly nowMs: number;
  readonly log: Log;
};

type Saved = {
  /** The rows of the tables that are sound as a whole. */
  readonly whole: Partial<StateRows>;
  /** Single sound rows of the others. */
  readonly single: Partial<StateRows>;
  readonly journal: readonly JournalRow[];
};

/** Puts a sound database in the place of the damaged one. @param damage what was found. */
export function recover({ directory, limits, nowMs, log }: RecoverPorts, damage: unknown): void {
  const saved = salvage(directory.database);
  const snapshot = newestSnapshot(directory.snapshots);
  const entries = saved.journal.flatMap(decodeJournal).filter((item): item is Entry => "change" in item);
  const since = lastSeqOf(snapshot?.rows);
  const replayed = replay(
    snapshot?.rows ?? null,
    entries.filter(({ seq }) => seq > since),
  );
  const rows = STATE_TABLES.map((table) => [table, tableRows(table, saved, replayed, snapshot?.rows)] as const);
  const lastSeq = Math.max(since, lastSeqOf(saved.whole), lastSeqOf(saved.single), saved.journal.at(-1)?.[0] ?? 0);
  const puts = rows.flatMap(([table, bodies]) => [...bodies].map(([key, body]) => [table, key, body] as const));
  const kept = puts.filter(([, key]) => key !== "journal_bytes" && key !== "last_seq");
  const batch = { nowMs, deletes: [], puts: [...kept, ["meta", "last_seq", String(lastSeq)] as const], journal: [] };
  rebuildDatabase(directory.database, saved.journal, batch, limits);
  log.error("The database was damaged. It is set aside, and a new one was made from what still reads.", {
    damage,
    tablesDamaged: STATE_TABLES.filter((table) => !saved.whole[table]),
    rowsKept: Object.fromEntries(rows.map(([table, bodies]) => [table, bodies.size])),
    journalRowsKept: saved.journal.length,
    journalEntriesMissing: countMissing(saved.journal, lastSeq),
    snapshotUsed: snapshot ? new Date(snapshot.takenAtMs).toISOString() : "none",
  });
}

function salvage(path: string): Saved {
  let db: DatabaseSync;
  try {
    db = openForSalvage(path);
  } catch {
    return { whole: {}, single: {}, journal: [] };
  }
  try {
    const whole = STATE_TABLES.map((table) => [table, attempt(() => readTable(db, table))] as const);
    const broken = whole.filter(([, rows]) => !rows).map(([table]) => table);
    const single = broken.map((table) => [table, attempt(() => salvageTable(db, table))] as const);
    const present = (tables: typeof whole): Partial<StateRows> => Object.fromEntries(tables.filter(([, rows]) => rows));
    return { whole: present(whole), single: present(single), journal: attempt(() => salvageJournal(db).rows) ?? [] };
  } finally {
    db.close();
  }
}

function newestSnapshot(directory: string): { readonly rows: StateRows; readonly takenAtMs: number } | null {
  for (const { path, takenAtMs } of listSnapshots(directory)) {
    const rows = attempt(() => {
      const db = openUnchanging(path);
      try {
        return readState(db);
      } finally {
        db.close();
      }
    });
    if (rows) return { rows, takenAtMs };
  }
  return null;
}

/** The home of the snapshot, or of the journal alone when it reaches back to the first entry, brought up to date. */
function replay(snapshot: StateRows | null, entries: readonly Entry[]): Home | null {
  let home = snapshot && homeOf(snapshot);
  for (const { change } of entries) {
    if (!home && change.type === "controller-changed") home = new Home(change.controller);
    if (home) applyChange(home, change);
  }
  return home;
}

function tableRows(
  table: StateTable,
  saved: Saved,
  replayed: Home | null,
  snapshot?: StateRows,
): ReadonlyMap<string, string> {
  const whole = saved.whole[table];
  if (whole) return whole;
  const older =
    isHomeTable(table) && replayed ? homeRows(replayed, table) : (snapshot?.[table] ?? new Map<string, string>());
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

function lastSeqOf(rows: Partial<StateRows> | undefined): number {
  return Number(rows?.meta?.get("last_seq") ?? 0);
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

function attempt<R>(read: () => R): R | null {
  try {
    return read();
  } catch {
    return null;
  }
}
