/** Copies of the state that a damaged home can be restored from: snapshots beside the database, and backups. */

import type { Config } from "../config.ts";
import { readSecretFile } from "../util/secret-file.ts";
import { BackupFiles, type ReadyFile } from "./backup/backup-files.ts";
import { type ContentName, isPartlySecret } from "./backup/contents.ts";
import { readBackup } from "./backup/read-backup.ts";
import { restoreDatabase } from "./backup/restore-database.ts";
import { memoryTarget } from "./backup/verify-backup.ts";
import { readState, type StateRows } from "./database/read-tables.ts";
import { listSnapshots } from "./database/snapshot.ts";
import { STATE_TABLES } from "./database/tables.ts";
import { readSnapshot } from "./database/upgraded-rows.ts";
import { type Directory, readBootId } from "./directory.ts";

type StateCopy = {
  readonly kind: "snapshot" | "backup";
  readonly takenAtMs: number;
  /** Number of the last entry that it holds. */
  readonly lastSeq: number;
  readonly rows: StateRows;
};

type CopyPorts = { readonly config: Pick<Config, "backupDirectory" | "backupPassphraseFile"> };

/** The newest sound copy; null without one. Data that an open backup leaves out comes from the newest snapshot. */
export async function newestCopy(ports: CopyPorts, { snapshots, backups }: Directory): Promise<StateCopy | null> {
  const snapshot = newestSnapshot(snapshots);
  const directories = new Set([backups, ports.config.backupDirectory].filter((directory) => directory !== ""));
  const files = [...directories].flatMap((directory) => {
    const list = new BackupFiles(directory);
    return list.list().map((file) => ({ file, path: list.pathOf(file) }));
  });
  const newer = files
    .filter(({ file }) => file.takenAtMs > (snapshot?.takenAtMs ?? 0))
    .sort((one, other) => other.file.takenAtMs - one.file.takenAtMs);
  for (const { file, path } of newer) {
    const copy = await copyOfBackup(ports, file, path, snapshot).catch(() => null);
    if (copy) return copy;
  }
  return snapshot;
}

/** Where the newest one is damaged, an older one may be sound. */
function newestSnapshot(directory: string): StateCopy | null {
  for (const { path, takenAtMs } of listSnapshots(directory)) {
    const rows = readSnapshot(path);
    if (rows) return { kind: "snapshot", takenAtMs, rows, lastSeq: lastSeqOf(rows) };
  }
  return null;
}

/** @throws ControllerError BACKUP_REFUSED */
async function copyOfBackup(
  { config }: CopyPorts,
  { isEncrypted, takenAtMs }: ReadyFile,
  path: string,
  snapshot: StateCopy | null,
): Promise<StateCopy> {
  const passphrase = isEncrypted ? readSecretFile("passphrase", config.backupPassphraseFile) : null;
  using target = memoryTarget(readBootId());
  const { header } = await restoreDatabase(readBackup(path, passphrase), target);
  const [db] = target.opened;
  if (!db) throw new Error("A backup that was read has a database.");
  const rows = completed(readState(db), header.contents, isEncrypted, snapshot);
  return { kind: "backup", takenAtMs, lastSeq: header.seq, rows };
}

function completed(
  rows: StateRows,
  contents: readonly ContentName[],
  isWhole: boolean,
  snapshot: StateCopy | null,
): StateRows {
  if (!snapshot) return rows;
  const entries = STATE_TABLES.map((table) => {
    if (table === "meta") return [table, rows.meta];
    if (!contents.some((name) => name === table)) return [table, snapshot.rows[table]];
    if (isWhole || !isPartlySecret(table)) return [table, rows[table]];
    return [table, new Map([...snapshot.rows[table], ...rows[table]])];
  });
  return Object.fromEntries(entries) as StateRows;
}

export function lastSeqOf(rows: Partial<StateRows> | null): number {
  return Number(rows?.meta?.get("last_seq") ?? 0);
}
