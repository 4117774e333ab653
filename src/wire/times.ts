/**
 * Spellings of instants on the wire. Inside, instants are milliseconds since 1970; `null` is a time that has not come
 * yet.
 */

import type { LocalParts, Zone } from "../util/zone.ts";

const two = (value: number): string => (value < 10 ? `0${value}` : String(value));

/** `2031-02-03T04:05:06.000Z`, or "" for null: times of `/api/programs` and `/api/variables`. */
export function isoTime(atMs: number | null): string {
  return atMs === null ? "" : new Date(atMs).toISOString();
}

export function isoTimeOrNull(atMs: number | null): string | null {
  return atMs === null ? null : isoTime(atMs);
}

/** `2031-02-03T04:05:06.123000-07:00`: event timestamps; clients take the home's zone from the offset. */
export function eventTimestamp(atMs: number, zone: Zone): string {
  const parts = zone.parts(atMs);
  const date = `${parts.year}-${two(parts.month)}-${two(parts.day)}`;
  const milliseconds = String(parts.millisecond).padStart(3, "0");
  return `${date}T${clock(parts)}.${milliseconds}000${offset(parts.offsetMinutes)}`;
}

/** `20310203 04:05:06`: `ts` of the legacy variables; frames add a space behind it. */
export function compactTime(atMs: number, zone: Zone): string {
  const parts = zone.parts(atMs);
  return `${parts.year}${two(parts.month)}${two(parts.day)} ${clock(parts)}`;
}

/** `310203 04:05:06 ` with its trailing space: times in program frames. */
export function programFrameTime(atMs: number, zone: Zone): string {
  return `${compactTime(atMs, zone).slice(2)} `;
}

/** `2031/02/03 04:05:06 AM`, or "" for null: times of `/rest/programs`. */
export function legacyProgramTime(atMs: number | null, zone: Zone): string {
  if (atMs === null) return "";
  const parts = zone.parts(atMs);
  const hour = two(parts.hour % 12 === 0 ? 12 : parts.hour % 12);
  const half = parts.hour < 12 ? "AM" : "PM";
  return `${parts.year}/${two(parts.month)}/${two(parts.day)} ${hour}:${two(parts.minute)}:${two(parts.second)} ${half}`;
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"] as const;

/** `Tue 2026/02/03 17:45:46`, as the lines of a log have it. */
export function logTime(atMs: number, zone: Zone): string {
  const parts = zone.parts(atMs);
  const weekday = WEEKDAYS[new Date(Date.UTC(parts.year, parts.month - 1, parts.day)).getUTCDay()];
  return `${weekday} ${parts.year}/${two(parts.month)}/${two(parts.day)} ${clock(parts)}`;
}

function clock(parts: LocalParts): string {
  return `${two(parts.hour)}:${two(parts.minute)}:${two(parts.second)}`;
}

function offset(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
