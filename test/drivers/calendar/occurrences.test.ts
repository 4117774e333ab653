/** What a calendar says: zones, both changes of the clock, repeats and exceptions, days, words, and what is no calendar. */

import { describe, expect, test } from "vitest";
import { type CalendarTask, readOccurrences } from "../../../src/drivers/calendar/occurrences.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const ZONE = "Europe/Berlin";

function calendar(...events: readonly string[]): string {
  const body = events.map((event) => `BEGIN:VEVENT\n${event.trim()}\nEND:VEVENT`);
  return ["BEGIN:VCALENDAR", "VERSION:2.0", ...body, "END:VCALENDAR", ""].join("\n").replaceAll("\n", "\r\n");
}

function read(text: string, given: Partial<CalendarTask> = {}) {
  return readOccurrences({ text, nowMs: NOW, zone: ZONE, words: [], ...given });
}

const shown = (text: string, given: Partial<CalendarTask> = {}) =>
  read(text, given).occurrences.map(
    ({ startMs, endMs, title }) => `${iso(startMs)} ${(endMs - startMs) / 3_600_000} h ${title}`,
  );
const iso = (atMs: number) => new Date(atMs).toISOString().slice(0, 16);

const WASTE =
  "UID:w\nSUMMARY:Waste\\, paper\nDTSTART;TZID=Europe/Berlin:20260105T080000\nDTEND;TZID=Europe/Berlin:20260105T090000";

describe("a year", () => {
  const year = read(calendar(`${WASTE}\nRRULE:FREQ=WEEKLY`)).occurrences;

  test("has the same hour of the home before and after both changes of the clock", () => {
    const hours = new Intl.DateTimeFormat("en-GB", { timeZone: ZONE, hour: "2-digit", minute: "2-digit" });
    expect(year).toHaveLength(57);
    expect(new Set(year.map(({ startMs }) => hours.format(startMs)))).toEqual(new Set(["08:00"]));
    expect(new Set(year.map(({ startMs }) => new Date(startMs).getUTCHours()))).toEqual(new Set([6, 7]));
  });

  test("has days that last 23, 24 and 25 hours", () => {
    const days = read(calendar("UID:d\nSUMMARY:Day\nDTSTART;VALUE=DATE:20260101\nRRULE:FREQ=MONTHLY;BYDAY=-1SU"));
    const last = days.occurrences.map(({ startMs, endMs }) => [iso(startMs), (endMs - startMs) / 3_600_000]);
    expect(last.filter(([, hours]) => hours !== 24)).toEqual([
      ["2026-03-28T23:00", 23],
      ["2026-10-24T22:00", 25],
    ]);
  });
});

test.each([
  [
    "an exception is not there, and a moved one is where it was moved to",
    calendar(
      `${WASTE}\nRRULE:FREQ=WEEKLY;COUNT=4\nEXDATE;TZID=Europe/Berlin:20260112T080000`,
      "UID:w\nSUMMARY:Waste\\, late\nRECURRENCE-ID;TZID=Europe/Berlin:20260119T080000\nDTSTART;TZID=Europe/Berlin:20260120T100000\nDTEND;TZID=Europe/Berlin:20260120T110000",
    ),
    ["2026-01-05T07:00 1 h Waste, paper", "2026-01-20T09:00 1 h Waste, late", "2026-01-26T07:00 1 h Waste, paper"],
  ],
  [
    "a canceled one is not there, alone or of many",
    calendar(
      "UID:c\nSUMMARY:No\nSTATUS:CANCELLED\nDTSTART:20260105T080000Z\nDTEND:20260105T090000Z",
      "UID:r\nSUMMARY:Yes\nDTSTART:20260105T080000Z\nDTEND:20260105T090000Z\nRRULE:FREQ=DAILY;COUNT=2",
      "UID:r\nSUMMARY:Yes\nSTATUS:CANCELLED\nRECURRENCE-ID:20260106T080000Z\nDTSTART:20260106T080000Z\nDTEND:20260106T090000Z",
    ),
    ["2026-01-05T08:00 1 h Yes"],
  ],
  [
    "days are those of the home",
    calendar("UID:d\nSUMMARY;LANGUAGE=de:Fest\nDTSTART;VALUE=DATE:20260704\nDTEND;VALUE=DATE:20260706"),
    ["2026-07-03T22:00 48 h Fest"],
  ],
  [
    "a time without a zone is one of the home",
    calendar("UID:f\nSUMMARY:Float\nDTSTART:20260704T100000\nDURATION:PT90M"),
    ["2026-07-04T08:00 1.5 h Float"],
  ],
  [
    "the names of zones of another maker are known",
    calendar("UID:z\nSUMMARY:Zone\nDTSTART;TZID=Pacific Standard Time:20260704T100000\nDURATION:PT1H"),
    ["2026-07-04T17:00 1 h Zone"],
  ],
  [
    "what lasts now is there, what is over is not",
    calendar(
      "UID:1\nSUMMARY:Lasts\nDTSTART:20251231T230000Z\nDTEND:20260101T010000Z",
      "UID:2\nSUMMARY:Over\nDTSTART:20251231T220000Z\nDTEND:20260101T000000Z",
      "UID:3\nSUMMARY:Point\nDTSTART:20260102T220000Z",
    ),
    ["2025-12-31T23:00 2 h Lasts"],
  ],
])("%s", (_name, text, expected) => expect(shown(text)).toEqual(expected));

