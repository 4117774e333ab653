/** Conditions as expressions that are put together and turned round; `true` and `false` are known before anything runs. */

import type { Comparison, Condition } from "../../../home/program-syntax.ts";

export type Expression = boolean | Condition;

const OPPOSITES: Readonly<Record<Comparison, Comparison>> = {
  ...{ IS: "ISNOT", ISNOT: "IS", GT: "LE", LE: "GT", LT: "GE", GE: "LT" },
};

export function allOf(parts: readonly Expression[]): Expression {
  return joined(parts, "and", false);
}

export function anyOf(parts: readonly Expression[]): Expression {
  return joined(parts, "or", true);
}

function joined(parts: readonly Expression[], andOr: "and" | "or", decisive: boolean): Expression {
  if (parts.includes(decisive)) return decisive;
  const rest = parts.filter((each) => typeof each !== "boolean");
  const [only] = rest;
  if (only === undefined) return !decisive;
  if (rest.length === 1) return only;
  const conditions = rest.flatMap((each) => (isParen(each) && joinOf(each) === andOr ? each.conditions : [each]));
  return paren(conditions.map((each, at) => ({ ...each, andOr: at === 0 ? "and" : andOr })));
}

/** null: the language cannot say the opposite. */
export function opposite(expression: Expression): Expression | null {
  if (typeof expression === "boolean") return !expression;
  switch (expression.kind) {
    case "status":
    case "variable":
      return { ...expression, comparison: OPPOSITES[expression.comparison] };
    case "program":
      return { ...expression, is: !expression.is };
    case "schedule": {
      const { when, days } = expression;
      if (days !== null || when.kind !== "from-to") return null;
      return { ...expression, when: { kind: "from-to", from: when.to, to: when.from } };
    }
    case "paren": {
      const parts = expression.conditions.map((each) => opposite(each));
      if (parts.includes(null)) return null;
      const all = parts.filter((each) => each !== null);
      return joinOf(expression) === "and" ? anyOf(all) : allOf(all);
    }
    default:
      return null;
  }
}

/** The list of an `If`. */
export function conditionsOf(expression: Expression): readonly Condition[] {
  if (typeof expression === "boolean") return [];
  return isParen(expression) ? expression.conditions : [{ ...expression, andOr: "and" }];
}

type Paren = Extract<Condition, { kind: "paren" }>;

function isParen(condition: Condition): condition is Paren {
  return condition.kind === "paren";
}

function paren(conditions: readonly Condition[]): Condition {
  return { kind: "paren", andOr: "and", conditions };
}

/** Lists made here have one kind of join. */
function joinOf({ conditions }: Paren): "and" | "or" {
  return conditions[1]?.andOr ?? "and";
}
