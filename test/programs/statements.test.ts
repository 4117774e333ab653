/** The rules of docs/how-programs-run.md, one by one: what each kind of statement does. */

import { describe, expect, test } from "vitest";
import type { Action } from "../../src/home/program-syntax.ts";
import { HOUR, MINUTE, NOON, stage } from "./stage.ts";
import { assign, control, count, minutes, OFF, ON, pressed, sensorIs, stateIs, statusOf, tell, wait } from "./words.ts";

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
    ["more than a variable holds", "MUL=", 2_147_483_647],
  ] as const)("%s leaves the variable and is traced", (_claim, operator, operand) => {
    const home = result(42, assign(1, 1, operator, operand));
    expect(home.variable(1, 1)).toBe(42);
    expect(home.traced("statement")[0]?.detail).toMatch(/\.$/);
  });

  test.each([
    [5, 0, [1, 2, 3, 4, 5]],
    [2, 0, [1, 2]],
    [1, 0, [1]],
    [0, 0, [1]],
    [-3, 0, [1]],
    [1, 1, [10]],
    [1.3, 1, [10, 11, 12, 13]],
    [0.5, 1, [10]],
  ])("a random assignment of %d (precision %i) is one of %j, all of them", (most, prec, all) => {
    const drawn = new Set(
      Array.from({ length: 80 }, (_, run) => {
        const limit = assign(1, 1, "RDM=", Math.round(most * 10 ** prec), prec);
        const home = stage({ 5: { then: [limit] } }, { nowMs: NOON + run });
        home.commit({ type: "variable-precision-changed", variableType: 1, id: 1, prec });
        home.order(5, "run");
        return home.variable(1, 1);
      }),
    );
    expect([...drawn].sort((a, b) => a - b)).toEqual(all);
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

  test("a variable as a parameter of a command is its value when the statement runs", () => {
    const level = { id: "", variable: { type: 2, id: 1 }, uom: 51 } as const;
    const dim: Action = { kind: "command", node: "lamp", command: "DON", parameters: [level] };
    const home = stage({ 5: { then: [assign(2, 1, "EQ", 40), dim, assign(2, 1, "EQ", 70), dim] } });
    home.order(5, "run");
    expect(home.taken()).toEqual(["lamp DON 40", "lamp DON 70"]);
    expect(home.lastSent?.action).toMatchObject({ parameters: [{ id: "", value: 70, prec: 0, uom: 51 }] });
  });

  test("a program with a variable as a parameter is not loaded without it", () => {
    const level = { id: "", variable: { type: 2, id: 9 }, uom: 0 } as const;
    const home = stage({ 5: { then: [{ kind: "command", node: "lamp", command: "DON", parameters: [level] }] } });
    expect(home.program(5).invalid).toBe("There is no state variable 9.");
  });

  test("from a status", () => {
    const home = stage({ 5: { then: [fromStatus] } });
    home.report("sensor", 215, { prec: 1 });
    home.order(5, "run");
    expect(home.variable(1, 1)).toBe(22);
  });

  test.each([
    ["converted to the unit that is asked for", 4, 17, 72],
    ["as it is where that is its unit already", 17, 17, 22],
    ["as it is where the statement names no unit", 4, 0, 22],
    ["and left alone where the units have nothing in common", 51, 17, 0],
  ])("from a status with a unit: %s", (_what, reported, uom, expected) => {
    const operand = { kind: "status", node: "sensor", property: "ST", uom } as const;
    const home = stage({ 5: { then: [{ ...fromStatus, operand }] } });
    home.report("sensor", 222, { prec: 1, uom: reported });
    home.order(5, "run");
    expect(home.variable(1, 1)).toBe(expected);
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
    ["secondOfDay", 43_200],
    ["unixTime", Date.UTC(2026, 5, 10, 10) / 1000],
    ["sunriseToday", 4 * 3600 + 44 * 60],
    ["sunsetToday", 21 * 3600 + 28 * 60],
    ["sunriseTomorrow", 4 * 3600 + 44 * 60],
    ["sunsetTomorrow", 21 * 3600 + 29 * 60],
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

  test("INIT from the variable itself keeps its present value for the next start", () => {
    const operand = { kind: "variable", type: 1, id: 1 } as const;
    const home = stage({ 5: { then: [{ kind: "variable", type: 1, id: 1, operator: "INIT", operand }] } });
    home.write(1, 1, 7);
    home.order(5, "run");
    expect(home.home.variables[1].get(1)).toMatchObject({ value: 7, init: 7 });
  });

  test("a system value of a sun that does not rise leaves the variable unchanged", () => {
    const operand = { kind: "system", value: "sunriseToday" } as const;
    const program = { then: [{ kind: "variable", type: 1, id: 1, operator: "EQ", operand }] } as const;
    const home = stage({ 5: program }, { nowMs: Date.UTC(2026, 11, 21, 12) });
    home.commit({ type: "controller-changed", controller: { ...home.home.controller, latitude: 78 } });
    home.write(1, 1, 3);
    home.order(5, "run");
    expect(home.variable(1, 1)).toBe(3);
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

  test("stop withdraws a start that is pending, and the status of its path stays", () => {
    const home = stage({
      5: { then: [control(6, "runelse"), control(6, "stop"), tell("fan", "DON")] },
      6: { then: [ON], else: [OFF], status: true },
      7: { if: [statusOf(6, false)], then: [tell("fan", "BRT")] },
    });
    home.order(5, "runThen");
    expect(home.taken()).toEqual(["fan BRT", "fan DON"]);
    expect(home.program(6)).toMatchObject({ status: false, running: "idle" });
  });

  test("stop withdraws a start by conditions", () => {
    const home = stage({
      5: { then: [assign(2, 1, "EQ", 1), control(6, "stop")] },
      6: { if: [stateIs(1, 1)], then: [ON] },
    });
    home.order(5, "runThen");
    expect(home.taken()).toEqual([]);
  });

  test("what watches the status of a called program starts between two statements", () => {
    const home = stage({
      5: { then: [control(6, "runthen"), control(7, "runelse"), tell("fan", "DON")] },
      6: {},
      7: { status: true },
      8: { if: [statusOf(6, true), statusOf(7, true)], then: [ON], else: [OFF] },
    });
    home.order(5, "runThen");
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF", "fan DON"]);
  });

  test("the status of a program that runif runs is known to the next statement's watchers", () => {
    const home = stage({
      5: { then: [control(6, "runif"), control(7, "runthen")] },
      6: { if: [stateIs(1, 1)], then: [tell("fan", "DON")] },
      7: { then: [tell("fan", "DOF")] },
      8: { if: [statusOf(7, true), statusOf(6, true)], then: [ON] },
    });
    home.write(2, 1, 1);
    home.taken();
    home.order(6, "runElse");
    home.order(5, "runThen");
    expect(home.taken()).toEqual(["lamp DON", "fan DON", "fan DOF"]);
  });

  test.each([1, 2, 100])("called twice in a group, it runs twice (%i items in a step)", (itemsMax) => {
    const home = stage(
      { 5: { then: [control(6, "runthen"), control(6, "runelse"), ON] }, 6: { then: [count(1)], else: [count(2)] } },
      { itemsMax },
    );
    home.order(5, "runThen");
    expect([home.variable(1, 1), home.variable(1, 2), home.program(6).status]).toEqual([1, 1, false]);
  });

  test("a program that is in the middle of a group starts behind it", () => {
    const home = stage({
      5: { if: [statusOf(6, true)], then: [control(6, "runthen"), tell("lamp", "BRT"), tell("lamp", "DIM")] },
      6: { then: [ON] },
    });
    home.order(5, "runThen");
    expect(home.taken()).toEqual(["lamp BRT", "lamp DIM", "lamp DON", "lamp BRT", "lamp DIM", "lamp DON"]);
  });

  test("rebootrun and rebootnotrun set and clear run at startup", () => {
    const home = stage({ 5: { then: [control(6, "rebootrun")], else: [control(6, "rebootnotrun")] }, 6: {} });
    home.order(5, "runThen");
    expect(home.program(6).runAtStartup).toBe(true);
    home.order(5, "runElse");
    expect(home.program(6).runAtStartup).toBe(false);
  });

  test("a program that waits for another's status is started when the call has set it", () => {
    const home = stage({
      5: { then: [control(6, "runthen"), tell("fan", "DON")] },
      6: { then: [ON] },
      7: { if: [statusOf(6, true)], then: [OFF] },
    });
    home.order(5, "run");
    expect(home.taken()).toEqual(["lamp DOF", "fan DON", "lamp DON"]);
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

  test("a text may name the node that caused the run, also that of the caller", () => {
    const notify: Action = { kind: "notify", recipient: 1, content: null };
    const home = stage({
      5: { if: [sensorIs(1)], then: [notify, control(6, "runthen")], else: [notify] },
      6: { then: [{ kind: "resource", id: 1 }] },
      7: { if: [pressed("DON")], then: [notify] },
    });
    const abouts = () =>
      home.effects
        .splice(0)
        .flatMap((effect) => (effect.kind === "send" ? [Reflect.get(effect.statement.action, "about")] : []));
    abouts();
    home.report("sensor", 1);
    expect(abouts()).toEqual(["sensor", "sensor"]);
    home.press("switch", "DON");
    expect(abouts()).toEqual(["switch"]);
    home.order(5, "runThen");
    expect(abouts()).toEqual([undefined, undefined]);
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
