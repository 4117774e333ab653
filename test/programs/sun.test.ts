/** Sunrise and sunset as schedules use them, against what almanacs print and against an independent computation. */

import { describe, expect, test } from "vitest";
import { Calendar } from "../../src/programs/schedule/calendar.ts";
import { DAY_MS } from "../../src/util/clock.ts";
import { sunTimes } from "../../src/util/sun.ts";
import { createZone } from "../../src/util/zone.ts";
import { ALMANAC, type AlmanacPlace } from "./almanac-table.ts";
import { noaaSun } from "./noaa-sun.ts";

const MINUTE_MS = 60_000;
const sun = (kind: "sunrise" | "sunset") => ({ kind, offsetS: 0, date: null, offsetDays: 0 });

/** Seconds between ours and the printed time, of the event that is nearest to it. */
function differenceS(place: AlmanacPlace, month: number, printed: string, kind: "sunriseAtMs" | "sunsetAtMs"): number {
  const { zone, latitude, longitude, year, dayOfMonth, offsetHours } = place;
  const [hours, minutes] = [Number(printed.slice(0, 2)) - offsetHours, Number(printed.slice(2))];
  const printedMs = Date.UTC(year, month, dayOfMonth, hours, minutes);
  const near = [-1, 0, 1].map((days) => {
    const ours = sunTimes(printedMs + days * DAY_MS, createZone(zone), latitude, longitude)[kind] ?? 0;
    return (ours - printedMs) / 1000;
  });
  return near.reduce((best, each) => (Math.abs(each) < Math.abs(best) ? each : best));
}

describe.each(ALMANAC)("$place", (place) => {
  test("the sun rises and sets when the Naval Observatory prints it, month by month", () => {
    const differences = place.months.flatMap(([rise, set], month) => [
      differenceS(place, month, rise, "sunriseAtMs"),
      differenceS(place, month, set, "sunsetAtMs"),
    ]);
    // Half a minute of rounding, and four seconds between two series of terms.
    expect(differences.filter((each) => Math.abs(each) > 34)).toEqual([]);
    expect(differences).toHaveLength(24);
  });
});

test.each([
  ["Europe/Berlin", 52.52, 13.405],
  ["Asia/Tokyo", 35.68, 139.69],
  ["Europe/Oslo", 59.91, 10.75],
  ["Africa/Nairobi", -1.29, 36.82],
])("in %s it agrees with NOAA's equations to the minute on every day of a year", (zone, latitude, longitude) => {
  const calendar = new Calendar(createZone(zone), latitude, longitude);
  const first = Date.UTC(2026, 0, 1) / DAY_MS;
  for (let day = first; day < first + 365; day += 1) {
    for (const kind of ["sunrise", "sunset"] as const) {
      const ours = calendar.instantOf(sun(kind), day) ?? 0;
      const theirs = noaaSun(day * DAY_MS, latitude, longitude, kind) ?? 0;
      // Half a minute of rounding, and five seconds between two series of terms.
      expect(Math.abs(ours - theirs)).toBeLessThan(MINUTE_MS / 2 + 5000);
    }
  }
});
