/**
 * Times in words, in the zone of the home. Where a clock time comes twice on a day, at the end of summer time, the offset is beside
 * it.
 */

import { dayOf, homeZone, offsetText } from "./home-zone.ts";
import { locale, t } from "./text.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A duration in whole days, hours or minutes, in the unit that fits best. */
export function durationText(ms: number): string {
  const [unit, unitMs] =
    ms >= 2 * DAY_MS
      ? (["day", DAY_MS] as const)
      : ms >= HOUR_MS
        ? (["hour", HOUR_MS] as const)
        : (["minute", MINUTE_MS] as const);
  return (ms / unitMs).toLocaleString(locale(), { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 0 });
}

const SHAPES = {
  clock: { timeStyle: "medium" },
  minute: { timeStyle: "short" },
  date: { day: "numeric", month: "short" },
  moment: {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "numeric",
    minute: "2-digit",
    second: "2-digit",
  },
  second: { dateStyle: "medium", timeStyle: "medium" },
  day: { weekday: "long", day: "numeric", month: "long" },
  week: { weekday: "short", hour: "numeric", minute: "2-digit" },
  full: { dateStyle: "medium", timeStyle: "short" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;
const WITHOUT_CLOCK: ReadonlySet<keyof typeof SHAPES> = new Set(["date", "day"]);

/** As part of a sentence. */
export function spokenTime(atMs: number): string {
  const date = new Date(atMs);
  const time = date.toLocaleTimeString(locale(), { timeStyle: "short", timeZone: homeZone() }) + offsetText(atMs);
  if (dayOf(atMs) === dayOf(Date.now())) return t("time.today", { time });
  return t("time.day", {
    date: date.toLocaleDateString(locale(), { dateStyle: "medium", timeZone: homeZone() }),
    time,
  });
}

/** To the minute. @param shape left out: the time of today, else date and time */
export function timeText(atMs: number, shape?: keyof typeof SHAPES): string {
  const isToday = dayOf(atMs) === dayOf(Date.now());
  const fitting = shape ?? (isToday ? "minute" : Math.abs(Date.now() - atMs) < 6 * DAY_MS ? "week" : "full");
  const text = new Date(atMs).toLocaleString(locale(), { ...SHAPES[fitting], timeZone: homeZone() });
  return WITHOUT_CLOCK.has(fitting) ? text : text + offsetText(atMs);
}
