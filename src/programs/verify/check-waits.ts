/**
 * Finds waits and repeats that the program's own statements interrupt. By the classic rules a statement that changes
 * something in the program's own `if` starts it again at the next wait. When the `if` is then false, the statements
 * behind the wait are never carried out. Each finding is a play in which exactly that happens.
 */

import type { Clause } from "../../home/program-progress.ts";
import { message, type ProgramTextLine } from "../../messages.ts";
import type { Slices } from "../../util/slices.ts";
import { type Finding, finding } from "./finding.ts";
import { statementSpot } from "./model/places.ts";
import { eventsOf, startsOf } from "./model/starts.ts";
import { actionWords } from "./model/words.ts";
import type { World } from "./model/world.ts";
import { examplesFor } from "./play/examples.ts";
import { type Beginning, type Play, type PlayStart, type PlayStep, play } from "./play/play.ts";
import { playSteps } from "./play/play-words.ts";
import { type PlayedProgram, statementsIn, writtenAxes } from "./play/played-program.ts";
import { stageOf } from "./play/stage.ts";

/** Steps of the engine that are played for one program. */
const STEPS_MAX = 2000;

/** A finding with the beginning of the play that shows it. */
export type ShownInterruption = { readonly finding: Finding; readonly from: Beginning };

export function* checkWaits(world: World, played: PlayedProgram): Slices<readonly ShownInterruption[]> {
  const { program, starts } = played;
  const hasWait = statementsIn(played).some(({ action: { kind } }) => kind === "wait" || kind.startsWith("repeat-"));
  if (!hasWait || ![...writtenAxes(played)].some(({ key }) => starts.has(key))) return [];
  const stage = stageOf(world, [played], STEPS_MAX);
  const events = eventsOf(startsOf(world, program));
  const found = new Map<string, ShownInterruption>();
  for (const values of examplesFor(stage.programs.values())) {
    for (const by of events) {
      const start: PlayStart = { program: program.id, mode: "conditions", by };
      const shown = interruptionIn(yield* play(stage, values, [start]));
      if (!shown) continue;
      const wait = tell(world, program.id, shown);
      const key = `${wait.code} ${wait.path}`;
      if (!found.has(key)) found.set(key, { finding: wait, from: { values, start } });
    }
  }
  // A wait that may end early is worse than one that may start again.
  const worst = [...found.values()];
  const interrupted = worst.filter(({ finding: { code } }) => code === "WAIT_INTERRUPTED");
  return (interrupted.length > 0 ? interrupted : worst).slice(0, 1);
}

type Interruption = {
  readonly steps: readonly PlayStep[];
  readonly write: PlayStep;
  readonly clause: Clause;
  readonly at: number;
  readonly isOther: boolean;
};

/** A clause that ends before its end because of what it wrote itself. */
function interruptionIn({ steps, ends }: Play): Interruption | null {
  if (ends === "repeats") return null;
  for (const [index, step] of steps.entries()) {
    const { interrupted } = step;
    const write = steps[step.cause];
    if (step.kind !== "begin" || !interrupted?.left || write?.kind !== "write") continue;
    const begun = steps.slice(0, index).findLastIndex(({ kind }) => kind === "begin");
    if (step.cause < begun) continue;
    const isOther = step.clause !== interrupted.clause;
    // A restart has a cost only when a wait has passed already.
    const hasWaited = steps.slice(begun, step.cause).some(({ kind }) => kind === "woke");
    if (!isOther && !hasWaited) continue;
    return { steps: steps.slice(begun, index + 1), write, clause: interrupted.clause, at: interrupted.at, isOther };
  }
  return null;
}

function tell(world: World, id: number, { steps, write, clause, at, isOther }: Interruption): Finding {
  const spot = statementSpot(id, clause, at);
  const statement = statementText(world, write);
  const chain = playSteps(world, steps);
  return isOther
    ? finding(
        "WAIT_INTERRUPTED",
        spot,
        message(clause === "then" ? "WAIT_INTERRUPTED.false" : "WAIT_INTERRUPTED.true", { statement }),
        chain,
      )
    : finding("WAIT_STARTS_AGAIN", spot, message("WAIT_STARTS_AGAIN", { statement }), chain);
}

function statementText(world: World, { program, clause, index }: Interruption["write"]): ProgramTextLine {
  const entry = world.programs.get(program);
  const action = entry?.kind === "program" ? entry.tree[clause][index] : undefined;
  return { line: action ? actionWords(world, action) : "…" };
}
