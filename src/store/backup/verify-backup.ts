/** Proves a backup by restoring it into memory. Nothing is written; what is decrypted never touches a disk. */

import type { DatabaseSync } from "node:sqlite";
import { openInMemory } from "../database/open-database.ts";
import { readBackup } from "./read-backup.ts";
import { restoreDatabase } from "./restore-database.ts";
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
  const opened: DatabaseSync[] = [];
  const open = (migrations: Parameters<typeof openInMemory>[0]) => {
    const db = openInMemory(migrations);
    opened.push(db);
    return db;
  };
  try {
    const target = { open, keepsHistory: false, trace: () => {}, secret: () => {}, bootId: null };
    return await restoreDatabase(readBackup(path, passphrase, onProgress), target);
  } finally {
    for (const db of opened) db.close();
  }
}
