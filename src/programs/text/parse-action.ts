/** One line of a `Then` or `Else`. */

import type { SceneLink } from "../../home/groups.ts";
import {
  type Action,
  type ActionOperand,
  type GivenValue,
  SYNTAX_LIMITS,
  SYSTEM_VALUES,
} from "../../home/program-syntax.ts";
import type { VariableType } from "../../home/variables.ts";
import type { Cursor } from "./cursor.ts";
import type { NameDirectory } from "./directory.ts";
import type { ProgramNames } from "./names.ts";
import {
  readAddress,
  readChannel,
  readForeign,
  readGivenValue,
  readNumbered,
  readProgram,
  readSyntaxValue,
  readVariable,
  readVariableOperand,
  readVariableTest,
  readWord,
  VARIABLES,
} from "./parse-operand.ts";
import { readUnit } from "./quantity.ts";
import { readSetAll } from "./roles.ts";
import { readSpan } from "./times.ts";
import { CONTROL_WORDS, OPERATOR_WORDS } from "./words.ts";

/** @throws LineProblem */
export function readAction(cursor: Cursor, names: ProgramNames): Action {
  return cursor.oneOf("an action", ACTIONS)(cursor, names);
}

type ReadAction = (cursor: Cursor, names: ProgramNames) => Action;

/** Longer beginnings come before the shorter ones that they begin with. */
const ACTIONS: readonly (readonly [phrase: string, read: ReadAction])[] = [
  ...[...new Set(CONTROL_WORDS.map(([before]) => before))].map((before): readonly [string, ReadAction] => [
    before,
    (cursor, names) => readControl(cursor, before, names),
  ]),
  ["Set all", readSetAll],
  ["Set", readCommand],
  ["Wait", (cursor) => ({ kind: "wait", span: readSpan(cursor), random: readRandom(cursor) })],
  ["Repeat every", (cursor) => ({ kind: "repeat-every", span: readSpan(cursor), random: readRandom(cursor) })],
  ["Repeat while", readRepeatWhile],
  ["Repeat", readRepeatTimes],
  ...VARIABLES.map(([phrase, type]): readonly [string, ReadAction] => [
    phrase,
    (cursor, names) => readAssignment(cursor, type, names),
  ]),
  ["Resource", (cursor, names) => ({ kind: "resource", id: readNumbered(cursor, names.resources) })],
  ["Send notification to", readNotification],
  ["Send notification", readMessage],
  ["In scene", readAdjustment],
  ["Foreign", readForeign],
];

function readCommand(cursor: Cursor, names: ProgramNames): Action {
  const node = readAddress(cursor, names.nodes);
  return { kind: "command", node, ...readCommandOf(cursor, node, names) };
}

function readCommandOf(cursor: Cursor, node: string, names: ProgramNames) {
  cursor.requireName(names.accepts(node), /\d/y, "DON");
  const command = readWord(cursor, names.accepts(node));
  const read = (id: string) => readGivenValue(cursor, names.parameterValues(node, command, id), names);
  return { command, parameters: readParameters(cursor, names.parameters(node, command), read) };
}

function readConstantsOf(cursor: Cursor, node: string, names: ProgramNames) {
  const command = readWord(cursor, names.accepts(node));
  const read = (id: string) => readSyntaxValue(cursor, names.parameterValues(node, command, id));
  return { command, parameters: readParameters(cursor, names.parameters(node, command), read) };
}

function readParameters<T extends GivenValue>(
  cursor: Cursor,
  known: NameDirectory,
  read: (id: string) => T,
): readonly (T & { readonly id: string })[] {
  const parameters: (T & { readonly id: string })[] = [];
  if (cursor.isAtEnd) return parameters;
  do {
    const id = cursor.isNamed() ? readWord(cursor, known) : "";
    if (id !== "") cursor.expect("=");
    parameters.push({ id, ...read(id) });
  } while (cursor.words(","));
  return parameters;
}

function readRandom(cursor: Cursor): boolean {
  return cursor.words("(random)");
}

