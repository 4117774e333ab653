/**
 * Parses a program or a program folder from its text. Lines are read one by one, so all problems are reported
 * together, each with its line and column. Indentation and empty lines are ignored; lines that begin with # are
 * comments.
 *
 * @see docs/programs.md
 */

import { ControllerError } from "../../errors.ts";
import type { Action, Condition } from "../../home/program-syntax.ts";
import { closestTo } from "../../util/closest.ts";
import { atOnce, type Slices } from "../../util/slices.ts";
import { Cursor, LineProblem } from "./cursor.ts";
import { Header } from "./header.ts";
import type { ProgramNames } from "./names.ts";
import { readAction } from "./parse-action.ts";
import { type ConditionLine, readConditionLine } from "./parse-condition.ts";
import { type EntryText, isFolderText, type ProgramText } from "./program-text.ts";
import type { TextPlace, TextProblem } from "./text-problem.ts";

/** Parses a program only. @throws ControllerError BAD_PROGRAM_TEXT with a sentence for every problem, a line each. */
export function parseProgram(text: string, names: ProgramNames): ProgramText {
  return atOnce(readProgram(text, names)).entry;
}

/** Parses a program only, a line a slice: a text may have thousands. @throws ControllerError as `parseProgram`. */
export function* readProgram(
  text: string,
  names: ProgramNames,
  linesMax?: number,
): Slices<PlacedEntry & { readonly entry: ProgramText }> {
  const { entry, place } = yield* readEntry(text, names, linesMax);
  if (!isFolderText(entry)) return { entry, place };
  throw new ControllerError("BAD_PROGRAM_TEXT", "Line 1, column 1: This is a program folder, no program.");
}

/** A text and the lines of its parts. */
export type PlacedEntry = {
  readonly entry: EntryText;
  /** The position of a part of the tree, `""` for the whole; null without one. */
  place(path: string): TextPlace | null;
};

/**
 * Parses a program or a program folder, a line a slice.
 *
 * @param linesMax lines of the text, empty ones included.
 * @throws ControllerError as `parseProgram`; PROGRAM_TOO_LARGE for more lines.
 */
export function* readEntry(
  text: string,
  names: ProgramNames,
  linesMax = Number.POSITIVE_INFINITY,
): Slices<PlacedEntry> {
  const reader = new ProgramReader(names);
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  if (lines.length > linesMax) {
    const sentence = `The text has ${lines.length} lines; ${linesMax} are allowed.`;
    throw new ControllerError("PROGRAM_TOO_LARGE", sentence);
  }
  for (const [at, line] of lines.entries()) {
    if (reader.hasEnough) break;
    reader.readLine(line, at + 1);
    yield;
  }
  const entry = reader.finish();
  return { entry, place: (path) => reader.place(path) };
}

const PROBLEMS_TOLD = 20;
/** The longest comment fits, and a longer line would be searched for names for more than ten milliseconds. */
const LINE_CHARS_MAX = 12_288;

type Section = "header" | "if" | "then" | "else";

class ProgramReader {
  readonly #names: ProgramNames;
  readonly #header: Header;
  readonly #if = new ConditionList();
  readonly #then: Action[] = [];
  readonly #else: Action[] = [];
  readonly #problems: TextProblem[] = [];
  readonly #places = new Map<string, TextPlace>();
  #section: Section = "header";

  constructor(names: ProgramNames) {
    this.#names = names;
    this.#header = new Header(names);
  }

  /** More problems than a person reads at once. */
  get hasEnough(): boolean {
    return this.#problems.length >= PROBLEMS_TOLD;
  }

