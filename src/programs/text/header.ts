/** The lines above the `If`: what the program or folder is called, where it lies; a program's switches and its comment. */

import { ROOT_PROGRAM_ID } from "../../home/programs.ts";
import { closestTo } from "../../util/closest.ts";
import type { Cursor, LineProblem } from "./cursor.ts";
import type { ProgramNames } from "./names.ts";
import type { ProgramText } from "./program-text.ts";
import { quoted } from "./quoting.ts";

type Fields = Omit<ProgramText, "tree">;

export class Header {
  readonly #names: ProgramNames;
  readonly #seen = new Set<string>();
  readonly #comment: string[] = [];
  #fields: Omit<Fields, "comment"> = {
    name: "",
    id: null,
    parentId: ROOT_PROGRAM_ID,
    enabled: true,
    runAtStartup: false,
  };

  constructor(names: ProgramNames) {
    this.#names = names;
  }

  /** @throws LineProblem */
  read(cursor: Cursor): void {
    const line = cursor.oneOf("a line about the program, or If", LINES);
    this.#check(line, cursor);
    if (line === "comment") this.#comment.push(readQuoted(cursor, "the comment in quotes"));
    else this.#fields = { ...this.#fields, ...this.#read(line, cursor) };
  }

  /** Whether it is a program folder that is described. */
  get isFolder(): boolean {
    return this.#seen.has("program-folder");
  }

  /** null without a name. */
  finish(): Fields | null {
    const isNamed = this.#seen.has("program") || this.isFolder;
    return isNamed ? { ...this.#fields, comment: this.#comment.join("\n") } : null;
  }

  #check(line: Line, cursor: Cursor): void {
    if (line !== "comment" && this.#seen.has(line)) throw cursor.problem("This line is repeated.", 0);
    this.#seen.add(line);
    if (this.isFolder && [...this.#seen].some((seen) => seen !== "program-folder" && seen !== "folder")) {
      throw cursor.problem("A program folder has a name, a folder that it lies in, and an If; nothing else.", 0);
    }
  }

  #read(line: Exclude<Line, "comment">, cursor: Cursor): Partial<Fields> {
    switch (line) {
      case "program":
      case "program-folder":
        return { name: readQuoted(cursor, "the name in quotes"), id: readHexId(cursor) };
      case "folder":
        return { parentId: readFolder(cursor, this.#names) };
      case "enabled":
        return { enabled: cursor.oneOf("yes or no", YES_NO) };
      case "startup":
        return { runAtStartup: cursor.oneOf("yes or no", YES_NO) };
    }
  }
}

type Line = (typeof LINES)[number][1];

const LINES = [
  ["Program folder", "program-folder"],
  ["Program", "program"],
  ["Folder", "folder"],
  ["Enabled", "enabled"],
  ["Run at startup", "startup"],
  ["Comment", "comment"],
] as const;

const YES_NO = [
  ["yes", true],
  ["no", false],
] as const;

function readQuoted(cursor: Cursor, what: string): string {
  const text = cursor.quoted();
  if (text === null) throw cursor.problem(`Here ${what} is expected.`);
  return text;
}

function readHexId(cursor: Cursor): number | null {
  const { at } = cursor;
  const text = cursor.bracketed();
  if (text === null) return null;
  const id = /^[0-9a-f]{1,4}$/i.test(text) ? Number.parseInt(text, 16) : 0;
  if (id === 0) throw cursor.problem("The id of a program or folder is up to four hex digits, such as [001C].", at);
  return id;
}

/** A path of names, an id, or both. */
function readFolder(cursor: Cursor, names: ProgramNames): number {
  const { at } = cursor;
  const path: string[] = [];
  for (let name = cursor.quoted(); name !== null; name = cursor.words("/") ? readQuoted(cursor, "a folder") : null) {
    path.push(name);
  }
  const id = readHexId(cursor);
  if (path.length === 0) {
    if (id === null)
      throw cursor.problem("Here a folder is expected: its name in quotes, its id in brackets, or both.");
    return id;
  }
  const found = foldersAt(path, names);
  const [only] = found;
  if (id === null && only !== undefined && found.length === 1) return only;
  if (id !== null && (found.includes(id) || only === undefined)) return id;
  throw folderProblem(cursor, path, only, names, at);
}

/** A whole path goes before the end of a longer one. */
function foldersAt(path: readonly string[], names: ProgramNames): readonly number[] {
  const found = names.foldersAt(path);
  const whole = found.filter((id) => names.pathOf(id)?.length === path.length);
  return whole.length > 0 ? whole : found;
}

function folderProblem(
  cursor: Cursor,
  path: readonly string[],
  found: number | undefined,
  names: ProgramNames,
  at: number,
): LineProblem {
  const shown = path.map((name) => `'${name}'`).join(" / ");
  if (found !== undefined) {
    const sentence = `${shown} is not the folder of this id, or there are several: write the id alone.`;
    return cursor.problem(sentence, at, { code: "NAME_AND_ID_DIFFER" });
  }
  const close = closestTo(path.at(-1) ?? "", names.folderNames());
  const suggestion = close === null ? null : quoted(close);
  return cursor.problem(`There is no program folder ${shown}.`, at, { code: "UNKNOWN_NAME", suggestion });
}
