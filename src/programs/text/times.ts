/** Spans, times of the day and schedules: `1 hour 30 minutes`, `06:30:00`, `sunset + 15 minutes`, `From … to … (next day)`. */

import {
  SYNTAX_LIMITS as MAX,
  type Schedule,
  type Span,
  type TimeOfDay,
  WEEKDAYS,
  type Weekday,
} from "../../home/program-syntax.ts";
import { hexId } from "../../home/programs.ts";
import type { CalendarTime } from "../schedule/calendar.ts";
import type { Cursor } from "./cursor.ts";
import type { ProgramNames } from "./names.ts";
import { readProgram } from "./parse-operand.ts";
import { reference } from "./quoting.ts";

/** Every part as it is kept: 90 minutes do not become an hour and a half. */
export function printSpan({ hours, minutes, seconds }: Span): string {
  const parts = [count(hours, "hour"), count(minutes, "minute"), count(seconds, "second")].filter(
    (part) => part !== "",
  );
  return parts.length === 0 ? "0 seconds" : parts.join(" ");
}

/** @throws LineProblem when no time span follows. */
export function readSpan(cursor: Cursor): Span {
  const { at } = cursor;
  const span: Record<keyof Span, number | null> = { hours: null, minutes: null, seconds: null };
  for (;;) {
    const match = cursor.take(SPAN_PART);
    if (!match) break;
    const unit = partOf(match[2] ?? "");
    if (span[unit] !== null) throw cursor.problem(`There are two numbers of ${unit}.`, at);
    span[unit] = Number(match[1]);
  }
  const { hours, minutes, seconds } = span;
  const parts = [hours ?? 0, minutes ?? 0, seconds ?? 0];
  if (hours === null && minutes === null && seconds === null) {
    throw cursor.problem("Here a time span is expected, such as 1 hour 30 minutes.", at);
  }
  if (parts.some((part) => part > MAX.spanPart)) {
    throw cursor.problem(`Hours, minutes and seconds go up to ${MAX.spanPart}.`, at);
  }
  return { hours: hours ?? 0, minutes: minutes ?? 0, seconds: seconds ?? 0 };
}

/** `for 10 minutes` behind a status; null without it. @throws LineProblem for no time at all */
export function readLasting(cursor: Cursor): Span | null {
  const { at } = cursor;
  if (!cursor.words("for")) return null;
  const span = readSpan(cursor);
  if (span.hours + span.minutes + span.seconds > 0) return span;
  throw cursor.problem('Behind "for" a time of at least a second is expected.', at);
}

/** `On Mon, Tue ` in front of a schedule; nothing for every day. */
export function printDays(days: readonly Weekday[] | null): string {
  if (days === null) return "";
  return days.length === 0 ? "On no day " : `On ${days.map(dayName).join(", ")} `;
}

/** Parses what follows `On`. @throws LineProblem when it is not a day. */
export function readDays(cursor: Cursor): readonly Weekday[] {
  if (cursor.words("no day")) return [];
  const days: Weekday[] = [];
  do {
    const { at } = cursor;
    const word = cursor.take(/[a-z]+/iy)?.[0].toLowerCase() ?? "";
    const index = LONG_DAYS.findIndex((name) => word.length >= DAY_LETTERS_MIN && name.startsWith(word));
    const day = WEEKDAYS[index];
    if (!day) throw cursor.problem("Here a day is expected: Mon, Tue, Wed, Thu, Fri, Sat, Sun.", at);
    if (days.includes(day)) throw cursor.problem(`${dayName(day)} is repeated.`, at);
    days.push(day);
  } while (cursor.words(","));
  return days;
}

export function printSchedule(schedule: Schedule, names: ProgramNames): string {
  switch (schedule.kind) {
    case "at":
      return `Time is ${printTime(schedule.at, names)}`;
    case "from-to":
      return `From ${printTime(schedule.from, names)} to ${printTime(schedule.to, names)}`;
    case "from-for":
      return `From ${printTime(schedule.from, names)} for ${printSpan(schedule.lasting)}`;
  }
}

type ReadSchedule = (cursor: Cursor, names: ProgramNames) => Schedule;

/** How a schedule begins, and what reads the rest of it. @throws LineProblem */
export const SCHEDULES: readonly (readonly [phrase: string, read: ReadSchedule])[] = [
  ["Time is", (cursor, names) => ({ kind: "at", at: readTime(cursor, names) })],
  ["From", readWindow],
];

const SPAN_PART = /(\d{1,9})\s*(h|hours?|m|min|minutes?|s|sec|seconds?)(?!\w)/iy;
const LONG_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
const DAY_LETTERS_MIN = 3;
const MINUTE_S = 60;
const HOUR_S = 3600;

function readWindow(cursor: Cursor, names: ProgramNames): Schedule {
  const from = readTime(cursor, names);
  const isFor = cursor.oneOf("the end of the window", [
    ["to", false],
    ["for", true],
  ]);
  return isFor
    ? { kind: "from-for", from, lasting: readSpan(cursor) }
    : { kind: "from-to", from, to: readTime(cursor, names) };
}

