/**
 * Snapshots: copies of the state tables as complete databases, without the journal, so that taking one costs what the home
 * is large and not what its history is. One put in the place of the database is a home as it was then.
 */

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { openDatabase } from "./open-database.ts";
import { removeDatabase } from "./rebuild.ts";
import { syncDirectory } from "./sync-directory.ts";
import { STATE_TABLES } from "./tables.ts";

type Snapshot = { readonly path: string; readonly takenAtMs: number };

const SNAPSHOTS_KEPT = 3;
const NAME = /^domovoi-(\d{15})\.sqlite$/;

/** Copies the state of `db` into `directory` and removes the oldest copies. */
export function takeSnapshot(db: DatabaseSync, directory: string, nowMs: number): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const unfinished = join(directory, "unfinished.sqlite");
  removeDatabase(unfinished);
  openDatabase(unfinished).close();
  copyState(db, unfinished);
  renameSync(unfinished, join(directory, `domovoi-${String(nowMs).padStart(15, "0")}.sqlite`));
  syncDirectory(directory);
  for (const { path } of listSnapshots(directory).slice(SNAPSHOTS_KEPT)) rmSync(path, { force: true });
}

/** Newest first. */
export function listSnapshots(directory: string): readonly Snapshot[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter((name) => NAME.test(name));
  return names
    .sort()
    .reverse()
    .map((name) => ({ path: join(directory, name), takenAtMs: Number(NAME.exec(name)?.[1]) }));
}

function copyState(db: DatabaseSync, path: string): void {
  db.prepare("ATTACH DATABASE ? AS snapshot").run(path);
  try {
    db.exec("BEGIN");
    for (const table of STATE_TABLES) {
      // How large the journal is does not hold for a copy without one.
      const condition = table === "meta" ? "WHERE key <> 'journal_bytes'" : "";
      db.exec(`INSERT INTO snapshot."${table}" SELECT * FROM main."${table}" ${condition} ORDER BY rowid`);
    }
    db.exec("COMMIT");
  } finally {
    if (db.isTransaction) db.exec("ROLLBACK");
    // The last connection to it: this moves its write-ahead log into the file.
    db.exec("DETACH DATABASE snapshot");
  }
}
