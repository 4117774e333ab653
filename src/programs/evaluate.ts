/**
 * The truth of an `if`, as a pure function of the facts and the moment. AND binds before OR; an empty `if` is true; a
 * comparison with something that is unknown or missing is false, also for ISNOT. A control condition is true (IS) or false
 * (ISNOT) only in the evaluation that its own event started, an "at" only in the one that its moment started.
 */

import type { Happening } from "../home/program-progress.ts";
import type { Condition, GivenValue, SyntaxValue, VariableTest } from "../home/program-syntax.ts";
import { compare, type Scaled } from "./compare.ts";
import { evaluateRoles } from "./evaluate-roles.ts";
import type { Facts } from "./facts.ts";
import { type HeldFacts, hasHeld, heldComparison } from "./holds.ts";
import { comesAt, isInWindow } from "./schedule/moments.ts";
import { statusHolds } from "./status-holds.ts";
import type { ConditionValue, FoundRoles } from "./trace-record.ts";

export type ConditionFacts = Pick<Facts, "property" | "variable" | "program" | "calendar" | "members"> & HeldFacts;

/** The event during which an `if` is evaluated. */
type EvaluationMoment = {
  /** The instant for windows: now, or the moment of a schedule that is worked off late. */
  readonly atMs: number;
  readonly happening: Happening | null;
};

/** @param found called with the value of every condition, in the order of the tree; null when not needed. */
export function evaluateConditions(
  conditions: readonly Condition[],
  facts: ConditionFacts,
  moment: EvaluationMoment,
  found: ConditionValue[] | null = null,
): boolean {
  return evaluateList(conditions, { facts, moment, found }, []);
}

type Asking = {
  readonly facts: ConditionFacts;
  readonly moment: EvaluationMoment;
  readonly found: ConditionValue[] | null;
};
type Truth = { readonly isTrue: boolean; readonly found: Scaled | null; readonly roles?: FoundRoles };

/** One stretch between two "or" that holds makes the whole true. For a trace, what would not matter is looked at too. */
function evaluateList(conditions: readonly Condition[], asking: Asking, path: readonly number[]): boolean {
  if (conditions.length === 0) return true;
  let any = false;
  let all = true;
  for (const [index, condition] of conditions.entries()) {
    if (index > 0 && condition.andOr === "or") {
      any ||= all;
      all = true;
    }
    if (asking.found || (all && !any)) all = evaluate(condition, asking, asking.found ? [...path, index] : path) && all;
  }
  return any || all;
}

function evaluate(condition: Condition, asking: Asking, path: readonly number[]): boolean {
  const { found } = asking;
  // Its place is taken before those inside of it, so that the list is in the order of the tree.
  const at = found?.push({ path, condition, isTrue: false, found: null }) ?? 0;
  const truth =
    condition.kind === "paren"
      ? { isTrue: evaluateList(condition.conditions, asking, path), found: null }
      : evaluateOne(condition, asking);
  if (found) found[at - 1] = { path, condition, ...truth };
  return truth.isTrue;
}

function evaluateOne(condition: Exclude<Condition, { kind: "paren" }>, { facts, moment }: Asking): Truth {
  switch (condition.kind) {
    case "status":
      return evaluateStatus(condition, facts);
    case "control": {
      const { happening } = moment;
      const isNow =
        happening?.kind === "control" && happening.node === condition.node && happening.command === condition.command;
      return { isTrue: isNow === (condition.comparison === "IS"), found: null };
    }
    case "variable": {
      const variable = facts.variable(condition.type, condition.id);
      const found = variable && { value: variable.value, prec: variable.prec };
      return { isTrue: compareVariable(condition, facts), found };
    }
    case "program": {
      const status = facts.program(condition.id)?.status ?? null;
      return { isTrue: status === condition.is, found: status === null ? null : { value: status ? 1 : 0, prec: 0 } };
    }
    case "schedule": {
      const { happening, atMs } = moment;
      const lastRun = (id: number) => facts.program(id)?.lastRunAtMs ?? null;
      const comes = happening?.kind === "schedule" && comesAt(condition, happening.instantMs, facts.calendar, lastRun);
      return { isTrue: comes || isInWindow(condition, atMs, facts.calendar, lastRun), found: null };
    }
    case "held": {
      const property = facts.property(condition.node, condition.property);
      const found = property?.value == null ? null : { value: property.value, prec: property.prec };
      return { isTrue: hasHeld(facts, heldComparison(condition), moment.atMs), found };
    }
    case "roles":
      return evaluateRoles(condition, facts, moment);
    case "foreign":
      return { isTrue: false, found: null };
  }
}

function evaluateStatus(condition: Extract<Condition, { kind: "status" }>, facts: ConditionFacts): Truth {
  const property = facts.property(condition.node, condition.property);
  if (!property || property.value === null) return { isTrue: false, found: null };
  const found = { value: property.value, prec: property.prec };
  const value = givenValue(condition.value, facts);
  return { isTrue: value !== null && statusHolds(property, condition.comparison, value), found };
}

/** A variable without a unit counts as the other side does. */
function givenValue(given: GivenValue, facts: ConditionFacts): SyntaxValue | null {
  if (!("variable" in given)) return given;
  const variable = facts.variable(given.variable.type, given.variable.id);
  return variable && { value: variable.value, prec: variable.prec, uom: given.uom };
}

/** Also the test of a "repeat while". */
export function compareVariable(test: VariableTest, facts: Pick<Facts, "variable">): boolean {
  const variable = facts.variable(test.type, test.id);
  const { operand } = test;
  const other = operand.kind === "value" ? operand : facts.variable(operand.type, operand.id);
  return variable !== null && other !== null && compare(variable, test.comparison, other);
}
