/** Short words to write trees with, beside those of the demo home. */

import type {
  Action,
  Comparison,
  Condition,
  ProgramControl,
  Span,
  VariableOperator,
} from "../../src/home/program-syntax.ts";

export const seconds = (count: number): Span => ({ hours: 0, minutes: 0, seconds: count });
export const minutes = (count: number): Span => ({ hours: 0, minutes: count, seconds: 0 });

/** `sensor` has this value. */
export const sensorIs = (value: number, comparison: Comparison = "IS", andOr: "and" | "or" = "and"): Condition => ({
  andOr,
  kind: "status",
  node: "sensor",
  property: "ST",
  comparison,
  value: { value, prec: 0, uom: 0 },
});

export const pressed = (command: string, andOr: "and" | "or" = "and"): Condition => ({
  andOr,
  kind: "control",
  node: "switch",
  command,
  comparison: "IS",
});

export const notPressed = (command: string): Condition => ({
  andOr: "and",
  kind: "control",
  node: "switch",
  command,
  comparison: "ISNOT",
});

export const stateIs = (
  id: number,
  value: number,
  comparison: Comparison = "IS",
  andOr: "and" | "or" = "and",
): Condition => ({ andOr, kind: "variable", type: 2, id, comparison, operand: { kind: "value", value, prec: 0 } });

export const integerIs = (id: number, value: number, comparison: Comparison = "IS"): Condition => ({
  andOr: "and",
  kind: "variable",
  type: 1,
  id,
  comparison,
  operand: { kind: "value", value, prec: 0 },
});

export const statusOf = (id: number, is: boolean): Condition => ({ andOr: "and", kind: "program", id, is });

export const tell = (node: string, command: string, ...values: number[]): Action => ({
  kind: "command",
  node,
  command,
  parameters: values.map((value) => ({ id: "", value, prec: 0, uom: 0 })),
});

export const ON = tell("lamp", "DON");
export const OFF = tell("lamp", "DOF");

export const wait = (span: Span, random = false): Action => ({ kind: "wait", span, random });
export const times = (count: number, random = false): Action => ({ kind: "repeat-times", times: count, random });
export const every = (span: Span, random = false): Action => ({ kind: "repeat-every", span, random });
export const whileState = (id: number, comparison: Comparison, value: number): Action => ({
  kind: "repeat-while",
  type: 2,
  id,
  comparison,
  operand: { kind: "value", value, prec: 0 },
});

export const control = (id: number, verb: ProgramControl): Action => ({ kind: "program", id, control: verb });

export const assign = (type: 1 | 2, id: number, operator: VariableOperator, value: number, prec = 0): Action => ({
  kind: "variable",
  type,
  id,
  operator,
  operand: { kind: "value", value, prec },
});

/** Adds one to an integer variable: a statement that can be counted. */
export const count = (id: number): Action => assign(1, id, "ADD=", 1);
