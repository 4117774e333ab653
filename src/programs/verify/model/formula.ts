/**
 * Conditions as formulas over axes, and the question that all checks ask: can these hold together? AND binds before OR, an
 * empty list is true. A condition of which something else is wrong is taken as one that may hold or not, so that one mistake
 * is one finding.
 */

import { type Comparison, type Condition, constantOf, type VariableTest } from "../../../home/program-syntax.ts";
import { EVENT_AXIS, freeAxis, orderAxis, propertyAxis, statusAxis, variableAxis } from "./axes.ts";
import { type Axis, placeOf, whereHolds } from "./axis.ts";
import { anyOf as anyValue, contains, intersect, isEmpty, type NumberSet, pointsOf, without } from "./number-set.ts";
import type { World } from "./world.ts";
import { momentKey } from "./year.ts";

export type Formula =
  | { readonly kind: "atom"; readonly axis: Axis; readonly set: NumberSet }
  | { readonly kind: "all" | "any"; readonly parts: readonly Formula[] };

export type PlainCondition = Exclude<Condition, { readonly kind: "paren" }>;

/** The place of a condition: program or folder, and path in its tree. */
export type Spot = { readonly program: number; readonly path: string };

const TRUE: Formula = { kind: "all", parts: [] };

/** @param suspects `spotKey`s of conditions that have a finding of their own. */
export function formulaOf(
  world: World,
  conditions: readonly Condition[],
  spot: Spot,
  suspects: ReadonlySet<string>,
): Formula {
  if (conditions.length === 0) return TRUE;
  const parts = alternativesOf(conditions, spot).map((alternative): Formula => {
    return { kind: "all", parts: alternative.map((each) => partOf(world, each, suspects)) };
  });
  return anyOf(parts);
}

export type Placed = { readonly condition: Condition; readonly spot: Spot };

/** The conditions split at every "or", each with its place: one list that holds makes the whole true. */
export function alternativesOf(
  conditions: readonly Condition[],
  { program, path }: Spot,
): readonly (readonly Placed[])[] {
  const lists: Placed[][] = [];
  for (const [index, condition] of conditions.entries()) {
    const placed = { condition, spot: { program, path: `${path}[${index}]` } };
    const last = lists.at(-1);
    if (last && condition.andOr === "and") last.push(placed);
    else lists.push([placed]);
  }
  return lists;
}

export function spotKey({ program, path }: Spot): string {
  return `${program} ${path}`;
}

export function partOf(world: World, { condition, spot }: Placed, suspects: ReadonlySet<string>): Formula {
  if (suspects.has(spotKey(spot))) return free(world, spot);
  if (condition.kind !== "paren") return leafFormula(world, condition, spot) ?? free(world, spot);
  const inside = { program: spot.program, path: `${spot.path}.conditions` };
  return formulaOf(world, condition.conditions, inside, suspects);
}

/** Whether the condition is taken as one that may hold or not. */
export function isFree(world: World, { condition, spot }: Placed, suspects: ReadonlySet<string>): boolean {
  if (suspects.has(spotKey(spot))) return true;
  if (condition.kind === "paren") return false;
  if (condition.kind !== "schedule") return leafFormula(world, condition, spot) === null;
  return condition.when.kind !== "at" && world.year.of(condition).isFarAhead;
}

/**
 * A condition that the engine can evaluate in the place of a free one: a test of a variable that represents its axis.
 */
export function freeTest(world: World, spot: Spot): VariableTest & { readonly kind: "variable" } {
  const id = world.freeVariable(spotAxis(world, spot));
  return { kind: "variable", type: 1, id, comparison: "IS", operand: { kind: "value", value: 1, prec: 0 } };
}

/** null when the result is unknown. */
function leafFormula(world: World, condition: PlainCondition, spot: Spot): Formula | null {
  switch (condition.kind) {
    case "status": {
      const axis = propertyAxis(world, condition.node, condition.property);
      const value = constantOf(condition.value);
      const place = axis && value && placeOf(axis, value);
      return axis && place && atom(axis, whereHolds(axis, condition.comparison, place));
    }
    case "control": {
      const sent = pointsOf([world.event(controlKey(condition.node, condition.command))]);
      return atom(EVENT_AXIS, condition.comparison === "IS" ? sent : without(EVENT_AXIS.domain, sent));
    }
    case "variable":
      return variableFormula(world, condition);
    case "program": {
      const axis = statusAxis(world, condition.id);
      return axis && atom(axis, pointsOf([condition.is ? 1 : 0]));
    }
    case "schedule":
      return scheduleFormula(world, condition, spot);
    case "held":
    case "roles":
    case "foreign":
      return null;
  }
}

/** A moment holds at its event only, also beyond the year that is looked at. */
function scheduleFormula(world: World, condition: Extract<PlainCondition, { kind: "schedule" }>, spot: Spot): Formula {
  const { holds, isFarAhead } = world.year.of(condition);
  const inTime = isFarAhead ? free(world, spot) : atom(world.year.axis, holds);
  if (condition.when.kind !== "at") return inTime;
  const arrived = atom(EVENT_AXIS, pointsOf([world.event(momentKey(condition.when.at))]));
  return { kind: "all", parts: [arrived, inTime] };
}

export function controlKey(node: string, command: string): string {
  return `control ${command} ${node}`;
}