  readLine(line: string, number: number): void {
    if (line.length > LINE_CHARS_MAX) {
      this.#tell(number, LINE_CHARS_MAX + 1, `A line has at most ${LINE_CHARS_MAX} characters.`);
      return;
    }
    const cursor = new Cursor(line);
    if (cursor.isAtEnd || line.trimStart().startsWith("#")) return;
    try {
      const { at } = cursor;
      if (this.#beginsSection(cursor)) this.#keep(this.#section, line, number, at);
      else {
        this.#keep(this.#path(), line, number, at);
        this.#readInSection(cursor, number);
      }
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      const { message, code, suggestion } = error;
      this.#problems.push({ line: number, column: columnOf(line, error.at), code, message, suggestion });
    }
  }

  /** A place inside of a statement is that of the statement. */
  place(path: string): TextPlace | null {
    for (let part = path; part !== ""; part = part.replace(/(?:\.[^.]*|\[\d+\])$/, "")) {
      const place = this.#places.get(part);
      if (place) return place;
      if (!/[.[]/.test(part)) break;
    }
    return this.#places.get("") ?? null;
  }

  /** @throws ControllerError BAD_PROGRAM_TEXT */
  finish(): EntryText {
    const open = this.hasEnough ? null : this.#if.openSince;
    if (open !== null) this.#tell(open, 1, "These parentheses do not end.");
    const header = this.#header.finish();
    if (!header) this.#tell(1, 1, "A program starts with its name: Program 'Name'.");
    if (this.#problems.length > 0 || !header) throw this.#refusal();
    if (this.#header.isFolder) {
      const { name, id, parentId } = header;
      return { name, id, parentId, conditions: this.#if.conditions };
    }
    return { ...header, tree: { if: this.#if.conditions, then: this.#then, else: this.#else } };
  }

  #refusal(): ControllerError {
    const problems = [...this.#problems].sort((a, b) => a.line - b.line);
    const sentences = problems.map(({ line, column, message }) => `Line ${line}, column ${column}: ${message}`);
    const more = this.hasEnough ? ["The rest was not read."] : [];
    return new ControllerError("BAD_PROGRAM_TEXT", { sentence: [...sentences, ...more].join("\n"), problems });
  }

  #tell(line: number, column: number, message: string): void {
    this.#problems.push({ line, column, code: "SYNTAX", message, suggestion: null });
  }

  /** Path of this line in the tree. The head of the text has the path of the whole program. */
  #path(): string {
    switch (this.#section) {
      case "header":
        return "";
      case "if":
        return this.#if.nextPath;
      case "then":
        return `then[${this.#then.length}]`;
      case "else":
        return `else[${this.#else.length}]`;
    }
  }

  #keep(path: string, line: string, number: number, at: number): void {
    if (this.#places.has(path)) return;
    this.#places.set(path, { line: number, column: columnOf(line, at), text: line });
  }

  #beginsSection(cursor: Cursor): boolean {
    const next = SECTIONS.find(([title]) => cursor.words(title))?.[1];
    if (!next) {
      checkKeyword(cursor);
      return false;
    }
    if (this.#header.isFolder && next !== "if") throw cursor.problem("A program folder has an If only.", 0);
    if (ORDER.indexOf(next) <= ORDER.indexOf(this.#section)) {
      throw cursor.problem("If, Then and Else stand in this order, each of them once.", 0);
    }
    this.#section = next;
    cursor.end();
    return true;
  }

  #readInSection(cursor: Cursor, number: number): void {
    switch (this.#section) {
      case "header":
        this.#header.read(cursor);
        break;
      case "if":
        this.#if.add(readConditionLine(cursor, this.#if.isFirst, this.#names), number, cursor);
        break;
      case "then":
        this.#then.push(readAction(cursor, this.#names));
        break;
      case "else":
        this.#else.push(readAction(cursor, this.#names));
        break;
    }
    cursor.end();
  }
}

/** A line of one word begins a section. @throws LineProblem for a word that is almost one that does. */
function checkKeyword(cursor: Cursor): void {
  const word = cursor.onlyWord();
  const close = word === null ? null : closestTo(word, TITLES);
  if (close !== null) throw cursor.problem(`"${word}" is not a keyword.`, cursor.at, { suggestion: `"${close}"` });
}

/** Column in characters, as editors count them. */
function columnOf(line: string, at: number): number {
  return [...line.slice(0, at)].length + 1;
}

const ORDER: readonly Section[] = ["header", "if", "then", "else"];
const SECTIONS: readonly (readonly [title: string, section: Section])[] = [
  ["If", "if"],
  ["Then", "then"],
  ["Else", "else"],
];

const TITLES = SECTIONS.map(([title]) => title);

/** The conditions of an `If` as they come line by line, parentheses opened and closed on lines of their own. */
type Level = {
  readonly andOr: Condition["andOr"];
  readonly conditions: Condition[];
  /** Line of the opening parenthesis, from 1. */
  readonly line: number;
  /** Where in the tree it will be: `if[1]`. */
  readonly path: string;
};

/** Far more than a program may have; the setting is for the edit to hold, this for the reader not to lose its way. */
const DEPTH_MAX = 64;

class ConditionList {
  readonly #whole: Condition[] = [];
  readonly #open: Level[] = [];

  /** The operators outside of closed parentheses. */
  get conditions(): readonly Condition[] {
    return this.#whole;
  }

  /** True where a list begins: the next condition needs no conjunction. */
  get isFirst(): boolean {
    return this.#current.length === 0;
  }

  /** Line of the innermost parenthesis that is open, or null. */
  get openSince(): number | null {
    return this.#open.at(-1)?.line ?? null;
  }

  /** Where in the tree the next condition will be: `if[1].conditions[0]`. */
  get nextPath(): string {
    const level = this.#open.at(-1);
    return `${level ? `${level.path}.conditions` : "if"}[${this.#current.length}]`;
  }

  /** @throws LineProblem for a parenthesis that closes nothing, or one too many. */
  add(line: ConditionLine, number: number, cursor: Cursor): void {
    switch (line.kind) {
      case "condition":
        this.#current.push(line.condition);
        break;
      case "open":
        if (this.#open.length >= DEPTH_MAX)
          throw cursor.problem("These are too many parentheses inside one another.", 0);
        this.#open.push({ andOr: line.andOr, conditions: [], line: number, path: this.nextPath });
        break;
      case "close": {
        const level = this.#open.pop();
        if (!level) throw cursor.problem("This parenthesis closes nothing.", 0);
        this.#current.push({ kind: "paren", andOr: level.andOr, conditions: level.conditions });
      }
    }
  }

  get #current(): Condition[] {
    return this.#open.at(-1)?.conditions ?? this.#whole;
  }
}
