/** Finds the line of a program's text that shows a place of its tree: a line each, in the same order as the tree. */

import type { Condition, ProgramTree } from "../../home/program-syntax.ts";
import type { ProgramNames } from "./names.ts";
import { printFolder, printProgram } from "./print-program.ts";
import { type EntryText, isFolderText } from "./program-text.ts";
import type { TextPlace } from "./text-problem.ts";

/**
 * @returns the line of a path such as `then[3]` or `if[1].conditions[0]`; of the head for the whole, null without
 * one.
 */
export function lineFinder(entry: EntryText, names: ProgramNames): (path: string) => TextPlace | null {
  const lines = (isFolderText(entry) ? printFolder(entry, names) : printProgram(entry, names)).split("\n");
  const tree: Partial<ProgramTree> = isFolderText(entry) ? { if: entry.conditions } : entry.tree;
  return (path) => {
    const at = path === "" ? 0 : indexOf(lines, tree, path);
    const line = at === null ? undefined : lines[at];
    if (at === null || line === undefined) return null;
    return { line: at + 1, column: line.length - line.trimStart().length + 1, text: line };
  };
}

function indexOf(lines: readonly string[], tree: Partial<ProgramTree>, path: string): number | null {
  const section = /^[a-z]+/.exec(path)?.[0] ?? "";
  const title = lines.indexOf(section.charAt(0).toUpperCase() + section.slice(1));
  if (title < 0) return null;
  const numbers = [...path.matchAll(/\[(\d+)\]/g)].map(([, index]) => Number(index));
  if (section !== "if") return numbers[0] === undefined ? title : title + 1 + numbers[0];
  return title + 1 + linesBefore(tree.if ?? [], numbers);
}

/** Parentheses take a line before what is in them, and one behind it. */
function linesBefore(conditions: readonly Condition[], [index = 0, ...rest]: readonly number[]): number {
  const before = conditions.slice(0, index).reduce((sum, condition) => sum + linesOf(condition), 0);
  const condition = conditions[index];
  return rest.length > 0 && condition?.kind === "paren" ? before + 1 + linesBefore(condition.conditions, rest) : before;
}

function linesOf(condition: Condition): number {
  if (condition.kind !== "paren") return 1;
  return condition.conditions.reduce((sum, inner) => sum + linesOf(inner), 2);
}
