/**
 * The rules of docs/how-programs-run.md, one by one: time that does not go on evenly. Clock changes of every zone, leap days,
 * a clock that is set while programs wait, a machine that begins in 1970.
 */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { at, between, clockTime } from "../../src/demo/program-words.ts";
import type { Action, Condition } from "../../src/home/program-syntax.ts";
import { Calendar } from "../../src/programs/schedule/calendar.ts";
import { nextMoment, type ScheduleCondition } from "../../src/programs/schedule/moments.ts";
import { DAY_MS } from "../../src/util/clock.ts";
import { createZone } from "../../src/util/zone.ts";
import { DAY, HOUR, MINUTE, SECOND, type Stage, stage } from "./stage.ts";
import { count, every, minutes, OFF, ON, seconds, wait } from "./words.ts";

const QUARTER_MS = 900_000;
const [FROM, TO] = [Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1)];

type Local = { readonly day: number; readonly secondOfDay: number };

/** The wall clock, by the platform's own formatter. */
function wallClock(zone: string): (atMs: number) => Local {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    calendar: "gregory",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  return (atMs) => {
    const [day = 0, month = 0, year = 0, hour = 0, minute = 0] = (format.format(atMs).match(/\d+/g) ?? []).map(Number);
    return { day: Date.UTC(year, month - 1, day) / DAY_MS, secondOfDay: hour * 3600 + minute * 60 };
  };
}

type ClockChange = { readonly atMs: number; readonly zone: string; readonly before: number; readonly after: number };

const WEEK_MS = 7 * DAY_MS;

/** When the zone's clock goes forward or back; changes of the same zone lie weeks apart. */
function changesOf(zone: string): readonly ClockChange[] {
  const { offsetMinutes } = createZone(zone);
  const weeks = Array.from({ length: Math.ceil((TO - FROM) / WEEK_MS) }, (_, week) => FROM + week * WEEK_MS);
  return weeks.flatMap((fromMs) => {
    const [before, after] = [offsetMinutes(fromMs), offsetMinutes(fromMs + WEEK_MS)];
    if (before === after) return [];
    let [earlier, later] = [fromMs / QUARTER_MS, (fromMs + WEEK_MS) / QUARTER_MS];
    while (later - earlier > 1) {
      const middle = Math.floor((earlier + later) / 2);
      if (offsetMinutes(middle * QUARTER_MS) === before) earlier = middle;
      else later = middle;
    }
    return [{ atMs: later * QUARTER_MS, zone, before, after }];
  });
}

const daily = (secondOfDay: number): ScheduleCondition => ({
  andOr: "and",
  kind: "schedule",
  days: null,
  when: { kind: "at", at: { kind: "time", secondOfDay, date: null, offsetDays: 0 } },
});

/** The first instant of each quarter of an hour of a day: when the clock on the wall first shows it, or more. */
function quartersShown(zone: string, day: number): readonly number[] {
  const show = wallClock(zone);
  const shown: number[] = [];
  // No zone is further than fourteen hours from UTC, and no day is longer than a day and a bit.
  for (let atMs = (day - 1) * DAY_MS; atMs < (day + 2) * DAY_MS; atMs += QUARTER_MS) {
    const local = show(atMs);
    while (local.day === day && shown.length < 96 && local.secondOfDay >= shown.length * 900) shown.push(atMs);
  }
  return shown;
}

describe("the change of a zone's clock", () => {
  const zones = [...Intl.supportedValuesOf("timeZone"), "UTC"];
  const all = zones.flatMap(changesOf);
  // Zones that change alike are alike to a calendar, which knows nothing of them but their offsets.
  const changes = [
    ...new Map(all.map((change) => [`${change.atMs} ${change.before} ${change.after}`, change])).values(),
  ];

  test(`each quarter of an hour happens once, when the wall clock first shows it, at each of ${all.length} changes`, () => {
    const wrong = changes.filter(({ zone, atMs }) => {
      const { day } = wallClock(zone)(atMs);
      const calendar = new Calendar(createZone(zone), 0, 0);
      const expected = quartersShown(zone, day);
      const found = expected.map((instantMs, quarter) => {
        const moment = nextMoment([daily(quarter * 900)], instantMs - 1, calendar) ?? 0;
        const following = nextMoment([daily(quarter * 900)], moment, calendar) ?? 0;
        return calendar.dayOf(following) === day ? "twice" : moment;
      });
      return found.length !== 96 || found.some((moment, quarter) => moment !== expected[quarter]);
    });
    expect([all.length > 200, changes.length > 15]).toEqual([true, true]);
    expect(wrong).toEqual([]);
  }, 60_000);
});

describe("a leap day", () => {
  const start = { nowMs: Date.parse("2028-02-28T12:00:00+01:00") };
  const runs = (conditions: readonly Condition[], options = start) => {
    const home = stage({ 5: { if: conditions, then: [count(1)], else: [count(2)] } }, options);
    home.advance(3 * DAY);
    return home;
  };

  test("has the moments of every day", () => {
    expect(runs([at(clockTime(6))]).variable(1, 1)).toBe(3);
  });

  test("has its day of the week", () => {
    expect(runs([{ ...daily(6 * 3600), days: ["tue"] }]).variable(1, 1)).toBe(1);
  });

  test("comes once by its date, and not in a year without it", () => {
    expect(runs([at({ ...clockTime(6), date: "2028/02/29" })]).variable(1, 1)).toBe(1);
    expect(runs([at({ ...clockTime(6), date: "2027/02/29" })]).variable(1, 1)).toBe(0);
  });

  test("windows open and close across it", () => {
    const home = runs([between(clockTime(22), clockTime(6))]);
    expect([home.variable(1, 1), home.variable(1, 2)]).toEqual([3, 3]);
  });

  test("makes the year 366 days long", () => {
    const nowMs = Date.parse("2028-12-31T12:00:00+01:00");
    const operand = { kind: "system", value: "dayOfYear" } as const;
    const today: Action = { kind: "variable", type: 1, id: 1, operator: "EQ", operand };
    const home = stage({ 5: { then: [today] } }, { nowMs });
    home.order(5, "run");
    expect(home.variable(1, 1)).toBe(366);
  });
});

