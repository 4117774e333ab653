/** The rules of docs/how-programs-run.md, one by one: what happens when the controller starts. */

import { describe, expect, test } from "vitest";
import { at, between, clockTime } from "../../src/demo/program-words.ts";
import { DAY, HOUR, MINUTE, NOON, type Script, SECOND, stage } from "./stage.ts";
import {
  assign,
  control,
  count,
  every,
  minutes,
  OFF,
  ON,
  seconds,
  sensorIs,
  stateIs,
  statusOf,
  tell,
  times,
  wait,
} from "./words.ts";

describe("run at startup", () => {
  const script = { if: [sensorIs(1)], then: [ON], else: [OFF], runAtStartup: true };

  test("a cold start runs the if of marked programs", () => {
    const home = stage({ 5: script, 6: { then: [tell("fan", "DON")] } });
    home.report("sensor", 1);
    home.taken();
    home.crash({ isCold: true });
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("a cold start makes programs false that it does not run, and starts nothing by that", () => {
    const home = stage({
      5: { then: [count(1)] },
      6: { if: [statusOf(5, false)], then: [ON], else: [OFF] },
      7: { then: [count(1), wait(minutes(5)), count(1)] },
      8: { ...script, if: [], then: [] },
    });
    for (const id of [5, 7, 8]) home.order(id, "runThen");
    home.taken();
    home.crash();
    expect([5, 7, 8].map((id) => home.program(id).status)).toEqual([true, true, true]);
    home.crash({ isCold: true });
    expect([5, 7, 8].map((id) => home.program(id).status)).toEqual([false, true, true]);
    expect(home.taken()).toEqual([]);
  });

  const window = between(clockTime(11), clockTime(14));
  test.each<readonly [string, Script, boolean]>([
    ["that lies in its window", { if: [window] }, true],
    ["whose window is over", { if: [between(clockTime(9), clockTime(10))] }, false],
    ["whose other conditions are false", { if: [window, stateIs(1, 1)] }, false],
    ["that is disabled", { if: [window], enabled: false }, false],
    ["without a window", { if: [stateIs(1, 0)] }, false],
  ])("after a cold start a program %s has the status %s, and has not run", (_which, which, status) => {
    const home = stage({ 5: { ...which, then: [ON], else: [OFF] }, 6: { if: [statusOf(5, true)], then: [ON] } });
    home.crash({ isCold: true });
    expect(home.program(5)).toMatchObject({ status, lastRunAtMs: null });
    expect(home.taken()).toEqual([]);
  });

  test("a window that opened shortly before a cold start runs, and its status is a change", () => {
    const home = stage({
      5: { if: [between(clockTime(12, 5), clockTime(14))], then: [ON] },
      6: { if: [statusOf(5, true)], then: [tell("fan", "DON")] },
    });
    home.crash({ isCold: true, downMs: 10 * MINUTE });
    expect(home.taken()).toEqual(["lamp DON", "fan DON"]);
  });

  test("a warm start does not", () => {
    const home = stage({ 5: script });
    home.crash();
    expect(home.taken()).toEqual([]);
  });

  test("also a disabled one, for only its conditions do not start it", () => {
    const home = stage({ 5: { ...script, enabled: false } });
    home.crash({ isCold: true });
    expect(home.taken()).toEqual(["lamp DOF"]);
  });

  test("not in a folder whose if is false", () => {
    const home = stage({ 5: { ...script, parentId: 3 } }, { folders: { 3: { if: [stateIs(1, 1)] } } });
    home.crash({ isCold: true });
    expect(home.taken()).toEqual([]);
  });

  test("it takes the place of a run that was in a wait", () => {
    const home = stage({ 5: { then: [ON, wait(minutes(5)), OFF], runAtStartup: true } });
    home.order(5, "run");
    home.crash({ isCold: true, downMs: MINUTE });
    home.advance(HOUR);
    expect(home.taken()).toEqual(["lamp DON", "lamp DON", "lamp DOF"]);
  });
});

describe("windows and folders", () => {
  test("a folder knows whether its window is open", () => {
    const folders = { 3: { if: [between(clockTime(13), clockTime(14))] } };
    const home = stage({}, { folders });
    expect(home.home.programs.get(3)?.status).toBe(false);
    home.crash({ downMs: HOUR + MINUTE });
    expect(home.home.programs.get(3)?.status).toBe(true);
  });

  test("the first evaluation of a folder starts no program", () => {
    const home = stage({ 5: { if: [statusOf(3, true)], then: [ON], else: [OFF] } }, { folders: { 3: {} } });
    expect(home.taken()).toEqual([]);
  });
});

describe("missed schedules", () => {
  const soon = { if: [at(clockTime(12, 5))], then: [count(1)] };

  test("one within the grace period runs, once", () => {
    const home = stage({ 5: soon });
    home.crash({ downMs: 15 * MINUTE });
    home.crash({ downMs: MINUTE });
    expect(home.variable(1, 1)).toBe(1);
  });

  test("one that is older does not, and that is traced", () => {
    const home = stage({ 5: soon });
    home.crash({ downMs: 20 * MINUTE + SECOND });
    expect(home.variable(1, 1)).toBe(0);
    expect(home.traced("not-run")).toMatchObject([{ programId: 5, reason: "missed" }]);
  });

  test("with catch-up, those since midnight run, once each and in their order", () => {
    const lampAt = (id: number, hour: number, minute = 0) => ({
      if: [at(clockTime(hour, minute))],
      then: [tell("lamp", "DON", id)],
    });
    const home = stage(
      { 5: lampAt(5, 23, 30), 6: lampAt(6, 20), 7: lampAt(7, 1), 8: lampAt(8, 0) },
      { limits: { scheduleCatchUp: true } },
    );
    home.crash({ downMs: 20 * HOUR });
    expect(home.taken()).toEqual(["lamp DON 8", "lamp DON 7"]);
    expect(home.traced("not-run")).toMatchObject([{ programId: 5 }, { programId: 6 }]);
    home.crash({ downMs: MINUTE });
    expect(home.taken()).toEqual([]);
  });

  test("just after midnight, catch-up still includes the grace period", () => {
    const home = stage({ 5: { if: [at(clockTime(23, 55))], then: [ON] } }, { limits: { scheduleCatchUp: true } });
    home.advance(11 * HOUR);
    home.crash({ downMs: HOUR + MINUTE });
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("they run in their order", () => {
    const home = stage({
      5: { if: [at(clockTime(12, 9))], then: [tell("lamp", "DON", 9)] },
      6: { if: [at(clockTime(12, 5))], then: [tell("lamp", "DON", 5)] },
    });
    home.crash({ downMs: 12 * MINUTE });
    expect(home.taken()).toEqual(["lamp DON 5", "lamp DON 9"]);
  });

  test("a window that opened and closed meanwhile does both", () => {
    const home = stage({ 5: { if: [between(clockTime(12, 3), clockTime(12, 6))], then: [ON], else: [OFF] } });
    home.crash({ downMs: 10 * MINUTE });
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF"]);
  });

  test("one that has run is not run again", () => {
    const home = stage({ 5: soon });
    home.advance(6 * MINUTE);
    home.crash({ downMs: MINUTE });
    expect(home.variable(1, 1)).toBe(1);
  });

  test("a disabled program catches nothing up, also when it is enabled afterwards", () => {
    const home = stage({ 5: { ...soon, enabled: false } });
    home.crash({ downMs: 10 * MINUTE });
    home.order(5, "enable");
    home.advance(MINUTE);
    expect(home.variable(1, 1)).toBe(0);
  });

  test("a program that was written after the moment does not catch it up", () => {
    const home = stage({});
    home.advance(6 * MINUTE);
    home.put(5, soon);
    home.crash({ downMs: MINUTE });
    expect(home.variable(1, 1)).toBe(0);
  });

  test("one that was written before it does", () => {
    const home = stage({});
    home.put(5, soon);
    home.crash({ downMs: 6 * MINUTE });
    expect(home.variable(1, 1)).toBe(1);
  });
});

describe("runs that were under way", () => {
  test.each([true, false])("a wait goes on for its remaining time (cold: %s)", (isCold) => {
    const home = stage({ 5: { then: [ON, wait(minutes(5)), OFF] } });
    home.order(5, "run");
    home.crash({ downMs: 2 * MINUTE, isCold });
    home.advance(3 * MINUTE - 1);
    expect(home.taken()).toEqual(["lamp DON"]);
    home.advance(1);
    expect(home.taken()).toEqual(["lamp DOF"]);
  });

  test("a wait that is over goes on at once", () => {
    const home = stage({ 5: { then: [ON, wait(minutes(5)), OFF] } });
    home.order(5, "run");
    home.crash({ downMs: DAY });
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF"]);
    expect(home.program(5)).toMatchObject({ running: "idle", lastFinishAtMs: NOON + DAY });
  });

  test("waits that are over go on in the order in which they fell due", () => {
    const home = stage({
      5: { then: [wait(minutes(5)), tell("lamp", "DON", 5)] },
      6: { then: [wait(minutes(3)), tell("lamp", "DON", 6)] },
    });
    home.order(5, "run");
    home.order(6, "run");
    home.crash({ downMs: HOUR });
    expect(home.taken()).toEqual(["lamp DON 6", "lamp DON 5"]);
  });

  test("a wait that was over before a missed moment goes on before it", () => {
    const script = {
      if: [between(clockTime(12, 1), clockTime(12, 6))],
      then: [ON, wait(minutes(3)), count(1)],
      else: [OFF],
    };
    const home = stage({ 5: script });
    home.advance(2 * MINUTE);
    home.crash({ downMs: 5 * MINUTE });
    expect(home.variable(1, 1)).toBe(1);
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF"]);
  });

  test("a missed moment that came before the end of a wait ends it", () => {
    const script = {
      if: [between(clockTime(12, 1), clockTime(12, 3))],
      then: [ON, wait(minutes(4)), count(1)],
      else: [OFF],
    };
    const home = stage({ 5: script });
    home.advance(2 * MINUTE);
    home.crash({ downMs: 5 * MINUTE });
    expect(home.variable(1, 1)).toBe(0);
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF"]);
  });

  test("a repeat goes on with its count", () => {
    const home = stage({ 5: { then: [times(5), count(1), wait(minutes(1))] } });
    home.order(5, "run");
    for (let crashes = 0; crashes < 10; crashes += 1) home.crash({ downMs: 40 * SECOND });
    expect(home.variable(1, 1)).toBe(5);
    expect(home.program(5).running).toBe("idle");
  });

  test("a random number of turns is not drawn again", () => {
    const turns = (crashes: boolean) => {
      const home = stage({ 5: { then: [times(50, true), count(1), wait(seconds(1))] } });
      home.order(5, "run");
      for (let second = 0; second < 60; second += 1) {
        if (crashes) home.crash();
        home.advance(SECOND);
      }
      return home.variable(1, 1);
    };
    expect(turns(true)).toBe(turns(false));
  });

  test("repeat every keeps its rhythm, and makes up for no turns", () => {
    const home = stage({ 5: { then: [every(minutes(10)), count(1)] } });
    home.order(5, "run");
    home.crash({ downMs: 25 * MINUTE });
    expect(home.variable(1, 1)).toBe(2);
    home.advance(30 * MINUTE);
    expect(home.variable(1, 1)).toBe(5);
  });

  test("programs that wait for their turn go on in the same order, whenever it ends", () => {
    const script = { then: [count(1), times(2), count(2)] };
    // With its schedule, the program that is called second has the older record.
    const scheduled = { ...script, if: [at(clockTime(13))] };
    const caller = { then: [control(6, "runthen"), control(5, "runthen")] };
    const orders = Array.from({ length: 12 }, (_each, stepsBefore) => {
      const home = stage({ 5: scheduled, 6: script, 7: caller }, { itemsMax: 1 });
      home.step({ kind: "order", id: 7, verb: "runThen", cause: { kind: "request", id: "test", by: null } });
      for (let steps = 0; steps < stepsBefore; steps += 1) home.step({ kind: "more" });
      home.crash();
      return home.traced("statement").map(({ programId, position }) => `${programId}.${position}`);
    });
    const order = ["7.0", "7.1", "6.0", "5.0", "6.1", "6.2", "5.1", "5.2", "6.2", "5.2"];
    expect(orders).toEqual(Array(12).fill(order));
  });

  test("no finished statement runs again, whenever it ends", () => {
    const home = stage({ 5: { then: [count(1), wait(seconds(1)), count(2), wait(seconds(1)), count(3)] } });
    home.order(5, "run");
    for (let moment = 0; moment < 30; moment += 1) {
      home.crash();
      home.advance(100);
    }
    expect([1, 2, 3].map((id) => home.variable(1, id))).toEqual([1, 1, 1]);
  });

  test("a statement in flight that may be done twice is sent again", () => {
    const home = stage({ 5: { then: [ON, wait(minutes(1)), OFF] } }, { isSlow: true });
    home.order(5, "run");
    home.crash();
    expect(home.taken()).toEqual(["lamp DON", "lamp DON"]);
    expect(home.traced("statement").filter(({ isRepeated }) => isRepeated)).toHaveLength(1);
  });

  test("once its outcome is known it is not", () => {
    const home = stage({ 5: { then: [ON, wait(minutes(1)), OFF] } });
    home.order(5, "run");
    home.crash();
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("also when the run has ended", () => {
    const home = stage({ 5: { then: [ON] } }, { isSlow: true });
    home.order(5, "run");
    expect(home.program(5).running).toBe("idle");
    home.crash();
    expect(home.taken()).toEqual(["lamp DON", "lamp DON"]);
  });

  test.each([
    ["a dimming step", tell("lamp", "BRT")],
    ["a command that nobody knows", tell("lamp", "PULSE")],
    ["a network resource", { kind: "resource", id: 1 } as const],
    ["a notification", { kind: "notify", recipient: 1, content: null } as const],
  ])("%s in flight is marked uncertain and not repeated", (_claim, action) => {
    const home = stage({ 5: { then: [action, wait(minutes(1)), OFF] } }, { isSlow: true });
    home.order(5, "run");
    home.taken();
    home.crash({ downMs: MINUTE });
    expect(home.taken()).toEqual(["lamp DOF"]);
    expect(home.traced("outcome")).toMatchObject([{ outcome: "uncertain" }]);
    home.crash();
    expect(home.traced("outcome")).toHaveLength(1);
  });

  test("a program whose tree has become shorter meanwhile ends", () => {
    const home = stage({ 5: { then: [ON, OFF, wait(minutes(5)), ON] } });
    home.order(5, "run");
    home.home.programs.set(5, { ...home.program(5), tree: { if: [], then: [ON], else: [] } });
    home.crash({ downMs: HOUR });
    expect(home.program(5).running).toBe("idle");
  });

  test("one that was running and left no record is idle", () => {
    const home = stage({ 5: { then: [wait(minutes(5)), ON] } });
    home.order(5, "run");
    home.home.programProgress.clear();
    home.crash();
    expect(home.program(5).running).toBe("idle");
  });

  test("a next run of a program without a schedule is shown no more", () => {
    const home = stage({ 5: { then: [ON], nextRunAtMs: NOON + HOUR } });
    expect(home.program(5).nextRunAtMs).toBeNull();
  });

  test.each([
    ["less than a span late, the rhythm stays", 10 * MINUTE - 1, 3],
    ["exactly a span late, it begins anew", 10 * MINUTE, 2],
  ])("repeat every after an outage: %s", (_claim, lateMs, turns) => {
    const home = stage({ 5: { then: [every(minutes(10)), count(1)] } });
    home.order(5, "run");
    home.crash({ downMs: 10 * MINUTE + lateMs });
    home.advance(1);
    expect(home.variable(1, 1)).toBe(turns);
    home.advance(10 * MINUTE - 2);
    expect(home.variable(1, 1)).toBe(turns);
    home.advance(2);
    expect(home.variable(1, 1)).toBe(turns + 1);
  });

  test("an interrupt of a run that goes on is as before", () => {
    const home = stage({
      5: { if: [stateIs(1, 0)], then: [wait(minutes(5)), ON], else: [OFF] },
      6: { then: [assign(2, 1, "EQ", 1)] },
    });
    home.order(5, "run");
    home.crash({ downMs: MINUTE });
    home.order(6, "run");
    home.advance(HOUR);
    expect(home.taken()).toEqual(["lamp DOF"]);
  });
});
