/**
 * Reads a calendar in iCalendar form: what lasts now and what comes, in order. It runs in a thread (calendar-worker.ts), because a
 * hostile calendar can take any time. The library wraps every rule of RFC 5545; this file knows its oddities.
 *
 * The library takes times without a zone, and days, in the zone of the process: days are turned into those of the home here, and times
 * without a zone get the home's before it reads them.
 */

import { type CalendarComponent, type EventInstance, expandRecurringEvent, sync, type VEvent } from "node-ical";
import { Temporal } from "temporal-polyfill";
import { ControllerError } from "../../errors.ts";

export type CalendarTask = {
  readonly text: string;
  readonly nowMs: number;
  /** IANA zone of the home. */
  readonly zone: string;
  /** Events with one of these in their title; none: all. */
  readonly words: readonly string[];
};

export type Occurrence = { readonly startMs: number; readonly endMs: number; readonly title: string };

export type CalendarRead = {
  /** Soonest first. */
  readonly occurrences: readonly Occurrence[];
  readonly events: number;
  /** Events that repeat more often than every hour, and those that the library cannot read. */
  readonly leftOut: number;
};

/** How far ahead occurrences are looked for, and how many are kept. */
const AHEAD_MS = 400 * 86_400_000;
const OCCURRENCES_MAX = 200;
const END = "END:VCALENDAR";
const EVENTS_MAX = 20_000;
const TITLE_CHARS_MAX = 200;
/** Of a line's beginning: names and parameters come before it. */
const HEAD_CHARS_MAX = 200;
const ZONELESS = /^(DTSTART|DTEND|EXDATE|RECURRENCE-ID)(;VALUE=DATE-TIME)?:(?=\d{8}T\d{6}(?:,|\r|$))/;
const TOO_OFTEN = /FREQ=(?:SECONDLY|MINUTELY)|BYSECOND=\d+,|BYMINUTE=\d+,/;

/** @throws ControllerError SETTINGS_REFUSED for what is no calendar, or has too many events */
export function readOccurrences({ text, nowMs, zone, words }: CalendarTask): CalendarRead {
  const lines = text.split("\n");
  if (!lines[0]?.replace("\uFEFF", "").startsWith("BEGIN:VCALENDAR")) throw refused("The answer is no calendar.");
  const events = lines.filter((line) => line.startsWith("BEGIN:VEVENT")).length;
  if (events > EVENTS_MAX) throw refused(`The calendar has ${events} events; at most ${EVENTS_MAX} are read.`);
  const found: Occurrence[] = [];
  let leftOut = 0;
  for (const event of eventsIn(lines.map((line) => withZone(line, zone)))) {
    const made = event && occurrencesOf(event, nowMs, zone);
    if (made === null) leftOut += 1;
    else found.push(...made.filter(({ title }) => isWanted(title, words)));
    if (found.length > 2 * EVENTS_MAX) trim(found);
  }
  trim(found);
  return { occurrences: found, events, leftOut };
}

function refused(sentence: string): ControllerError {
  return new ControllerError("SETTINGS_REFUSED", sentence);
}

function trim(found: Occurrence[]): void {
  found.sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs);
  found.length = Math.min(found.length, OCCURRENCES_MAX);
}

function withZone(line: string, zone: string): string {
  const match = ZONELESS.exec(line.slice(0, HEAD_CHARS_MAX));
  return match ? `${match[1]};TZID=${zone}:${line.slice(match[0].length)}` : line;
}

/** null: events of one identity that the library cannot read. One of them would otherwise take all others with it. */
function eventsIn(lines: readonly string[]): readonly (VEvent | null)[] {
  const whole = parsed(lines);
  if (whole) return whole;
  const { others, byIdentity } = split(lines);
  return [...byIdentity.values()].flatMap<VEvent | null>((event) => parsed([...others, ...event, END]) ?? [null]);
}

function parsed(lines: readonly string[]): readonly VEvent[] | null {
  try {
    const all: readonly (CalendarComponent | undefined)[] = Object.values(sync.parseICS(lines.join("\n")));
    return all.filter((each): each is VEvent => each?.type === "VEVENT");
  } catch {
    return null;
  }
}

/** An event and its exceptions have one identity. */
function split(lines: readonly string[]): { readonly others: string[]; readonly byIdentity: Map<string, string[]> } {
  const others: string[] = [];
  const byIdentity = new Map<string, string[]>();
  let event: string[] | null = null;
  for (const line of lines) {
    if (line.startsWith("BEGIN:VEVENT")) event = [];
    if (!event) {
      if (!line.startsWith(END)) others.push(line);
      continue;
    }
    event.push(line);
    if (!line.startsWith("END:VEVENT")) continue;
    const identity = event.find((each) => each.startsWith("UID")) ?? `${byIdentity.size}`;
    byIdentity.set(identity, [...(byIdentity.get(identity) ?? []), ...event]);
    event = null;
  }
  return { others, byIdentity };
}

/** null: it is left out. */
function occurrencesOf(event: VEvent, nowMs: number, zone: string): readonly Occurrence[] | null {
  if (TOO_OFTEN.test(String(event.rrule ?? ""))) return null;
  try {
    // A day of the home may begin half a day before or after that of the process.
    const from = new Date(nowMs - 86_400_000);
    const all = expandRecurringEvent(event, { from, to: new Date(nowMs + AHEAD_MS), expandOngoing: true });
    return all
      .filter(({ event: its }) => its.status !== "CANCELLED")
      .map((instance) => occurrenceOf(instance, zone))
      .filter(({ startMs, endMs }) => endMs > nowMs && endMs > startMs);
  } catch {
    return null;
  }
}

function occurrenceOf({ start, end, summary, isFullDay }: EventInstance, zone: string): Occurrence {
  const atMs = (date: Date) => (isFullDay ? dayBegins(date, zone) : date.getTime());
  const title = typeof summary === "string" ? summary : String(summary?.val ?? "");
  return { startMs: atMs(start), endMs: atMs(end), title: title.slice(0, TITLE_CHARS_MAX).trim() };
}

/** @param date whose day in the zone of the process is meant */
function dayBegins(date: Date, zone: string): number {
  const day = new Temporal.PlainDate(date.getFullYear(), date.getMonth() + 1, date.getDate());
  return day.toZonedDateTime(zone).epochMilliseconds;
}

function isWanted(title: string, words: readonly string[]): boolean {
  const lower = title.toLowerCase();
  return words.length === 0 || words.some((word) => lower.includes(word.toLowerCase()));
}
