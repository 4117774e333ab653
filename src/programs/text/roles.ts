/** Conditions and statements by room and role as text: `Status of any window in 'Upstairs' [17] is Open`. */

import { type Action, type Condition, type Selector, SYNTAX_LIMITS } from "../../home/program-syntax.ts";
import { valueNeed } from "../../profile/role-commands.ts";
import {
  MEASURE_NAMES,
  type Measure,
  ROLE_WORD_NAMES,
  ROLE_WORDS,
  type RoleCommand,
  type RoleWord,
} from "../../profile/role-words.ts";
import type { StatusWord } from "../../profile/status-words.ts";
import type { Cursor } from "./cursor.ts";
import type { NameDirectory } from "./directory.ts";
import type { ProgramNames } from "./names.ts";
import { readAddress, readComparison, readSwitched, readWord } from "./parse-operand.ts";
import { expectDecimal, printQuantity, readQuantity } from "./quantity.ts";
import { reference } from "./quoting.ts";
import { printSpan, readLasting } from "./times.ts";
import { COMPARISON_WORDS, phraseFor } from "./words.ts";

type RoleCondition = Omit<Extract<Condition, { readonly kind: "roles" }>, "andOr">;
type RoleAction = Extract<Action, { readonly kind: "roles" }>;

const SUMMARIES = [
  ["Average", "average"],
  ["Lowest", "min"],
  ["Highest", "max"],
] as const;
const HOW_MANY = [
  ["any", "any"],
  ["all", "all"],
  ["no", "none"],
] as const;

export function roleConditionText({ selector, test }: RoleCondition, names: ProgramNames): string {
  switch (test.how) {
    case "any":
    case "all":
    case "none": {
      const nodes = selectorText(selector, test.how === "all", names);
      const verb = test.how === "all" ? "are" : "is";
      const lasting = test.lasting === undefined ? "" : ` for ${printSpan(test.lasting)}`;
      return `Status of ${phraseFor(HOW_MANY, test.how)} ${nodes} ${verb} ${shown(test.is)}${lasting}`;
    }
    case "number": {
      const nodes = selectorText(selector, true, names);
      const right = `${phraseFor(COMPARISON_WORDS, test.comparison)} ${test.number}`;
      return `Number of ${nodes} that are ${shown(test.is)} ${right}`;
    }
    case "average":
    case "min":
    case "max": {
      const nodes = selectorText(selector, false, names);
      const right = `${phraseFor(COMPARISON_WORDS, test.comparison)} ${printQuantity(test.value)}`;
      return `${phraseFor(SUMMARIES, test.how)} ${nodes} ${right}`;
    }
    case "sends": {
      const verb = test.comparison === "IS" ? "is switched" : "is not switched";
      const command = reference(names.commands.nameOf(test.command), test.command);
      return `Control any ${selectorText(selector, false, names)} ${verb} ${command}`;
    }
  }
}

export function roleActionText({ selector, command, value }: RoleAction, names: ProgramNames): string {
  const given = value === null ? "" : ` ${printQuantity(value)}`;
  return `Set all ${selectorText(selector, true, names)} ${shown(command)}${given}`;
}

/** Parses what follows "Status of". @throws LineProblem */
export function readStatusOf(cursor: Cursor, names: ProgramNames): RoleCondition {
  const how = cursor.oneOf("how many", HOW_MANY);
  const { selector, word } = readRoleSelector(cursor, names);
  cursor.oneOf("is", [
    ["is", null],
    ["are", null],
  ]);
  const is = readState(cursor, word);
  const lasting = readLasting(cursor);
  return { kind: "roles", selector, test: { how, is, ...(lasting && { lasting }) } };
}

/** Parses what follows "Number of". @throws LineProblem */
export function readNumberOf(cursor: Cursor, names: ProgramNames): RoleCondition {
  const { selector, word } = readRoleSelector(cursor, names);
  cursor.expect("that are");
  const is = readState(cursor, word);
  const comparison = readComparison(cursor);
  const number = cursor.integer("a number of nodes", 0, SYNTAX_LIMITS.times);
  return { kind: "roles", selector, test: { how: "number", is, comparison, number } };
}

