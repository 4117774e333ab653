/**
 * The moments of a schedule: when an "at" comes, when a window opens and closes, and whether an instant lies inside one.
 * A window belongs to the day on which it starts; its start is inside, its end is not.
 */

import type { Condition, LastRunTime, Schedule, Span, TimeOfDay } from "../../home/program-syntax.ts";
import { DAY_MS } from "../../util/clock.ts";
import { type Calendar, parseDay, weekdayOf } from "./calendar.ts";

/** When a program was last run; null when it never was. */
type LastRun = (program: number) => number | null;

type ScheduleTimes = { readonly calendar: Calendar; readonly lastRun: LastRun };

const NEVER: LastRun = () => null;

export type ScheduleCondition = Extract<Condition, { readonly kind: "schedule" }>;

/** Longest window that is looked for, days; a longer one ends there. */
const WINDOW_DAYS_MAX = 366;
/** How far ahead a next moment is looked for; the longest polar night is shorter. */
const SEARCH_DAYS = 400;
/** Offsets from the sun, and suns that set after midnight, may lead a day or two astray. */
const STRAY_DAYS = 2;

/** Start and end; the end is null for an "at", which has no inside. */
type Moments = { readonly startMs: number; readonly endMs: number | null };

/** True for windows only. */
export function isInWindow(condition: ScheduleCondition, atMs: number, calendar: Calendar, lastRun = NEVER): boolean {
  const times = { calendar, lastRun };
  if (condition.when.kind === "at") return false;
  const today = times.calendar.dayOf(atMs);
  for (const day of daysFrom(condition.when, today, today + STRAY_DAYS)) {
    const moments = momentsOf(condition, day, times);
    if (moments && moments.startMs <= atMs && atMs < (moments.endMs ?? 0)) return true;
  }
  return false;
}

/** Whether an "at" comes at this very instant. */
export function comesAt(condition: ScheduleCondition, instantMs: number, calendar: Calendar, lastRun = NEVER): boolean {
  const times = { calendar, lastRun };
  if (condition.when.kind !== "at") return false;
  const today = times.calendar.dayOf(instantMs);
  for (const day of daysFrom(condition.when, today, today + STRAY_DAYS)) {
    if (momentsOf(condition, day, times)?.startMs === instantMs) return true;
  }
  return false;
}

/** The first moment of these conditions after an instant; null when they have none in more than a year. */
export function nextMoment(
  conditions: readonly ScheduleCondition[],
  afterMs: number,
  calendar: Calendar,
  lastRun = NEVER,
): number | null {
  const times = { calendar, lastRun };
  let best: number | null = null;
  for (const condition of conditions) {
    const next = nextOf(condition, afterMs, times);
    if (next !== null && (best === null || next < best)) best = next;
  }
  return best;
}

function nextOf(condition: ScheduleCondition, afterMs: number, times: ScheduleTimes): number | null {
  let best: number | null = null;
  const today = times.calendar.dayOf(afterMs);
  for (const day of daysFrom(condition.when, today, today + SEARCH_DAYS)) {
    if (best !== null && day > times.calendar.dayOf(best) + STRAY_DAYS) break;
    const moments = momentsOf(condition, day, times);
    for (const moment of [moments?.startMs ?? null, moments?.endMs ?? null]) {
      if (moment !== null && moment > afterMs && (best === null || moment < best)) best = moment;
    }
  }
  return best;
}

/** The days on which a window could start that is of interest from `today` on. */
function* daysFrom(when: Schedule, today: number, last: number): Iterable<number> {
  const first = when.kind === "at" ? when.at : when.from;
  if (first.date === null) {
    const start = today - Math.min(spanDays(when), WINDOW_DAYS_MAX) - STRAY_DAYS;
    for (let day = start; day <= last; day += 1) yield day;
    return;
  }
  const day = parseDay(first.date);
  if (day !== null) yield day;
}

function spanDays(when: Schedule): number {
  switch (when.kind) {
    case "at":
      return 0;
    case "from-for":
      return Math.ceil(spanMs(when.lasting) / DAY_MS);
    case "from-to":
      return when.to.date === null && when.to.kind !== "last-run" ? when.to.offsetDays + 1 : WINDOW_DAYS_MAX;
  }
}

/** null: it does not happen on that day. */
function momentsOf({ days, when }: ScheduleCondition, day: number, times: ScheduleTimes): Moments | null {
  const first = when.kind === "at" ? when.at : when.from;
  const startMs = startOf(first, day, times);
  if (startMs === null) return null;
  if (days && !days.includes(weekdayOf(dayOfWeekdays(first, day, times)))) return null;
  if (when.kind === "at") return { startMs, endMs: null };
  const endMs = endOf(when, day, startMs, times);
  if (endMs === null || endMs < startMs) return null;
  // A window in the hour that a clock change skips ends as it begins; one that was written without a length never begins.
  return endMs > startMs || isWithinDay(when) ? { startMs, endMs } : null;
}

/** A time that counts from one run is of one day only; the end of a window may lie on another. */
function startOf(time: TimeOfDay, day: number, times: ScheduleTimes): number | null {
  const atMs = instantOf(time, day, times);
  const isOfDay = time.kind !== "last-run" || time.isDaily || (atMs !== null && times.calendar.dayOf(atMs) === day);
  return isOfDay ? atMs : null;
}

/** Days of the week belong to the day of the start; after a last run, to the day of that run. */
function dayOfWeekdays(time: TimeOfDay, day: number, { calendar, lastRun }: ScheduleTimes): number {
  if (time.kind !== "last-run" || time.isDaily) return day;
  return calendar.dayOf(lastRun(time.program) ?? 0);
}

function instantOf(time: TimeOfDay, day: number, times: ScheduleTimes): number | null {
  return time.kind === "last-run" ? sinceLastRun(time, day, times) : times.calendar.instantOf(time, day);
}

/** null while the program has not run, and on days before its run. */
function sinceLastRun({ program, offsetS, isDaily }: LastRunTime, day: number, times: ScheduleTimes): number | null {
  const lastRunAtMs = times.lastRun(program);
  if (lastRunAtMs === null) return null;
  const { calendar } = times;
  const atMs = lastRunAtMs + offsetS * 1000;
  if (!isDaily) return atMs;
  const { hour, minute, second } = calendar.zone.parts(atMs);
  return day < calendar.dayOf(atMs) ? null : calendar.localInstant(day, (hour * 60 + minute) * 60 + second);
}

function endOf(
  when: Exclude<Schedule, { kind: "at" }>,
  startDay: number,
  startMs: number,
  times: ScheduleTimes,
): number | null {
  if (when.kind === "from-for") return startMs + spanMs(when.lasting);
  const { date, offsetDays } = when.to;
  const day = date === null ? startDay + offsetDays : parseDay(date);
  if (day === null) return null;
  const endMs = instantOf(when.to, day, times);
  const isNextDay = endMs !== null && endMs <= startMs && date === null && offsetDays === 0 && !isWithinDay(when);
  return isNextDay ? instantOf(when.to, day + 1, times) : endMs;
}

/** The end by the wall clock is later on the day of its start, even when the clock changes on that day. */
function isWithinDay(when: Exclude<Schedule, { kind: "at" }>): boolean {
  if (when.kind === "from-for") return false;
  const { from, to } = when;
  if (from.kind !== "time" || to.kind !== "time" || to.date !== null || to.offsetDays !== 0) return false;
  return to.secondOfDay > from.secondOfDay;
}

export function spanMs({ hours, minutes, seconds }: Span): number {
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}
