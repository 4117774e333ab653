/**
 * The moments of a schedule: when an "at" comes, when a window opens and closes, and whether an instant lies inside one.
 * A window belongs to the day on which it starts; its start is inside, its end is not.
 */

import type { Condition, Schedule, Span } from "../../home/program-syntax.ts";
import { type Calendar, DAY_MS, parseDay, weekdayOf } from "./calendar.ts";

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
export function isInWindow(condition: ScheduleCondition, atMs: number, calendar: Calendar): boolean {
  if (condition.when.kind === "at") return false;
  const today = calendar.dayOf(atMs);
  for (const day of daysFrom(condition.when, today, today + STRAY_DAYS)) {
    const moments = momentsOf(condition, day, calendar);
    if (moments && moments.startMs <= atMs && atMs < (moments.endMs ?? 0)) return true;
  }
  return false;
}

/** Whether an "at" comes at this very instant. */
export function comesAt(condition: ScheduleCondition, instantMs: number, calendar: Calendar): boolean {
  if (condition.when.kind !== "at") return false;
  const today = calendar.dayOf(instantMs);
  for (const day of daysFrom(condition.when, today, today + STRAY_DAYS)) {
    if (momentsOf(condition, day, calendar)?.startMs === instantMs) return true;
  }
  return false;
}

/** The first moment after an instant, of all these conditions; null when there is none in more than a year. */
export function nextMoment(
  conditions: readonly ScheduleCondition[],
  afterMs: number,
  calendar: Calendar,
): number | null {
  let best: number | null = null;
  for (const condition of conditions) {
    const next = nextOf(condition, afterMs, calendar);
    if (next !== null && (best === null || next < best)) best = next;
  }
  return best;
}

function nextOf(condition: ScheduleCondition, afterMs: number, calendar: Calendar): number | null {
  let best: number | null = null;
  const today = calendar.dayOf(afterMs);
  for (const day of daysFrom(condition.when, today, today + SEARCH_DAYS)) {
    if (best !== null && day > calendar.dayOf(best) + STRAY_DAYS) break;
    const moments = momentsOf(condition, day, calendar);
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
      return when.to.date === null ? when.to.offsetDays + 1 : WINDOW_DAYS_MAX;
  }
}

/** null: it does not happen on that day. */
function momentsOf({ days, when }: ScheduleCondition, day: number, calendar: Calendar): Moments | null {
  if (days && !days.includes(weekdayOf(day))) return null;
  const startMs = calendar.instantOf(when.kind === "at" ? when.at : when.from, day);
  if (startMs === null) return null;
  if (when.kind === "at") return { startMs, endMs: null };
  const endMs = endOf(when, day, startMs, calendar);
  if (endMs === null || endMs < startMs) return null;
  // A window in the hour that a clock change skips ends as it begins; one that was written without a length never begins.
  return endMs > startMs || isWithinDay(when) ? { startMs, endMs } : null;
}

function endOf(
  when: Exclude<Schedule, { kind: "at" }>,
  startDay: number,
  startMs: number,
  calendar: Calendar,
): number | null {
  if (when.kind === "from-for") return startMs + spanMs(when.lasting);
  const { date, offsetDays } = when.to;
  const day = date === null ? startDay + offsetDays : parseDay(date);
  if (day === null) return null;
  const endMs = calendar.instantOf(when.to, day);
  const isNextDay = endMs !== null && endMs <= startMs && date === null && offsetDays === 0 && !isWithinDay(when);
  return isNextDay ? calendar.instantOf(when.to, day + 1) : endMs;
}

/** By the clock on the wall it ends later on the day on which it starts, whatever a clock change makes of that. */
function isWithinDay(when: Exclude<Schedule, { kind: "at" }>): boolean {
  if (when.kind === "from-for") return false;
  const { from, to } = when;
  if (from.kind !== "time" || to.kind !== "time" || to.date !== null || to.offsetDays !== 0) return false;
  return to.secondOfDay > from.secondOfDay;
}

export function spanMs({ hours, minutes, seconds }: Span): number {
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}
