/** Prints problems of a program's text: errors of its grammar and findings of verification. */

import type { ClientError } from "@domovoi/client";
import { excerpt } from "./show/excerpt.ts";

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
