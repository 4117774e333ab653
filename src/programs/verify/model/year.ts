/** Schedules as sets of seconds since 1970: what they come to in the year ahead of the home. */

import type { Schedule, Span, TimeOfDay } from "../../../home/program-syntax.ts";
import { DAY_MS } from "../../../util/clock.ts";
import type { Slices } from "../../../util/slices.ts";
import { programsOfSchedule, timesOf } from "../../references.ts";
import { type Calendar, type CalendarTime, parseDay, weekdayOf } from "../../schedule/calendar.ts";
import { type ScheduleCondition, spanMs } from "../../schedule/moments.ts";
import type { Axis } from "./axis.ts";
import { intersect, type NumberSet, pointsOf, unionOf } from "./number-set.ts";

/** The moments and windows of a schedule. */
type ScheduleYear = {
  /** Seconds of the year ahead in which it holds. */
  readonly holds: NumberSet;
  /** Seconds of the year ahead at which it comes, or opens; at which it closes. */
  readonly opens: NumberSet;
  readonly closes: NumberSet;
  /** A date that is none, such as 30 February; null when there is no such date in it. */
  readonly noSuchDate: string | null;
  /** It has instants, but they all lie behind. */
  readonly isPast: boolean;
  /** It goes on beyond the year that is looked at, by dates of its own. */
  readonly isFarAhead: boolean;
  /** Days of the year on which the sun does not rise or set, where that matters. */
  readonly sunlessDays: number;
  /** Windows of the year that close on the day after, because their end lies before their start; and all others. */
  readonly nextDayCloses: number;
  readonly otherCloses: number;
};

const YEAR_DAYS = 366;
/** Windows that opened so long ago may still be open. */
const BACK_DAYS = 8;
/** Days whose sun is computed without a pause. */
const SUNS_AT_ONCE = 16;

/** It counts from runs that are still to come, so it may hold at any time. */
const UNKNOWN: ScheduleYear = {
  holds: [],
  opens: [],
  closes: [],
  noSuchDate: null,
  isPast: false,
  isFarAhead: true,
  sunlessDays: 0,
  nextDayCloses: 0,
  otherCloses: 0,
};

type Window = { readonly day: number; readonly startMs: number; readonly endMs: number; readonly isNextDay: boolean };

export class Year {
  readonly axis: Axis;
  readonly #calendar: Calendar;
  readonly #today: number;
  /** By the text of the schedule: many programs have the same. */
  readonly #known = new Map<string, ScheduleYear>();

  constructor(calendar: Calendar, nowMs: number) {
    const domain = [seconds(nowMs), seconds(nowMs + YEAR_DAYS * DAY_MS)];
    this.axis = { key: "time", name: "the time", domain, uom: null, prec: 0, step: 1, property: null, order: null };
    this.#calendar = calendar;
    this.#today = calendar.dayOf(nowMs);
  }

  /** Computes the sun of a year in slices; `of` then finds it in the calendar. */
  *prepare({ when }: ScheduleCondition): Slices<void> {
    const start = when.kind === "at" ? when.at : when.from;
    for (const time of timesOf(when).filter(({ kind }) => kind === "sunrise" || kind === "sunset")) {
      for (const [at, day] of this.#startDays(when, start).entries()) {
        this.#instantOf(time, day);
        if (at % SUNS_AT_ONCE === 0) yield;
      }
    }
  }

  of(condition: ScheduleCondition): ScheduleYear {
    const key = JSON.stringify([condition.days, condition.when]);
    const known = this.#known.get(key);
    if (known) return known;
    const made = this.#make(condition);
    this.#known.set(key, made);
    return made;
  }

  #make(condition: ScheduleCondition): ScheduleYear {
    const times = timesOf(condition.when);
    if (programsOfSchedule(condition.when).length > 0) return UNKNOWN;
    const dates = times.flatMap(({ date }) => date ?? []);
    const windows = this.#windows(condition);
    const [now = 0, last = 0] = this.axis.domain;
    const inYear = (set: NumberSet) => intersect(set, this.axis.domain);
    const ofYear = windows.filter(({ day }) => day >= this.#today && day < this.#today + YEAR_DAYS);
    const nextDayCloses = ofYear.filter(({ isNextDay }) => isNextDay).length;
    const lastsOf = ({ startMs, endMs }: Window) => [seconds(startMs), Math.max(seconds(startMs), seconds(endMs) - 1)];
    return {
      holds: inYear(unionOf(windows.map((window) => lastsOf(window) as [number, number]))),
      opens: inYear(pointsOf(windows.map(({ startMs }) => seconds(startMs)))),
      closes: inYear(
        pointsOf(windows.filter(({ startMs, endMs }) => endMs > startMs).map(({ endMs }) => seconds(endMs))),
      ),
      noSuchDate: dates.find((date) => parseDay(date) === null) ?? null,
      isPast: windows.length > 0 && windows.every(({ endMs }) => seconds(endMs) < now),
      isFarAhead: dates.length > 0 && windows.some(({ endMs }) => seconds(endMs) > last),
      sunlessDays: times.some(({ kind, date }) => kind !== "time" && date === null) ? this.#sunlessDays() : 0,
      nextDayCloses,
      otherCloses: ofYear.length - nextDayCloses,
    };
  }

