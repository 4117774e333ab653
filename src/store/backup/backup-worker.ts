/** The thread that makes a backup and proves it, or proves one that was made before, so that neither the home nor the journal waits for it. */

import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { answerTask } from "../../util/thread-task.ts";
import type { BackupSource } from "./backup-lines.ts";
import { verifyBackup } from "./verify-backup.ts";
import { type BackupOrder, type Progress, writeBackup } from "./write-backup.ts";

export type BackupTask = {
  /** The backup to make; null: only verify the one at the path. */
  readonly making: { readonly source: BackupSource; readonly order: BackupOrder } | null;
  readonly path: string;
  readonly passphrase: string | null;
};

export type MadeBackup = { readonly bytes: number; readonly sha256: string; readonly logicalHash: string };

export type BackupProgress = { readonly state: "making" | "proving"; readonly progress: number };

await answerTask(async ({ making, path, passphrase }: BackupTask, tell: (news: BackupProgress) => void) => {
  if (making) await writeBackup(making.source, path, making.order, progressOf("making", [0, 0.5], tell));
  const proven = await verifyBackup(path, passphrase, progressOf("proving", making ? [0.5, 1] : [0, 1], tell));
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  const made: MadeBackup = {
    bytes: statSync(path).size,
    sha256: hash.digest("hex"),
    logicalHash: proven.end.logicalHash,
  };
  return made;
});

function progressOf(
  state: BackupProgress["state"],
  [from, to]: readonly [number, number],
  tell: (news: BackupProgress) => void,
): Progress {
  let reported = -1;
  return (done, total) => {
    const progress = from + (total === 0 ? to - from : ((to - from) * done) / total);
    const percent = Math.floor(100 * progress);
    if (percent === reported) return;
    reported = percent;
    tell({ state, progress });
  };
}