function dayName(day: Weekday): string {
  return day.charAt(0).toUpperCase() + day.slice(1);
}

function count(number: number, unit: string): string {
  if (number === 0) return "";
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}

function partOf(unit: string): keyof Span {
  const letter = unit.charAt(0).toLowerCase();
  if (letter === "h") return "hours";
  return letter === "m" ? "minutes" : "seconds";
}

function printTime(time: TimeOfDay, { programs }: ProgramNames): string {
  if (time.kind === "last-run") {
    const id = hexId(time.program);
    const daily = time.isDaily ? " daily" : "";
    return `last run of ${reference(programs.nameOf(id), id)}${printOffset(time.offsetS)}${daily}${printOffsetDays(time.offsetDays)}`;
  }
  const date = time.date === null ? "" : ` on ${time.date}`;
  return clockOrSun(time) + date + printOffsetDays(time.offsetDays);
}

function clockOrSun(time: CalendarTime): string {
  if (time.kind === "time") {
    const { secondOfDay } = time;
    const parts = [secondOfDay / HOUR_S, (secondOfDay % HOUR_S) / MINUTE_S, secondOfDay % MINUTE_S];
    return parts.map((part) => String(Math.floor(part)).padStart(2, "0")).join(":");
  }
  return time.kind + printOffset(time.offsetS);
}

function printOffset(offsetS: number): string {
  if (offsetS === 0) return "";
  const size = Math.abs(offsetS);
  const span = {
    hours: Math.floor(size / HOUR_S),
    minutes: Math.floor((size % HOUR_S) / MINUTE_S),
    seconds: size % 60,
  };
  return ` ${offsetS < 0 ? "-" : "+"} ${printSpan(span)}`;
}

function printOffsetDays(days: number): string {
  if (days === 0) return "";
  return days === 1 ? " (next day)" : ` (+${days} days)`;
}

function readTime(cursor: Cursor, names: ProgramNames): TimeOfDay {
  if (cursor.words("last run of")) return readLastRun(cursor, names);
  if (cursor.sees(/(?:after|before)\b/iy)) {
    throw cursor.problem(
      "A time is an instant. For a span of time write From … to …: From sunset to sunrise (next day).",
    );
  }
  const given = readClock(cursor) ?? readSun(cursor);
  if (!given) throw cursor.problem("Here a time is expected: 06:30, 06:30:15, sunrise or sunset.");
  const date = cursor.words("on") ? readDate(cursor) : null;
  return { ...given, date, offsetDays: readOffsetDays(cursor) };
}

function readLastRun(cursor: Cursor, names: ProgramNames): TimeOfDay {
  const program = readProgram(cursor, names);
  const offsetS = readOffset(cursor, MAX.lastRunOffsetS, "At most 366 days before or after the last run.");
  const isDaily = cursor.words("daily");
  return { kind: "last-run", program, offsetS, isDaily, date: null, offsetDays: readOffsetDays(cursor) };
}

function readClock(cursor: Cursor) {
  const { at } = cursor;
  const match = cursor.take(/(\d{1,2}):(\d{2})(?::(\d{2}))?(?![\w:])/y);
  if (!match) return null;
  const [hour, minute, second] = [match[1], match[2], match[3]].map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
  ];
  if (hour > 23 || minute > 59 || second > 59) throw cursor.problem("A time lies between 00:00:00 and 23:59:59.", at);
  return { kind: "time" as const, secondOfDay: hour * HOUR_S + minute * MINUTE_S + second };
}

function readSun(cursor: Cursor) {
  const kind = cursor.words("sunrise") ? "sunrise" : cursor.words("sunset") ? "sunset" : null;
  return kind === null
    ? null
    : ({ kind, offsetS: readOffset(cursor, MAX.offsetS, "At most 24 hours before or after the sun.") } as const);
}

function readOffset(cursor: Cursor, maxS: number, tooMuch: string): number {
  const { at } = cursor;
  const sign = cursor.take(/[+-]/y)?.[0];
  if (sign === undefined) return 0;
  const { hours, minutes, seconds } = readSpan(cursor);
  const sizeS = hours * HOUR_S + minutes * MINUTE_S + seconds;
  if (sizeS > maxS) throw cursor.problem(tooMuch, at);
  return sign === "-" && sizeS !== 0 ? -sizeS : sizeS;
}

function readDate(cursor: Cursor): string {
  const date = cursor.take(/\d{4}\/(?:0[1-9]|1[0-2])\/(?:0[1-9]|[12]\d|3[01])(?!\w)/y)?.[0];
  if (date === undefined) throw cursor.problem("Here a day is expected: YYYY/MM/DD.");
  return date;
}

function readOffsetDays(cursor: Cursor): number {
  if (cursor.words("(same day)")) return 0;
  if (cursor.words("(next day)")) return 1;
  if (!cursor.words("(+")) return 0;
  const days = cursor.integer("a number of days", 0, MAX.offsetDays);
  cursor.expect("days)");
  return days;
}
