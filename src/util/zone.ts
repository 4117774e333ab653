/** Local times of an IANA zone. Temporal computes the offset once per quarter of an hour, so stamping is cheap. */

import { Temporal } from "temporal-polyfill";
import { badValue } from "../errors.ts";
import { attempt } from "./attempt.ts";
import { closestTo } from "./closest.ts";

export type LocalParts = {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly millisecond: number;
  /** Minutes east of UTC. */
  readonly offsetMinutes: number;
};

export type Zone = {
  readonly id: string;
  offsetMinutes(atMs: number): number;
  parts(atMs: number): LocalParts;
};

const QUARTER_MS = 900_000;
const CACHE_MAX = 256;

/**
 * @returns the name as the IANA database spells it
 * @throws ControllerError BAD_VALUE unless it names an IANA zone. Abbreviations that only ICU knows (PST) are none.
 */
export function checkZone(id: string): string {
  try {
    return Temporal.Now.zonedDateTimeISO(id).timeZoneId;
  } catch (cause) {
    const near = ianaNameOf(id) ?? closestTo(id, Intl.supportedValuesOf("timeZone"));
    const hint = near === null ? "Names are such as Europe/Berlin." : `Did you mean ${near}?`;
    throw badValue(`There is no time zone "${id}". ${hint}`, cause);
  }
}

/** The zone itself, or the one that was meant by a name that the IANA database does not have; UTC when none is known. */
export function usableZone(id: string): string {
  // Each name is looked up only when it is needed: the second one loads the data of all zones.
  for (const nameOf of [() => id, () => ianaNameOf(id) ?? ""]) {
    try {
      return checkZone(nameOf());
    } catch {
      // The next one.
    }
  }
  return "UTC";
}

function ianaNameOf(abbreviation: string): string | null {
  return attempt(() => new Intl.DateTimeFormat("en", { timeZone: abbreviation }).resolvedOptions().timeZone);
}

/** @throws RangeError for a zone that is not in the IANA database. */
export function createZone(id: string): Zone {
  const offsets = new Map<number, number>();
  Temporal.Now.zonedDateTimeISO(id);
  const offsetMinutes = (atMs: number): number => {
    const quarter = Math.floor(atMs / QUARTER_MS);
    const known = offsets.get(quarter);
    if (known !== undefined) return known;
    const zoned = Temporal.Instant.fromEpochMilliseconds(quarter * QUARTER_MS).toZonedDateTimeISO(id);
    const minutes = Math.round(zoned.offsetNanoseconds / 60e9);
    if (offsets.size >= CACHE_MAX) offsets.clear();
    offsets.set(quarter, minutes);
    return minutes;
  };
  return { id, offsetMinutes, parts: (atMs) => partsAt(atMs, offsetMinutes(atMs)) };
}

function partsAt(atMs: number, offsetMinutes: number): LocalParts {
  const local = new Date(atMs + offsetMinutes * 60_000);
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    millisecond: local.getUTCMilliseconds(),
    offsetMinutes,
  };
}
