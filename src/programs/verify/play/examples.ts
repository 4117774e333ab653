/** Values to play from: for every axis that programs compare, one example of everything that they distinguish. */

import { EVENT_AXIS } from "../model/axes.ts";
import type { Axis } from "../model/axis.ts";
import { examplesOf, type NumberSet, pointsOf } from "../model/number-set.ts";
import { type PlayedProgram, statementsIn } from "./played-program.ts";

const PER_AXIS_MAX = 6;
/** Beginnings that are tried; where there are more, some of them are, spread over all. */
const BEGINNINGS_MAX = 243;

export function* examplesFor(programs: Iterable<PlayedProgram>): Generator<ReadonlyMap<Axis, number>> {
  const sets = new Map<Axis, NumberSet[]>();
  for (const played of programs) collectAxes(played, sets);
  const axes = [...sets].filter(([axis]) => axis !== EVENT_AXIS && axis.order === null);
  const choices = axes.map(([axis, asked]) => ({ axis, values: examplesOf(asked, axis, PER_AXIS_MAX) }));
  const all = choices.reduce((product, { values }) => product * values.length, 1);
  const count = Math.min(all, BEGINNINGS_MAX);
  for (let beginning = 0; beginning < count; beginning += 1) {
    const seed = all <= BEGINNINGS_MAX ? beginning : scatter(beginning);
    yield beginningOf(choices, seed);
  }
}

type Choice = { readonly axis: Axis; readonly values: readonly number[] };

function collectAxes(played: PlayedProgram, sets: Map<Axis, NumberSet[]>): void {
  for (const [axis, asked] of played.asked) sets.set(axis, [...(sets.get(axis) ?? []), ...asked]);
  const writes = statementsIn(played).flatMap((statement) => statement.writes);
  // A write is a change only from another value, so the written value needs an example of its own.
  for (const { axis, constant } of writes) if (constant !== null) sets.get(axis)?.push(pointsOf([constant]));
  // An operand from elsewhere is part of the beginning, though no condition distinguishes its values.
  for (const { source } of writes) if (source && !sets.has(source)) sets.set(source, []);
  for (const axis of [...sets.keys()]) {
    if (!axis.order) continue;
    for (const side of [axis.order.left, axis.order.right]) if (!sets.has(side)) sets.set(side, [pointsOf([0, 1])]);
  }
}

function beginningOf(choices: readonly Choice[], seed: number): ReadonlyMap<Axis, number> {
  const values = new Map<Axis, number>();
  let rest = seed;
  for (const choice of choices) {
    const { length } = choice.values;
    values.set(choice.axis, choice.values[rest % length] ?? 0);
    rest = Math.floor(rest / length);
    // A seed that is used up goes on with digits of its own, so that no axis stays at its first value.
    if (rest === 0 && seed >= BEGINNINGS_MAX) rest = scatter(seed + values.size);
  }
  return values;
}

function scatter(number: number): number {
  return (Math.imul(number + 1, 0x9e_37_79_b1) >>> 0) + BEGINNINGS_MAX;
}
