/** The end of a run: by itself, by a stop, by a new start, or by a limit. Commands that it sent are not affected. */

import type { Work } from "./work.ts";

type RunEnd = "finished" | "stopped" | "interrupted" | "cut";

/** Does nothing to a program that is idle. A run that is interrupted is shown as the one that follows it. */
export function endRun(work: Work, id: number, how: RunEnd): void {
  const run = work.runOf(id);
  if (!run) return;
  const { runId, cause } = run;
  work.patchProgress(id, { run: null }, cause);
  if (how !== "interrupted") work.showRun(id, { running: "idle", lastFinishAtMs: work.nowMs }, cause);
  work.trace(() => ({ kind: "run-ended", atMs: work.nowMs, programId: id, cause, runId, how }));
}