  #windows({ days, when }: ScheduleCondition): readonly Window[] {
    const start = when.kind === "at" ? when.at : when.from;
    return this.#startDays(when, start)
      .filter((day) => days === null || days.includes(weekdayOf(day)))
      .flatMap((day) => this.#windowOn(day, when, start) ?? []);
  }

  #startDays(when: Schedule, { date }: TimeOfDay): readonly number[] {
    if (date !== null) return [parseDay(date)].filter((day) => day !== null);
    const span = when.kind === "from-for" ? Math.ceil(spanMs(when.lasting) / DAY_MS) : 0;
    const back = BACK_DAYS + Math.min(YEAR_DAYS, span);
    return Array.from({ length: YEAR_DAYS + back + 1 }, (_, index) => this.#today + index - back);
  }

  /** null: it does not happen on that day. */
  #windowOn(day: number, when: Schedule, start: TimeOfDay): Window | null {
    const startMs = this.#instantOf(start, day);
    if (startMs === null) return null;
    if (when.kind === "at") return { day, startMs, endMs: startMs, isNextDay: false };
    const end =
      when.kind === "from-for"
        ? { endMs: startMs + spanMs(when.lasting), isNextDay: false }
        : this.#endOf(day, startMs, when.to);
    return end && end.endMs > startMs ? { day, startMs, ...end } : null;
  }

  #endOf(startDay: number, startMs: number, to: TimeOfDay): Pick<Window, "endMs" | "isNextDay"> | null {
    const day = to.date === null ? startDay + to.offsetDays : parseDay(to.date);
    const endMs = day === null ? null : this.#instantOf(to, day);
    const isNextDay = endMs !== null && endMs <= startMs && to.date === null && to.offsetDays === 0;
    const found = isNextDay && day !== null ? this.#instantOf(to, day + 1) : endMs;
    return found === null ? null : { endMs: found, isNextDay };
  }

  #instantOf(time: TimeOfDay, day: number): number | null {
    return time.kind === "last-run" ? null : this.#calendar.instantOf(time, day);
  }

  #sunlessDays(): number {
    const noon: CalendarTime = { kind: "sunset", offsetS: 0, date: null, offsetDays: 0 };
    const days = Array.from({ length: YEAR_DAYS }, (_, index) => this.#today + index);
    return days.filter((day) => this.#calendar.instantOf(noon, day) === null).length;
  }
}

/** A moment of a schedule: schedules whose moments have the same key come at the same instant, on the days that both have. */
export type ScheduleMoment = { readonly key: string; readonly which: "opens" | "closes" };

export function momentsOf({ when }: ScheduleCondition): readonly ScheduleMoment[] {
  if (when.kind === "at") return [{ key: momentKey(when.at), which: "opens" }];
  const from = { key: momentKey(when.from), which: "opens" } as const;
  const end = when.kind === "from-to" ? momentKey(when.to) : endKey(when.from, when.lasting);
  return [from, { key: end, which: "closes" }];
}

export function momentKey({ date, offsetDays, ...time }: TimeOfDay): string {
  if (time.kind === "last-run") return `last run of ${time.program} ${time.offsetS} ${time.isDaily}`;
  const at = time.kind === "time" ? `time ${time.secondOfDay}` : `${time.kind} ${time.offsetS}`;
  return date === null ? at : `${at} on ${date} ${offsetDays}`;
}

/** An hour after 22:00 is 23:00; an hour after sunset is a moment of its own. */
function endKey(from: TimeOfDay, lasting: Span): string {
  const lengthS = spanMs(lasting) / 1000;
  if (from.kind !== "time") return `${momentKey(from)} for ${lengthS}`;
  return momentKey({ ...from, secondOfDay: (from.secondOfDay + lengthS) % (DAY_MS / 1000) });
}

function seconds(atMs: number): number {
  return Math.floor(atMs / 1000);
}
