/** Sunrise and sunset of a civil day at a place. */

import { getTimes } from "suncalc";
import type { Zone } from "./zone.ts";

type SunTimes = {
  /** Where the sun does not rise or set that day, on which side of the horizon it stays; null on ordinary days. */
  readonly polar: "day" | "night" | null;
  /** Milliseconds since 1970; null on polar days. */
  readonly sunriseAtMs: number | null;
  /** May lie after midnight of the next civil day: in June in Reykjavik it does. */
  readonly sunsetAtMs: number | null;
  /** Time of the sun's highest position. */
  readonly noonAtMs: number;
};

/**
 * The sun on the civil day in `zone` that holds `atMs`.
 * @param latitude degrees, north positive.
 * @param longitude degrees, east positive.
 */
export function sunTimes(atMs: number, zone: Zone, latitude: number, longitude: number): SunTimes {
  // An instant near midnight can belong to another solar day than its civil day; local noon never does.
  return sunTimesAround(localNoon(atMs, zone), latitude, longitude);
}

/** The same for the day whose local noon is known. */
export function sunTimesAround(noonMs: number, latitude: number, longitude: number): SunTimes {
  const times = getTimes(new Date(noonMs), latitude, longitude);
  const rises = times.sunrise !== null && times.sunset !== null;
  return {
    polar: rises ? null : times.alwaysUp ? "day" : "night",
    sunriseAtMs: rises ? wholeSecond(times.sunrise) : null,
    sunsetAtMs: rises ? wholeSecond(times.sunset) : null,
    noonAtMs: wholeSecond(times.solarNoon) ?? noonMs,
  };
}

function localNoon(atMs: number, zone: Zone): number {
  const { year, month, day } = zone.parts(atMs);
  const noonAsUtc = Date.UTC(year, month - 1, day, 12);
  return noonAsUtc - zone.offsetMinutes(noonAsUtc - zone.offsetMinutes(atMs) * 60_000) * 60_000;
}

function wholeSecond(date: Date | null): number | null {
  return date === null ? null : Math.floor(date.getTime() / 1000) * 1000;
}
