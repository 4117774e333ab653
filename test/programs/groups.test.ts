/** The rules of docs/how-programs-run.md, one by one: groups, interrupts and waits. */

import { describe, expect, test } from "vitest";
import type { Action } from "../../src/home/program-syntax.ts";
import { HOUR, MINUTE, NOON, SECOND, stage } from "./stage.ts";
import {
  assign,
  count,
  every,
  minutes,
  notPressed,
  OFF,
  ON,
  pressed,
  seconds,
  sensorIs,
  stateIs,
  tell,
  times,
  wait,
  whileState,
} from "./words.ts";

describe("groups", () => {
  test("statements up to a wait go out at once, in order", () => {
    const home = stage({
      5: { then: [tell("lamp", "DON", 1), tell("fan", "DON", 2), tell("lamp", "DON", 3), wait(seconds(5)), OFF] },
    });
    home.order(5, "run");
    expect(home.taken()).toEqual(["lamp DON 1", "fan DON 2", "lamp DON 3"]);
    home.advance(5 * SECOND - 1);
    expect(home.taken()).toEqual([]);
    home.advance(1);
    expect(home.taken()).toEqual(["lamp DOF"]);
  });

  test("nothing interrupts a group: what it starts itself waits for its end", () => {
    const home = stage({
      5: { if: [stateIs(1, 0)], then: [assign(2, 1, "EQ", 1), ON, tell("fan", "DON")], else: [OFF] },
    });
    home.order(5, "run");
    expect(home.taken()).toEqual(["lamp DON", "fan DON", "lamp DOF"]);
  });

  test("a command that fails does not stop the clause, and the failure is traced", () => {
    const home = stage({ 5: { then: [ON, wait(seconds(1)), OFF] } }, { isSlow: true });
    home.order(5, "run");
    home.settle(home.inFlight[0]?.statementId ?? "", "failed");
    home.advance(SECOND);
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF"]);
    expect(home.traced("outcome")).toMatchObject([{ outcome: "failed" }]);
  });

  test("a group does not wait for the outcome of its commands", () => {
    const home = stage({ 5: { then: [ON, tell("fan", "DON")] } }, { isSlow: true });
    home.order(5, "run");
    expect(home.taken()).toEqual(["lamp DON", "fan DON"]);
    expect(home.program(5).running).toBe("idle");
    expect(home.state.progress.get(5)?.inFlight).toHaveLength(2);
  });

  test("the frames of a run: the clause, then idle with the time of its end", () => {
    const home = stage({ 5: { then: [wait(seconds(30)), ON] } });
    home.order(5, "run");
    expect(home.program(5)).toMatchObject({ status: true, running: "then", lastRunAtMs: NOON, lastFinishAtMs: null });
    home.advance(30 * SECOND);
    expect(home.program(5)).toMatchObject({ status: true, running: "idle", lastFinishAtMs: NOON + 30 * SECOND });
  });
});

describe("interrupts", () => {
  const jumping = { if: [sensorIs(1)], then: [ON, wait(minutes(5)), tell("fan", "DON")], else: [OFF] };

  test("a program in a wait jumps from then to else when its if becomes false", () => {
    const home = stage({ 5: jumping });
    home.report("sensor", 1);
    home.advance(MINUTE);
    home.report("sensor", 0);
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF"]);
    home.advance(HOUR);
    expect(home.taken()).toEqual([]);
    expect(home.program(5)).toMatchObject({ status: false, running: "idle" });
  });

  test("one that stays true begins then again, and its wait from the beginning", () => {
    const home = stage({ 5: { ...jumping, if: [sensorIs(0, "GT")] } });
    home.report("sensor", 1);
    home.advance(4 * MINUTE);
    home.report("sensor", 2);
    home.advance(4 * MINUTE);
    expect(home.taken()).toEqual(["lamp DON", "lamp DON"]);
    home.advance(MINUTE);
    expect(home.taken()).toEqual(["fan DON"]);
  });

  test("one whose conditions are not touched is not disturbed", () => {
    const home = stage({ 5: jumping, 6: { if: [stateIs(1, 1)], then: [count(1)] } });
    home.report("sensor", 1);
    home.write(2, 1, 1);
    home.report("fan", 3);
    home.advance(5 * MINUTE);
    expect(home.taken()).toEqual(["lamp DON", "fan DON"]);
  });

  test("a wait that was started by switched on ends by switched off", () => {
    const home = stage({ 5: { ...jumping, if: [pressed("DON"), notPressed("DOF")] } });
    home.press("switch", "DON");
    home.advance(MINUTE);
    home.press("switch", "DOF");
    home.advance(HOUR);
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF"]);
  });

  test("a control condition of another command does not", () => {
    const home = stage({ 5: { ...jumping, if: [pressed("DON")] } });
    home.press("switch", "DON");
    home.press("switch", "DOF");
    home.advance(5 * MINUTE);
    expect(home.taken()).toEqual(["lamp DON", "fan DON"]);
  });

  test("a disabled program that waits is not interrupted by its conditions", () => {
    const home = stage({ 5: jumping });
    home.report("sensor", 1);
    home.order(5, "disable");
    home.report("sensor", 0);
    home.advance(5 * MINUTE);
    expect(home.taken()).toEqual(["lamp DON", "fan DON"]);
  });

  test("a start between the turns of a repeat ends it", () => {
    const home = stage({ 5: { if: [sensorIs(1)], then: [times(5), ON, wait(seconds(10))], else: [OFF] } });
    home.report("sensor", 1);
    home.advance(15 * SECOND);
    home.report("sensor", 0);
    home.advance(HOUR);
    expect(home.taken()).toEqual(["lamp DON", "lamp DON", "lamp DOF"]);
  });

  test("a program that ends its own wait by what it writes jumps at the end of that group", () => {
    const home = stage({ 5: { if: [stateIs(1, 0)], then: [times(9), ON, assign(2, 1, "EQ", 1)], else: [OFF] } });
    home.order(5, "run");
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF"]);
  });
});

