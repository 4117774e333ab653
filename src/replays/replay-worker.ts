/** The thread of a replay that the API began. */

import type { Config } from "../config.ts";
import type { ProgramChange } from "../replay/revision.ts";
import { answerTask } from "../util/thread-task.ts";
import { runReplay } from "./run-replay.ts";

export type ReplayTask = {
  readonly config: Config;
  readonly fromMs: number;
  readonly untilMs: number;
  readonly changes: readonly ProgramChange[] | null;
};

await answerTask((task: ReplayTask, tell: (progress: number) => void) => {
  let percent = -1;
  const onProgress = (progress: number) => {
    if (Math.floor(progress * 100) === percent) return;
    percent = Math.floor(progress * 100);
    tell(progress);
  };
  return runReplay({ ...task, changes: () => task.changes, rowsMax: task.config.replayRowsMax, onProgress });
});
