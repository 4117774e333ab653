/**
 * The program engine: one pure step. It does no I/O, sets no timers and draws no chance of its own, so a recording that is
 * stepped through again leads to the same states and effects. Each input is worked off to the end of its instant: whatever
 * it starts, and whatever that starts, as far as it needs no time to pass.
 *
 * The order of things within an instant is the order in which they happened; a group of statements is never interrupted.
 * How programs run is in docs/how-programs-run.md; the kinds of statements are in engine/statements.ts and engine/run-group.ts.
 */

import { followSetBack, takeClock } from "./engine/clock.ts";
import { recheck, takeDefinition, takeNewPlace } from "./engine/definitions.ts";
import { freshEffort, nextEffort } from "./engine/limits.ts";
import { takeOrder } from "./engine/orders.ts";
import { continueRun } from "./engine/run-group.ts";
import { planNext } from "./engine/schedules.ts";
import { takeStart } from "./engine/start-up.ts";
import { begin, startAll } from "./engine/starts.ts";
import { Work } from "./engine/work.ts";
import type { Effect } from "./engine-effect.ts";
import type { EngineInput, InputOf } from "./engine-input.ts";
import type { EngineState } from "./engine-state.ts";
import type { Facts } from "./facts.ts";

export type Step = { readonly state: EngineState; readonly effects: readonly Effect[] };

/**
 * @param facts the home as it is after the input's own change and before the effects.
 * @returns effects in the order in which they are to be done.
 */
export function step(state: EngineState, input: EngineInput, nowMs: number, facts: Facts): Step {
  const work = new Work(state, nowMs, facts);
  followSetBack(work);
  takeIn(work, input);
  for (let item = work.shift(); item; item = work.shift()) {
    if (item.kind === "start") begin(work, item);
    else continueRun(work, item.id, item.runId);
  }
  planNext(work);
  keepProgress(work);
  return { state: work.state, effects: work.effects };
}

function takeIn(work: Work, input: EngineInput): void {
  switch (input.kind) {
    case "start":
      takeStart(work, input);
      break;
    case "status":
      takeStatus(work, input);
      break;
    case "control": {
      const { node, command, cause } = input;
      const happening = { kind: "control", node, command } as const;
      const ids = work.facts.triggers.onControl(node, command);
      startAll(work, ids, { trigger: happening, cause, happening, effort: freshEffort(work.nowMs) });
      break;
    }
    case "variable": {
      const { type, id, value, cause } = input;
      const ids = work.facts.triggers.onVariable(type, id);
      const trigger = { kind: "variable", type, id, value } as const;
      startAll(work, ids, { trigger, cause, happening: null, effort: freshEffort(work.nowMs) });
      break;
    }
    case "definition":
      takeDefinition(work, input);
      break;
    case "references":
      recheck(work, input.ids, input.cause);
      break;
    case "place":
      takeNewPlace(work, input.cause);
      break;
    case "clock":
      takeClock(work, input.due);
      break;
    case "order":
      takeOrder(work, input);
      break;
    case "outcome":
      takeOutcome(work, input);
  }
}

function takeStatus(work: Work, { node, property, runId, cause }: InputOf<"status">): void {
  const ids = work.facts.triggers.onStatus(node, property.id);
  const trigger = { kind: "status", node, property: property.id, value: property.value } as const;
  // A report that answers a program's command continues that program's chain, also when it has been started again since.
  const programId = Number.parseInt(runId ?? "", 10);
  const maker = runId === null ? null : work.latestRunOf(programId);
  const effort = maker ? nextEffort(maker.effort, programId, work.nowMs, null) : freshEffort(work.nowMs);
  startAll(work, ids, { trigger, cause, happening: null, effort });
}

function takeOutcome(work: Work, input: InputOf<"outcome">): void {
  const { programId, statementId, outcome, commandId, detail } = input;
  const { inFlight } = work.progressOf(programId);
  const statement = inFlight.find((other) => other.statementId === statementId);
  if (!statement) return;
  const { runId } = statement;
  const cause = { kind: "program", id: runId, by: String(programId) } as const;
  work.patchProgress(programId, { inFlight: inFlight.filter((other) => other !== statement) }, cause, false);
  const common = { atMs: work.nowMs, programId, cause, runId, statementId } as const;
  work.trace(() => ({ ...common, kind: "outcome", outcome, commandId, detail }));
}

function keepProgress(work: Work): void {
  for (const [id, cause] of work.touched) {
    const progress = work.progressAfter(id);
    if (progress === work.progressBefore(id)) continue;
    work.effects.push({ kind: "progress", id, progress, isUrgent: work.isUrgent(id), cause });
  }
}
