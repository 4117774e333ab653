/** The rules of docs/how-programs-run.md, one by one: what starts a program, and what its `if` says. */

import { describe, expect, test } from "vitest";
import { at, between, clockTime } from "../../src/demo/program-words.ts";
import type { Condition } from "../../src/home/program-syntax.ts";
import { DAY, HOUR, MINUTE, NOON, SECOND, stage } from "./stage.ts";
import {
  assign,
  count,
  integerIs,
  notPressed,
  OFF,
  ON,
  pressed,
  seconds,
  sensorIs,
  stateIs,
  statusOf,
  tell,
} from "./words.ts";

const lampScript = { then: [ON], else: [OFF] };

describe("status conditions", () => {
  test("a change of the property starts an evaluation", () => {
    const home = stage({ 5: { if: [sensorIs(1)], ...lampScript } });
    home.report("sensor", 1);
    home.report("sensor", 0);
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF"]);
  });

  test("another property of the node starts nothing", () => {
    const home = stage({ 5: { if: [sensorIs(1)], ...lampScript } });
    home.report("sensor", 1, { id: "BATLVL" });
    expect(home.taken()).toEqual([]);
  });

  test("the same node under another condition starts nothing", () => {
    const home = stage({ 5: { if: [sensorIs(1)], ...lampScript } });
    home.report("fan", 1);
    expect(home.taken()).toEqual([]);
  });

  test("the clause runs also when the result is the same as before", () => {
    const home = stage({ 5: { if: [sensorIs(0, "GT")], ...lampScript } });
    home.report("sensor", 1);
    home.report("sensor", 2);
    expect(home.taken()).toEqual(["lamp DON", "lamp DON"]);
  });

  test("a value that is not known is false, also for ISNOT", () => {
    const home = stage({ 5: { if: [sensorIs(1, "ISNOT")], ...lampScript } });
    home.order(5, "run");
    home.report("sensor", null);
    expect(home.taken()).toEqual(["lamp DOF", "lamp DOF"]);
  });

  test.each([
    ["ISNOT", 100, false],
    ["GT", 0, false],
    ["IS", 101, true],
    ["ISNOT", 101, false],
  ] as const)("a device that says that it does not know: %s %i is %s", (comparison, value, isTrue) => {
    const known = { value, uom: 79, prec: 0 };
    const asks = { ...sensorIs(1, comparison), value: known } as ReturnType<typeof sensorIs>;
    const home = stage({ 5: { if: [asks], ...lampScript } });
    home.report("sensor", 101, { uom: 79 });
    expect(home.taken()).toEqual([isTrue ? "lamp DON" : "lamp DOF"]);
  });

  test("reports that wait behind one another are seen one at a time", () => {
    const home = stage({ 5: { if: [sensorIs(1)], ...lampScript } });
    home.report("sensor", 1);
    home.report("sensor", 0);
    expect(home.traced("evaluated").map(({ isTrue }) => isTrue)).toEqual([true, false]);
  });
});

