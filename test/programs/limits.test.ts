/** The rules of docs/how-programs-run.md, one by one: what is cut, and what is not. */

import { describe, expect, test } from "vitest";

import { HOUR, MINUTE, SECOND, type Stage, stage } from "./stage.ts";
import {
  assign,
  control,
  count,
  every,
  integerIs,
  pressed,
  seconds,
  sensorIs,
  stateIs,
  tell,
  times,
  wait,
  whileState,
} from "./words.ts";

const ORDERED = { kind: "request", id: "1", by: "someone" } as const;

describe("limits", () => {
  test("a clause without a wait that does not end is cut, disabled and named", () => {
    const home = stage({ 5: { then: [whileState(1, "IS", 0), count(1)] } }, { limits: { programStepsMax: 1000 } });
    home.order(5, "run");
    expect(home.program(5)).toMatchObject({ enabled: false, running: "idle" });
    expect(home.traced("cut")).toMatchObject([{ programId: 5, limit: "programStepsMax" }]);
    expect(home.effects.filter(({ kind }) => kind === "cut")).toHaveLength(1);
    expect(home.variable(1, 1)).toBe(500);
  });

  test.each([
    ["an empty repeat", [whileState(1, "IS", 0)]],
    ["waits of no time", [whileState(1, "IS", 0), wait(seconds(0))]],
    ["turns of no time", [every(seconds(0)), count(1)]],
  ])("%s is cut too", (_claim, then) => {
    const home = stage({ 5: { then } }, { limits: { programStepsMax: 1000 } });
    home.order(5, "run");
    expect(home.program(5).enabled).toBe(false);
  });

  test("as many statements with waits in between are not", () => {
    const home = stage({ 5: { then: [times(600), count(1), wait(seconds(1))] } }, { limits: { programStepsMax: 100 } });
    home.order(5, "run");
    home.advance(HOUR);
    expect(home.variable(1, 1)).toBe(600);
  });

  test("a program that calls itself without a wait is cut after a thousand turns", () => {
    const home = stage({ 5: { then: [count(1), control(5, "runthen")] } });
    home.order(5, "run");
    expect(home.variable(1, 1)).toBe(1001);
    expect(home.program(5).enabled).toBe(false);
    expect(home.traced("cut")).toMatchObject([{ limit: "programChainStartsMax" }]);
  });

  test("one that counts to five hundred by calling itself is not", () => {
    const script = { if: [integerIs(1, 500, "LT")], then: [count(1), control(5, "runif")], else: [count(2)] };
    const home = stage({ 5: script });
    home.order(5, "run");
    expect([home.variable(1, 1), home.variable(1, 2), home.program(5).enabled]).toEqual([500, 1, true]);
  });

  test("two that call each other are both cut after a thousand turns", () => {
    const home = stage({ 5: { then: [count(1), control(6, "runthen")] }, 6: { then: [control(5, "runthen")] } });
    home.order(5, "run");
    expect(home.variable(1, 1)).toBe(501);
    expect([5, 6].map((id) => home.program(id).enabled)).toEqual([false, false]);
  });

  test("two that call each other are named from the one to itself, without the one that began", () => {
    const calls = (id: number) => ({ then: [control(id, "runthen")] });
    const home = stage({ 5: calls(6), 6: calls(5), 7: calls(5) });
    home.order(7, "run");
    expect(home.program(7).enabled).toBe(true);
    for (const { detail } of home.traced("cut")) expect(detail).toMatch(/: ("Program [56]") → "Program [56]" → \1\.$/);
    expect(home.traced("cut")).toHaveLength(2);
  });

  test("calls of ever further programs are cut at their depth", () => {
    const calls = Array.from({ length: 70 }, (_, index) => [
      index + 5,
      { then: [count(1), control(index + 6, "runthen")] },
    ]);
    const home = stage({ ...Object.fromEntries(calls), 75: {} });
    home.order(5, "run");
    expect(home.variable(1, 1)).toBe(65);
    expect(home.traced("cut")).toMatchObject([
      { limit: "programCallsMax", detail: expect.stringContaining(' → "Program 68" → "Program 69" → "Program 70".') },
    ]);
    expect(home.traced("cut")[0]?.detail).toMatch(/^Programs that call one another too deeply: "Program \d+"/);
  });

  test("two that start each other are both cut, and one that is merely started is not", () => {
    const home = stage({
      5: { if: [stateIs(1, 0, "ISNOT")], then: [assign(2, 2, "ADD=", 1)] },
      6: { if: [stateIs(2, 0, "ISNOT")], then: [assign(2, 1, "ADD=", 1)] },
      7: { if: [stateIs(1, 0, "ISNOT")], then: [count(1)] },
    });
    home.write(2, 1, 1);
    expect([5, 6, 7].map((id) => home.program(id).enabled)).toEqual([false, false, true]);
    const sentence = /^Programs that start one another, or themselves, without a wait: .*"Program 5"/;
    expect(home.traced("cut")[0]?.detail).toMatch(sentence);
    expect(home.variable(2, 2)).toBeGreaterThan(300);
  });

  test("a program that starts itself by what it writes is cut", () => {
    const home = stage({ 5: { if: [stateIs(1, 0, "ISNOT")], then: [assign(2, 1, "ADD=", 1)] } });
    home.write(2, 1, 1);
    expect(home.program(5).enabled).toBe(false);
  });

  test("two that fight over a device are cut when the device reports whose command it answers", () => {
    const fight = {
      5: { if: [sensorIs(1)], then: [tell("sensor", "DOF")] },
      6: { if: [sensorIs(0)], then: [tell("sensor", "DON")] },
    };
    const home = stage(fight, { limits: { programChainStartsMax: 100 } });
    home.report("sensor", 1);
    for (let turns = 0; turns < 200 && home.sent.length > 0; turns += 1) {
      const runId = home.lastSent?.runId ?? null;
      home.report("sensor", home.taken()[0] === "sensor DON" ? 1 : 0, { runId });
      home.nowMs += 1;
    }
    expect([5, 6].map((id) => home.program(id).enabled)).toEqual([false, false]);
  });

  test("so is one that its device answers when it has been started again already", () => {
    const home = stage(
      { 5: { if: [sensorIs(0, "GE")], then: [tell("sensor", "DON", 1), tell("sensor", "DON", 2)] } },
      { limits: { programChainStartsMax: 50 } },
    );
    home.report("sensor", 0);
    const sends = () => home.effects.filter((effect) => effect.kind === "send");
    for (let answered = 0; answered < Math.min(500, sends().length); answered += 1) {
      const runId = sends()[answered]?.statement.runId ?? null;
      home.report("sensor", answered % 2, { runId });
    }
    expect(sends().length).toBeLessThan(500);
    expect(home.program(5).enabled).toBe(false);
  });

  test("programs that call one another more than once each are cut before they are too many", () => {
    const home = stage({
      5: { then: [control(6, "runthen"), control(6, "runthen")] },
      6: { then: [count(1), control(5, "runthen"), control(5, "runthen")] },
    });
    home.order(5, "run");
    expect(home.traced("cut").length).toBeGreaterThan(0);
    expect(home.variable(1, 1)).toBeLessThan(5000);
  });

  test("so are calls that double again and again without a loop", () => {
    const programs = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        index + 5,
        { then: [count(1), control(index + 6, "runthen"), control(index + 6, "runthen")] },
      ]),
    );
    const home = stage({ ...programs, 35: {} }, { limits: { programChainStartsMax: 20 } });
    home.order(5, "run");
    expect(home.traced("cut").length).toBeGreaterThan(0);
  });

  test.each([10, 40, 200])("%i programs that start one another in breadth are all cut, and named once", (breadth) => {
    const ids = Array.from({ length: breadth }, (_, index) => index + 5);
    const fan = { if: [stateIs(1, 0, "ISNOT")], then: [assign(2, 1, "ADD=", 1)] };
    const merelyStarted = { if: [stateIs(1, 0, "ISNOT")], then: [count(1)] };
    const home = stage({ ...Object.fromEntries(ids.map((id) => [id, fan])), 900: merelyStarted });
    home.write(2, 1, 1);
    expect(ids.filter((id) => home.program(id).enabled)).toEqual([]);
    expect(home.program(900).enabled).toBe(true);
    expect(home.traced("run-began").length).toBeLessThan(1000 + breadth + 200);
    expect(home.effects.filter(({ kind }) => kind === "cut")).toMatchObject([
      { limit: "programChainStartsMax", ids: expect.arrayContaining(ids) },
    ]);
    expect(new Set(home.traced("cut").map(({ programId }) => programId))).toEqual(new Set(ids));
  });

  test("programs that wait or repeat, and start one another in breadth each time, go on", () => {
    const ids = Array.from({ length: 20 }, (_, index) => index + 5);
    const fan = { if: [stateIs(1, 0, "ISNOT")], then: [wait(seconds(1)), assign(2, 1, "ADD=", 1)] };
    const beat = { then: [every(seconds(1)), assign(2, 1, "ADD=", 1)] };
    const home = stage({ ...Object.fromEntries(ids.map((id) => [id, fan])), 900: beat });
    home.order(900, "run");
    home.advance(MINUTE);
    expect(home.traced("cut")).toEqual([]);
    expect(ids.filter((id) => !home.program(id).enabled)).toEqual([]);
    expect(home.variable(2, 1)).toBeGreaterThan(60);
  });

  test("two that fight over a device are cut, however slowly it answers", () => {
    const fight = {
      5: { if: [sensorIs(1)], then: [tell("sensor", "DOF")] },
      6: { if: [sensorIs(0)], then: [tell("sensor", "DON")] },
    };
    const home = stage(fight);
    home.report("sensor", 1);
    const turns = answer(home, 10 * MINUTE, 1000);
    expect(turns).toBeLessThanOrEqual(101);
    expect([5, 6].map((id) => home.program(id).enabled)).toEqual([false, false]);
    expect(home.effects.filter(({ kind }) => kind === "cut")).toMatchObject([
      { ids: [5, 6], loop: expect.arrayContaining([5, 6]) },
    ]);
  });

  test("one that waits before it switches its device again blinks for ever", () => {
    const home = stage({
      5: {
        if: [sensorIs(1)],
        then: [wait(seconds(2)), tell("sensor", "DOF")],
        else: [wait(seconds(2)), tell("sensor", "DON")],
      },
    });
    home.report("sensor", 1);
    for (let turns = 0; turns < 3000; turns += 1) {
      home.advance(2 * SECOND);
      answer(home, 300, 1);
    }
    expect(home.traced("cut")).toEqual([]);
    expect(home.program(5).enabled).toBe(true);
  });

  test("a chain starts again at an action of a person", () => {
    const home = stage({ 5: { then: [count(1), control(6, "runthen")] }, 6: { then: [count(2)] } });
    for (let orders = 0; orders < 3000; orders += 1) home.order(5, "run");
    expect([home.variable(1, 1), home.variable(1, 2), home.traced("cut")]).toEqual([3000, 3000, []]);
  });

  test("a program that was cut can be run by a person", () => {
    const home = stage({ 5: { if: [stateIs(1, 0, "ISNOT")], then: [assign(2, 1, "ADD=", 1)] } });
    home.write(2, 1, 1);
    const before = home.variable(2, 1);
    home.order(5, "runThen");
    expect(home.variable(2, 1)).toBe(before + 1);
  });

  test("starts that are more than the controller keeps are left out, and traced", () => {
    const programs = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [index + 5, { if: [pressed("DON")], then: [count(1)] }]),
    );
    const home = stage(programs, { limits: { programStartsWaitingMax: 100 } });
    home.press("switch", "DON");
    expect(home.variable(1, 1)).toBe(100);
    expect(home.overloaded).toHaveLength(200);
    expect(home.traced("not-run").filter(({ reason }) => reason === "overloaded")).toHaveLength(200);
  });

  test("starts that programs cause wait in bounded number, and a program of which none waits is still started", () => {
    const numbers = Array.from({ length: 20 }, (_, index) => 5 + index);
    const calls = numbers.map((id) => control(id, "runthen"));
    const home = stage(
      {
        ...Object.fromEntries(numbers.map((id) => [id, { then: calls }])),
        90: { then: [control(91, "runthen")] },
        91: { then: [count(1)] },
      },
      { itemsMax: 64 },
    );
    const waiting = () => {
      const { first, soon, late } = home.state.pending;
      return first.size + soon.size + late.size;
    };
    for (const id of numbers) home.step({ kind: "order", id, verb: "runThen", cause: ORDERED });
    for (let steps = 0; home.overloaded.length === 0; steps += 1) {
      home.step({ kind: "more" });
      expect(steps).toBeLessThan(1000);
    }
    home.step({ kind: "order", id: 90, verb: "runThen", cause: ORDERED });
    while (waiting() > 0) {
      home.step({ kind: "more" });
      expect(waiting()).toBeLessThan(1100);
    }
    expect(home.variable(1, 1)).toBe(1);
    expect(numbers.filter((id) => home.program(id).enabled)).toEqual([]);
  });

  test("while very many starts wait, programs start a program once for all that they change", () => {
    const numbers = Array.from({ length: 300 }, (_, index) => 5 + index);
    const programs = Object.fromEntries(
      numbers.map((id) => [
        id,
        { if: [pressed("DON"), stateIs(1, 0, "ISNOT", "or")], then: [assign(2, 1, "ADD=", 1)] },
      ]),
    );
    const home = stage(programs, { itemsMax: 64 });
    home.step({ kind: "control", node: "switch", command: "DON", cause: { kind: "report", id: "switch", by: null } });
    const waiting = () => home.state.pending.soon.size + home.state.pending.late.size;
    for (let steps = 0; steps < 20; steps += 1) {
      home.step({ kind: "more" });
      expect(waiting()).toBeLessThan(600);
    }
    while (waiting() > 0) home.step({ kind: "more" });
    expect(numbers.filter((id) => home.program(id).enabled)).toEqual([]);
    expect(home.overloaded).toEqual([]);
  });

  test("a call that waits does not count as one of those starts", () => {
    const numbers = Array.from({ length: 300 }, (_, index) => 10 + index);
    const home = stage({
      ...Object.fromEntries(numbers.map((id) => [id, { if: [pressed("DON")], then: [count(2)] }])),
      5: { if: [pressed("DON")], then: [control(6, "runthen"), assign(2, 1, "ADD=", 1)] },
      6: { if: [stateIs(1, 1)], then: [count(1)] },
    });
    home.press("switch", "DON");
    expect(home.variable(1, 2)).toBe(300);
    expect(home.variable(1, 1)).toBe(2);
  });

  test("a chain with waits in it is none", () => {
    const ping = { if: [stateIs(1, 0, "GT")], then: [wait(seconds(2)), assign(2, 1, "ADD=", 1)] };
    const home = stage({ 5: ping }, { limits: { programChainStartsMax: 10 } });
    home.write(2, 1, 1);
    home.advance(HOUR);
    expect(home.program(5).enabled).toBe(true);
    expect(home.variable(2, 1)).toBeGreaterThan(1000);
  });

  test("a cut program is no longer due by its schedule", () => {
    const at = { kind: "time", secondOfDay: 64_800, date: null, offsetDays: 0 } as const;
    const evening = { andOr: "or", kind: "schedule", days: null, when: { kind: "at", at } } as const;
    const home = stage({ 5: { if: [stateIs(1, 0, "ISNOT"), evening], then: [assign(2, 1, "ADD=", 1)] } });
    expect(home.program(5).nextRunAtMs).not.toBe(null);
    home.write(2, 1, 1);
    expect(home.program(5)).toMatchObject({ enabled: false, nextRunAtMs: null });
  });

  test("a thousand programs on one event all run", () => {
    const programs = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [index + 5, { if: [pressed("DON")], then: [count(1)] }]),
    );
    const home = stage(programs);
    home.press("switch", "DON");
    expect(home.variable(1, 1)).toBe(1000);
  });
});

/** The device answers what was sent to it, some time later. @returns how often it did. */
function answer(home: Stage, afterMs: number, turnsMax: number): number {
  for (let turns = 0; turns < turnsMax; turns += 1) {
    const [words] = home.taken();
    if (words === undefined) return turns;
    const runId = home.lastSent?.runId ?? null;
    home.advance(afterMs);
    home.report("sensor", words === "sensor DON" ? 1 : 0, { runId });
  }
  return turnsMax;
}
