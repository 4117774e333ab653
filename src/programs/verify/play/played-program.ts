/**
 * A program made ready for verification: its conditions as formulas, its statements with what they write, and the entries
 * that the engine plays (`play.ts`).
 */

import type { Clause } from "../../../home/program-progress.ts";
import type { Action, Condition, ProgramControl } from "../../../home/program-syntax.ts";
import { foldersAbove, type Program, type ProgramEntry } from "../../../home/programs.ts";
import { statusAxis } from "../model/axes.ts";
import type { Axis } from "../model/axis.ts";
import { type Write, writesOf } from "../model/effects.ts";
import {
  allOf,
  collectSets,
  type Formula,
  formulaOf,
  freeTest,
  isFree,
  type Spot,
  variableFormula,
} from "../model/formula.ts";
import type { NumberSet } from "../model/number-set.ts";
import { changeKeysOf } from "../model/starts.ts";
import type { World } from "../model/world.ts";

type Statement = { readonly action: Action; readonly writes: readonly Write[] };

export type PlayedProgram = {
  readonly program: Program;
  /** Whether conditions start it. */
  readonly mayStart: boolean;
  readonly isTrue: Formula;
  /** The conditions of the folders above, which let it start. */
  readonly gate: Formula;
  /** The same two, with conditions that have a finding of their own as such that may hold or not. */
  readonly corrected: { readonly isTrue: Formula; readonly gate: Formula };
  /**
   * The requirements of its conditions, those of the folders above it, and its "repeat while" statements on each
   * axis.
   */
  readonly asked: ReadonlyMap<Axis, readonly NumberSet[]>;
  /** Keys of the axes whose change starts it. */
  readonly starts: ReadonlySet<string>;
  readonly status: Axis | null;
  readonly clauses: Readonly<Record<Clause, readonly Statement[]>>;
  /** The program and the folders above it as the engine plays them. */
  readonly entries: readonly ProgramEntry[];
};

/** Turns of a repeat that are played: what a repeat does for ever is no loop between programs. */
export const TURNS_PLAYED = 2;

/** @param stale conditions of folders that may be as they are not any more. */
export function playedProgram(
  world: World,
  program: Program,
  mayStart: boolean,
  { stale, suspects }: { readonly stale: ReadonlySet<string>; readonly suspects: ReadonlySet<string> },
): PlayedProgram {
  const { id, tree } = program;
  const folders = foldersAbove(world, program);
  const placeOf = (entry: { readonly id: number }) => ({ program: entry.id, path: "if" });
  const formulas = (free: ReadonlySet<string>) => ({
    isTrue: formulaOf(world, tree.if, placeOf(program), free),
    gate: allOf(folders.map((folder) => formulaOf(world, folder.conditions, placeOf(folder), free))),
  });
  const known = formulas(stale);
  const asked = new Map<Axis, NumberSet[]>();
  const tests = [...tree.then, ...tree.else].flatMap((action) =>
    action.kind === "repeat-while" ? (variableFormula(world, action) ?? []) : [],
  );
  for (const formula of [known.isTrue, known.gate, ...tests]) collectSets(formula, asked);
  const clauses = { then: statementsOf(world, tree.then), else: statementsOf(world, tree.else) };
  const played = {
    if: playedConditions(world, tree.if, placeOf(program), stale),
    then: tree.then.map(shortened),
    else: tree.else.map(shortened),
  };
  return {
    program,
    mayStart,
    ...known,
    corrected: formulas(new Set([...stale, ...suspects])),
    asked,
    starts: new Set(changeKeysOf(world, program)),
    status: statusAxis(world, id),
    clauses,
    entries: [
      ...folders.map((folder) => {
        const conditions = playedConditions(world, folder.conditions, placeOf(folder), stale);
        return { ...folder, status: null, conditions };
      }),
      { ...program, enabled: mayStart, invalid: null, status: false, tree: played },
    ],
  };
}

export function statementsIn({ clauses }: PlayedProgram): readonly Statement[] {
  return [...clauses.then, ...clauses.else];
}

/** Everything that the program may write, its status included. */
export function writtenAxes(played: PlayedProgram): ReadonlySet<Axis> {
  const axes = new Set<Axis>(played.status ? [played.status] : []);
  for (const { writes } of statementsIn(played)) for (const { axis } of writes) axes.add(axis);
  return axes;
}

/** Ids of the programs that it runs, by any of its statements. */
export function calledIds(played: PlayedProgram): readonly number[] {
  return statementsIn(played).flatMap(({ action }) =>
    action.kind === "program" && isCall(action.control) ? action.id : [],
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
  return actions.map((action) => ({ action, writes: writesOf(world, action) }));
}

/** A random number of turns may be none at all, which proves the least. */
function shortened(action: Action): Action {
  if (action.kind !== "repeat-times") return action;
  return { ...action, times: action.random ? 0 : Math.min(action.times, TURNS_PLAYED) };
}

/** Conditions that may hold or not become tests of variables that stand for their axes. */
function playedConditions(
  world: World,
  conditions: readonly Condition[],
  { program, path }: Spot,
  free: ReadonlySet<string>,
): readonly Condition[] {
  return conditions.map((condition, index): Condition => {
    const spot = { program, path: `${path}[${index}]` };
    const { andOr } = condition;
    if (isFree(world, { condition, spot }, free)) return { andOr, ...freeTest(world, spot) };
    if (condition.kind !== "paren") return condition;
    const inside = playedConditions(world, condition.conditions, { program, path: `${spot.path}.conditions` }, free);
    return { ...condition, conditions: inside };
  });
}
