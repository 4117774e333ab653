/** A play in words, step by step. */

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
    { kind: "event", program: null, path: null, text: `… and ${steps.length - STEPS_MAX} more steps.` },
  ];
}

function stepWords(world: World, step: PlayStep): readonly FindingStep[] {
  const { kind, program, clause, index, write } = step;
  const name = programName(world, program);
  const spot = statementSpot(program, clause, index);
  switch (kind) {
    case "begin": {
      const how =
        step.mode === "conditions" || step.mode === "if" ? `its conditions are ${clause === "then"}` : "it is run";
      const text = `${name}: ${how}, ${clause === "then" ? "Then" : "Else"} begins.`;
      return [{ kind: "evaluation", program, path: "if", text }];
    }
    case "woke":
      return [{ kind: "event", program, path: spot.path, text: `${name}: the wait is over.` }];
    case "call":
    case "write": {
      const action = world.programs.get(program)?.kind === "program" ? actionAt(world, step) : undefined;
      const statement = action ? [statementStep(world, { action, spot })] : [];
      if (!write) return statement;
      const { axis, before, after } = write;
      const text = `${axis.name}: ${axisValueWords(axis, before)} → ${axisValueWords(axis, after)}`;
      return [...statement, { kind: "value", program: null, path: null, text }];
    }
  }
}

function actionAt(world: World, { program, clause, index }: PlayStep) {
  const entry = world.programs.get(program);
  return entry?.kind === "program" ? entry.tree[clause][index] : undefined;
}
