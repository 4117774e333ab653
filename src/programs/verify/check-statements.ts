/** Statements that cannot be reached, and repeats that do nothing or never come to rest. */

import type { Clause } from "../../home/program-progress.ts";
import type { Action } from "../../home/program-syntax.ts";
import type { Program } from "../../home/programs.ts";
import { message } from "../../messages.ts";
import { spanMs } from "../schedule/moments.ts";
import { type Finding, type FindingStep, finding } from "./finding.ts";
import { variableFormula } from "./model/formula.ts";
import { holdsAll, isEmpty } from "./model/number-set.ts";
import { definitionStep, statementSpot, statementStep } from "./model/places.ts";
import type { World } from "./model/world.ts";
import { repeatEnd } from "./play/played-program.ts";

export function checkStatements(world: World, program: Program): readonly Finding[] {
  return (["then", "else"] as const).flatMap((clause) => checkClause({ world, program, clause }));
}

type Place = { readonly world: World; readonly program: Program; readonly clause: Clause };
type Repeat = Extract<Action, { readonly kind: "repeat-times" | "repeat-every" | "repeat-while" }>;

/** How often a repeat runs its statements, as far as that is certain. */
type Turns = "never" | "for ever" | "sometimes";

function checkClause(place: Place): readonly Finding[] {
  const actions = place.program.tree[place.clause];
  const findings: Finding[] = [];
  for (let at = 0; at < actions.length; ) {
    const action = actions[at];
    const repeat = isRepeat(action) ? action : null;
    const end = repeat ? repeatEnd(actions, at) : sectionEnd(actions, at);
    const turns = repeat ? turnsOf(place, repeat) : "sometimes";
    if (repeat) findings.push(...checkRepeat(place, repeat, at, end, turns));
    if (turns === "for ever") return [...findings, ...unreachable(place, end, at, "forever")];
    const leave = turns === "never" ? null : leaveWithin(place, repeat ? at + 1 : at, end);
    // A repeat that was never entered does not end either, so the statements behind it may be reached.
    const goesOn = leave === null || (repeat !== null && mayHaveNoTurn(repeat));
    if (leave && (leave.next < end || !goesOn)) findings.push(...unreachable(place, leave.next, leave.by, leave.why));
    if (!goesOn) break;
    at = end;
  }
  return findings;
}

function checkRepeat(place: Place, action: Repeat, at: number, end: number, turns: Turns): readonly Finding[] {
  const actions = place.program.tree[place.clause];
  const body = actions.slice(at + 1, end);
  const spot = statementSpot(place.program.id, place.clause, at);
  const chain = [stepAt(place, at)];
  if (body.length === 0) return [finding("REPEAT_EMPTY", spot, message("REPEAT_EMPTY"), chain)];
  if (turns === "never") {
    const inside = statementSpot(place.program.id, place.clause, at + 1);
    const why = definitionStep(message("step.noTurn"));
    return [finding("STATEMENT_UNREACHABLE", inside, message("STATEMENT_UNREACHABLE.repeat"), [...chain, why])];
  }
  const reason = spinReason(place, action, body);
  if (!reason) return [];
  const steps: FindingStep[] = body.map((_action, index) => stepAt(place, at + 1 + index));
  return [finding("REPEAT_SPINS", spot, message(reason), [...chain, ...steps])];
}

/** null when time passes in it, or something in it may end it. */
function spinReason(
  { world, program }: Place,
  action: Repeat,
  body: readonly Action[],
): "REPEAT_SPINS" | "REPEAT_SPINS.condition" | null {
  if (action.kind === "repeat-times") return null;
  if (body.some((each) => each.kind === "wait" && (spanMs(each.span) > 0 || each.random))) return null;
  if (body.some((each) => each.kind === "program" && (each.id === program.id || each.control.startsWith("run"))))
    return null;
  if (action.kind === "repeat-every") return spanMs(action.span) > 0 ? null : "REPEAT_SPINS";
  const names = [action, ...(action.operand.kind === "variable" ? [action.operand] : [])];
  const writes = body.some(
    (each) => each.kind === "variable" && names.some(({ type, id }) => each.type === type && each.id === id),
  );
  if (writes || !world.home.variables[action.type].has(action.id)) return null;
  return "REPEAT_SPINS.condition";
}

function turnsOf({ world }: Place, action: Repeat): Turns {
  switch (action.kind) {
    case "repeat-times":
      return action.times < 1 ? "never" : "sometimes";
    case "repeat-every":
      return "for ever";
    case "repeat-while": {
      const test = variableFormula(world, action);
      if (test?.kind !== "atom") return "sometimes";
      if (isEmpty(test.set)) return "never";
      return holdsAll(test.set, test.axis.domain) ? "for ever" : "sometimes";
    }
  }
}

function mayHaveNoTurn(action: Repeat): boolean {
  return action.kind === "repeat-while" || (action.kind === "repeat-times" && action.random);
}

type Leave = { readonly by: number; readonly next: number; readonly why: Why };
type Why = "forever" | "stop" | "start";

/** A statement of the section with which the program leaves the clause, and the first one that is not reached any more. */
function leaveWithin({ program, clause }: Place, first: number, end: number): Leave | null {
  const actions = program.tree[clause];
  for (let at = first; at < end; at += 1) {
    const action = actions[at];
    if (action?.kind !== "program" || action.id !== program.id) continue;
    if (action.control === "stop") return { by: at, next: at + 1, why: "stop" };
    if (!action.control.startsWith("run")) continue;
    // The rest of the group still runs; the new start takes effect where it ends.
    const wait = actions.findIndex((each, index) => index > at && index < end && each.kind === "wait");
    return { by: at, next: wait < 0 ? end : wait + 1, why: "start" };
  }
  return null;
}

function unreachable(place: Place, from: number, by: number, why: Why): readonly Finding[] {
  const actions = place.program.tree[place.clause];
  if (from >= actions.length) return [];
  const spot = statementSpot(place.program.id, place.clause, from);
  const chain = [stepAt(place, by), stepAt(place, from)];
  return [finding("STATEMENT_UNREACHABLE", spot, message(`STATEMENT_UNREACHABLE.${why}`), chain)];
}

function stepAt({ world, program, clause }: Place, index: number): FindingStep {
  const action = program.tree[clause][index];
  if (!action) return definitionStep(message("step.clauseEnds"));
  return statementStep(world, { action, spot: statementSpot(program.id, clause, index) });
}

/** Index of the next repeat, or the end of the clause. */
function sectionEnd(actions: readonly Action[], at: number): number {
  const next = actions.findIndex((action, index) => index >= at && isRepeat(action));
  return next < 0 ? actions.length : next;
}

function isRepeat(action: Action | undefined): action is Repeat {
  return action?.kind.startsWith("repeat-") === true;
}
