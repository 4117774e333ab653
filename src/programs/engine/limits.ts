/** What programs may do before they are taken for a fault: counted along the chain of causes, cut where a limit is passed. */

import type { Cause } from "../../home/cause.ts";
import type { Effort } from "../../home/program-progress.ts";
import type { EngineLimit } from "../trace-record.ts";
import { endRun } from "./end-run.ts";
import type { Work } from "./work.ts";

const SECOND_MS = 1000;
const STARTED_FACTOR = 10;
/** Longest loop of programs of which all members are found. */
const THROUGH_MAX = 16;

/** Of what comes from outside. */
export function freshEffort(nowMs: number): Effort {
  return { sinceMs: nowMs, starts: 0, through: [], instantMs: nowMs, calls: 0, steps: 0 };
}

/**
 * Of what a program starts, in any way. A call of a program that led here is a turn of a loop and no deeper: a program may
 * call itself as often as programs may start one another.
 *
 * @param of the effort of its run.
 * @param calledId null: it was not by calling.
 */
export function nextEffort(of: Effort, byId: number, nowMs: number, calledId: number | null): Effort {
  const chain = nowMs - of.sinceMs < SECOND_MS ? of : freshEffort(nowMs);
  const calls = of.instantMs === nowMs ? of.calls : 0;
  const isDeeper = calledId !== null && calledId !== byId && !chain.through.includes(calledId);
  return {
    sinceMs: chain.sinceMs,
    starts: chain.starts + 1,
    through: [...chain.through, byId].slice(-THROUGH_MAX),
    instantMs: nowMs,
    calls: calls + (isDeeper ? 1 : 0),
    steps: 0,
  };
}

/**
 * The limit that one more start of a program passes, or null. A program may be started by others far more often than it
 * may be part of a loop: who is merely started by a loop is not cut for it.
 */
export function exceededBy(work: Work, id: number, effort: Effort): EngineLimit | null {
  const { programCallsMax, programStartsPerSecond } = work.facts.limits;
  if (effort.calls > programCallsMax) return "programCallsMax";
  const startsMax = effort.through.includes(id) ? programStartsPerSecond : STARTED_FACTOR * programStartsPerSecond;
  const isPassed = effort.starts > programStartsPerSecond || startsOf(work, id, effort).started > startsMax;
  return isPassed ? "programStartsPerSecond" : null;
}

/** How often programs have started it in this second, with the start at hand. */
export function startsOf(
  work: Work,
  id: number,
  { through }: Effort,
): { readonly startedSinceMs: number; readonly started: number } {
  const { nowMs } = work;
  const latest = work.latestRunOf(id);
  const isSame = latest !== null && nowMs - latest.startedSinceMs < SECOND_MS;
  const before = isSame ? latest : { startedSinceMs: nowMs, started: 0 };
  return { startedSinceMs: before.startedSinceMs, started: before.started + (through.length > 0 ? 1 : 0) };
}

/**
 * Ends a chain before its next start: the program that would have made it is cut, and the one that would have been started
 * when it is part of the loop. One that is merely started by a loop is not.
 */
export function cutChain(work: Work, id: number, effort: Effort, limit: EngineLimit, cause: Cause): void {
  const maker = effort.through.at(-1);
  const members = new Set(maker === undefined || effort.through.includes(id) ? [maker ?? id, id] : [maker]);
  const names = [...new Set(effort.through)].map((of) => nameOf(work, of)).join(", ");
  const detail = `Programs that start one another, or themselves, without a wait: ${names}.`;
  for (const member of members) cut(work, member, limit, detail, cause);
}

/** Stops and disables it, and says so. */
export function cut(work: Work, id: number, limit: EngineLimit, detail: string, cause: Cause): void {
  if (work.isClosed(id)) return;
  work.close(id);
  endRun(work, id, "cut");
  work.setProgram(id, { enabled: false }, cause);
  work.reschedule(id, cause);
  work.effects.push({ kind: "cut", id, limit, detail });
  work.trace(() => ({ kind: "cut", atMs: work.nowMs, programId: id, cause, limit, detail }));
}

function nameOf(work: Work, id: number): string {
  return `"${work.program(id)?.name ?? id}"`;
}
