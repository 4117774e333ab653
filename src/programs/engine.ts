/**
 * The program engine: one pure step. It does no I/O, sets no timers and draws no chance of its own, so a recording that is
 * stepped through again leads to the same states and effects. A step takes in what happened, and carries out a bounded
 * number of the starts and statements that follow from it; what is left is part of the state, and steps with `more` do it.
 *
 * Things are done in the order in which they happened; a group of statements is never interrupted. While much waits, starts that
 * programs cause, long runs, and items of a program that does very much wait behind everything else.
 * How programs run is in docs/how-programs-run.md; the kinds of statements are in engine/statements.ts and engine/run-group.ts.
 */

import { followSetBack, takeClock } from "./engine/clock.ts";
import { recheck, takeDefinition, takeNewPlace } from "./engine/definitions.ts";
import { followReport, heldTrigger, recount } from "./engine/held.ts";
import { causeStarts, nameCutChains } from "./engine/limits.ts";
import { takeOrder } from "./engine/orders.ts";
import { continueRun } from "./engine/run-group.ts";
import { planNext } from "./engine/schedules.ts";
import { takeStart } from "./engine/start-up.ts";
import { begin, startAll } from "./engine/starts.ts";
import { Work } from "./engine/work.ts";
import type { EngineEffect } from "./engine-effect.ts";
import type { EngineInput, InputOf } from "./engine-input.ts";
import type { EngineState, WorkItem } from "./engine-state.ts";
import type { Facts } from "./facts.ts";

type Step = {
  readonly state: EngineState;
  readonly effects: readonly EngineEffect[];
  /** The rest of `itemsMax`. */
  readonly itemsLeft: number;
};

/** Part of the items of a step with `more` that is for what waits behind everything else, so that it is never left out. */
const LATE_SHARE = 4;

/**
 * @param facts the home as it is after the input's own change and before the effects.
 * @param itemsMax starts and statements that are carried out; what is left has its turn in a step with `more`.
 * @returns effects in the order in which they are to be done.
 */
export function step(state: EngineState, input: EngineInput, nowMs: number, facts: Facts, itemsMax: number): Step {
  const work = new Work(state, nowMs, facts, itemsMax);
  followSetBack(work);
  takeIn(work, input);
  carryOut(work, input.kind === "more");
  planNext(work);
  if (input.kind === "keep") work.keepWaiting();
  nameCutChains(work);
  keepProgress(work);
  return { state: work.state, effects: work.effects, itemsLeft: work.itemsLeft };
}

function carryOut(work: Work, isMore: boolean): void {
  while (!work.isSpent) {
    const item = work.shiftFirst();
    if (!item) break;
    carryOutItem(work, item);
  }
  if (isMore) {
    const rest = work.itemsLeft - Math.ceil(work.itemsLeft / LATE_SHARE);
    while (work.itemsLeft > rest) {
      const item = work.shiftFirst() ?? work.shiftLate();
      if (!item) break;
      carryOutItem(work, item);
    }
  }
  while (!work.isSpent) {
    const item = work.shift(isMore);
    if (!item) break;
    carryOutItem(work, item);
  }
}

function carryOutItem(work: Work, item: WorkItem): void {
  if (item.kind === "start") begin(work, item);
  else continueRun(work, item);
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
      startAll(work, ids, { trigger: happening, cause, happening, effort: work.freshEffort() });
      break;
    }
    case "variable": {
      const { type, id, value, cause } = input;
      const ids = work.facts.triggers.onVariable(type, id);
      const trigger = { kind: "variable", type, id, value } as const;
      startAll(work, ids, { trigger, cause, happening: null, effort: work.freshEffort() });
      break;
    }
    case "definition":
      takeDefinition(work, input);
      break;
    case "references":
      recheck(work, input.ids, input.cause);
      break;
    case "holds":
      for (const id of input.ids) recount(work, id, input.cause);
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
      break;
    case "several":
      for (const each of input.inputs) takeIn(work, each);
      break;
    case "keep":
    case "more":
  }
}

function takeStatus(work: Work, { node, property, runId, among = 1, cause }: InputOf<"status">): void {
  const { triggers } = work.facts;
  const ids = triggers.onStatus(node, property.id);
  const trigger = { kind: "status", node, property: property.id, value: property.value } as const;
  const ended = followReport(work, triggers.onHeld(node, property.id), node, property, cause);
  const over = ended.filter(({ id }) => !ids.includes(id));
  // A report that answers a program's command continues that program's chain, also when it has been started again since.
  const programId = Number.parseInt(runId ?? "", 10);
  const maker = runId === null ? null : work.latestRunOf(programId);
  if (!maker) {
    const effort = work.freshEffort();
    startAll(work, ids, { trigger, cause, happening: null, effort });
    for (const { id, hold } of over)
      startAll(work, [id], { trigger: heldTrigger(work, hold, true), cause, happening: null, effort });
    return;
  }
  const made = { id: programId, effort: maker.effort };
  causeStarts(work, made, ids, { mode: "conditions", trigger, cause }, "report", false, among);
  for (const { id, hold } of over) {
    const start = { mode: "conditions", trigger: heldTrigger(work, hold, true), cause } as const;
    causeStarts(work, made, [id], start, "report", false, among);
  }
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
