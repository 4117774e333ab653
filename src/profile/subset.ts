/**
 * The `subset` of an editor range: a list of raw integers and runs of them, such as `0,100` or `0-3,5-7`. A run may be
 * open: `5-`, `-7`, `-`; the open end is then the range's bound, else the lowest or highest labelled value.
 */

import type { EditorRange } from "./editor.ts";

export function inSubset(range: EditorRange, raw: number): boolean {
  const runs = subsetRuns(range);
  return runs === null || runs.some(([first, last]) => raw >= first && raw <= last);
}

/** The values of a subset that lists at most `limit` of them; null for a longer one and for a range without subset. */
export function subsetValues(range: EditorRange, limit: number): readonly number[] | null {
  const runs = subsetRuns(range);
  if (runs === null) return null;
  const size = runs.reduce((sum, [first, last]) => sum + Math.max(0, last - first + 1), 0);
  if (size > limit) return null;
  return runs.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index));
}

/** The closed runs of the range's subset, or null when every value between its bounds is allowed. */
function subsetRuns(range: EditorRange): readonly (readonly [first: number, last: number])[] | null {
  if (range.subset === null) return null;
  return range.subset
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => closedRun(part, range));
}

function closedRun(part: string, range: EditorRange): readonly [number, number] {
  const dash = part.indexOf("-");
  if (dash < 0) return [Number(part), Number(part)];
  const first = part.slice(0, dash);
  const last = part.slice(dash + 1);
  return [first === "" ? lowest(range) : Number(first), last === "" ? highest(range) : Number(last)];
}

function lowest(range: EditorRange): number {
  if (range.min !== null) return Math.round(range.min * 10 ** range.prec);
  return range.names.size > 0 ? Math.min(...range.names.keys()) : Number.NEGATIVE_INFINITY;
}

function highest(range: EditorRange): number {
  if (range.max !== null) return Math.round(range.max * 10 ** range.prec);
  return range.names.size > 0 ? Math.max(...range.names.keys()) : Number.POSITIVE_INFINITY;
}
