/** Proves a backup by restoring it into memory. Nothing is written; what is decrypted never touches a disk. */

import type { DatabaseSync } from "node:sqlite";
import { openInMemory } from "../database/open-database.ts";
import { readBackup } from "./read-backup.ts";
import { type RestoreTarget, restoreDatabase } from "./restore-database.ts";
import type { BackupContent, Progress } from "./write-backup.ts";

/**
 * @param passphrase for an encrypted one.
 * @param onProgress called with the bytes read and all bytes.
 * @throws ControllerError BACKUP_REFUSED with the reason.
 */
export async function verifyBackup(
  path: string,
  passphrase: string | null,
  onProgress?: Progress,
): Promise<BackupContent> {
  using target = memoryTarget(null);
  return await restoreDatabase(readBackup(path, passphrase, onProgress), target);
}

/** A target in memory, which closes its databases itself. */
export function memoryTarget(bootId: string | null) {
  const opened: DatabaseSync[] = [];
  const target: RestoreTarget = {
    open(migrations) {
      const db = openInMemory(migrations);
      opened.push(db);
      return db;
    },
    ...{ keepsHistory: false, trace() {}, secret() {}, bootId },
  };
  const close = () => {
    for (const db of opened) db.close();
  };
  return { ...target, opened, [Symbol.dispose]: close };
}
