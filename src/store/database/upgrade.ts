/**
 * Brings the database of an older version to the present shape. Everything happens on a copy, which takes the place of the
 * database only when it is complete and sound. Until then the database is untouched, so the older version still starts; the
 * database from before the upgrade is kept.
 */

import { closeSync, copyFileSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { ControllerError } from "../../errors.ts";
import { messageOf } from "../../util/message-of.ts";
import { isDamageAtOpen } from "./damage.ts";
import { latest, MIGRATIONS, type Migration, migrate } from "./migrate.ts";
import { configure } from "./open-database.ts";
import { readState } from "./read-tables.ts";
import { checkpoint, removeDatabase } from "./rebuild.ts";
import { syncDirectory } from "./sync-directory.ts";

type UpgradeStep = "copied" | "migrated" | "kept" | "exchanged";

/** Pages that are copied between two looks at what else there is to do. */
const PAGES_AT_ONCE = 4096;

/** Where the database from before the last upgrade is. */
export function pathBeforeUpgrade(path: string): string {
  return `${path}.before-upgrade`;
}

/** Removes what an upgrade that was cut short left behind. */
export function settleUpgrade(path: string): void {
  if (existsSync(copyPath(path))) removeDatabase(copyPath(path));
}

/**
 * @param path a database that no one has open.
 * @param migrations all steps, for tests.
 * @param onStep called after each step, for tests.
 * @throws ControllerError STORE_UNAVAILABLE with a sentence for the person who starts the service.
 * @throws DamageError or SQLite's error for a database that is damaged.
 */
export async function upgradeDatabase(
  path: string,
  migrations: readonly Migration[] = MIGRATIONS,
  onStep: (step: UpgradeStep) => void = () => {},
): Promise<void> {
  const copy = copyPath(path);
  try {
    removeDatabase(copy);
    await copyDatabase(path, copy);
    onStep("copied");
    migrateCopy(copy, migrations);
    onStep("migrated");
    keepBefore(path);
    onStep("kept");
    renameSync(copy, path);
    syncDirectory(dirname(path));
    onStep("exchanged");
  } catch (error) {
    settleUpgrade(path);
    if (error instanceof ControllerError || isDamageAtOpen(error)) throw error;
    const reason = messageOf(error);
    const sentence = `The database could not be upgraded to step ${latest(migrations)} (${reason}). It is unchanged, and the version that wrote it still starts.`;
    throw new ControllerError("STORE_UNAVAILABLE", { sentence, cause: error });
  }
}

function copyPath(path: string): string {
  return `${path}.upgraded`;
}

/**
 * Moves the write-ahead log into the database. It is then empty, so that it cannot be taken for the log of the copy.
 */
async function copyDatabase(path: string, copy: string): Promise<void> {
  closeSync(openSync(copy, "w", 0o600));
  const db = new DatabaseSync(path);
  try {
    configure(db);
    await backup(db, copy, { rate: PAGES_AT_ONCE });
  } finally {
    db.close();
  }
  const log = `${path}-wal`;
  if (!existsSync(log) || statSync(log).size === 0) return;
  const sentence =
    "The database is of an older version and another program reads it. Stop that program, then start again.";
  throw new ControllerError("STORE_UNAVAILABLE", sentence);
}

/** All steps in one transaction. @throws DamageError when the result is not sound. */
function migrateCopy(copy: string, migrations: readonly Migration[]): void {
  using db = new DatabaseSync(copy);
  configure(db);
  migrate(db, migrations);
  readState(db);
  checkpoint(db);
}

/** A second name for the file, where the file system has that: no instant is without a database. */
function keepBefore(path: string): void {
  const before = pathBeforeUpgrade(path);
  rmSync(before, { force: true });
  try {
    linkSync(path, before);
  } catch {
    copyFileSync(path, before);
  }
}