describe("a clock that is set while programs wait", () => {
  const waiting = () => {
    const home = stage({ 5: { then: [ON, wait(minutes(90)), OFF] } });
    home.order(5, "run");
    home.advance(30 * MINUTE);
    return home;
  };

  test("back by an hour: what remains of a wait stays as long as it was", () => {
    const home = waiting();
    home.setClock(home.nowMs - HOUR);
    home.advance(HOUR - 1);
    expect(home.taken()).toEqual(["lamp DON"]);
    home.advance(1);
    expect(home.taken()).toEqual(["lamp DOF"]);
  });

  test("forward by an hour: a wait counts by the clock, so it is that much shorter", () => {
    const home = waiting();
    home.setClock(home.nowMs + HOUR);
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF"]);
    home.advance(DAY);
    expect(home.taken()).toEqual([]);
  });

  test.each([HOUR, -HOUR])("by %i ms: a repeat keeps its rhythm, and makes up for no turns", (stepMs) => {
    const home = stage({ 5: { then: [every(minutes(10)), count(1)] } });
    home.order(5, "run");
    home.advance(25 * MINUTE);
    const before = home.variable(1, 1);
    home.setClock(home.nowMs + stepMs);
    const atStep = home.variable(1, 1);
    home.advance(HOUR);
    expect(atStep - before).toBeLessThanOrEqual(1);
    expect(home.variable(1, 1) - atStep).toBe(6);
  });

  test("however often and wherever it is set, each moment of a schedule is acted on once, or missed by its grace", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("pass" as const), spanMs: fc.integer({ min: 1, max: 3 * HOUR }) }),
      fc.record({ kind: fc.constant("set" as const), spanMs: fc.integer({ min: -HOUR, max: HOUR }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const home = stage(hourly());
        const wall = new WallClock(home.nowMs);
        for (const { kind, spanMs } of steps) {
          const toMs = Math.max(home.nowMs + spanMs, wall.furthestMs - 2 * HOUR);
          if (kind === "pass") home.advanceTo(toMs);
          else home.setClock(toMs);
          wall.moved(home.nowMs, kind === "pass");
        }
        expect(runsOf(home)).toBe(wall.acted);
      }),
      { numRuns: 150 },
    );
  });
});

const GRACE_MS = 900_000;

/** A program for every hour of the day, all of which count into the same variable. */
function hourly() {
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  return Object.fromEntries(hours.map((hour) => [hour + 5, { if: [at(clockTime(hour, 7))], then: [count(1)] }]));
}

const runsOf = (home: Stage) => home.variable(1, 1);

/**
 * The rule: a moment counts when the latest time that the clock ever showed passes it, unless by more than the grace.
 */
class WallClock {
  furthestMs: number;
  acted = 0;

  constructor(nowMs: number) {
    this.furthestMs = nowMs;
  }

  moved(nowMs: number, isGradual: boolean): void {
    const first = Math.ceil((this.furthestMs + 1 - 7 * MINUTE) / HOUR);
    for (let momentMs = first * HOUR + 7 * MINUTE; momentMs <= nowMs; momentMs += HOUR) {
      if (isGradual || nowMs - momentMs <= GRACE_MS) this.acted += 1;
    }
    this.furthestMs = Math.max(this.furthestMs, nowMs);
  }
}

describe("a machine that begins in 1970", () => {
  const script = { if: [at(clockTime(12, 30))], then: [count(1), wait(minutes(5)), count(2)] };

  test("a wait from before goes on when the clock is put right, and ends at its time", () => {
    const home = stage({ 5: script });
    home.order(5, "runThen");
    const rightMs = home.nowMs + 2 * MINUTE;
    home.crash({ downMs: SECOND - home.nowMs, isCold: true });
    home.advance(30 * SECOND);
    home.setClock(rightMs);
    expect([1, 2].map((id) => home.variable(1, id))).toEqual([1, 0]);
    home.advance(3 * MINUTE);
    expect([1, 2].map((id) => home.variable(1, id))).toEqual([1, 1]);
  });

  test("a wait from before that is over by then goes on once", () => {
    const home = stage({ 5: script });
    home.order(5, "runThen");
    const rightMs = home.nowMs + 20 * MINUTE;
    home.crash({ downMs: SECOND - home.nowMs, isCold: true });
    home.setClock(rightMs);
    home.advance(MINUTE);
    expect([1, 2].map((id) => home.variable(1, id))).toEqual([1, 1]);
  });

  test("a wait that began in 1970 is over when the clock is put right", () => {
    const home = stage({ 5: { then: [ON, wait(seconds(300)), OFF], runAtStartup: true } });
    const rightMs = home.nowMs;
    home.crash({ downMs: SECOND - home.nowMs, isCold: true });
    expect(home.taken()).toEqual(["lamp DON"]);
    home.setClock(rightMs);
    expect(home.taken()).toEqual(["lamp DOF"]);
  });

  test("schedules of the decades in between do not happen, today's do", () => {
    const home = stage({ 5: { if: script.if, then: [count(1)] } });
    const rightMs = home.nowMs;
    home.crash({ downMs: SECOND - home.nowMs, isCold: true });
    home.setClock(rightMs);
    expect(home.variable(1, 1)).toBe(0);
    home.advance(HOUR);
    expect(home.variable(1, 1)).toBe(1);
  });
});