export function atom(axis: Axis, set: NumberSet): Formula {
  return { kind: "atom", axis, set };
}

export function allOf(parts: readonly Formula[]): Formula {
  return { kind: "all", parts };
}

export function not(formula: Formula): Formula {
  if (formula.kind === "atom") return atom(formula.axis, without(formula.axis.domain, formula.set));
  return { kind: formula.kind === "all" ? "any" : "all", parts: formula.parts.map(not) };
}

/** Values with which the formulas hold together. */
export type Example = ReadonlyMap<Axis, NumberSet>;

/** null when they cannot hold together; "unknown" when finding out would take too long. */
export function holdTogether(formulas: readonly Formula[]): Example | "unknown" | null {
  const budget = { steps: STEPS_MAX };
  const found = search(formulas, [], new Map(), budget);
  return found === null && budget.steps <= 0 ? "unknown" : found;
}

/** One value of each axis; where an order is required, its two sides have it. */
export function exampleValues(example: Example): ReadonlyMap<Axis, number> {
  const values = new Map([...example].map(([axis, set]) => [axis, anyValue(set, axis.step)]));
  for (const [{ order }, sign] of [...values]) {
    if (!order) continue;
    const { left, right } = order;
    if (values.has(right)) values.set(left, (values.get(right) ?? 0) + sign);
    else values.set(right, (values.get(left) ?? 0) - sign).set(left, values.get(left) ?? 0);
  }
  return values;
}

/** The formula once these axes have these values. */
export function assuming(formula: Formula, values: ReadonlyMap<Axis, number>): Formula {
  if (formula.kind !== "atom")
    return { kind: formula.kind, parts: formula.parts.map((part) => assuming(part, values)) };
  const value = values.get(formula.axis);
  if (value === undefined) return formula;
  return { kind: contains(formula.set, value) ? "all" : "any", parts: [] };
}

/** Every set that the formula asks of each axis. */
export function collectSets(formula: Formula, into: Map<Axis, NumberSet[]>): void {
  if (formula.kind !== "atom") {
    for (const part of formula.parts) collectSets(part, into);
    return;
  }
  const sets = into.get(formula.axis) ?? [];
  sets.push(formula.set);
  into.set(formula.axis, sets);
}

const STEPS_MAX = 20_000;
/** Entries of what is known and open that a level of the search copies for the price of a step. */
const COPIES_PER_STEP = 8;

const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  GT: "LT",
  GE: "LE",
  LT: "GT",
  LE: "GE",
  IS: "IS",
  ISNOT: "ISNOT",
};

/** null when a variable is missing. */
export function variableFormula(world: World, { type, id, comparison, operand }: VariableTest): Formula | null {
  const axis = variableAxis(world, type, id);
  if (!axis) return null;
  if (operand.kind === "value") {
    const place = placeOf(axis, { ...operand, uom: 0 });
    return place && atom(axis, whereHolds(axis, comparison, place));
  }
  const other = variableAxis(world, operand.type, operand.id);
  if (!other) return null;
  const isMirrored = axis.key > other.key;
  const order = isMirrored ? orderAxis(world, other, axis) : orderAxis(world, axis, other);
  const asked = isMirrored ? MIRRORED[comparison] : comparison;
  return order && atom(order, whereHolds(order, asked, { first: 0, last: 0 }));
}

function free(world: World, spot: Spot): Formula {
  return atom(spotAxis(world, spot), [1, 1]);
}

function spotAxis(world: World, spot: Spot): Axis {
  return freeAxis(world, spotKey(spot), "a condition that is not looked at");
}

function anyOf(parts: readonly Formula[]): Formula {
  const [only, ...more] = parts;
  return only && more.length === 0 ? only : { kind: "any", parts };
}

type Budget = { steps: number };

/** Narrows the axes by what must hold, then tries the alternatives one after the other, the shortest choice first. */
function search(
  required: readonly Formula[],
  choices: readonly Formula[],
  known: Example,
  budget: Budget,
): Example | null {
  // Every choice is a level, so the budget also keeps the search from running out of stack and memory.
  budget.steps -= Math.ceil((known.size + choices.length) / COPIES_PER_STEP);
  if (budget.steps <= 0) return null;
  const narrowed = new Map(known);
  const open = [...choices];
  const queue = [...required];
  for (let formula = queue.pop(); formula; formula = queue.pop()) {
    budget.steps -= 1;
    if (budget.steps <= 0) return null;
    if (formula.kind === "atom") {
      const left = intersect(narrowed.get(formula.axis) ?? formula.axis.domain, formula.set);
      if (isEmpty(left)) return null;
      narrowed.set(formula.axis, left);
    } else if (formula.kind === "all") queue.push(...formula.parts);
    else open.push(formula);
  }
  const choice = shortest(open);
  if (!choice) return narrowed;
  const others = open.filter((formula) => formula !== choice);
  for (const part of choice.parts) {
    const found = search([part], others, narrowed, budget);
    if (found) return found;
  }
  return null;
}

function shortest(choices: readonly Formula[]): Extract<Formula, { kind: "all" | "any" }> | null {
  let best: Extract<Formula, { kind: "all" | "any" }> | null = null;
  for (const formula of choices) {
    if (formula.kind !== "atom" && (best === null || formula.parts.length < best.parts.length)) best = formula;
  }
  return best;
}
