/**
 * A program, or a program folder, out of its text: lines are read one by one, so everything that is wrong is told at once, each with its line and
 * column. Indentation and empty lines are for the reader; lines that begin with # are passed over.
 *
 * @see docs/programs.md
 */

import { ControllerError } from "../../errors.ts";
import type { Action } from "../../home/program-syntax.ts";
import { ConditionList } from "./condition-list.ts";
import { Cursor, LineProblem } from "./cursor.ts";
import { Header } from "./header.ts";
import type { ProgramNames } from "./names.ts";
import { readAction } from "./parse-action.ts";
import { readConditionLine } from "./parse-condition.ts";
import { type EntryText, isFolderText, type ProgramText } from "./program-text.ts";

/** Of a program only. @throws ControllerError BAD_PROGRAM_TEXT with a sentence for every problem, a line each. */
export function parseProgram(text: string, names: ProgramNames): ProgramText {
  const entry = parseEntry(text, names);
  if (!isFolderText(entry)) return entry;
  throw new ControllerError("BAD_PROGRAM_TEXT", {
    sentence: "Line 1, column 1: This is a program folder, no program.",
  });
}

/** Of a program or a program folder. @throws ControllerError as `parseProgram`. */
export function parseEntry(text: string, names: ProgramNames): EntryText {
  const reader = new ProgramReader(names);
  const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
  for (const [at, line] of lines.entries()) if (!reader.hasEnough) reader.readLine(line, at + 1);
  return reader.finish();
}

const PROBLEMS_TOLD = 20;

type Section = "header" | "if" | "then" | "else";

class ProgramReader {
  readonly #names: ProgramNames;
  readonly #header: Header;
  readonly #if = new ConditionList();
  readonly #then: Action[] = [];
  readonly #else: Action[] = [];
  readonly #problems: { readonly line: number; readonly text: string }[] = [];
  #section: Section = "header";

  constructor(names: ProgramNames) {
    this.#names = names;
    this.#header = new Header(names);
  }

  /** More problems than anybody wants to read at once. */
  get hasEnough(): boolean {
    return this.#problems.length >= PROBLEMS_TOLD;
  }

  readLine(line: string, number: number): void {
    const cursor = new Cursor(line);
    if (cursor.isAtEnd || line.trimStart().startsWith("#")) return;
    try {
      if (!this.#beginsSection(cursor)) this.#readInSection(cursor, number);
    } catch (error) {
      if (!(error instanceof LineProblem)) throw error;
      const column = [...line.slice(0, error.at)].length + 1;
      this.#tell(number, column, error.message);
    }
  }

  /** @throws ControllerError BAD_PROGRAM_TEXT */
  finish(): EntryText {
    const open = this.hasEnough ? null : this.#if.openSince;
    if (open !== null) this.#tell(open, 1, "These parentheses do not end.");
    const header = this.#header.finish();
    if (!header) this.#tell(1, 1, "A program begins with its name: Program 'Name'.");
    if (this.#problems.length > 0 || !header) throw this.#refusal();
    if (this.#header.isFolder) {
      const { name, id, parentId } = header;
      return { name, id, parentId, conditions: this.#if.conditions };
    }
    return { ...header, tree: { if: this.#if.conditions, then: this.#then, else: this.#else } };
  }

  #refusal(): ControllerError {
    const told = [...this.#problems].sort((a, b) => a.line - b.line).map(({ text }) => text);
    const more = this.hasEnough ? ["The rest was not read."] : [];
    return new ControllerError("BAD_PROGRAM_TEXT", { sentence: [...told, ...more].join("\n") });
  }

  #tell(line: number, column: number, sentence: string): void {
    this.#problems.push({ line, text: `Line ${line}, column ${column}: ${sentence}` });
  }

  #beginsSection(cursor: Cursor): boolean {
    const next = SECTIONS.find(([title]) => cursor.words(title))?.[1];
    if (!next) return false;
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

const ORDER: readonly Section[] = ["header", "if", "then", "else"];
const SECTIONS: readonly (readonly [title: string, section: Section])[] = [
  ["If", "if"],
  ["Then", "then"],
  ["Else", "else"],
];
