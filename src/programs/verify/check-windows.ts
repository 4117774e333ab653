/**
 * The classic motion program: on, wait, off, within a time window. When the window ends during the wait, the program starts
 * again by the classic rules, its conditions are false, and the wait ends. The lamp stays on.
 */

import { type Action, type Condition, constantOf } from "../../home/program-syntax.ts";
import type { Program } from "../../home/programs.ts";
import { message } from "../../messages.ts";
import { spanMs } from "../schedule/moments.ts";
import { type Finding, finding } from "./finding.ts";
import { conditionStep, statementSpot, statementStep } from "./model/places.ts";
import { nodeName } from "./model/words.ts";
import type { World } from "./model/world.ts";

const ON: ReadonlySet<string> = new Set(["DON", "DFON"]);
const OFF: ReadonlySet<string> = new Set(["DOF", "DFOF"]);

export function checkWindows(world: World, program: Program): readonly Finding[] {
  const { id, tree } = program;
  const window = tree.if.findIndex((condition) => condition.kind === "schedule" && condition.when.kind !== "at");
  const condition = tree.if[window];
  // Only where the end of the window surely makes the conditions false, and something else starts the program within it.
  const closes = tree.if.every(({ andOr }, at) => at === 0 || andOr === "and");
  if (!condition || !closes || !tree.if.some(startsWithin)) return [];
  const wait = tree.then.findIndex((action) => action.kind === "wait" && (spanMs(action.span) > 0 || action.random));
  const waiting = tree.then[wait];
  if (!waiting) return [];
  const lamp = litNode(tree.then.slice(0, wait));
  const off = tree.then.findIndex((action, at) => at > wait && isCommand(action, OFF) && action.node === lamp);
  const turnedOff = tree.then[off];
  if (lamp === null || !turnedOff || tree.else.length > 0) return [];
  const spot = statementSpot(id, "then", wait);
  const name = nodeName(world, lamp);
  return [
    finding("WAIT_CUT_BY_WINDOW", spot, message("WAIT_CUT_BY_WINDOW", { name }), [
      conditionStep(world, condition, { program: id, path: `if[${window}]` }),
      statementStep(world, { action: waiting, spot }),
      statementStep(world, { action: turnedOff, spot: statementSpot(id, "then", off) }),
    ]),
  ];
}

/** Integer variables start nothing. */
function startsWithin(condition: Condition): boolean {
  if (condition.kind === "variable") return condition.type === 2;
  return condition.kind === "control" || condition.kind === "status" || condition.kind === "program";
}

/** The node that the last command of these actions turns on; null when that command turns none on, or may not. */
function litNode(actions: readonly Action[]): string | null {
  const last = actions.findLast(({ kind }) => kind === "command");
  return last?.kind === "command" &&
    isCommand(last, ON) &&
    last.parameters.every((each) => (constantOf(each)?.value ?? 0) > 0)
    ? last.node
    : null;
}

function isCommand(action: Action, commands: ReadonlySet<string>): action is Extract<Action, { kind: "command" }> {
  return action.kind === "command" && commands.has(action.command);
}
