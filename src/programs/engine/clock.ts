/** Advances the time: waits end, schedules are due, and sometimes the clock is set back. */

import { type DueHold, pushHeld, setHoldsBack, takeDueHolds } from "./held.ts";
import { endWait } from "./run-group.ts";
import {
  type DueMoment,
  type EndedWait,
  inDueOrder,
  pushMoment,
  SET_BACK_MS,
  settle,
  takeDueMoments,
} from "./schedules.ts";
import type { Work } from "./work.ts";

/** The due ids, in the order in which they fell due. */
export function takeClock(work: Work, due: readonly number[]): void {
  const ended = due.map((id) => endedWait(work, id)).filter((wait) => wait !== null);
  const come = due.flatMap((id) => takeDueMoments(work, id));
  const held = due.flatMap((id) => takeDueHolds(work, id));
  takeMoments(work, [...ended, ...come, ...held]);
  for (const id of due) {
    const entry = work.program(id);
    if (entry) work.reschedule(id, { kind: "schedule", id: String(work.nowMs), by: null });
  }
}

/** Carries out due moments, ended waits and comparisons that have held long enough, in the order of their times. */
export function takeMoments(work: Work, moments: readonly (DueMoment | EndedWait | DueHold)[]): void {
  for (const moment of inDueOrder(work, moments)) {
    if ("runId" in moment) endWait(work, moment.id, moment.runId);
    else if ("hold" in moment) pushHeld(work, moment);
    else pushMoment(work, moment);
  }
}

function endedWait(work: Work, id: number): EndedWait | null {
  const run = work.runOf(id);
  if (!run || run.waitUntilMs === null || run.waitUntilMs > work.nowMs) return null;
  return { id, atMs: run.waitUntilMs, runId: run.runId };
}

/**
 * When the clock was set back, what remains of a wait stays as long as it was. Set back far, it was wrong before: what schedules
 * did in the hours that come again does not count.
 */
export function followSetBack(work: Work): void {
  const backMs = work.beforeMs - work.nowMs;
  if (backMs <= 0) return;
  setHoldsBack(work, backMs);
  for (const [id, { run }] of work.allProgress()) {
    if (!run || run.waitUntilMs === null) continue;
    const nextTurnAtMs = run.repeat?.nextTurnAtMs ?? null;
    const repeat =
      run.repeat && nextTurnAtMs !== null ? { ...run.repeat, nextTurnAtMs: nextTurnAtMs - backMs } : run.repeat;
    work.patchRun(id, { waitUntilMs: run.waitUntilMs - backMs, repeat });
    work.reschedule(id, run.cause);
  }
  if (backMs <= SET_BACK_MS) return;
  const cause = { kind: "schedule", id: String(work.nowMs), by: null } as const;
  for (const { id, nextRunAtMs } of work.facts.programs()) {
    const { settledUntilMs } = work.progressOf(id);
    if (settledUntilMs !== null && settledUntilMs > work.nowMs) settle(work, id, work.nowMs, cause);
    else if (nextRunAtMs !== null) work.reschedule(id, cause);
  }
}
