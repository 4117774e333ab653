/** The conditions and statements of a program or folder with their places, and the ways to speak of them in findings. */

import type { Clause } from "../../../home/program-progress.ts";
import type { Action, Condition } from "../../../home/program-syntax.ts";
import type { ProgramEntry } from "../../../home/programs.ts";
import { type Message, message } from "../../../messages.ts";
import { conditionsOf } from "../../references.ts";
import type { FindingStep } from "../finding.ts";
import type { PlainCondition, Spot } from "./formula.ts";
import { actionWords, conditionWords, programName } from "./words.ts";
import type { World } from "./world.ts";

export type PlacedLeaf = { readonly condition: PlainCondition; readonly spot: Spot };
type PlacedAction = {
  readonly action: Action;
  readonly clause: Clause;
  readonly index: number;
  readonly spot: Spot;
};

/** All conditions, those in parentheses too, without the parentheses themselves. */
export function leavesOf(entry: ProgramEntry): readonly PlacedLeaf[] {
  return leaves(conditionsOf(entry), { program: entry.id, path: "if" });
}

export function actionsOf(entry: ProgramEntry): readonly PlacedAction[] {
  if (entry.kind === "folder") return [];
  const { id, tree } = entry;
  const placed = (clause: Clause) =>
    tree[clause].map((action, index) => ({ action, clause, index, spot: statementSpot(id, clause, index) }));
  return [...placed("then"), ...placed("else")];
}

export function statementSpot(program: number, clause: Clause, index: number): Spot {
  return { program, path: `${clause}[${index}]` };
}

export function conditionStep(world: World, condition: Condition, { program, path }: Spot): FindingStep {
  return { kind: "condition", program, path, text: lineMessage(conditionWords(world, condition)) };
}

export function statementStep(world: World, { action, spot }: Pick<PlacedAction, "action" | "spot">): FindingStep {
  const { program, path } = spot;
  return {
    kind: "statement",
    program,
    path,
    text: message("step.statement", {
      program: programName(world, program),
      line: { line: actionWords(world, action) },
    }),
  };
}

export function definitionStep(text: Message): FindingStep {
  return { kind: "definition", program: null, path: null, text };
}

function lineMessage(line: string): Message {
  return message("step.line", { line: { line } });
}

function leaves(conditions: readonly Condition[], { program, path }: Spot): readonly PlacedLeaf[] {
  return conditions.flatMap((condition, index) => {
    const spot = { program, path: `${path}[${index}]` };
    if (condition.kind !== "paren") return [{ condition, spot }];
    return leaves(condition.conditions, { program, path: `${spot.path}.conditions` });
  });
}
