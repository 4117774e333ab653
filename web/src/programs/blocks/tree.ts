/**
 * The tree of a program as the controller spells it, and the places in it.
 *
 * @see docs/interface/triggers.md
 */

import type { Measure, RoleCommand, RoleWord, StatusWord } from "@domovoi/client";
import { type Clause, conditionPath } from "../program-lines.ts";

export type AndOr = "and" | "or";
export type Comparison = "GT" | "GE" | "LT" | "LE" | "IS" | "ISNOT";
/** Displayed = value / 10^prec. */
export type Value = { readonly value: number; readonly prec?: number; readonly uom?: number };
export type Span = { readonly hours?: number; readonly minutes?: number; readonly seconds?: number };
export type VariableName = { readonly id: number; readonly type: "1" | "2" };
export type Parameter = { readonly type: "val"; readonly id: string; readonly val: Value };

export type Time = { readonly date?: string; readonly offsetDays?: number } & (
  | { readonly type: "time"; readonly time: number }
  | { readonly type: "sunrise" | "sunset"; readonly offsetSec?: number }
  | { readonly type: "lastruntime"; readonly refid: number; readonly offsetSec?: number; readonly daily?: true }
);

/** One of them is there. */
export type Operand = {
  readonly val?: Value;
  readonly var?: VariableName;
  readonly status?: { readonly node: string; readonly id: string; readonly uom?: number };
  readonly sysval?: { readonly id: number };
};
export type VariableTest = Operand & { readonly varType: "1" | "2"; readonly id: number; readonly op: Comparison };

export type Weekday = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";
export type Days = Readonly<Partial<Record<Weekday, true>>>;

export const HOW = ["any", "all", "none", "number", "average", "min", "max", "sends"] as const;

/** By room and role. */
export type Places = { readonly in: readonly string[]; readonly except: readonly string[] };
export type RoleCondition = Places & {
  readonly type: "roles";
  readonly how: (typeof HOW)[number];
  readonly role?: RoleWord;
  readonly measure?: Measure;
  readonly is?: StatusWord;
  readonly op?: Comparison;
  readonly number?: number;
  readonly val?: Value;
  readonly cmd?: string;
  readonly for?: Span;
};
export type RoleAction = Places & {
  readonly type: "roles";
  readonly role: RoleWord;
  readonly do: RoleCommand;
  readonly val?: Value;
};

type Status = { readonly id: string; readonly node: string; readonly op: Comparison; readonly val: Value };

/** Kinds that blocks can change; others are only shown. */
export type KnownCondition =
  | RoleCondition
  | (Status & { readonly type: "held"; readonly for: Span })
  | (Status & { readonly type: "status" })
  | { readonly type: "control"; readonly id: string; readonly node: string; readonly op: "IS" | "ISNOT" }
  | ({ readonly type: "var" } & VariableTest)
  | { readonly type: "triggerref"; readonly refid: number; readonly is: boolean }
  | {
      readonly type: "schedule";
      readonly daysofweek?: Days;
      readonly at?: Time;
      readonly from?: Time;
      readonly to?: Time;
      readonly for?: Span & { readonly type: "for" };
    };

export const PROGRAM_CONTROLS = [
  "runif",
  "runthen",
  "runelse",
  "stop",
  "enable",
  "disable",
  "rebootrun",
  "rebootnotrun",
] as const;

export type KnownAction =
  | RoleAction
  | { readonly type: "cmd"; readonly id: string; readonly node: string; readonly p: readonly Parameter[] }
  | ({ readonly type: "wait"; readonly random?: boolean } & Span)
  | {
      readonly type: "repeat";
      readonly for?: { readonly times: number; readonly random?: boolean };
      readonly every?: Span & { readonly random?: boolean };
      readonly while?: { readonly var: VariableTest };
    }
  | ({ readonly type: "var"; readonly varType: "1" | "2"; readonly id: number; readonly op: string } & Operand)
  | { readonly type: (typeof PROGRAM_CONTROLS)[number]; readonly id: number }
  | { readonly type: "net"; readonly id: number }
  | { readonly type: "notify"; readonly recipient: number; readonly content?: number }
  | { readonly type: "notify"; readonly to: string; readonly text: string };

/** A condition or an action of any kind. */
export type Statement = {
  readonly type: string;
  readonly andOr?: AndOr;
  /** Inside of parentheses. */
  readonly conditions?: readonly Statement[];
};

export type Tree = Readonly<Record<Clause, readonly Statement[]>>;

/** Path of a statement; for a condition in parentheses with the indexes of the parentheses. */
export type Place = { readonly clause: Clause; readonly indexes: readonly number[] };

export function pathOf({ clause, indexes }: Place): string {
  return clause === "if" ? conditionPath(indexes) : `${clause}[${indexes[0]}]`;
}

export function statementAt(tree: Tree, { clause, indexes }: Place): Statement | null {
  let list: readonly Statement[] = tree[clause];
  let found: Statement | null = null;
  for (const index of indexes) {
    found = list[index] ?? null;
    list = found?.conditions ?? [];
  }
  return found;
}

/** Every statement with its place, parentheses before what they hold. */
export function* statementsOf(tree: Tree): Iterable<readonly [Statement, Place]> {
  for (const clause of ["if", "then", "else"] as const) yield* below(tree[clause], clause, []);
}

function* below(
  list: readonly Statement[],
  clause: Clause,
  above: readonly number[],
): Iterable<readonly [Statement, Place]> {
  for (const [at, statement] of list.entries()) {
    const indexes = [...above, at];
    yield [statement, { clause, indexes }];
    if (statement.conditions) yield* below(statement.conditions, clause, indexes);
  }
}