describe("waits", () => {
  test("hours, minutes and seconds", () => {
    const home = stage({ 5: { then: [wait({ hours: 1, minutes: 2, seconds: 3 }), ON] } });
    home.order(5, "run");
    home.advance(HOUR + 2 * MINUTE + 3 * SECOND - 1);
    expect(home.taken()).toEqual([]);
    home.advance(1);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("a random wait is not longer than its span, and not always the same", () => {
    const home = stage({ 5: { then: [wait(minutes(10), true), ON] } });
    const lengths = Array.from({ length: 20 }, (_, run) => {
      home.advance(run);
      home.order(5, "run");
      const untilMs = home.state.progress.get(5)?.run?.waitUntilMs ?? home.nowMs;
      const lengthMs = untilMs - home.nowMs;
      home.advance(10 * MINUTE);
      return lengthMs;
    });
    expect(Math.max(...lengths)).toBeLessThanOrEqual(10 * MINUTE);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(0);
    expect(new Set(lengths).size).toBeGreaterThan(15);
    expect(home.taken()).toHaveLength(20);
  });

  test("a random wait may last its whole span", () => {
    const home = stage({ 5: { then: [wait(seconds(0.001), true), ON] } });
    const isWaiting = Array.from({ length: 20 }, () => {
      home.order(5, "run");
      const waits = home.state.progress.get(5)?.run != null;
      home.advance(1);
      return waits;
    });
    expect(new Set(isWaiting)).toEqual(new Set([true, false]));
  });

  test("a wait of no time ends the group and nothing else", () => {
    const home = stage({
      5: { if: [stateIs(1, 0)], then: [assign(2, 1, "EQ", 1), wait(seconds(0)), ON], else: [OFF] },
    });
    home.order(5, "run");
    expect(home.taken()).toEqual(["lamp DOF"]);
  });

  test("waits that end in the same instant go on in the order in which they fell due", () => {
    const home = stage({
      5: { then: [wait(seconds(30)), tell("lamp", "DON", 5)] },
      6: { then: [wait(seconds(20)), tell("lamp", "DON", 6)] },
    });
    home.order(5, "run");
    home.order(6, "run");
    home.setClock(home.nowMs + MINUTE);
    expect(home.taken()).toEqual(["lamp DON 6", "lamp DON 5"]);
  });

  test("a clock that is set back leaves what remains of a wait", () => {
    const home = stage({ 5: { then: [wait(minutes(10)), ON] } });
    home.order(5, "run");
    home.advance(4 * MINUTE);
    home.setClock(home.nowMs - HOUR);
    home.advance(6 * MINUTE - 1);
    expect(home.taken()).toEqual([]);
    home.advance(1);
    expect(home.taken()).toEqual(["lamp DON"]);
  });
});

describe("repeats", () => {
  const counted = (...then: Action[]) => {
    const home = stage({ 5: { then } });
    home.order(5, "run");
    home.advance(HOUR);
    return home;
  };

  test("a number of times, everything that follows", () => {
    expect(counted(times(3), count(1), count(2)).variable(1, 2)).toBe(3);
  });

  test.each<readonly [string, readonly Action[], number]>([
    ["at the end it is not carried out", [ON, wait(minutes(5))], 0],
    ["alone neither", [wait(minutes(5), true)], 0],
    ["before another wait it is", [wait(minutes(1)), wait(minutes(5))], 1],
    ["at the end of a repeat it is", [times(2), ON, wait(minutes(2))], 4],
    ["before a repeat of nothing it is", [wait(minutes(1)), times(0)], 1],
  ])("a wait with nothing behind it: %s", (_claim, then, lastsMinutes) => {
    const home = stage({ 5: { then } });
    home.order(5, "run");
    home.advance(HOUR);
    expect(home.program(5).lastFinishAtMs).toBe(NOON + lastsMinutes * MINUTE);
  });

  test("up to the next repeat", () => {
    const home = counted(times(3), count(1), times(2), count(2));
    expect([home.variable(1, 1), home.variable(1, 2)]).toEqual([3, 2]);
  });

  test("statements before it are done once", () => {
    const home = counted(count(2), times(3), count(1));
    expect([home.variable(1, 1), home.variable(1, 2)]).toEqual([3, 1]);
  });

  test("no times at all leaves it out", () => {
    const home = counted(times(0), count(1), times(1), count(2));
    expect([home.variable(1, 1), home.variable(1, 2)]).toEqual([0, 1]);
  });

  test("nothing to repeat is nothing", () => {
    expect(counted(times(3), times(2), count(1)).variable(1, 1)).toBe(2);
  });

  test("a random number of times is 0 to that number", () => {
    const totals = new Set(
      Array.from({ length: 60 }, (_, run) => {
        const home = stage({ 5: { then: [times(4, true), count(1)] } }, { nowMs: NOON + run });
        home.order(5, "run");
        return home.variable(1, 1);
      }),
    );
    expect([...totals].sort()).toEqual([0, 1, 2, 3, 4]);
  });

  test("with a wait inside, each turn waits", () => {
    const home = stage({ 5: { then: [times(3), ON, wait(seconds(10))] } });
    home.order(5, "run");
    home.advance(25 * SECOND);
    expect(home.taken()).toHaveLength(3);
    expect(home.program(5).running).toBe("then");
    home.advance(5 * SECOND);
    expect(home.program(5).running).toBe("idle");
  });

  test("every: at once, and then a span apart without end", () => {
    const home = stage({ 5: { then: [every(minutes(10)), count(1)] } });
    home.order(5, "run");
    home.advance(HOUR);
    expect(home.variable(1, 1)).toBe(7);
    expect(home.program(5).running).toBe("then");
  });

  test("every keeps its rhythm for turns of any length", () => {
    const home = stage({ 5: { then: [every(minutes(10)), wait(minutes(4)), count(1)] } });
    home.order(5, "run");
    home.advance(HOUR + 5 * MINUTE);
    expect(home.variable(1, 1)).toBe(7);
  });

  test("a turn longer than its span is followed at once by the next", () => {
    const home = stage({ 5: { then: [every(minutes(1)), wait(minutes(4)), count(1)] } });
    home.order(5, "run");
    home.advance(12 * MINUTE);
    expect(home.variable(1, 1)).toBe(3);
  });

  test("every at random is not longer than its span", () => {
    const home = stage({ 5: { then: [every(minutes(10), true), count(1)] } });
    home.order(5, "run");
    home.advance(HOUR);
    expect(home.variable(1, 1)).toBeGreaterThanOrEqual(7);
  });

  test("while: as long as it holds, looked at before every turn", () => {
    const home = stage({ 5: { then: [whileState(1, "LT", 3), assign(2, 1, "ADD=", 1)] } });
    home.order(5, "run");
    expect(home.variable(2, 1)).toBe(3);
  });

  test("while that does not hold goes on behind it", () => {
    const home = stage({ 5: { then: [whileState(1, "GT", 3), count(1), times(1), count(2)] } });
    home.order(5, "run");
    expect([home.variable(1, 1), home.variable(1, 2)]).toEqual([0, 1]);
  });

  test("while ends when another program changes the variable", () => {
    const home = stage({ 5: { then: [whileState(1, "IS", 0), count(1), wait(seconds(10))] } });
    home.order(5, "run");
    home.advance(25 * SECOND);
    home.write(2, 1, 1);
    home.advance(HOUR);
    expect(home.variable(1, 1)).toBe(3);
    expect(home.program(5).running).toBe("idle");
  });
});
