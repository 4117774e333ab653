/** The near end of a backup's thread: starts it, hears how far it is, ends it. */

import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { ControllerError } from "../../errors.ts";
import { workerEnvironment } from "../journal-thread.ts";
import type { BackupNews, BackupTask, MadeBackup } from "./backup-worker.ts";

type OnProgress = (state: "making" | "proving", progress: number) => void;

/** For the home of the largest size, restored in memory. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 16 };

/** @throws ControllerError as the thread met it; Error with the reason of the disk, or when it was ended by the signal. */
export async function makeBackup(task: BackupTask, onProgress: OnProgress, signal: AbortSignal): Promise<MadeBackup> {
  const entry = new URL(`./backup-worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(entry, { workerData: task, resourceLimits: RESOURCE_LIMITS, env: workerEnvironment() });
  const end = () => void worker.terminate();
  signal.addEventListener("abort", end, { once: true });
  try {
    return await new Promise((resolve, reject) => {
      worker.on("message", (news: BackupNews) => {
        if (news.kind === "progress") onProgress(news.state, news.progress);
        else if (news.kind === "made") resolve(news.made);
        else reject(failureOf(news));
      });
      worker.on("error", reject);
      worker.on("exit", () => reject(new Error("The backup's thread ended.")));
    });
  } finally {
    signal.removeEventListener("abort", end);
    await worker.terminate();
  }
}

function failureOf({ code, reason }: Extract<BackupNews, { kind: "failed" }>): Error {
  return code === null ? new Error(reason) : new ControllerError(code, { sentence: reason });
}
