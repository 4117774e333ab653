/**
 * The local calendar of a place: which instant a time of a day is, and when the sun rises and sets. Days are counted from
 * 1970-01-01 of the local calendar.
 *
 * A time that a clock change skips is the first instant after the gap, one that comes twice is the first of the two.
 * Where the sun does not rise or set on a day, that time does not happen.
 */

import { Temporal } from "temporal-polyfill";
import type { LastRunTime, TimeOfDay, Weekday } from "../../home/program-syntax.ts";
import { DAY_MS, MINUTE_MS } from "../../util/clock.ts";
import { sunTimesAround } from "../../util/sun.ts";
import type { Zone } from "../../util/zone.ts";

const DAYS_KEPT = 1024;
/** Offsets of a zone are looked up this many days apart. At least 4, so that two days before and after each day are covered. */
const OFFSET_DAYS = 4;
/** 1970-01-01 was a Thursday. */
const WEEKDAYS: readonly Weekday[] = ["thu", "fri", "sat", "sun", "mon", "tue", "wed"];

/** A time that the calendar alone knows. */
export type CalendarTime = Exclude<TimeOfDay, LastRunTime>;

export class Calendar {
  readonly zone: Zone;
  readonly #latitude: number;
  readonly #longitude: number;
  /** Milliseconds east of UTC all day long; null on days around a change. */
  readonly #offsets = new Map<number, number | null>();
  readonly #suns = new Map<number, Readonly<Record<"sunrise" | "sunset", number | null>>>();

  /** @param latitude degrees, north positive. @param longitude degrees, east positive. */
  constructor(zone: Zone, latitude: number, longitude: number) {
    this.zone = zone;
    this.#latitude = latitude;
    this.#longitude = longitude;
  }

  isOf(zoneId: string, latitude: number, longitude: number): boolean {
    return this.zone.id === zoneId && this.#latitude === latitude && this.#longitude === longitude;
  }

  dayOf(atMs: number): number {
    return Math.floor((atMs + this.zone.offsetMinutes(atMs) * MINUTE_MS) / DAY_MS);
  }

  /** The instant of a time on a day, milliseconds since 1970; null when it does not happen. */
  instantOf(time: CalendarTime, day: number): number | null {
    if (time.kind === "time") return this.localInstant(day, time.secondOfDay);
    const sunMs = this.#sun(day)[time.kind];
    return sunMs === null ? null : sunMs + time.offsetS * 1000;
  }

  localInstant(day: number, secondOfDay: number): number {
    const asUtcMs = day * DAY_MS + secondOfDay * 1000;
    const offsetMs = this.#offsetOf(day);
    return offsetMs === null ? slowInstant(asUtcMs, this.zone.id) : asUtcMs - offsetMs;
  }

  #offsetOf(day: number): number | null {
    const known = this.#offsets.get(day);
    if (known !== undefined) return known;
    // No zone is further than a day from UTC, and changes of the same zone lie weeks apart. Neighboring days share the lookups.
    const from = Math.floor((day - 2) / OFFSET_DAYS) * OFFSET_DAYS;
    const before = this.zone.offsetMinutes(from * DAY_MS);
    const after = this.zone.offsetMinutes((from + 2 * OFFSET_DAYS) * DAY_MS);
    const offsetMs = before === after ? before * MINUTE_MS : null;
    return keep(this.#offsets, day, offsetMs);
  }

  #sun(day: number): Readonly<Record<"sunrise" | "sunset", number | null>> {
    const known = this.#suns.get(day);
    if (known) return known;
    // Around local midnight the sun's day would be the neighbour's in some zones; noon is safe everywhere.
    const noonMs = this.localInstant(day, DAY_MS / 2000);
    const { sunriseAtMs, sunsetAtMs } = sunTimesAround(noonMs, this.#latitude, this.#longitude);
    return keep(this.#suns, day, { sunrise: toMinute(sunriseAtMs), sunset: toMinute(sunsetAtMs) });
  }
}

export function weekdayOf(day: number): Weekday {
  return WEEKDAYS[((day % 7) + 7) % 7] ?? "mon";
}

/** "YYYY/MM/DD"; null for what is no day, which then never comes. */
export function parseDay(date: string): number | null {
  const [, year, month, day] = /^(\d{4})\/(\d{2})\/(\d{2})$/.exec(date)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const at = new Date(Date.UTC(year, month - 1, day));
  // 30 February would become a day of March.
  const isDay = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
  return isDay ? at.getTime() / DAY_MS : null;
}

function slowInstant(asUtcMs: number, zone: string): number {
  const local = Temporal.Instant.fromEpochMilliseconds(asUtcMs).toZonedDateTimeISO("UTC").toPlainDateTime();
  const earlier = local.toZonedDateTime(zone, { disambiguation: "earlier" });
  if (earlier.toPlainDateTime().equals(local)) return earlier.epochMilliseconds;
  return earlier.getTimeZoneTransition("next")?.epochMilliseconds ?? earlier.epochMilliseconds;
}

function toMinute(atMs: number | null): number | null {
  return atMs === null ? null : Math.round(atMs / MINUTE_MS) * MINUTE_MS;
}

function keep<T>(map: Map<number, T>, day: number, value: T): T {
  if (map.size >= DAYS_KEPT) map.clear();
  map.set(day, value);
  return value;
}