test("the result does not depend on the zone of another home", () => {
  const day = calendar("UID:d\nSUMMARY:Day\nDTSTART;VALUE=DATE:20260704");
  expect(shown(day, { zone: "Pacific/Auckland" })).toEqual(["2026-07-03T12:00 24 h Day"]);
  expect(shown(day, { zone: "America/Los_Angeles" })).toEqual(["2026-07-04T07:00 24 h Day"]);
});

test("words choose events by their title, in any case", () => {
  const text = calendar(WASTE, "UID:o\nSUMMARY:Dentist\nDTSTART:20260106T080000Z\nDURATION:PT1H");
  expect(shown(text, { words: ["DENT", "glass"] })).toEqual(["2026-01-06T08:00 1 h Dentist"]);
});

test("the soonest 200 of 10,000 events are kept", () => {
  const events = Array.from({ length: 10_000 }, (_, at) => {
    const day = new Date(NOW + ((at * 7919) % 10_000) * 3_600_000).toISOString().replace(/[-:]|\.000/g, "");
    return `UID:${at}\nSUMMARY:Event ${at}\nDTSTART:${day}\nDURATION:PT30M`;
  });
  const { occurrences, events: count, leftOut } = read(calendar(...events));
  expect([count, leftOut, occurrences.length]).toEqual([10_000, 0, 200]);
  expect(occurrences.map(({ startMs }) => (startMs - NOW) / 3_600_000)).toEqual(
    Array.from({ length: 200 }, (_, at) => at),
  );
}, 60_000);

describe("hostile calendars", () => {
  test.each([["FREQ=SECONDLY"], ["FREQ=MINUTELY;INTERVAL=1"], ["FREQ=DAILY;BYHOUR=1,2;BYMINUTE=1,2,3;BYSECOND=1,2,3"]])(
    "an event with %s is left out, and the others count",
    (rule) => {
      const text = calendar(`UID:h\nSUMMARY:Bad\nDTSTART:20260101T000000Z\nDURATION:PT1S\nRRULE:${rule}`, WASTE);
      expect([shown(text), read(text).leftOut]).toEqual([["2026-01-05T07:00 1 h Waste, paper"], 1]);
    },
  );

  test.each([
    ["a page", "<!doctype html><html></html>"],
    ["nothing", ""],
    ["20,001 events", calendar(...Array.from({ length: 20_001 }, (_, at) => `UID:${at}\nDTSTART:20260101T000000Z`))],
  ])("%s is refused with a sentence", (_name, text) =>
    expect(() => read(text)).toThrow(
      /^The (answer is no calendar|calendar has 20001 events; at most 20000 are read)\.$/,
    ),
  );

  test("dates that are none, and a title of a megabyte, harm nobody else", () => {
    const text = calendar(
      "UID:1\nSUMMARY:Bad\nDTSTART:99999999T999999Z\nRRULE:FREQ=NEVER",
      `UID:2\nSUMMARY:${"long ".repeat(200_000)}\nDTSTART:20260102T000000Z\nDURATION:PT1H`,
      WASTE,
    );
    const titles = read(text).occurrences.map(({ title }) => title.length);
    expect(titles).toEqual([199, 12]);
  });
});
