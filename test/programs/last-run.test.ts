/** Schedules that count from the last run of a program. */

import { describe, expect, test } from "vitest";
import type { Condition, LastRunTime, Schedule } from "../../src/home/program-syntax.ts";
import { LocatedValue } from "../../src/http/api/located-value.ts";
import { conditionJson, parseConditions } from "../../src/http/api/trigger-json.ts";
import { DAY, HOUR, MINUTE, SECOND, stage } from "./stage.ts";
import { minutes, OFF, ON, wait } from "./words.ts";

const since = (program: number, offsetS: number, isDaily = false): LastRunTime => {
  return { kind: "last-run", program, offsetS, isDaily, date: null, offsetDays: 0 };
};
const schedule = (when: Schedule): Condition => ({ andOr: "and", kind: "schedule", days: null, when });
const at = (time: LastRunTime) => schedule({ kind: "at", at: time });

describe("a schedule from the last run of a program", () => {
  test("comes so long after each run, and not before the first one", () => {
    const home = stage({ 5: { if: [at(since(6, 600))], then: [ON] }, 6: {} });
    home.advance(DAY);
    expect([home.taken(), home.program(5).nextRunAtMs]).toEqual([[], null]);
    home.order(6, "run");
    expect(home.program(5).nextRunAtMs).toBe(home.nowMs + 10 * MINUTE);
    home.advance(10 * MINUTE - 1);
    expect(home.taken()).toEqual([]);
    home.advance(1);
    expect(home.taken()).toEqual(["lamp DON"]);
    home.advance(DAY);
    expect(home.taken()).toEqual([]);
  });

  test("counts again from each run of the program", () => {
    const home = stage({ 5: { if: [at(since(6, 600))], then: [ON] }, 6: {} });
    home.order(6, "run");
    home.advance(9 * MINUTE);
    home.order(6, "run");
    home.advance(9 * MINUTE);
    expect(home.taken()).toEqual([]);
    home.advance(MINUTE);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("that is daily occurs at that time of every day", () => {
    const home = stage({ 5: { if: [at(since(6, 3600, true))], then: [ON] }, 6: {} });
    home.order(6, "run");
    for (let day = 0; day < 3; day += 1) {
      home.advance(HOUR);
      expect(home.taken()).toEqual(["lamp DON"]);
      home.advance(DAY - HOUR);
    }
  });

  test.each([
    ["wed", DAY, 1],
    ["thu", DAY, 0],
    ["wed", 60_000, 1],
    ["thu", 60_000, 0],
  ] as const)("on %s, %i ms after a run on a Wednesday: the day of the run decides", (day, spanMs, runs) => {
    const when = { kind: "at", at: since(6, spanMs / SECOND) } as const;
    const home = stage({ 5: { if: [{ andOr: "and", kind: "schedule", days: [day], when }], then: [ON] }, 6: {} });
    home.order(6, "run");
    expect(home.program(5).nextRunAtMs).toBe(runs === 0 ? null : home.nowMs + spanMs);
    home.advance(2 * DAY);
    expect(home.taken()).toHaveLength(runs);
  });

  test("of the program itself repeats it", () => {
    const home = stage({ 5: { if: [at(since(5, 60))], then: [ON] } });
    home.order(5, "run");
    home.order(5, "runThen");
    home.taken();
    home.advance(3 * MINUTE);
    expect(home.taken()).toEqual(["lamp DON", "lamp DON", "lamp DON"]);
  });

  test("is a window too, which may end by another run", () => {
    const window = schedule({ kind: "from-for", from: since(6, 60), lasting: minutes(5) });
    const home = stage({ 5: { if: [window], then: [ON], else: [OFF] }, 6: {} });
    home.order(6, "run");
    home.advance(MINUTE);
    expect(home.taken()).toEqual(["lamp DON"]);
    home.advance(5 * MINUTE);
    expect(home.taken()).toEqual(["lamp DOF"]);
  });

  test("of a folder does not come when the program was removed", () => {
    const window = schedule({ kind: "from-for", from: since(6, 60), lasting: minutes(5) });
    const home = stage({ 6: {} }, { folders: { 3: { if: [window] } } });
    home.order(6, "run");
    expect(home.home.programs.get(3)?.nextRunAtMs).toBe(home.nowMs + MINUTE);
    home.commit({ type: "program-removed", id: 6 });
    home.advance(MINUTE);
    expect(home.home.programs.get(3)).toMatchObject({ status: false, nextRunAtMs: null });
  });

  test("that fell due while the controller was down occurs once afterwards", () => {
    const home = stage({ 5: { if: [at(since(6, 60))], then: [ON] }, 6: {} });
    home.order(6, "run");
    home.crash({ downMs: 5 * MINUTE });
    home.start(false);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("keeps a run's wait from being disturbed by anything but its moments", () => {
    const home = stage({ 5: { if: [at(since(6, 60))], then: [ON, wait(minutes(2)), OFF] }, 6: {} });
    home.order(6, "run");
    home.advance(MINUTE + SECOND);
    home.order(6, "run");
    home.advance(30 * SECOND);
    expect(home.taken()).toEqual(["lamp DON"]);
  });
});

test("its JSON is read back unchanged", () => {
  const written = [
    { type: "schedule", andOr: "and", at: { type: "lastruntime", refid: 3, offsetSec: 60 } },
    {
      type: "schedule",
      andOr: "and",
      from: { type: "lastruntime", refid: 3, offsetSec: 0, daily: true },
      to: { type: "lastruntime", refid: 4, offsetSec: -90, offsetDays: 1 },
    },
  ];
  expect(parseConditions(new LocatedValue(written, "if")).map(conditionJson)).toEqual(written);
});
