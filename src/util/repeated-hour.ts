/** The clock times that come twice on a day, at the end of summer time: only there a time in words needs its offset. */

import { MINUTE_MS } from "./clock.ts";

/** Every change of an offset is smaller, and further from the next one. */
const SHIFT_MAX_MS = 720 * MINUTE_MS;

/**
 * ` (UTC+2)` for a time whose clock time comes twice, else nothing.
 *
 * @param offsetMinutes east of UTC
 */
export function repeatedOffset(atMs: number, offsetMinutes: (atMs: number) => number): string {
  const own = offsetMinutes(atMs);
  const isRepeated = [-1, 1].some((side) => {
    const other = offsetMinutes(atMs + side * SHIFT_MAX_MS);
    return other !== own && offsetMinutes(atMs + (own - other) * MINUTE_MS) === other;
  });
  return isRepeated ? ` (${offsetName(own)})` : "";
}

function offsetName(minutes: number): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? "-" : "+"}${hours}${rest === 0 ? "" : `:${String(rest).padStart(2, "0")}`}`;
}
