/** The near end of a backup's thread: starts it, follows its progress, ends it. */

import { extname } from "node:path";
import { runInThread } from "../../util/thread-task.ts";
import type { BackupProgress, BackupTask, MadeBackup } from "./backup-worker.ts";

/** For the home of the largest size, restored in memory. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 1024, maxYoungGenerationSizeMb: 16 };

/** @throws ControllerError as the thread met it; Error with the reason of the disk, or when it was ended by the signal. */
export function makeBackup(
  task: BackupTask,
  onProgress: (progress: BackupProgress) => void,
  signal: AbortSignal,
): Promise<MadeBackup> {
  const entry = new URL(`./backup-worker${extname(import.meta.url)}`, import.meta.url);
  return runInThread({ entry, task, resourceLimits: RESOURCE_LIMITS, onProgress, signal });
}
