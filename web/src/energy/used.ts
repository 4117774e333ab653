/** What a counter counted in a span: its rises. A counter that falls was reset, and counts from zero. */

import type { ChartPoint } from "@domovoi/client";

type Point = Pick<ChartPoint, "last" | "max">;

/** @param before the value when the span began; null: not known, so the first part counts nothing @returns null: nothing is known */
export function usedIn(points: readonly Point[], before: number | null): number | null {
  let [used, previous] = [0, before];
  for (const { last, max } of points) {
    if (last === null) continue;
    const top = Math.max(last, max ?? last);
    // A reset within the part: what came before it, and what came after it.
    if (previous !== null)
      used += last >= previous && top === last ? last - previous : Math.max(0, top - previous) + last;
    previous = last;
  }
  return previous === null ? null : used;
}
