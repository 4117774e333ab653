/**
 * Whether an instant lies inside the window of a schedule: "from … to" and "from … for". An "at" has no window.
 *
 * Times are local times of the home's zone. A time that a clock change skips happens at the first instant after the gap,
 * one that comes twice happens the first time. A window belongs to the day on which it starts. Where the sun does not rise
 * or set on a day, that time does not happen.
 */

import { getTimes } from "suncalc";
import { Temporal } from "temporal-polyfill";
import type { Condition, Schedule, Span, TimeOfDay, Weekday } from "../home/program-syntax.ts";

export type Place = {
  readonly nowMs: number;
  /** IANA zone. */
  readonly timeZone: string;
  /** Degrees, north and east positive. */
  readonly latitude: number;
  readonly longitude: number;
};

type ScheduleCondition = Extract<Condition, { kind: "schedule" }>;
type Window = Exclude<Schedule, { kind: "at" }>;

const DAY_S = 86_400;
const MINUTE_MS = 60_000;
/** Longest window that is looked for, days; a longer one ends there. */
const WINDOW_DAYS_MAX = 366;
const WEEKDAYS: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/** The start counts as inside, the end does not. */
export function isInWindow({ days, when }: ScheduleCondition, place: Place): boolean {
  if (when.kind === "at") return false;
  return startDays(when, place).some((day) => {
    if (days && !days.includes(weekdayOf(day))) return false;
    const startMs = instantOf(when.from, day, place);
    if (startMs === null || startMs > place.nowMs) return false;
    const endMs = endOf(when, day, startMs, place);
    return endMs !== null && place.nowMs < endMs;
  });
}

/** The days on which a window could have started that is open now; offsets of the sun may lead a day astray. */
function startDays(when: Window, { nowMs, timeZone }: Place): readonly Temporal.PlainDate[] {
  if (when.from.date !== null) return [parseDate(when.from.date)].filter((day) => day !== null);
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(timeZone).toPlainDate();
  const spanDays = when.kind === "from-for" ? Math.ceil(spanMs(when.lasting) / (DAY_S * 1000)) : when.to.offsetDays + 1;
  const back = Math.min(spanDays + 1, WINDOW_DAYS_MAX);
  return Array.from({ length: back + 2 }, (_, ago) => today.subtract({ days: ago - 1 }));
}

function endOf(when: Window, startDay: Temporal.PlainDate, startMs: number, place: Place): number | null {
  if (when.kind === "from-for") return startMs + spanMs(when.lasting);
  const { date, offsetDays } = when.to;
  const day = date === null ? startDay.add({ days: offsetDays }) : parseDate(date);
  if (!day) return null;
  const endMs = instantOf(when.to, day, place);
  const isNextDay = endMs !== null && endMs <= startMs && date === null && offsetDays === 0;
  return isNextDay ? instantOf(when.to, day.add({ days: 1 }), place) : endMs;
}

/** The instant of a time on a day, milliseconds since 1970; null when it does not happen. */
function instantOf(time: TimeOfDay, day: Temporal.PlainDate, place: Place): number | null {
  if (time.kind === "time") return localInstant(day, time.secondOfDay, place.timeZone);
  // Around local midnight the sun's day would be the neighbour's in some zones; noon is safe everywhere.
  const noonMs = localInstant(day, DAY_S / 2, place.timeZone);
  const sun = getTimes(new Date(noonMs), place.latitude, place.longitude)[time.kind];
  if (!sun || Number.isNaN(sun.getTime())) return null;
  return Math.round(sun.getTime() / MINUTE_MS) * MINUTE_MS + time.offsetS * 1000;
}

function localInstant(day: Temporal.PlainDate, secondOfDay: number, timeZone: string): number {
  const local = day.toPlainDateTime().add({ seconds: secondOfDay });
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  if (earlier.toPlainDateTime().equals(local)) return earlier.epochMilliseconds;
  return earlier.getTimeZoneTransition("next")?.epochMilliseconds ?? earlier.epochMilliseconds;
}

function spanMs({ hours, minutes, seconds }: Span): number {
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

function weekdayOf(day: Temporal.PlainDate): Weekday {
  return WEEKDAYS[day.dayOfWeek - 1] ?? "mon";
}

/** "YYYY/MM/DD"; null for what is no day, which then never comes. */
function parseDate(date: string): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from(date.replaceAll("/", "-"));
  } catch {
    return null;
  }
}
