/** The thread that makes a backup and proves it, so that neither the home nor the journal waits for it. */

import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import { setPriority } from "node:os";
import { pipeline } from "node:stream/promises";
import { parentPort, workerData } from "node:worker_threads";
import { ControllerError, type ErrorCode, invariant } from "../../errors.ts";
import type { BackupSource } from "./backup-lines.ts";
import { verifyBackup } from "./verify-backup.ts";
import { type BackupOrder, type Progress, writeBackup } from "./write-backup.ts";

export type BackupTask = { readonly source: BackupSource; readonly path: string; readonly order: BackupOrder };

export type MadeBackup = { readonly bytes: number; readonly sha256: string; readonly logicalHash: string };

export type BackupNews =
  | { readonly kind: "progress"; readonly state: "making" | "proving"; readonly progress: number }
  | { readonly kind: "made"; readonly made: MadeBackup }
  | { readonly kind: "failed"; readonly code: ErrorCode | null; readonly reason: string };

/** Where everybody wants a processor it gets a third of what another thread gets. */
const NICENESS = 5;

invariant(parentPort, "The backup's worker runs as a worker thread.");
const port = parentPort;
const { source, path, order } = workerData as BackupTask;

// On Linux this is of the calling thread alone: commands and commits go before the backup where processors are short.
if (process.platform === "linux") setPriority(NICENESS);

try {
  tell({ kind: "made", made: await make() });
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  tell({ kind: "failed", code: error instanceof ControllerError ? error.code : null, reason });
}

async function make(): Promise<MadeBackup> {
  await writeBackup(source, path, order, progressOf("making", 0));
  const proven = await verifyBackup(path, order.passphrase, progressOf("proving", 0.5));
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return { bytes: statSync(path).size, sha256: hash.digest("hex"), logicalHash: proven.end.logicalHash };
}

function progressOf(state: "making" | "proving", from: number): Progress {
  let told = -1;
  return (done, total) => {
    const progress = from + (total === 0 ? 0.5 : (0.5 * done) / total);
    const percent = Math.floor(100 * progress);
    if (percent === told) return;
    told = percent;
    tell({ kind: "progress", state, progress });
  };
}

function tell(news: BackupNews): void {
  port.postMessage(news);
}
