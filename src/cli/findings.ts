/** Prints problems of a program's text: errors of its grammar and findings of verification. */

import type { ClientError } from "@domovoi/client";
import { widthOf } from "./show/cut.ts";
import { plain } from "./show/plain.ts";

export type Finding = {
  readonly code: string;
  readonly severity: "error" | "warning" | "hint";
  readonly program: string | null;
  readonly line: number | null;
  readonly column: number | null;
  readonly lineText: string | null;
  readonly sentence: string;
  readonly chain: readonly { readonly text: string }[];
};

/** @param where the file that holds the text; null: the person is looking at it */
export function problemLines(where: string | null, { problems }: ClientError, text: string): readonly string[] {
  const lines = text.split(/\r?\n/);
  return problems.flatMap(({ line, column, message }) =>
    excerpt(where, { line, column, lineText: lines[line - 1] ?? null }, message),
  );
}

/** Errors first. @param where as above */
export function findingLines(where: string | null, findings: readonly Finding[]): readonly string[] {
  const order = ["error", "warning", "hint"];
  return findings
    .toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
    .flatMap((found) => excerpt(where, found, `${found.severity}: ${found.sentence} (${found.code})`));
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ severity }) => severity === "error");
}

type Place = {
  readonly line: number | null;
  readonly column: number | null;
  readonly lineText: string | null;
};

/**
 * @param where the file; null: the text that the person is looking at
 * @returns `hall.txt:3:7: sentence`, the line, and a caret
 */
function excerpt(where: string | null, { line, column, lineText }: Place, sentence: string): readonly string[] {
  const head = plain([placeOf(where, line, column ?? 1), sentence].filter((part) => part !== null).join(": "));
  if (lineText === null || column === null) return [head];
  const spaced = lineText.replaceAll("\t", " ");
  const indent = spaced.length - spaced.trimStart().length;
  const before = [...spaced].slice(indent, column - 1).join("");
  return [head, `    ${plain(spaced.trim())}`, `    ${" ".repeat(widthOf(plain(before)))}^`];
}

function placeOf(where: string | null, line: number | null, column: number): string | null {
  if (line === null) return where;
  return where === null ? `Line ${line}, column ${column}` : `${where}:${line}:${column}`;
}