describe("control conditions", () => {
  test("IS is true in the evaluation that the event started", () => {
    const home = stage({ 5: { if: [pressed("DON")], ...lampScript } });
    home.press("switch", "DON");
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("IS is false in every other evaluation", () => {
    const home = stage({ 5: { if: [pressed("DON")], ...lampScript } });
    home.press("switch", "DON");
    home.order(5, "run");
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF"]);
  });

  test("another command of the node starts nothing", () => {
    const home = stage({ 5: { if: [pressed("DON")], ...lampScript } });
    home.press("switch", "DOF");
    expect(home.taken()).toEqual([]);
  });

  test("ISNOT is started by its event, and false then", () => {
    const home = stage({ 5: { if: [notPressed("DON")], ...lampScript } });
    home.press("switch", "DON");
    expect(home.taken()).toEqual(["lamp DOF"]);
  });

  test("ISNOT is true in every other evaluation", () => {
    const home = stage({ 5: { if: [notPressed("DON"), sensorIs(1)], ...lampScript } });
    home.report("sensor", 1);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("on and not off: the usual pair of a switch", () => {
    const home = stage({ 5: { if: [pressed("DON"), notPressed("DOF")], ...lampScript } });
    home.press("switch", "DON");
    home.press("switch", "DOF");
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF"]);
  });

  test("the same command counts every time it is sent", () => {
    const home = stage({ 5: { if: [pressed("DON")], then: [count(1)] } });
    for (let presses = 0; presses < 3; presses += 1) home.press("switch", "DON");
    expect(home.variable(1, 1)).toBe(3);
  });
});

describe("variable conditions", () => {
  test("a change of a state variable starts an evaluation", () => {
    const home = stage({ 5: { if: [stateIs(1, 7)], ...lampScript } });
    home.write(2, 1, 7);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("writing the same value again is no change", () => {
    const home = stage({ 5: { if: [stateIs(1, 0)], ...lampScript } });
    home.write(2, 1, 0);
    expect(home.taken()).toEqual([]);
  });

  test.each([1, 2] as const)("a status is compared with a variable of type %i, and a state variable starts", (type) => {
    const value = { variable: { type, id: 1 }, uom: 0 } as const;
    const above: Condition = { andOr: "and", kind: "status", node: "sensor", property: "ST", comparison: "GT", value };
    const home = stage({ 5: { if: [above], then: [ON], else: [OFF] } });
    home.report("sensor", 5);
    home.write(type, 1, 7);
    expect(home.taken()).toEqual(type === 1 ? ["lamp DON"] : ["lamp DON", "lamp DOF"]);
    home.report("sensor", 6);
    home.report("sensor", 8);
    expect(home.taken()).toEqual(["lamp DOF", "lamp DON"]);
  });

  test("the time of a variable is that of its last change", () => {
    const home = stage({ 5: { then: [assign(2, 1, "EQ", 5)] } });
    const writtenAtMs = () => home.home.variables[2].get(1)?.writtenAtMs;
    home.order(5, "run");
    expect(writtenAtMs()).toBe(NOON);
    home.advance(MINUTE);
    home.order(5, "run");
    home.write(2, 1, 5);
    expect(writtenAtMs()).toBe(NOON);
    home.write(2, 1, 6);
    expect(writtenAtMs()).toBe(NOON + MINUTE);
  });

  test("setting init starts nothing", () => {
    const home = stage({ 5: { if: [stateIs(1, 7)], ...lampScript } });
    home.commit({ type: "variable-init-written", variableType: 2, id: 1, init: 7 });
    expect(home.taken()).toEqual([]);
  });

  test("an integer variable starts nothing", () => {
    const home = stage({ 5: { if: [integerIs(1, 7)], ...lampScript } });
    home.write(1, 1, 7);
    expect(home.taken()).toEqual([]);
  });

  test("an integer variable is read in an evaluation that something else started", () => {
    const home = stage({ 5: { if: [integerIs(1, 7), stateIs(1, 1)], ...lampScript } });
    home.write(1, 1, 7);
    home.write(2, 1, 1);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("a state variable that a program writes starts others", () => {
    const home = stage({
      5: { if: [pressed("DON")], then: [assign(2, 1, "EQ", 3)] },
      6: { if: [stateIs(1, 3)], ...lampScript },
    });
    home.press("switch", "DON");
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("a program that writes the value it had starts none", () => {
    const home = stage({
      5: { if: [pressed("DON")], then: [assign(2, 1, "EQ", 0)] },
      6: { if: [stateIs(1, 0)], ...lampScript },
    });
    home.press("switch", "DON");
    expect(home.taken()).toEqual([]);
  });

  test("two variables are compared as displayed", () => {
    const operand = { kind: "variable", type: 2, id: 2 } as const;
    const same = { andOr: "and", kind: "variable", type: 2, id: 1, comparison: "IS", operand } as const;
    const home = stage({ 5: { if: [same], ...lampScript } });
    home.commit({ type: "variable-precision-changed", variableType: 2, id: 2, prec: 1 });
    home.write(2, 2, 50);
    home.write(2, 1, 5);
    expect(home.taken()).toEqual(["lamp DOF", "lamp DON"]);
  });

  test.each([1, 2] as const)("a state variable on the right starts too, with any left side (type %i)", (type) => {
    const operand = { kind: "variable", type: 2, id: 2 } as const;
    const below = { andOr: "and", kind: "variable", type, id: 1, comparison: "LT", operand } as const;
    const home = stage({ 5: { if: [below], ...lampScript } });
    home.write(2, 2, 1);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("an integer variable on the right starts nothing", () => {
    const operand = { kind: "variable", type: 1, id: 2 } as const;
    const below = { andOr: "and", kind: "variable", type: 2, id: 1, comparison: "LT", operand } as const;
    const home = stage({ 5: { if: [below], ...lampScript } });
    home.write(1, 2, 1);
    expect(home.taken()).toEqual([]);
  });
});

describe("conditions on programs", () => {
  test("a change of the other's status starts an evaluation", () => {
    const home = stage({ 5: { if: [stateIs(1, 1)] }, 6: { if: [statusOf(5, true)], ...lampScript } });
    home.write(2, 1, 1);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("the same status again starts nothing", () => {
    const home = stage({ 5: { if: [stateIs(1, 0, "GT")] }, 6: { if: [statusOf(5, true)], ...lampScript } });
    home.write(2, 1, 1);
    home.write(2, 1, 2);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("a program that never ran is false", () => {
    const home = stage({
      5: {},
      6: { if: [statusOf(5, true)], ...lampScript },
      7: { if: [statusOf(5, false)], ...lampScript },
    });
    home.order(6, "run");
    home.order(7, "run");
    expect(home.taken()).toEqual(["lamp DOF", "lamp DON"]);
  });

  test("the first else of a program is no change of its status", () => {
    const home = stage({ 5: { if: [stateIs(1, 1)] }, 6: { if: [statusOf(5, false)], ...lampScript } });
    home.order(5, "runElse");
    expect(home.taken()).toEqual([]);
    home.order(5, "runThen");
    home.order(5, "runElse");
    expect(home.taken()).toEqual(["lamp DOF", "lamp DON"]);
  });

  test("a status set by runThen counts", () => {
    const home = stage({ 5: { if: [stateIs(1, 1)] }, 6: { if: [statusOf(5, true)], ...lampScript } });
    home.order(5, "runThen");
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("a folder's status counts too", () => {
    const home = stage({ 6: { if: [statusOf(3, true)], ...lampScript } }, { folders: { 3: { if: [stateIs(1, 1)] } } });
    home.write(2, 1, 1);
    expect(home.taken()).toEqual(["lamp DON"]);
  });
});

describe("schedule conditions", () => {
  const noonPlus = (offset: number) => clockTime(12, offset);

  test("at: the moment starts it, and is true then", () => {
    const home = stage({ 5: { if: [at(noonPlus(5))], ...lampScript } });
    home.advance(5 * MINUTE - 1);
    expect(home.taken()).toEqual([]);
    home.advance(1);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("at is false in every other evaluation", () => {
    const home = stage({ 5: { if: [at(noonPlus(5))], ...lampScript } });
    home.advance(5 * MINUTE);
    home.order(5, "run");
    expect(home.taken()).toEqual(["lamp DON", "lamp DOF"]);
  });

  test("at comes every day", () => {
    const home = stage({ 5: { if: [at(noonPlus(5))], then: [count(1)] } });
    home.advance(3 * DAY);
    expect(home.variable(1, 1)).toBe(3);
  });

  test("at on some days of the week", () => {
    const home = stage({ 5: { if: [at(noonPlus(5), ["thu", "sun"])], then: [count(1)] } });
    home.advance(7 * DAY);
    expect(home.variable(1, 1)).toBe(2);
  });

  test("a window starts it when it opens, and again when it closes", () => {
    const when = { kind: "from-to", from: noonPlus(5), to: noonPlus(20) } as const;
    const home = stage({ 5: { if: [{ andOr: "and", kind: "schedule", days: null, when }], ...lampScript } });
    home.advance(10 * MINUTE);
    expect(home.taken()).toEqual(["lamp DON"]);
    home.advance(10 * MINUTE);
    expect(home.taken()).toEqual(["lamp DOF"]);
  });

  test("a window in the hour that a clock change skips begins and ends at once", () => {
    const windows = [between(clockTime(2, 15), clockTime(2, 45)), between(clockTime(2, 30), clockTime(3))];
    const home = stage(
      { 5: { if: windows.slice(0, 1), ...lampScript }, 6: { if: windows.slice(1), ...lampScript } },
      { nowMs: Date.UTC(2026, 2, 28, 23) },
    );
    home.advance(3 * HOUR);
    expect(home.taken()).toEqual(["lamp DOF", "lamp DOF"]);
    home.advance(24 * HOUR);
    expect(home.taken()).toEqual(["lamp DON", "lamp DON", "lamp DOF", "lamp DOF"]);
  });

  test("from … for ends after its span", () => {
    const when = { kind: "from-for", from: noonPlus(5), lasting: seconds(90) } as const;
    const home = stage({ 5: { if: [{ andOr: "and", kind: "schedule", days: null, when }], ...lampScript } });
    home.advance(5 * MINUTE + 89 * SECOND);
    expect(home.taken()).toEqual(["lamp DON"]);
    home.advance(SECOND);
    expect(home.taken()).toEqual(["lamp DOF"]);
  });

  test("a window is true in an evaluation that something else started inside it", () => {
    const when = { kind: "from-to", from: noonPlus(5), to: noonPlus(20) } as const;
    const home = stage({
      5: { if: [{ andOr: "and", kind: "schedule", days: null, when }, sensorIs(1)], ...lampScript },
    });
    home.advance(10 * MINUTE);
    home.report("sensor", 1);
    home.advance(HOUR);
    home.report("sensor", 0);
    home.report("sensor", 1);
    expect(home.taken()).toEqual(["lamp DOF", "lamp DON", "lamp DOF", "lamp DOF", "lamp DOF"]);
  });

  test("the next moment is shown, and is the next one after it has come", () => {
    const home = stage({ 5: { if: [at(noonPlus(5))] } });
    expect(home.program(5).nextRunAtMs).toBe(NOON + 5 * MINUTE);
    home.advance(5 * MINUTE);
    expect(home.program(5).nextRunAtMs).toBe(NOON + 5 * MINUTE + DAY);
  });

  test("a disabled program shows none", () => {
    const home = stage({ 5: { if: [at(noonPlus(5))] } });
    home.order(5, "disable");
    expect(home.program(5).nextRunAtMs).toBeNull();
    home.order(5, "enable");
    expect(home.program(5).nextRunAtMs).toBe(NOON + 5 * MINUTE);
  });
});

describe("the whole if", () => {
  test("AND binds before OR", () => {
    const home = stage({ 5: { if: [sensorIs(1), stateIs(1, 1), stateIs(2, 1, "IS", "or")], ...lampScript } });
    home.write(2, 2, 1);
    expect(home.taken()).toEqual(["lamp DON"]);
    home.write(2, 2, 0);
    home.report("sensor", 1);
    expect(home.taken()).toEqual(["lamp DOF", "lamp DOF"]);
  });

  test("parentheses as they are written", () => {
    const either = { andOr: "and", kind: "paren", conditions: [stateIs(1, 1), stateIs(2, 1, "IS", "or")] } as const;
    const home = stage({ 5: { if: [sensorIs(1), either], ...lampScript } });
    home.write(2, 2, 1);
    home.report("sensor", 1);
    expect(home.taken()).toEqual(["lamp DOF", "lamp DON"]);
  });

  test("an empty if is true, and nothing but a command starts it", () => {
    const home = stage({ 5: lampScript });
    home.report("sensor", 1);
    home.advance(DAY);
    expect(home.taken()).toEqual([]);
    home.order(5, "run");
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("starts of the same instant are processed in the order in which they happened", () => {
    const home = stage({
      5: { if: [pressed("DON")], then: [assign(2, 2, "EQ", 1), assign(2, 1, "EQ", 1)] },
      6: { if: [stateIs(1, 1)], then: [tell("lamp", "DON", 6)] },
      7: { if: [stateIs(2, 1)], then: [tell("lamp", "DON", 7)] },
    });
    home.press("switch", "DON");
    expect(home.taken()).toEqual(["lamp DON 7", "lamp DON 6"]);
  });

  test("one event starts programs in the order of their ids", () => {
    const home = stage({
      9: { if: [pressed("DON")], then: [tell("fan", "DON")] },
      5: { if: [pressed("DON")], then: [ON] },
    });
    home.press("switch", "DON");
    expect(home.taken()).toEqual(["lamp DON", "fan DON"]);
  });
});
