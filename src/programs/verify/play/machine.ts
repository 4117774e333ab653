/**
 * Programs made ready for being played: formulas instead of conditions, writes instead of statements, and which of them a
 * change of a value starts. The play itself is in play.ts.
 */

import type { Clause } from "../../../home/program-progress.ts";
import type { Action, ProgramControl } from "../../../home/program-syntax.ts";
import { foldersAbove, type Program } from "../../../home/programs.ts";
import { spanMs } from "../../schedule/moments.ts";
import { statusAxis } from "../model/axes.ts";
import type { Axis } from "../model/axis.ts";
import { type Write, writesOf } from "../model/effects.ts";
import { allOf, type Formula, formulaOf, variableFormula } from "../model/formula.ts";
import { changeKeysOf } from "../model/starts.ts";
import type { World } from "../model/world.ts";

export type Statement =
  | { readonly kind: "writes"; readonly writes: readonly Write[] }
  | { readonly kind: "wait"; readonly lengthMs: number }
  /** `end`: index behind the statements that it repeats. */
  | { readonly kind: "repeat"; readonly end: number; readonly turns: Turns }
  | { readonly kind: "control"; readonly id: number; readonly control: ProgramControl }
  | { readonly kind: "other" };

export type Turns =
  | { readonly kind: "times"; readonly times: number }
  | { readonly kind: "every"; readonly lengthMs: number }
  | { readonly kind: "while"; readonly test: Formula };

export type PlayedProgram = {
  readonly program: Program;
  /** Whether conditions start it. */
  readonly mayStart: boolean;
  readonly isTrue: Formula;
  /** That the folders above let it start. */
  readonly gate: Formula;
  /** The same two, with conditions that have a finding of their own as such that may hold or not. */
  readonly corrected: { readonly isTrue: Formula; readonly gate: Formula };
  /** Keys of the axes whose change starts it. */
  readonly starts: ReadonlySet<string>;
  readonly status: Axis | null;
  readonly clauses: Readonly<Record<Clause, readonly Statement[]>>;
};

/** @param stale conditions of folders that may be as they are not any more. */
export function playedProgram(
  world: World,
  program: Program,
  mayStart: boolean,
  { stale, suspects }: { readonly stale: ReadonlySet<string>; readonly suspects: ReadonlySet<string> },
): PlayedProgram {
  const { tree } = program;
  const formulas = (free: ReadonlySet<string>) => ({
    isTrue: formulaOf(world, tree.if, { program: program.id, path: "if" }, free),
    gate: allOf(
      foldersAbove(world, program).map(({ id, conditions }) =>
        formulaOf(world, conditions, { program: id, path: "if" }, free),
      ),
    ),
  });
  return {
    program,
    mayStart,
    ...formulas(stale),
    corrected: formulas(new Set([...stale, ...suspects])),
    starts: new Set(changeKeysOf(program)),
    status: statusAxis(world, program.id),
    clauses: { then: statementsOf(world, tree.then), else: statementsOf(world, tree.else) },
  };
}

/** Everything that the program may write, its status included. */
export function writtenAxes({ clauses, status }: PlayedProgram): ReadonlySet<Axis> {
  const axes = new Set<Axis>(status ? [status] : []);
  for (const statement of [...clauses.then, ...clauses.else]) {
    if (statement.kind === "writes") for (const { axis } of statement.writes) axes.add(axis);
  }
  return axes;
}

/** Ids of the programs that it runs, by any of its statements. */
export function calledIds({ clauses }: PlayedProgram): readonly number[] {
  return [...clauses.then, ...clauses.else].flatMap((statement) =>
    statement.kind === "control" && isCall(statement.control) ? statement.id : [],
  );
}

export function isCall(control: ProgramControl): control is "runif" | "runthen" | "runelse" {
  return control === "runif" || control === "runthen" || control === "runelse";
}

/** Index behind the statements that a repeat repeats: the next repeat, or the end. */
export function repeatEnd(actions: readonly Action[], at: number): number {
  const next = actions.findIndex(({ kind }, index) => index > at && kind.startsWith("repeat-"));
  return next < 0 ? actions.length : next;
}

function statementsOf(world: World, actions: readonly Action[]): readonly Statement[] {
  return actions.map((_action, index) => statementOf(world, actions, index));
}

function statementOf(world: World, actions: readonly Action[], index: number): Statement {
  const action = actions[index];
  switch (action?.kind) {
    case "command":
    case "variable":
      return { kind: "writes", writes: writesOf(world, action) };
    case "wait":
      return { kind: "wait", lengthMs: spanMs(action.span) };
    case "repeat-times":
    case "repeat-every":
    case "repeat-while": {
      const turns = turnsOf(world, action);
      return turns ? { kind: "repeat", end: repeatEnd(actions, index), turns } : { kind: "other" };
    }
    case "program":
      return { kind: "control", id: action.id, control: action.control };
    default:
      return { kind: "other" };
  }
}

type Repeat = Extract<Action, { readonly kind: "repeat-times" | "repeat-every" | "repeat-while" }>;

function turnsOf(world: World, action: Repeat): Turns | null {
  switch (action.kind) {
    case "repeat-times":
      return { kind: "times", times: action.times };
    case "repeat-every":
      return { kind: "every", lengthMs: spanMs(action.span) };
    case "repeat-while": {
      const test = variableFormula(world, action);
      return test && { kind: "while", test };
    }
  }
}
