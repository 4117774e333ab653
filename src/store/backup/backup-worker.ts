/** The thread that makes a backup and proves it, so that neither the home nor the journal waits for it. */

import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { answerTask } from "../../util/thread-task.ts";
import type { BackupSource } from "./backup-lines.ts";
import { verifyBackup } from "./verify-backup.ts";
import { type BackupOrder, type Progress, writeBackup } from "./write-backup.ts";

export type BackupTask = { readonly source: BackupSource; readonly path: string; readonly order: BackupOrder };

export type MadeBackup = { readonly bytes: number; readonly sha256: string; readonly logicalHash: string };

export type BackupProgress = { readonly state: "making" | "proving"; readonly progress: number };

await answerTask(async ({ source, path, order }: BackupTask, tell: (news: BackupProgress) => void) => {
  await writeBackup(source, path, order, progressOf("making", 0, tell));
  const proven = await verifyBackup(path, order.passphrase, progressOf("proving", 0.5, tell));
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  const made: MadeBackup = {
    bytes: statSync(path).size,
    sha256: hash.digest("hex"),
    logicalHash: proven.end.logicalHash,
  };
  return made;
});

function progressOf(state: BackupProgress["state"], from: number, tell: (news: BackupProgress) => void): Progress {
  let told = -1;
  return (done, total) => {
    const progress = from + (total === 0 ? 0.5 : (0.5 * done) / total);
    const percent = Math.floor(100 * progress);
    if (percent === told) return;
    told = percent;
    tell({ state, progress });
  };
}
