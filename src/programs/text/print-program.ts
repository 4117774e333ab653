/**
 * A program as text: what `parseProgram` reads back as the same program. Equal programs have equal texts.
 *
 * @see docs/programs.md
 */

import { hexId, ROOT_PROGRAM_ID } from "../../home/programs.ts";
import type { ProgramNames } from "./names.ts";
import { actionLines, conditionLines } from "./print-statement.ts";
import type { FolderText, ProgramText } from "./program-text.ts";
import { bracketed, quoted, reference } from "./quoting.ts";

/** Ends with a line break. Defaults are not printed. */
export function printProgram(program: ProgramText, names: ProgramNames): string {
  const { name, id, parentId, enabled, runAtStartup, comment, tree } = program;
  const header = [
    `Program ${id === null ? quoted(name) : reference(name, hexId(id))}`,
    `Folder ${folderText(parentId ?? ROOT_PROGRAM_ID, names)}`,
    ...(enabled ? [] : ["Enabled no"]),
    ...(runAtStartup ? ["Run at startup yes"] : []),
    ...(comment === "" ? [] : comment.split("\n").map((line) => `Comment ${quoted(line)}`)),
  ];
  const sections = [
    section("If", conditionLines(tree.if, names)),
    section("Then", actionLines(tree.then, names)),
    section("Else", actionLines(tree.else, names)),
  ];
  return `${[...header, ...sections.flat()].join("\n")}\n`;
}

/** The same for a program folder. The root folder lies in none. */
export function printFolder(folder: FolderText, names: ProgramNames): string {
  const { name, id, parentId, conditions } = folder;
  const header = [
    `Program folder ${id === null ? quoted(name) : reference(name, hexId(id))}`,
    ...(id === ROOT_PROGRAM_ID ? [] : [`Folder ${folderText(parentId ?? ROOT_PROGRAM_ID, names)}`]),
  ];
  return `${[...header, ...section("If", conditionLines(conditions, names))].join("\n")}\n`;
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return ["", title, ...lines.map((line) => `    ${line}`)];
}

function folderText(id: number, names: ProgramNames): string {
  const path = names.pathOf(id) ?? [];
  return [...(path.length > 0 ? [path.map(quoted).join(" / ")] : []), bracketed(hexId(id))].join(" ");
}
