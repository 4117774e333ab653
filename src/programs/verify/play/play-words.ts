/** A play in words, step by step. */

import { message } from "../../../messages.ts";
import type { FindingStep } from "../finding.ts";
import { statementSpot, statementStep } from "../model/places.ts";
import { axisValueWords, programName } from "../model/words.ts";
import type { World } from "../model/world.ts";
import type { PlayStep } from "./play.ts";

/** Turns of a loop can be long; the rest is counted. */
const STEPS_MAX = 24;

export function playSteps(world: World, steps: readonly PlayStep[]): readonly FindingStep[] {
  const words = steps.slice(0, STEPS_MAX).flatMap((step) => stepWords(world, step));
  if (steps.length <= STEPS_MAX) return words;
  return [
    ...words,
    { kind: "event", program: null, path: null, text: message("step.more", { count: steps.length - STEPS_MAX }) },
  ];
}

function stepWords(world: World, step: PlayStep): readonly FindingStep[] {
  const { kind, program, clause, index, write } = step;
  const name = programName(world, program);
  const spot = statementSpot(program, clause, index);
  switch (kind) {
    case "begin": {
      const how = step.mode === "conditions" || step.mode === "if" ? "Begins" : "IsRun";
      const text = message(`step.${clause}${how}`, { program: name });
      return [{ kind: "evaluation", program, path: "if", text }];
    }
    case "woke":
      return [{ kind: "event", program, path: spot.path, text: message("step.waitOver", { program: name }) }];
    case "call":
    case "write": {
      const action = world.programs.get(program)?.kind === "program" ? actionAt(world, step) : undefined;
      const statement = action ? [statementStep(world, { action, spot })] : [];
      if (!write) return statement;
      const { axis, before, after } = write;
      const values = { before: axisValueWords(axis, before), after: axisValueWords(axis, after) };
      const text = message("step.change", { name: axis.name, ...values });
      return [...statement, { kind: "value", program: null, path: null, text }];
    }
  }
}

function actionAt(world: World, { program, clause, index }: PlayStep) {
  const entry = world.programs.get(program);
  return entry?.kind === "program" ? entry.tree[clause][index] : undefined;
}
