/** Windows and moments of schedules, over clock changes, polar days and every zone there is. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Schedule, TimeOfDay, Weekday } from "../../src/home/program-syntax.ts";
import { Calendar, parseDay } from "../../src/programs/schedule/calendar.ts";
import { comesAt, isInWindow, nextMoment, type ScheduleCondition } from "../../src/programs/schedule/moments.ts";
import { DAY_MS } from "../../src/util/clock.ts";
import { createZone } from "../../src/util/zone.ts";
import { DAY, HOUR, MINUTE, type Stage, stage } from "./stage.ts";
import { count } from "./words.ts";

describe("windows of schedules", () => {
  const hour = 3600;
  const clock = (secondOfDay: number, patch = {}): TimeOfDay => ({
    kind: "time",
    secondOfDay,
    date: null,
    offsetDays: 0,
    ...patch,
  });
  const sun = (kind: "sunrise" | "sunset", offsetS = 0): TimeOfDay => ({ kind, offsetS, date: null, offsetDays: 0 });
  const fromTo = (from: TimeOfDay, to: TimeOfDay): Schedule => ({ kind: "from-to", from, to });
  const lasting = (from: TimeOfDay, hours: number, minutes = 0): Schedule => ({
    kind: "from-for",
    from,
    lasting: { hours, minutes, seconds: 0 },
  });
  const night = fromTo(clock(22 * hour), clock(6 * hour));

  const berlin = new Calendar(createZone("Europe/Berlin"), 52.52, 13.405);
  const isOpen = (when: Schedule, now: string, days: readonly Weekday[] | null = null, calendar = berlin) =>
    isInWindow({ andOr: "and", kind: "schedule", days, when }, Date.parse(now), calendar);

  test.each<[string, Schedule, string, boolean]>([
    ["at has no window", { kind: "at", at: clock(12 * hour) }, "2026-06-10T12:00:00+02:00", false],
    ["the start is inside", night, "2026-06-10T22:00:00+02:00", true],
    ["past midnight is inside", night, "2026-06-11T05:59:59+02:00", true],
    ["the end is not", night, "2026-06-11T06:00:00+02:00", false],
    ["noon is not", night, "2026-06-10T12:00:00+02:00", false],
    ["two days of offset", fromTo(clock(hour), clock(hour, { offsetDays: 2 })), "2026-06-12T00:59:00+02:00", true],
    ["a span of hours", lasting(clock(23 * hour), 2, 30), "2026-06-11T01:29:59+02:00", true],
    ["and its end", lasting(clock(23 * hour), 2, 30), "2026-06-11T01:30:00+02:00", false],
    ["a span of days", lasting(clock(hour), 100), "2026-06-12T00:30:00+02:00", true],
    ["a span of real hours over the clock change", lasting(clock(hour), 2), "2026-03-29T03:59:59+02:00", true],
    ["which ends on time", lasting(clock(hour), 2), "2026-03-29T04:00:00+02:00", false],
    [
      "a skipped time is the end of the gap",
      fromTo(clock(2.5 * hour), clock(4 * hour)),
      "2026-03-29T03:00:00+02:00",
      true,
    ],
    ["and nothing before", fromTo(clock(2.5 * hour), clock(4 * hour)), "2026-03-29T01:59:59+01:00", false],
    ["a doubled time is the first one", fromTo(clock(2.5 * hour), clock(4 * hour)), "2026-10-25T02:30:00+02:00", true],
    ["06:00 to 06:00 begins at 06:00", fromTo(clock(6 * hour), clock(6 * hour)), "2026-06-10T06:00:00+02:00", true],
    ["and lasts until the next", fromTo(clock(6 * hour), clock(6 * hour)), "2026-06-11T05:59:59+02:00", true],
    [
      "on the days that it starts only",
      fromTo(clock(6 * hour, { date: "2026/06/10" }), clock(6 * hour)),
      "2026-06-11T06:00:00+02:00",
      false,
    ],
    ["a span of no time is no window", lasting(clock(6 * hour), 0), "2026-06-10T06:00:00+02:00", false],
    ["by day is light", fromTo(sun("sunrise"), sun("sunset")), "2026-06-10T12:00:00+02:00", true],
    ["by night is not", fromTo(sun("sunrise"), sun("sunset")), "2026-06-10T23:30:00+02:00", false],
    ["dusk until after midnight", fromTo(sun("sunset", -1800), clock(hour / 2)), "2026-06-11T00:15:00+02:00", true],
    ["a date comes once", lasting(clock(8 * hour, { date: "2026/06/10" }), 1), "2026-06-10T08:30:00+02:00", true],
    ["and not the day after", lasting(clock(8 * hour, { date: "2026/06/10" }), 1), "2026-06-11T08:30:00+02:00", false],
    [
      "from date to date",
      fromTo(clock(0, { date: "2026/06/01" }), clock(0, { date: "2026/07/01" })),
      "2026-06-20T00:00:00+02:00",
      true,
    ],
    ["no such date never comes", lasting(clock(0, { date: "2026/02/31" }), 24), "2026-03-03T12:00:00+01:00", false],
    ["nor ends", fromTo(clock(0), clock(0, { date: "tomorrow" })), "2026-03-03T12:00:00+01:00", false],
  ])("%s", (_claim, when, now, expected) => {
    expect(isOpen(when, now)).toBe(expected);
  });

  test.each([
    ["2026-06-13T05:00:00+02:00", true],
    ["2026-06-13T23:00:00+02:00", false],
  ])("days belong to the start of a window: %s is %s on Fridays", (now, expected) => {
    expect(isOpen(night, now, ["fri"])).toBe(expected);
  });

  test.each([
    ["2026-06-20T21:00:00Z", "polar day"],
    ["2026-12-20T12:00:00Z", "polar night"],
  ])("where the sun neither rises nor sets there is no window (%s, %s)", (now) => {
    const longyearbyen = new Calendar(createZone("Arctic/Longyearbyen"), 78.2, 15.6);
    expect(isOpen(fromTo(sun("sunrise"), sun("sunset")), now, null, longyearbyen)).toBe(false);
  });
});

const AT = (secondOfDay: number, patch: Partial<TimeOfDay> = {}): ScheduleCondition => ({
  andOr: "and",
  kind: "schedule",
  days: null,
  when: { kind: "at", at: { kind: "time", secondOfDay, date: null, offsetDays: 0, ...patch } as TimeOfDay },
});
const SUN = (kind: "sunrise" | "sunset", offsetS = 0): ScheduleCondition => ({
  andOr: "and",
  kind: "schedule",
  days: null,
  when: { kind: "at", at: { kind, offsetS, date: null, offsetDays: 0 } },
});
const FOR_NO_TIME: ScheduleCondition = {
  andOr: "and",
  kind: "schedule",
  days: null,
  when: {
    kind: "from-for",
    from: { kind: "time", secondOfDay: 8 * 3600, date: null, offsetDays: 0 },
    lasting: { hours: 0, minutes: 0, seconds: 0 },
  },
};
const berlin = new Calendar(createZone("Europe/Berlin"), 52.52, 13.405);
const next = (condition: ScheduleCondition, after: string, calendar = berlin) => {
  const atMs = nextMoment([condition], Date.parse(after), calendar);
  return atMs === null ? null : new Date(atMs).toISOString();
};

describe("the next moment", () => {
  test.each<[string, ScheduleCondition, string, string | null]>([
    ["today", AT(8 * 3600), "2026-06-10T00:00:00+02:00", "2026-06-10T06:00:00.000Z"],
    ["tomorrow when it has just been", AT(8 * 3600), "2026-06-10T08:00:00+02:00", "2026-06-11T06:00:00.000Z"],
    ["of a skipped time is the end of the gap", AT(2.5 * 3600), "2026-03-28T12:00:00Z", "2026-03-29T01:00:00.000Z"],
    ["the day after a skipped time", AT(2.5 * 3600), "2026-03-29T01:00:00Z", "2026-03-30T00:30:00.000Z"],
    ["of a doubled time is the first of the two", AT(2.5 * 3600), "2026-10-24T12:00:00Z", "2026-10-25T00:30:00.000Z"],
    ["and the second is none", AT(2.5 * 3600), "2026-10-25T00:30:00Z", "2026-10-26T01:30:00.000Z"],
    ["on a leap day", AT(0, { date: "2028/02/29" }), "2026-01-01T00:00:00Z", "2028-02-28T23:00:00.000Z"],
    ["of a date that has been never comes", AT(0, { date: "2024/02/29" }), "2026-01-01T00:00:00Z", null],
    ["a window of no time has none", FOR_NO_TIME, "2026-06-10T00:00:00+02:00", null],
    ["of a date that is none never comes", AT(0, { date: "2026/02/29" }), "2026-01-01T00:00:00Z", null],
    [
      "of the sun with an offset into the day before",
      SUN("sunrise", -6 * 3600),
      "2026-06-10T12:00:00Z",
      "2026-06-10T20:44:00.000Z",
    ],
    [
      "of the sun with an offset into the day after",
      SUN("sunset", 4 * 3600),
      "2026-06-10T12:00:00Z",
      "2026-06-10T23:28:00.000Z",
    ],
  ])("%s", (_claim, condition, after, expected) => {
    expect(next(condition, after)).toBe(expected);
  });

  test("of the sun that stays up for months is its next setting", () => {
    const longyearbyen = new Calendar(createZone("Arctic/Longyearbyen"), 78.2, 15.6);
    const found = next(SUN("sunset"), "2026-05-01T00:00:00Z", longyearbyen);
    expect(found?.slice(0, 7)).toBe("2026-08");
  });

  test("a day that a zone left out: its times happen at the first instant after it", () => {
    const samoa = new Calendar(createZone("Pacific/Apia"), -13.8, -171.7);
    const skipped = { ...AT(8 * 3600, { date: "2011/12/30" }) };
    expect(next(skipped, "2011-12-29T00:00:00Z", samoa)).toBe("2011-12-30T10:00:00.000Z");
  });

  test("a sun that sets after midnight belongs to the evening before", () => {
    const reykjavik = new Calendar(createZone("Atlantic/Reykjavik"), 64.1466, -21.9426);
    const friday = { ...SUN("sunset"), days: ["fri"] as const };
    expect(next(friday, "2024-06-20T12:00:00Z", reykjavik)).toBe("2024-06-22T00:04:00.000Z");
  });

  test("is a moment of the condition, and nothing lies between", () => {
    const day = fc.integer({ min: 0, max: 730 });
    const second = fc.integer({ min: 0, max: 86_399 });
    fc.assert(
      fc.property(day, second, second, (days, now, at) => {
        const fromMs = Date.UTC(2026, 0, 1) + days * DAY_MS + now * 1000;
        const found = nextMoment([AT(at)], fromMs, berlin) ?? 0;
        expect(comesAt(AT(at), found, berlin)).toBe(true);
        expect(found - fromMs).toBeGreaterThan(0);
        expect(found - fromMs).toBeLessThanOrEqual(DAY_MS + HOUR);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a year of days", () => {
  const zones = [...Intl.supportedValuesOf("timeZone"), "UTC"];

  test(`every local time comes once a day in each of the ${zones.length} zones`, () => {
    const failures = zones.filter((zone) => {
      const calendar = new Calendar(createZone(zone), 0, 0);
      const condition = AT(2.5 * 3600);
      let atMs = Date.UTC(2026, 0, 1);
      const last = Date.UTC(2027, 0, 1);
      let times = 0;
      for (;;) {
        const following = nextMoment([condition], atMs, calendar);
        if (following === null || following >= last) break;
        atMs = following;
        times += 1;
      }
      return times !== 365;
    });
    expect(failures).toEqual([]);
  }, 60_000);

  test("the fast way to an instant and the zone's own rules agree on every hour around every change", () => {
    for (const zone of ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "Africa/Casablanca"]) {
      const own = createZone(zone);
      const calendar = new Calendar(own, 0, 0);
      for (let day = Date.UTC(2026, 0, 1) / DAY_MS; day < Date.UTC(2027, 0, 1) / DAY_MS; day += 1) {
        const atMs = calendar.localInstant(day, 12 * 3600);
        expect([own.parts(atMs).hour, calendar.dayOf(atMs)]).toEqual([12, day]);
      }
    }
  });

  test("dates are days of the calendar or nothing", () => {
    expect(parseDay("1970/01/02")).toBe(1);
    expect(["2026/13/01", "2026/00/10", "2026/04/31", "tomorrow", ""].map(parseDay)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
  });
});

describe("a clock that is set", () => {
  const daily = { 5: { if: [AT(12 * 3600 + 300)], then: [count(1)] } };

  test("back by an hour, no moment is acted on twice", () => {
    const home = stage(daily);
    home.advance(10 * MINUTE);
    home.setClock(home.nowMs - HOUR);
    home.advance(2 * HOUR);
    expect(home.variable(1, 1)).toBe(1);
    home.advance(DAY);
    expect(home.variable(1, 1)).toBe(2);
  });

  describe.each<[string, (home: Stage, backMs: number) => void]>([
    ["while the controller runs", (home, backMs) => home.setClock(home.nowMs - backMs)],
    ["while the controller is down", (home, backMs) => home.crash({ downMs: -backMs })],
  ])("%s", (_how, setBack) => {
    test.each([
      ["exactly two hours does not repeat the schedule", 2 * HOUR, 1],
      ["a millisecond more repeats it", 2 * HOUR + 1, 2],
      ["ten hours repeats it", 10 * HOUR, 2],
    ])("set back by %s", (_claim, backMs, runs) => {
      const home = stage(daily);
      home.advance(5 * MINUTE);
      expect(home.variable(1, 1)).toBe(1);
      setBack(home, backMs);
      home.advance(backMs);
      expect(home.variable(1, 1)).toBe(runs);
    });
  });

  test("forward over a moment, it runs when that is not too long ago", () => {
    const home = stage(daily);
    home.setClock(home.nowMs + 10 * MINUTE);
    expect(home.variable(1, 1)).toBe(1);
  });

  test.each([
    ["exactly the grace period, it runs", false, 900_000, 1],
    ["a millisecond more, it is missed", false, 900_001, 0],
    ["a millisecond more with catch-up, it runs", true, 900_001, 1],
  ])("forward over a moment by %s", (_claim, scheduleCatchUp, lateMs, runs) => {
    const home = stage(daily, { limits: { scheduleCatchUp } });
    home.setClock(home.nowMs + 5 * MINUTE + lateMs);
    expect(home.variable(1, 1)).toBe(runs);
    expect(home.traced("not-run")).toHaveLength(1 - runs);
  });

  test("forward by an hour, what is older than the grace period is missed, and that is traced", () => {
    const home = stage(daily);
    home.setClock(home.nowMs + HOUR);
    home.advance(DAY);
    expect(home.variable(1, 1)).toBe(1);
    expect(home.traced("not-run")).toMatchObject([{ reason: "missed" }]);
  });

  test("forward and back, every moment is acted on once", () => {
    const home = stage(daily);
    for (let hours = 0; hours < 40; hours += 1) {
      home.advance(HOUR / 2);
      home.setClock(home.nowMs + (hours % 2 === 0 ? 5 : -5) * MINUTE);
    }
    expect(home.variable(1, 1)).toBe(1);
    home.advance(DAY);
    expect(home.variable(1, 1)).toBe(2);
  });

  test("from 1970 to the right time runs nothing of the time between", () => {
    const home = stage(daily);
    home.advance(6 * MINUTE);
    const rightMs = home.nowMs + MINUTE;
    home.crash({ downMs: -home.nowMs + 1000, isCold: true });
    home.setClock(rightMs);
    expect(home.variable(1, 1)).toBe(1);
    home.advance(DAY);
    expect(home.variable(1, 1)).toBe(2);
  });

  test("from decades ahead to the right time continues with today", () => {
    const home = stage(daily);
    const rightMs = home.nowMs;
    home.setClock(Date.UTC(2050, 0, 1));
    home.advance(DAY);
    const before = home.variable(1, 1);
    home.setClock(rightMs);
    home.advance(2 * DAY);
    expect(home.variable(1, 1) - before).toBe(2);
  });

  test.each([
    ["forward", "2026-03-28T12:00:00Z"],
    ["back", "2026-10-24T12:00:00Z"],
  ])("over the night in which the zone goes %s, each quarter of an hour has its one moment", (_claim, from) => {
    const quarters = Array.from({ length: 96 }, (_, quarter) => quarter * 900);
    const programs = Object.fromEntries(quarters.map((at, index) => [index + 5, { if: [AT(at)], then: [count(1)] }]));
    const home = stage(programs, { nowMs: Date.parse(from) });
    home.advance(DAY - (from.includes("-03-") ? HOUR : -HOUR));
    expect(home.variable(1, 1)).toBe(96);
  });
});
