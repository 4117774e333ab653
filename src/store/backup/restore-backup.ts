/** Restores a backup into a data directory whose service does not run. Until it is proven and complete, nothing there changes. */

import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { badValue } from "../../errors.ts";
import type { TraceRow } from "../../programs/trace/stored-trace.ts";
import type { Migration } from "../database/migrate.ts";
import { openDatabase } from "../database/open-database.ts";
import { checkpoint } from "../database/rebuild.ts";
import { TraceFile } from "../database/trace-file.ts";
import { LOCK, openDirectory, readBootId } from "../directory.ts";
import { readOrigin, writeOrigin } from "../directory-origin.ts";
import { createSecrets } from "../secrets.ts";
import { readBackup } from "./read-backup.ts";
import { restoreDatabase } from "./restore-database.ts";
import { completeStage, settleRestore, stageOf } from "./settle-restore.ts";
import { verifyBackup } from "./verify-backup.ts";
import type { BackupContent, Progress } from "./write-backup.ts";

type RestoreOrder = {
  readonly passphrase: string | null;
  /** Keeps the home that is there aside; otherwise the directory has to be empty. */
  readonly replaces: boolean;
  readonly nowMs: number;
};

/** Its settings make it smaller, if it is too large, once the service runs. */
const WHOLE_TRACE = { recordsMax: Number.MAX_SAFE_INTEGER, bytesMax: Number.MAX_SAFE_INTEGER };

type Restored = BackupContent & {
  /** Name of the directory, within the data directory, that holds the home before; null when there was none. */
  readonly aside: string | null;
};

/**
 * @throws ControllerError BACKUP_REFUSED with what is wrong with the file, BAD_VALUE for a directory that is not empty,
 * STORE_UNAVAILABLE for one that cannot be written or whose service runs.
 */
export async function restoreBackup(
  file: string,
  dir: string,
  order: RestoreOrder,
  onProgress: Progress = () => {},
): Promise<Restored> {
  checkDirectory(dir, order);
  // Twice through the file, so that a damaged one has not even made a directory.
  await verifyBackup(file, order.passphrase, (done, total) => onProgress(done, 2 * total));
  const directory = openDirectory(dir);
  try {
    checkDirectory(dir, order);
    const restored = await stage(file, dir, order.passphrase, (done, total) => onProgress(total + done, 2 * total));
    const before = readOrigin(dir);
    if (before.kind !== "own") writeOrigin(stageOf(dir), { ...before, kind: "restored" });
    const aside = completeStage(dir, order.nowMs);
    settleRestore(dir);
    return { ...restored, aside };
  } finally {
    rmSync(stageOf(dir), { recursive: true, force: true });
    directory.release();
  }
}

function checkDirectory(dir: string, { replaces }: RestoreOrder): void {
  if (replaces || !existsSync(dir) || readdirSync(dir).every(isLeftBehind)) return;
  const sentence = `The directory "${dir}" is not empty. With --replace the home in it is moved aside and the backup is restored.`;
  throw badValue(sentence);
}

/** Files that an empty directory may have: a lock with its companions, an interrupted restore. */
function isLeftBehind(name: string): boolean {
  return name.startsWith(LOCK) || name === basename(stageOf(""));
}

async function stage(
  file: string,
  dir: string,
  passphrase: string | null,
  onProgress: Progress,
): Promise<BackupContent> {
  const staged = stageOf(dir);
  mkdirSync(staged, { mode: 0o700 });
  const secrets = createSecrets(join(staged, "secrets"));
  const trace = new TraceFile(join(staged, "trace.sqlite"), WHOLE_TRACE);
  let db: DatabaseSync | null = null;
  const open = (migrations: readonly Migration[]) => {
    db = openDatabase(join(staged, "domovoi.sqlite"), migrations);
    return db;
  };
  try {
    const target = {
      open,
      keepsHistory: true,
      trace: (rows: readonly TraceRow[]) => trace.append(rows),
      secret: secrets.replaceSecret,
      bootId: readBootId(),
    };
    const restored = await restoreDatabase(readBackup(file, passphrase, onProgress), target);
    if (db) checkpoint(db);
    return restored;
  } finally {
    trace.close();
    (db as DatabaseSync | null)?.close();
  }
}
