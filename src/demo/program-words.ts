/** Short words to write program trees with: conditions and actions of the demo home. */

import type {
  Action,
  Comparison,
  Condition,
  Span,
  SyntaxValue,
  TimeOfDay,
  VariableOperand,
  VariableOperator,
  Weekday,
} from "../home/program-syntax.ts";
import type { VariableType } from "../home/variables.ts";

const PERCENT = 51;
const LEVEL = 100;

type And = { readonly andOr: "and" | "or" };
const AND: And = { andOr: "and" };
export const OR: And = { andOr: "or" };

export const WORKDAYS: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri"];

export function clockTime(hour: number, minute = 0, offsetDays = 0): TimeOfDay {
  return { kind: "time", secondOfDay: hour * 3600 + minute * 60, date: null, offsetDays };
}

export function sunTime(kind: "sunrise" | "sunset", offsetMinutes = 0): TimeOfDay {
  return { kind, offsetS: offsetMinutes * 60, date: null, offsetDays: 0 };
}

export function span(minutes: number, seconds = 0): Span {
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60, seconds };
}

export function at(time: TimeOfDay, days: readonly Weekday[] | null = null): Condition {
  return { ...AND, kind: "schedule", days, when: { kind: "at", at: time } };
}

export function between(from: TimeOfDay, to: TimeOfDay, joined: And = AND): Condition {
  return { ...joined, kind: "schedule", days: null, when: { kind: "from-to", from, to } };
}

export function sends(node: string, command: string, joined: And = AND): Condition {
  return { ...joined, kind: "control", node, command, comparison: "IS" };
}

export function doesNotSend(node: string, command: string): Condition {
  return { ...AND, kind: "control", node, command, comparison: "ISNOT" };
}

export function has(
  node: string,
  property: string,
  comparison: Comparison,
  value: SyntaxValue,
  joined: And = AND,
): Condition {
  return { ...joined, kind: "status", node, property, comparison, value };
}

/** A level of family 1, in the byte that its status has. */
export function isOn(node: string): Condition {
  return has(node, "ST", "GT", { value: 0, prec: 0, uom: LEVEL });
}

export function variableIs(type: VariableType, id: number, comparison: Comparison, value: number, prec = 0): Condition {
  return { ...AND, kind: "variable", type, id, comparison, operand: { kind: "value", value, prec } };
}

export function programIs(id: number, is: boolean): Condition {
  return { ...AND, kind: "program", id, is };
}

export function either(...conditions: readonly Condition[]): Condition {
  return { ...AND, kind: "paren", conditions };
}

export function tell(node: string, command: string): Action {
  return { kind: "command", node, command, parameters: [] };
}

/** An action that turns a node on at a level in percent. */
export function dimTo(node: string, percent: number): Action {
  return sendValue(node, "DON", percent, PERCENT);
}

export function sendValue(node: string, command: string, value: number, uom: number, prec = 0): Action {
  return { kind: "command", node, command, parameters: [{ id: "", value, prec, uom }] };
}

export function wait(minutes: number, seconds = 0, random = false): Action {
  return { kind: "wait", span: span(minutes, seconds), random };
}

export function assign(type: VariableType, id: number, operator: VariableOperator, value: number, prec = 0): Action {
  const operand: VariableOperand = { kind: "value", value, prec };
  return { kind: "variable", type, id, operator, operand };
}

export function runThen(id: number): Action {
  return { kind: "program", id, control: "runthen" };
}
