/** Times of the local interface: those of the home's clock. */

import { createZone } from "../../util/zone.ts";

/** `2026/04/24 10:11:05 AM`, `2026/04/24 22:11:05`, `20260424 10:11:05` */
const LOCAL = /^(\d{4})\/?(\d{2})\/?(\d{2}) +(\d{1,2}):(\d{2}):(\d{2})(?: *([AP])M)?/i;
const HALF_DAY = 12;
const MINUTE_MS = 60_000;

/** @param timeZone IANA. @returns milliseconds of a local time; null for what is none */
export function localTimes(timeZone: string): (text: string) => number | null {
  const zone = createZone(timeZone);
  return (text) => {
    const [, year, month, day, hour, minute, second, half] = LOCAL.exec(text.trim()) ?? [];
    if (year === undefined) return null;
    const clock = half === undefined ? Number(hour) : (Number(hour) % HALF_DAY) + (/p/i.test(half) ? HALF_DAY : 0);
    const asUtcMs = Date.UTC(Number(year), Number(month) - 1, Number(day), clock, Number(minute), Number(second));
    const nearMs = asUtcMs - zone.offsetMinutes(asUtcMs) * MINUTE_MS;
    return asUtcMs - zone.offsetMinutes(nearMs) * MINUTE_MS;
  };
}
