/**
 * The truth of a program's `if`, as a pure function of the home and the instant. AND binds before OR; an empty `if` is true;
 * a comparison with something that is unknown or missing is false, also for ISNOT.
 *
 * Control conditions are true only in the evaluation that their own event starts, so here, outside of any event, IS is
 * false and ISNOT is true. The windows of schedules are in schedule-window.ts.
 */

import type { Home } from "../home/home.ts";
import { findNode } from "../home/nodes.ts";
import type { Comparison, Condition, SyntaxValue, VariableOperand } from "../home/program-syntax.ts";
import { findProgram } from "../home/programs.ts";
import { findVariable } from "../home/variables.ts";
import { isInWindow } from "./schedule-window.ts";

/** @param at `timeZone`: IANA zone in which schedules are meant. */
export function evaluateConditions(
  conditions: readonly Condition[],
  home: Home,
  at: { readonly nowMs: number; readonly timeZone: string },
): boolean {
  if (conditions.length === 0) return true;
  const holds = (condition: Condition) => evaluate(condition, home, at);
  return alternatives(conditions).some((all) => all.every(holds));
}

/** The conditions split at every "or": one list that holds makes the whole true. */
function alternatives(conditions: readonly Condition[]): readonly (readonly Condition[])[] {
  const lists: Condition[][] = [];
  for (const condition of conditions) {
    const last = lists.at(-1);
    if (last && condition.andOr === "and") last.push(condition);
    else lists.push([condition]);
  }
  return lists;
}

function evaluate(condition: Condition, home: Home, at: { nowMs: number; timeZone: string }): boolean {
  switch (condition.kind) {
    case "paren":
      return evaluateConditions(condition.conditions, home, at);
    case "status": {
      const property = findNode(home, condition.node)?.properties.get(condition.property);
      if (!property || property.value === null) return false;
      const known = { value: property.value, prec: property.prec, uom: property.uom };
      return compare(inRawLevel(known, condition.value), condition.comparison, inRawLevel(condition.value, known));
    }
    case "control":
      return condition.comparison === "ISNOT";
    case "variable": {
      const variable = findVariable(home, condition.type, condition.id);
      const operand = readOperand(home, condition.operand);
      return variable !== null && operand !== null && compare(variable, condition.comparison, operand);
    }
    case "program":
      return findProgram(home, condition.id)?.status === condition.is;
    case "schedule": {
      const { latitude, longitude } = home.controller;
      return isInWindow(condition, { ...at, latitude, longitude });
    }
    case "foreign":
      return false;
  }
}

type Scaled = { readonly value: number; readonly prec: number };

const PERCENT = 51;
const RAW_LEVEL = 100;

/** A percentage is compared with a level of 0 to 255 as the byte that stands for it; other units are not converted. */
function inRawLevel(value: SyntaxValue, other: SyntaxValue): Scaled {
  if (value.uom !== PERCENT || other.uom !== RAW_LEVEL) return value;
  return { value: Math.round((value.value / 10 ** value.prec) * 2.55), prec: 0 };
}

function readOperand(home: Home, operand: VariableOperand): Scaled | null {
  return operand.kind === "value" ? operand : findVariable(home, operand.type, operand.id);
}

/** Compares displayed values exactly: 0.1 is 0.10, whatever binary fractions make of it. */
function compare(left: Scaled, comparison: Comparison, right: Scaled): boolean {
  const order = orderOf(left, right);
  switch (comparison) {
    case "GT":
      return order > 0;
    case "GE":
      return order >= 0;
    case "LT":
      return order < 0;
    case "LE":
      return order <= 0;
    case "IS":
      return order === 0;
    case "ISNOT":
      return order !== 0;
  }
}

function orderOf(left: Scaled, right: Scaled): number {
  if (left.prec === right.prec) return Math.sign(left.value - right.value);
  const prec = Math.max(left.prec, right.prec);
  const [a, b] = [upscaled(left, prec), upscaled(right, prec)];
  if (a === b) return 0;
  return a > b ? 1 : -1;
}

function upscaled({ value, prec }: Scaled, to: number): bigint {
  return BigInt(Math.round(value)) * 10n ** BigInt(to - prec);
}
