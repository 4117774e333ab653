/** A place in a text: file, line and column, a sentence, the line itself and a mark under the place. */

import { widthOf } from "./cut.ts";
import { plain } from "./plain.ts";

type Place = {
  readonly line: number | null;
  readonly column: number | null;
  readonly lineText: string | null;
};

/**
 * @param where the file; null: the text that the person is looking at
 * @returns `hall.txt:3:7: sentence`, the line, and a caret
 */
export function excerpt(where: string | null, { line, column, lineText }: Place, sentence: string): readonly string[] {
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