/** Parses what follows "Control any". @throws LineProblem */
export function readControlOfAny(cursor: Cursor, names: ProgramNames): RoleCondition {
  const { selector } = readRoleSelector(cursor, names);
  const comparison = readSwitched(cursor);
  return { kind: "roles", selector, test: { how: "sends", command: readWord(cursor, names.commands), comparison } };
}

/** How the summaries of a measure begin, and what reads the rest of each. @throws LineProblem */
export const ROLE_SUMMARY_TESTS = SUMMARIES.map(
  ([phrase, how]) =>
    [
      phrase,
      (cursor: Cursor, names: ProgramNames): RoleCondition => {
        const measure = cursor.oneOf("a measure", MEASURES_WRITTEN);
        const selector = readPlaces(cursor, measure, names);
        const comparison = readComparison(cursor);
        const value = readQuantity(cursor) ?? { ...expectDecimal(cursor), uom: 0 };
        return { kind: "roles", selector, test: { how, comparison, value } };
      },
    ] as const,
);

/** Parses what follows "Set all". @throws LineProblem */
export function readSetAll(cursor: Cursor, names: ProgramNames): RoleAction {
  const { at } = cursor;
  const { selector, word } = readRoleSelector(cursor, names);
  const commands: readonly RoleCommand[] = ROLE_WORDS[word].commands;
  const { plural } = ROLE_WORDS[word];
  if (commands.length === 0)
    throw cursor.problem(`Programs do not command ${plural} all at once. Name the device.`, at);
  const command = cursor.oneOf(
    `a command for ${plural}`,
    commands.map((each) => [shown(each), each] as const),
  );
  const need = valueNeed(command);
  const { at: valueAt } = cursor;
  const value = need === "none" ? null : readQuantity(cursor);
  if (need === "required" && value === null)
    throw cursor.problem("Here a temperature is expected, such as 20°C.", valueAt);
  return { kind: "roles", selector, command, value };
}

const MEASURES_WRITTEN: readonly (readonly [string, Measure])[] = MEASURE_NAMES.map((name) => [name, name]);
const ROLES_WRITTEN: readonly (readonly [string, RoleWord])[] = ROLE_WORD_NAMES.flatMap((word) => [
  [ROLE_WORDS[word].plural, word] as const,
  [word, word] as const,
]);

function readRoleSelector(cursor: Cursor, names: ProgramNames) {
  const word = cursor.oneOf("a kind of device", ROLES_WRITTEN);
  return { word, selector: readPlaces(cursor, word, names) };
}

function readPlaces(cursor: Cursor, role: Selector["role"], names: ProgramNames): Selector {
  const places = cursor.words("in") ? readAddresses(cursor, names.folders, SYNTAX_LIMITS.places) : [];
  const except = cursor.words("except") ? readAddresses(cursor, names.nodes, SYNTAX_LIMITS.except) : [];
  return { role, places, except };
}

function readAddresses(cursor: Cursor, directory: NameDirectory, max: number): readonly string[] {
  const found: string[] = [];
  do {
    const { at } = cursor;
    found.push(readAddress(cursor, directory));
    if (found.length > max) throw cursor.problem(`There are more than ${max} here.`, at);
  } while (cursor.words("or"));
  return found;
}

function readState(cursor: Cursor, word: RoleWord): StatusWord {
  const states: readonly StatusWord[] = ROLE_WORDS[word].states;
  const { plural } = ROLE_WORDS[word];
  if (states.length === 0) throw cursor.problem(`There are no words for states of ${plural}. Name the device.`);
  return cursor.oneOf(
    `a state of ${plural}`,
    states.map((each) => [shown(each), each] as const),
  );
}

function selectorText({ role, places, except }: Selector, isPlural: boolean, names: ProgramNames): string {
  const word = isPlural && role in ROLE_WORDS ? ROLE_WORDS[role as RoleWord].plural : role;
  return word + listText(" in ", places, names.folders) + listText(" except ", except, names.nodes);
}

function listText(before: string, addresses: readonly string[], directory: NameDirectory): string {
  if (addresses.length === 0) return "";
  return before + addresses.map((address) => reference(directory.nameOf(address), address)).join(" or ");
}

/** `Open` for open. */
function shown(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
