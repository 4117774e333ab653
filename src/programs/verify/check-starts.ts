/**
 * Checks what starts a program, and whether its starts can lead to each of its clauses. Considers its own conditions,
 * the folders above it, and the statements of other programs. Actions of people do not count, and the finding says
 * so.
 */

import type { Clause } from "../../home/program-progress.ts";
import { foldersAbove, type Program } from "../../home/programs.ts";
import { message } from "../../messages.ts";
import { leafConditions } from "../references.ts";
import { type Finding, type FindingStep, finding } from "./finding.ts";
import type { Callers } from "./model/callers.ts";
import { type Formula, holdTogether, not } from "./model/formula.ts";
import { conditionStep, definitionStep, leavesOf } from "./model/places.ts";
import { CHANGE, type StartEvent, startsOf } from "./model/starts.ts";
import { conditionWords, programName } from "./model/words.ts";
import type { World } from "./model/world.ts";
import type { PlayedProgram } from "./play/played-program.ts";

export function checkStarts(world: World, played: PlayedProgram, callers: Callers): readonly Finding[] {
  const { program } = played;
  const starts = startsOf(world, program);
  const calls = callers.of(program.id);
  if (starts.length === 0 && calls.size === 0 && !program.runAtStartup) return [neverStarts(world, program)];
  const reached = (clause: Clause) => isReached(played, clause, starts, calls);
  const findings: Finding[] = [];
  const spot = (path: string) => ({ program: program.id, path });
  const chain = [...startSteps(starts, program), ...callSteps(world, calls), ...conditionSteps(world, program)];
  if (program.tree.then.length > 0 && !reached("then")) {
    findings.push(finding("THEN_NEVER_RUNS", spot("then"), message("THEN_NEVER_RUNS"), chain));
  }
  if (program.tree.else.length > 0 && !reached("else")) {
    const isCommanded = starts.length === 0;
    findings.push(
      isCommanded
        ? finding("ELSE_ONLY_BY_COMMAND", spot("else"), message("ELSE_ONLY_BY_COMMAND"), chain)
        : finding("ELSE_NEVER_RUNS", spot("else"), message("ELSE_NEVER_RUNS"), chain),
    );
  }
  return findings;
}

function isReached(
  { corrected: { isTrue, gate }, program }: PlayedProgram,
  clause: Clause,
  starts: readonly StartEvent[],
  calls: ReadonlyMap<string, number>,
): boolean {
  const control = clause === "then" ? "runthen" : "runelse";
  if (calls.has(control) || callsItself(program, control)) return true;
  const outcome = clause === "then" ? isTrue : not(isTrue);
  const canBe = (given: readonly Formula[]) => holdTogether([...given, outcome]) !== null;
  if (starts.some(({ given }) => canBe([given, gate]))) return true;
  return (calls.has("runif") || callsItself(program, "runif") || program.runAtStartup) && canBe([CHANGE]);
}

function callsItself({ id, tree }: Program, control: string): boolean {
  return [...tree.then, ...tree.else].some(
    (action) => action.kind === "program" && action.id === id && action.control === control,
  );
}

function neverStarts(world: World, program: Program): Finding {
  const spot = { program: program.id, path: "if" };
  const leaves = leafConditions(program.tree.if);
  const conditions = leaves.map((leaf) => ({ line: conditionWords(world, leaf) }));
  if (leaves.length > 0 && leaves.every(({ kind }) => kind === "variable")) {
    return finding("INTEGER_VARIABLES_ONLY", spot, message("INTEGER_VARIABLES_ONLY"), [
      definitionStep(message("step.stateVariablesStart", { conditions })),
    ]);
  }
  const why = leaves.length === 0 ? message("step.noConditions") : message("step.startNothing", { conditions });
  return finding("NEVER_STARTS", spot, message("NEVER_STARTS"), [definitionStep(why)]);
}

function startSteps(starts: readonly StartEvent[], { id }: Program): readonly FindingStep[] {
  return starts.map(({ words }) => ({
    kind: "event",
    program: id,
    path: "if",
    text: message("step.starts", { event: words }),
  }));
}

/** Conditions of the folders above count too. */
function conditionSteps(world: World, program: Program): readonly FindingStep[] {
  const entries = [...foldersAbove(world, program), program];
  return entries.flatMap((entry) =>
    leavesOf(entry).map(({ condition, spot }) => conditionStep(world, condition, spot)),
  );
}

function callSteps(world: World, calls: ReadonlyMap<string, number>): readonly FindingStep[] {
  return [...calls].map(([control, by]) => ({
    kind: "event",
    program: by,
    path: null,
    text: message("step.call", { program: programName(world, by), control }),
  }));
}
