/**
 * What the engine remembers between two steps. A value: a step makes a new one and leaves the old one as it was, so a
 * state can be kept, compared and gone back to. Where the programs stand is durable (home/program-progress.ts); the rest
 * may be lost with the process.
 */

import type { Effort, ProgramProgress } from "../home/program-progress.ts";
import { IdMap } from "./engine/id-map.ts";

export type EngineState = {
  /** Only programs with something to remember. */
  readonly progress: IdMap<ProgramProgress>;
  /** Of the latest step; a step with an earlier one shows that the clock was set back. */
  readonly nowMs: number;
  /** Runs that were begun in the millisecond `nowMs`; makes their ids unique. */
  readonly runsInInstant: number;
  /** The latest run of each program: what it causes by way of a device is held against the same limits. */
  readonly latestRuns: IdMap<LatestRun>;
};

export type LatestRun = {
  readonly runId: string;
  readonly effort: Effort;
  /** Starts by programs, of this one, since an instant less than a second ago. */
  readonly startedSinceMs: number;
  readonly started: number;
};

/** @param progress where the programs stood when the process ended. */
export function engineState(progress: Iterable<ProgramProgress>, nowMs: number): EngineState {
  let map: IdMap<ProgramProgress> = IdMap.empty();
  for (const record of progress) map = map.with(record.id, record);
  return { progress: map, nowMs, runsInInstant: 0, latestRuns: IdMap.empty() };
}
