/** Shared by conditions and actions: nodes, variables, values, comparisons. */

import {
  type Comparison,
  type GivenValue,
  isKeepable,
  SYNTAX_LIMITS,
  type SyntaxValue,
  type VariableOperand,
  type VariableTest,
} from "../../home/program-syntax.ts";
import type { VariableType } from "../../home/variables.ts";
import { Cursor } from "./cursor.ts";
import type { NameDirectory } from "./directory.ts";
import type { ProgramNames } from "./names.ts";
import { expectDecimal, readDecimal, readQuantity, readUnit } from "./quantity.ts";
import { COMPARISON_WORDS, COMPARISONS_ELSEWHERE } from "./words.ts";

/** A node, a scene: its address. @throws LineProblem */
export function readAddress(cursor: Cursor, directory: NameDirectory): string {
  return readText(cursor, SYNTAX_LIMITS.addressLength, () => cursor.reference(directory));
}

/** A notification channel: its id or name, which may stand there without brackets or quotes. @throws LineProblem */
export function readChannel(cursor: Cursor, { channels }: ProgramNames): string {
  return readText(cursor, SYNTAX_LIMITS.addressLength, () => cursor.word(channels, /[\p{L}\p{N}_-]+/uy));
}

/** A property, a command, a parameter: its id, which may stand there without brackets. @throws LineProblem */
export function readWord(cursor: Cursor, directory: NameDirectory): string {
  return readText(cursor, SYNTAX_LIMITS.wordLength, () => cursor.word(directory, /[A-Z][A-Z0-9_]*(?!\w)/y));
}

/** A program: its id. @throws LineProblem */
export function readProgram(cursor: Cursor, { programs }: ProgramNames): number {
  const { at } = cursor;
  const id = cursor.reference(programs);
  const number = /^[0-9a-f]{1,4}$/i.test(id) ? Number.parseInt(id, 16) : 0;
  if (number === 0) throw cursor.problem("The id of a program is up to four hex digits, such as [001C].", at);
  return number;
}

/** A variable, a network resource: its id. @throws LineProblem */
export function readNumbered(cursor: Cursor, directory: NameDirectory): number {
  const { at } = cursor;
  const id = cursor.reference(directory);
  const number = /^\d{1,5}$/.test(id) ? Number(id) : 0;
  if (number === 0 || number > SYNTAX_LIMITS.id) {
    throw cursor.problem(`The id of a ${directory.what} is a number from 1 to ${SYNTAX_LIMITS.id}.`, at);
  }
  return number;
}

/** How a variable begins. */
export const VARIABLES: readonly (readonly [phrase: string, type: VariableType])[] = [
  ["State variable", 2],
  ["Integer variable", 1],
];

/** Parses what follows the type. @throws LineProblem */
export function readVariable(cursor: Cursor, type: VariableType, names: ProgramNames) {
  return { type, id: readNumbered(cursor, names.variables(type)) };
}

/** Parses what follows the variable's type. @throws LineProblem */
export function readVariableTest(cursor: Cursor, type: VariableType, names: ProgramNames): VariableTest {
  const variable = readVariable(cursor, type, names);
  const comparison = readComparison(cursor);
  return { ...variable, comparison, operand: readVariableOperand(cursor, names, variable) };
}

/** @param of whose value it is: it may stand there by its name. @throws LineProblem */
export function readVariableOperand(
  cursor: Cursor,
  names: ProgramNames,
  of: { readonly type: VariableType; readonly id: number },
): VariableOperand {
  const variable = readVariableName(cursor, names);
  if (variable) return { kind: "variable", ...variable };
  const decimal = readDecimal(cursor);
  if (decimal) return { kind: "value", ...decimal };
  const values = names.variableValues(of.type, of.id);
  if (values.longestFirst().length === 0) throw cursor.problem("Here a number is expected.");
  return { kind: "value", ...expectDecimal(labelled(cursor, values)) };
}

export function readComparison(cursor: Cursor): Comparison {
  return cursor.oneOf("a comparison", COMPARISON_WORDS, COMPARISONS_ELSEWHERE);
}

/** @throws LineProblem */
export function readSwitched(cursor: Cursor): "IS" | "ISNOT" {
  return cursor.oneOf("what the device does", [
    ["is not switched", "ISNOT"],
    ["is switched", "IS"],
  ] as const);
}

/** A quantity, the word for one, or a variable, with `in` and a unit behind it. @throws LineProblem */
export function readGivenValue(cursor: Cursor, labels: NameDirectory, names: ProgramNames): GivenValue {
  const variable = readVariableName(cursor, names);
  if (!variable) return readSyntaxValue(cursor, labels);
  return { variable, uom: cursor.words("in") ? readUnit(cursor) : 0 };
}

function readVariableName(cursor: Cursor, names: ProgramNames) {
  const type = VARIABLES.find(([phrase]) => cursor.words(phrase))?.[1];
  return type ? readVariable(cursor, type, names) : null;
}

/** A quantity, or the word for one. @throws LineProblem */
export function readSyntaxValue(cursor: Cursor, labels: NameDirectory): SyntaxValue {
  const quantity = readQuantity(cursor);
  if (quantity) return quantity;
  const { at } = cursor;
  const inside = labelled(cursor, labels);
  const value = readQuantity(inside);
  if (!value || !inside.isAtEnd) throw cursor.problem("In these brackets a number with its unit is expected.", at);
  return value;
}

/** The id of a label, which may stand there without quotes, as a text to read. @throws LineProblem */
function labelled(cursor: Cursor, labels: NameDirectory): Cursor {
  const label = labels.longestFirst().find((each) => cursor.words(each));
  return new Cursor(label === undefined ? cursor.reference(labels) : idOf(labels, label));
}

/** Reads a label without quotes. Labels of one editor may repeat; the first value counts. */
function idOf(labels: NameDirectory, label: string): string {
  const resolved = labels.resolve(label, null);
  return "id" in resolved ? resolved.id : "";
}

/** The JSON of a statement that is kept but not carried out. */
export function readForeign(cursor: Cursor): { readonly kind: "foreign"; readonly json: string } {
  const { at } = cursor;
  try {
    const statement: unknown = JSON.parse(cursor.rest());
    const isStatement = typeof statement === "object" && statement !== null && isKeepable(statement);
    if (isStatement && "type" in statement && typeof statement.type === "string") {
      return { kind: "foreign", json: JSON.stringify(statement) };
    }
  } catch {
    // Reported below: it is not a statement.
  }
  throw cursor.problem('Behind Foreign a JSON object with a "type" is expected.', at);
}

function readText(cursor: Cursor, lengthMax: number, read: () => string): string {
  const { at } = cursor;
  const text = read();
  if (text === "" || text.length > lengthMax || /\p{Cc}/u.test(text) || !text.isWellFormed()) {
    throw cursor.problem(`An id has 1 to ${lengthMax} characters, none of them a control character.`, at);
  }
  return text;
}
