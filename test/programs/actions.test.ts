/** The rules of docs/programs.md, one by one: how statements run. */

import { describe, expect, test } from "vitest";
import type { Action } from "../../src/home/program-syntax.ts";
import { HOUR, MINUTE, NOON, SECOND, stage } from "./stage.ts";
import {
  assign,
  control,
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
  statusOf,
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
    const home = stage({ 5: { then: [wait(seconds(30))] } });
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

  test("up to the next repeat", () => {
    const home = counted(times(3), count(1), times(2), count(2));
    expect([home.variable(1, 1), home.variable(1, 2)]).toEqual([3, 2]);
  });

  test("what stands before is done once", () => {
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

  test("a random number of times is 1 to that number", () => {
    const totals = new Set(
      Array.from({ length: 60 }, (_, run) => {
        const home = stage({ 5: { then: [times(4, true), count(1)] } }, { nowMs: NOON + run });
        home.order(5, "run");
        return home.variable(1, 1);
      }),
    );
    expect([...totals].sort()).toEqual([1, 2, 3, 4]);
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

  test("every keeps its rhythm whatever a turn takes", () => {
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

  test("while ends when somebody else changes the variable", () => {
    const home = stage({ 5: { then: [whileState(1, "IS", 0), count(1), wait(seconds(10))] } });
    home.order(5, "run");
    home.advance(25 * SECOND);
    home.write(2, 1, 1);
    home.advance(HOUR);
    expect(home.variable(1, 1)).toBe(3);
    expect(home.program(5).running).toBe("idle");
  });
});

describe("arithmetic", () => {
  const result = (start: number, action: Action, prec = 0) => {
    const home = stage({ 5: { then: [action] } });
    home.commit({ type: "variable-precision-changed", variableType: 1, id: 1, prec });
    home.write(1, 1, start);
    home.order(5, "run");
    return home;
  };

  test.each([
    ["EQ", 5, 7, 7],
    ["ADD=", 5, 7, 12],
    ["SUB=", 5, 7, -2],
    ["MUL=", 5, 7, 35],
    ["DIV=", 17, 5, 3],
    ["DIV=", -17, 5, -3],
    ["REM=", 17, 5, 2],
    ["REM=", -17, 5, -2],
    ["AND=", 12, 10, 8],
    ["OR=", 12, 10, 14],
    ["XOR=", 12, 10, 6],
    ["XOR=", -1, 1, -2],
  ] as const)("%s of %i and %i is %i", (operator, before, operand, expected) => {
    expect(result(before, assign(1, 1, operator, operand)).variable(1, 1)).toBe(expected);
  });

  test.each([
    ["EQ", 0, 25, 1, 1, 25],
    ["ADD=", 10, 2, 0, 1, 30],
    ["MUL=", 15, 2, 0, 1, 30],
    ["DIV=", 30, 2, 0, 1, 15],
    ["EQ", 0, 255, 2, 1, 26],
    ["EQ", 0, -255, 2, 1, -26],
    ["ADD=", 1, 4, 1, 0, 1],
  ] as const)(
    "%s of %i and %i (precision %i) in precision %i is %i",
    (operator, before, operand, of, prec, expected) => {
      expect(result(before, assign(1, 1, operator, operand, of), prec).variable(1, 1)).toBe(expected);
    },
  );

  test.each([
    ["a division by zero", "DIV=", 0],
    ["a remainder by zero", "REM=", 0],
    ["a random number below zero", "RDM=", 0],
    ["more than a variable holds", "MUL=", 2_147_483_647],
  ] as const)("%s leaves the variable and is traced", (_claim, operator, operand) => {
    const home = result(42, assign(1, 1, operator, operand));
    expect(home.variable(1, 1)).toBe(42);
    expect(home.traced("statement")[0]?.detail).toMatch(/\.$/);
  });

  test("a random assignment is 0 to n − 1, all of them", () => {
    const drawn = new Set(
      Array.from({ length: 80 }, (_, run) => {
        const home = stage({ 5: { then: [assign(1, 1, "RDM=", 5)] } }, { nowMs: NOON + run });
        home.order(5, "run");
        return home.variable(1, 1);
      }),
    );
    expect([...drawn].sort()).toEqual([0, 1, 2, 3, 4]);
  });

  test("from another variable, in this one's precision", () => {
    const operand = { kind: "variable", type: 1, id: 2 } as const;
    const home = stage({ 5: { then: [{ kind: "variable", type: 1, id: 1, operator: "EQ", operand }] } });
    home.commit({ type: "variable-precision-changed", variableType: 1, id: 2, prec: 1 });
    home.write(1, 2, 254);
    home.order(5, "run");
    expect(home.variable(1, 1)).toBe(25);
  });

  const fromStatus: Action = {
    kind: "variable",
    type: 1,
    id: 1,
    operator: "EQ",
    operand: { kind: "status", node: "sensor", property: "ST" },
  };

  test("from a status", () => {
    const home = stage({ 5: { then: [fromStatus] } });
    home.report("sensor", 215, { prec: 1 });
    home.order(5, "run");
    expect(home.variable(1, 1)).toBe(22);
  });

  test("from a status that is not known: unchanged", () => {
    const home = stage({ 5: { then: [assign(1, 1, "EQ", 9), fromStatus] } });
    home.order(5, "run");
    expect(home.variable(1, 1)).toBe(9);
  });

  test.each([
    ["year", 2026],
    ["month", 6],
    ["day", 10],
    ["dayOfYear", 161],
    ["weekday", 3],
    ["hour", 12],
    ["minute", 0],
    ["second", 0],
    ["minuteOfDay", 720],
  ] as const)("the system value %s is %i", (value, expected) => {
    const operand = { kind: "system", value } as const;
    const home = stage({ 5: { then: [{ kind: "variable", type: 1, id: 1, operator: "EQ", operand }] } });
    home.order(5, "run");
    expect(home.variable(1, 1)).toBe(expected);
  });

  test("INIT sets the initial value and starts nothing", () => {
    const home = stage({ 5: { then: [assign(2, 1, "INIT", 8)] }, 6: { if: [stateIs(1, 8)], then: [ON], else: [OFF] } });
    home.order(5, "run");
    expect(home.home.variables[2].get(1)).toMatchObject({ value: 0, init: 8 });
    expect(home.taken()).toEqual([]);
  });

  test("the statements of a group see what those before have written", () => {
    const operand = { kind: "variable", type: 1, id: 1 } as const;
    const copy = { kind: "variable", type: 1, id: 2, operator: "ADD=", operand } as const;
    const home = stage({ 5: { then: [count(1), count(1), copy, copy] } });
    home.order(5, "run");
    expect(home.variable(1, 2)).toBe(4);
  });
});

describe("programs that work programs", () => {
  test("a call does not wait for the one it calls", () => {
    const home = stage({ 5: { then: [control(6, "runthen"), ON] }, 6: { then: [wait(minutes(1)), OFF] } });
    home.order(5, "run");
    expect(home.taken()).toEqual(["lamp DON"]);
    expect([home.program(5).running, home.program(6).running]).toEqual(["idle", "then"]);
  });

  test.each([
    ["runthen", "lamp DON", true],
    ["runelse", "lamp DOF", false],
    ["runif", "lamp DOF", false],
  ] as const)("%s", (verb, sent, status) => {
    const home = stage({
      5: { then: [control(6, verb)] },
      6: { if: [sensorIs(1)], then: [ON], else: [OFF], enabled: false },
    });
    home.order(5, "run");
    expect(home.taken()).toEqual([sent]);
    expect(home.program(6).status).toBe(status);
  });

  test("a program that calls itself begins again", () => {
    const home = stage({ 5: { then: [count(1), wait(minutes(1)), control(5, "runthen"), count(2)] } });
    home.order(5, "runThen");
    home.advance(10 * MINUTE);
    expect([home.variable(1, 1), home.variable(1, 2)]).toEqual([11, 10]);
    expect(home.program(5).running).toBe("then");
  });

  test("stop ends another one's wait and leaves its status", () => {
    const home = stage({ 5: { then: [control(6, "stop")] }, 6: { then: [wait(minutes(1)), ON] } });
    home.order(6, "run");
    home.order(5, "run");
    home.advance(HOUR);
    expect(home.taken()).toEqual([]);
    expect(home.program(6)).toMatchObject({ status: true, running: "idle", lastFinishAtMs: NOON });
  });

  test("stop of itself ends it at once", () => {
    const home = stage({ 5: { then: [ON, control(5, "stop"), OFF] } });
    home.order(5, "run");
    expect(home.taken()).toEqual(["lamp DON"]);
    expect(home.program(5).running).toBe("idle");
  });

  test("stop by a person", () => {
    const home = stage({ 5: { then: [wait(minutes(1)), ON] } });
    home.order(5, "run");
    home.order(5, "stop");
    home.advance(HOUR);
    expect(home.taken()).toEqual([]);
  });

  test("disabling itself does not stop what runs", () => {
    const home = stage({ 5: { if: [sensorIs(1)], then: [control(5, "disable"), wait(minutes(1)), ON] } });
    home.report("sensor", 1);
    home.report("sensor", 2);
    home.advance(HOUR);
    expect(home.taken()).toEqual(["lamp DON"]);
    expect(home.program(5).enabled).toBe(false);
  });

  test("a program that was enabled is started by its conditions again", () => {
    const home = stage({ 5: { then: [control(6, "enable")] }, 6: { if: [sensorIs(1)], then: [ON], enabled: false } });
    home.report("sensor", 1);
    home.order(5, "run");
    home.report("sensor", 0);
    home.report("sensor", 1);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("rebootrun and rebootnotrun set and clear run at startup", () => {
    const home = stage({ 5: { then: [control(6, "rebootrun")], else: [control(6, "rebootnotrun")] }, 6: {} });
    home.order(5, "runThen");
    expect(home.program(6).runAtStartup).toBe(true);
    home.order(5, "runElse");
    expect(home.program(6).runAtStartup).toBe(false);
  });

  test("who waits for another's status is started when the call has set it", () => {
    const home = stage({
      5: { then: [control(6, "runthen"), tell("fan", "DON")] },
      6: { then: [ON] },
      7: { if: [statusOf(6, true)], then: [OFF] },
    });
    home.order(5, "run");
    expect(home.taken()).toEqual(["fan DON", "lamp DON", "lamp DOF"]);
  });
});

describe("other statements", () => {
  test("a network resource and a notification go out, with an outcome each", () => {
    const home = stage({
      5: {
        then: [
          { kind: "resource", id: 1 },
          { kind: "notify", recipient: 2, content: null },
        ],
      },
    });
    home.order(5, "run");
    expect(home.taken()).toEqual(["resource 1", "notify 2"]);
    expect(home.traced("outcome")).toHaveLength(2);
  });

  test("the link of a scene is set where the scene has that controller", () => {
    const link = { kind: "cmd", node: "lamp", command: "DOF", parameters: [] } as const;
    const home = stage({});
    const blocks = [{ controller: "scene", links: [{ kind: "default", node: "lamp" } as const] }];
    const group = { address: "scene", name: "Scene", parent: null, deviceGroup: 1, members: [], blocks };
    home.commit({ type: "group-added", group });
    home.put(5, { then: [{ kind: "link", group: "scene", controller: "scene", link }] });
    home.order(5, "run");
    expect(home.home.groups.get("scene")?.blocks).toEqual([{ controller: "scene", links: [link] }]);
  });
});

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

  test("a program that calls itself without a wait is cut at the depth of calls", () => {
    const home = stage({ 5: { then: [count(1), control(5, "runthen")] } });
    home.order(5, "run");
    expect(home.variable(1, 1)).toBe(65);
    expect(home.program(5).enabled).toBe(false);
    expect(home.traced("cut")).toMatchObject([{ limit: "programCallsMax" }]);
  });

  test("two that start each other are both cut, and one that is merely started is not", () => {
    const home = stage({
      5: { if: [stateIs(1, 0, "ISNOT")], then: [assign(2, 2, "ADD=", 1)] },
      6: { if: [stateIs(2, 0, "ISNOT")], then: [assign(2, 1, "ADD=", 1)] },
      7: { if: [stateIs(1, 0, "ISNOT")], then: [count(1)] },
    });
    home.write(2, 1, 1);
    expect([5, 6, 7].map((id) => home.program(id).enabled)).toEqual([false, false, true]);
    expect(home.traced("cut")[0]?.detail).toContain('"Program 5"');
    expect(home.variable(2, 2)).toBeGreaterThan(490);
  });

  test("a program that starts itself by what it writes is cut", () => {
    const home = stage({ 5: { if: [stateIs(1, 0, "ISNOT")], then: [assign(2, 1, "ADD=", 1)] } });
    home.write(2, 1, 1);
    expect(home.program(5).enabled).toBe(false);
  });

  test("two that fight over a device are cut when the device tells whose command it answers", () => {
    const fight = {
      5: { if: [sensorIs(1)], then: [tell("sensor", "DOF")] },
      6: { if: [sensorIs(0)], then: [tell("sensor", "DON")] },
    };
    const home = stage(fight, { limits: { programStartsPerSecond: 100 } });
    home.report("sensor", 1);
    for (let turns = 0; turns < 200 && home.sent.length > 0; turns += 1) {
      const runId = home.lastSent?.runId ?? null;
      home.report("sensor", home.taken()[0] === "sensor DON" ? 1 : 0, { runId });
      home.nowMs += 1;
    }
    expect([5, 6].map((id) => home.program(id).enabled)).toEqual([false, false]);
  });

  test("a chain that takes more than a second is none", () => {
    const ping = { if: [stateIs(1, 0, "GT")], then: [wait(seconds(2)), assign(2, 1, "ADD=", 1)] };
    const home = stage({ 5: ping }, { limits: { programStartsPerSecond: 10 } });
    home.write(2, 1, 1);
    home.advance(HOUR);
    expect(home.program(5).enabled).toBe(true);
    expect(home.variable(2, 1)).toBeGreaterThan(1000);
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
