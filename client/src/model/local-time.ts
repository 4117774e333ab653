/** Times that the wire gives in the controller's local time, as ISO 8601 in UTC. */

/** The controller's zone: its name if known, else the present offset in minutes. */
export type Zone = { readonly name: string } | { readonly offsetMinutes: number };

type Parts = readonly [year: number, month: number, day: number, hour: number, minute: number, second: number];

/**
 * Reads `20310203 04:05:06`, `310203 04:05:06` and `2031/02/03 04:05:06 AM`, or what is ISO already.
 * @returns null for an empty or unknown text; without a zone the local time without offset
 */
export function isoFromLocal(text: string, zone: Zone | null): string | null {
  const trimmed = text.trim();
  if (/^\d{4}-\d\d-\d\dT/.test(trimmed)) return trimmed;
  const parts = compactParts(trimmed) ?? slashedParts(trimmed);
  if (!parts) return null;
  const asUtcMs = Date.UTC(parts[0], parts[1] - 1, parts[2], parts[3], parts[4], parts[5]);
  if (Number.isNaN(asUtcMs)) return null;
  if (!zone) return new Date(asUtcMs).toISOString().slice(0, -".000Z".length);
  return new Date(asUtcMs - offsetMinutes(zone, asUtcMs) * 60_000).toISOString();
}

/** The offset at the end of an ISO time, in minutes; null without one. */
export function offsetOf(iso: string): number | null {
  const [, sign, hours, minutes] = /([+-])(\d\d):?(\d\d)$/.exec(iso) ?? [];
  if (sign === undefined) return iso.endsWith("Z") ? 0 : null;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function compactParts(text: string): Parts | null {
  const match = /^(\d{2}|\d{4})(\d\d)(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(text);
  if (!match) return null;
  const [, year = "", ...rest] = match;
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = rest.map(Number);
  return [year.length === 2 ? 2000 + Number(year) : Number(year), month, day, hour, minute, second];
}

function slashedParts(text: string): Parts | null {
  const match = /^(\d{4})\/(\d\d?)\/(\d\d?) (\d\d?):(\d\d):(\d\d)(?: (AM|PM))?$/i.exec(text);
  if (!match) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const half = match[7]?.toUpperCase();
  const hour24 = half === undefined ? hour : (hour % 12) + (half === "PM" ? 12 : 0);
  return [year, month, day, hour24, minute, second];
}

/** Offset of the zone at a local time; in a repeated hour, that of the first. */
function offsetMinutes(zone: Zone, localAsUtcMs: number): number {
  if ("offsetMinutes" in zone) return zone.offsetMinutes;
  const before = zoneOffset(zone.name, localAsUtcMs - DAY_MS);
  const candidates = [before, zoneOffset(zone.name, localAsUtcMs + DAY_MS)].sort((a, b) => b - a);
  const holds = (offset: number) => zoneOffset(zone.name, localAsUtcMs - offset * 60_000) === offset;
  return candidates.find(holds) ?? before;
}

const DAY_MS = 86_400_000;

function zoneOffset(name: string, atMs: number): number {
  const fields: Record<string, number> = {};
  for (const { type, value } of formatter(name).formatToParts(atMs)) fields[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
  const local = Date.UTC(year, month - 1, day, hour % 24, minute, second);
  return Math.round((local - Math.floor(atMs / 1000) * 1000) / 60_000);
}

/** Making one is slow; a home has one zone. */
const FORMATTERS = new Map<string, Intl.DateTimeFormat>();

function formatter(timeZone: string): Intl.DateTimeFormat {
  let known = FORMATTERS.get(timeZone);
  if (!known) {
    const numeric = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;
    known = new Intl.DateTimeFormat("en-US", { timeZone, ...numeric, second: "numeric", hourCycle: "h23" });
    FORMATTERS.set(timeZone, known);
  }
  return known;
}
