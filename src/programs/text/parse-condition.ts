/** One line of an `If`: a condition, or the beginning or end of parentheses. */

import type { Condition } from "../../home/program-syntax.ts";
import type { Cursor } from "./cursor.ts";
import type { ProgramNames } from "./names.ts";
import {
  readAddress,
  readComparison,
  readForeign,
  readGivenValue,
  readProgram,
  readSwitched,
  readVariableTest,
  readWord,
  VARIABLES,
} from "./parse-operand.ts";
import { ROLE_SUMMARY_TESTS, readControlOfAny, readNumberOf, readStatusOf } from "./roles.ts";
import { readDays, readLasting, SCHEDULES } from "./times.ts";

type Joined = Condition["andOr"];

export type ConditionLine =
  | { readonly kind: "open"; readonly andOr: Joined }
  | { readonly kind: "close" }
  | { readonly kind: "condition"; readonly condition: Condition };

/**
 * @param isFirst of its list: it needs no And.
 * @throws LineProblem
 */
export function readConditionLine(cursor: Cursor, isFirst: boolean, names: ProgramNames): ConditionLine {
  if (cursor.words(")")) return { kind: "close" };
  const andOr = cursor.words("and") ? "and" : cursor.words("or") ? "or" : null;
  if (andOr === null && !isFirst) throw cursor.problem("A further condition starts with And or Or.");
  if (cursor.words("(")) return { kind: "open", andOr: andOr ?? "and" };
  return { kind: "condition", condition: withJoin(andOr ?? "and", readTest(cursor, names)) };
}

type Test = Condition extends infer C ? (C extends Condition ? Omit<C, "andOr"> : never) : never;
type ReadTest = (cursor: Cursor, names: ProgramNames) => Test;

const TESTS: readonly (readonly [phrase: string, read: ReadTest])[] = [
  ["Status of", readStatusOf],
  ["Status", readStatus],
  ["Control any", readControlOfAny],
  ["Control", readControl],
  ["Number of", readNumberOf],
  ...ROLE_SUMMARY_TESTS,
  ...VARIABLES.map(([phrase, type]): readonly [string, ReadTest] => [
    phrase,
    (cursor, names) => ({ kind: "variable", ...readVariableTest(cursor, type, names) }),
  ]),
  ["Program", readProgramTest],
  ...SCHEDULES.map(([phrase, read]): readonly [string, ReadTest] => [
    phrase,
    (cursor, names) => ({ kind: "schedule", days: null, when: read(cursor, names) }),
  ]),
  ["On", readScheduleOnDays],
  ["Foreign", readForeign],
];

/** A test with its conjunction is a condition; the compiler does not see it through the union. */
function withJoin(andOr: Joined, test: Test): Condition {
  return { andOr, ...test } as Condition;
}

function readTest(cursor: Cursor, names: ProgramNames): Test {
  return cursor.oneOf("a condition", TESTS)(cursor, names);
}

function readScheduleOnDays(cursor: Cursor, names: ProgramNames): Test {
  const days = readDays(cursor);
  return { kind: "schedule", days, when: cursor.oneOf("a schedule", SCHEDULES)(cursor, names) };
}

function readStatus(cursor: Cursor, names: ProgramNames) {
  const node = readAddress(cursor, names.nodes);
  cursor.requireName(names.properties(node), /(?:is\b|[<>=!])/iy, "ST");
  const property = readWord(cursor, names.properties(node));
  const comparison = readComparison(cursor);
  const value = readGivenValue(cursor, names.propertyValues(node, property), names);
  const lasting = readLasting(cursor);
  if (lasting) {
    if ("variable" in value) throw cursor.problem('With "for", the status is compared with a number.');
    return { kind: "held" as const, node, property, comparison, value, lasting };
  }
  return { kind: "status" as const, node, property, comparison, value };
}

function readControl(cursor: Cursor, names: ProgramNames) {
  const node = readAddress(cursor, names.nodes);
  const comparison = readSwitched(cursor);
  return { kind: "control" as const, node, command: readWord(cursor, names.sends(node)), comparison };
}

function readProgramTest(cursor: Cursor, names: ProgramNames) {
  const id = readProgram(cursor, names);
  const is = cursor.oneOf("the status of the program", [
    ["is true", true],
    ["is false", false],
  ] as const);
  return { kind: "program" as const, id, is };
}
