/** The `subset` of a range: raw integers and runs of them, such as `0,100` or `0-3,5-7`; a run may be open at either end. */

import type { EditorRange } from "./profile.ts";

type Run = readonly [first: number, last: number];

/** Null when the range allows everything within its bounds. */
export function subsetRuns(range: EditorRange): readonly Run[] | null {
  if (range.subset === null) return null;
  return range.subset.split(",").flatMap((part) => {
    const [, first, dash, last] = /^(\d+)?(?:(-)(\d+)?)?$/.exec(part.trim()) ?? [];
    if (first === undefined && dash === undefined) return [];
    const low = first === undefined ? lowest(range) : Number(first);
    if (dash === undefined) return [[low, low] as const];
    return [[low, last === undefined ? highest(range) : Number(last)] as const];
  });
}

/** How many values it allows; null for all of them. */
export function subsetSize(range: EditorRange): number | null {
  return subsetRuns(range)?.reduce((sum, [first, last]) => sum + Math.max(0, last - first + 1), 0) ?? null;
}

function lowest({ min, prec, names }: EditorRange): number {
  if (min !== null) return Math.round(min * 10 ** prec);
  return names.size > 0 ? Math.min(...names.keys()) : Number.NEGATIVE_INFINITY;
}

function highest({ max, prec, names }: EditorRange): number {
  if (max !== null) return Math.round(max * 10 ** prec);
  return names.size > 0 ? Math.max(...names.keys()) : Number.POSITIVE_INFINITY;
}
