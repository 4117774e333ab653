/** What a counter counted in a span: its rises. A counter that falls was reset, and counts from zero. */

import type { ChartPoint } from "@domovoi/client";

type Point = Pick<ChartPoint, "last" | "max">;

/**
 * @param before the value when the span began; null: not known, so the first known part counts nothing
 * @returns what was used in each of the parts; null: in none of them anything is known
 */
export function usedIn(points: readonly Point[], before: number | null): readonly number[] | null {
  let previous = before;
  const used = points.map(({ last, max }) => {
    if (last === null) return 0;
    const top = Math.max(last, max ?? last);
    const from = previous;
    previous = last;
    if (from === null) return 0;
    // A reset within the part: what came before it, and what came after it.
    return last >= from && top === last ? last - from : Math.max(0, top - from) + last;
  });
  return previous === null ? null : used;
}