function readRepeatTimes(cursor: Cursor): Action {
  const times = cursor.integer("how often to repeat", 0, SYNTAX_LIMITS.times);
  if (!cursor.words("time")) cursor.expect("times");
  return { kind: "repeat-times", times, random: readRandom(cursor) };
}

function readRepeatWhile(cursor: Cursor, names: ProgramNames): Action {
  const type = cursor.oneOf("a variable", VARIABLES);
  return { kind: "repeat-while", ...readVariableTest(cursor, type, names) };
}

function readAssignment(cursor: Cursor, type: VariableType, names: ProgramNames): Action {
  const variable = readVariable(cursor, type, names);
  const operator = cursor.oneOf("what to do with the variable", OPERATOR_WORDS);
  return { kind: "variable", ...variable, operator, operand: readOperand(cursor, names, variable) };
}

const SYSTEM_WORDS = SYSTEM_VALUES.map((value) => [value, value] as const);

type VariableId = { readonly type: VariableType; readonly id: number };

/** @param of whose value it is. */
function readOperand(cursor: Cursor, names: ProgramNames, of: VariableId): ActionOperand {
  if (cursor.words("system")) return { kind: "system", value: cursor.oneOf("a value of the system", SYSTEM_WORDS) };
  if (!cursor.words("status")) return readVariableOperand(cursor, names, of);
  const node = readAddress(cursor, names.nodes);
  const property = readWord(cursor, names.properties(node));
  return cursor.words("in")
    ? { kind: "status", node, property, uom: readUnit(cursor) }
    : { kind: "status", node, property };
}

function readControl(cursor: Cursor, before: string, names: ProgramNames): Action {
  const id = readProgram(cursor, names);
  const endings = CONTROL_WORDS.filter(([each]) => each === before);
  const [first] = endings;
  if (first && first[1] === "") return { kind: "program", id, control: first[2] };
  const control = cursor.oneOf(
    "what to do with the program",
    endings.map(([, behind, each]) => [behind, each] as const),
  );
  return { kind: "program", id, control };
}

function readNotification(cursor: Cursor): Action {
  const number = (what: string) => cursor.integer(what, 0, SYNTAX_LIMITS.id);
  const recipient = number("the number of a recipient");
  return { kind: "notify", recipient, content: cursor.words("content") ? number("the number of a content") : null };
}

function readMessage(cursor: Cursor, names: ProgramNames): Action {
  const { at } = cursor;
  const text = cursor.quoted() ?? "";
  if (text === "" || text.length > SYNTAX_LIMITS.messageLength || /\p{Cc}/u.test(text) || !text.isWellFormed()) {
    throw cursor.problem(
      `Here the text is expected, in single quotes, 1 to ${SYNTAX_LIMITS.messageLength} characters.`,
      at,
    );
  }
  cursor.expect("to");
  return { kind: "message", text, channel: readChannel(cursor, names) };
}

function readAdjustment(cursor: Cursor, names: ProgramNames): Action {
  const group = readAddress(cursor, names.scenes);
  cursor.expect("of");
  const controller = readAddress(cursor, names.nodes);
  const kind = cursor.oneOf("what the member does", LINKS);
  const node = readAddress(cursor, names.nodes);
  return { kind: "link", group, controller, link: readLink(cursor, kind, node, names) };
}

const LINKS = [
  ["link", "native"],
  ["set", "cmd"],
  ["reset", "default"],
  ["ignore", "ignore"],
] as const;

function readLink(cursor: Cursor, kind: SceneLink["kind"], node: string, names: ProgramNames): SceneLink {
  switch (kind) {
    case "native": {
      cursor.expect("by");
      const linkdef = readWord(cursor, names.linkdefs(node));
      const read = (id: string) => readSyntaxValue(cursor, names.linkValues(node, linkdef, id));
      const parameters = readParameters(cursor, names.linkParameters(node, linkdef), read);
      return { kind, node, linkdef, parameters };
    }
    case "cmd":
      return { kind, node, ...readConstantsOf(cursor, node, names) };
    case "default":
    case "ignore":
      return { kind, node };
  }
}
