/** The rules of docs/how-programs-run.md where several things meet: in one `if`, at one moment, in the middle of a run. */

import { describe, expect, test } from "vitest";
import { at, between, clockTime, OR } from "../../src/demo/program-words.ts";
import { HOUR, MINUTE, NOON, stage } from "./stage.ts";
import {
  control,
  count,
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
} from "./words.ts";

const LAMP = { then: [ON], else: [OFF] };
/** On for five minutes; then a count. */
const SLOW = { then: [ON, wait(minutes(5)), count(1)], else: [OFF] };

describe("one event that an if names twice", () => {
  test("a command starts one evaluation", () => {
    const home = stage({ 5: { if: [pressed("DON"), notPressed("DON"), pressed("DON", "or")], ...LAMP } });
    home.press("switch", "DON");
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("a moment starts one evaluation", () => {
    const home = stage({ 5: { if: [at(clockTime(12, 5)), { ...at(clockTime(12, 5)), andOr: "or" }], ...LAMP } });
    home.advance(HOUR);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("a window that closes when another opens starts one evaluation, which is true", () => {
    const windows = [between(clockTime(12, 5), clockTime(12, 10)), between(clockTime(12, 10), clockTime(12, 15), OR)];
    const home = stage({ 5: { if: windows, ...LAMP } });
    home.advance(HOUR);
    expect(home.taken()).toEqual(["lamp DON", "lamp DON", "lamp DOF"]);
  });

  test("a button whose light follows starts one evaluation for each of the two", () => {
    const home = stage({ 5: { if: [pressed("DON"), sensorIs(1, "IS", "or")], ...LAMP } });
    home.press("switch", "DON");
    home.report("sensor", 1);
    expect(home.taken()).toEqual(["lamp DON", "lamp DON"]);
  });
});

describe("the moment of writing", () => {
  test("is too late for a time that is now: it comes tomorrow", () => {
    const home = stage({ 5: { if: [at(clockTime(12))], ...LAMP } });
    home.advance(HOUR);
    expect(home.taken()).toEqual([]);
    home.advanceTo(NOON + 24 * HOUR);
    expect(home.taken()).toEqual(["lamp DON"]);
  });

  test("inside a window starts nothing; its end does", () => {
    const home = stage({ 5: { if: [between(clockTime(11), clockTime(12, 5))], ...LAMP } });
    expect(home.taken()).toEqual([]);
    home.advance(HOUR);
    expect(home.taken()).toEqual(["lamp DOF"]);
  });

  test("so does enabling inside a window", () => {
    const home = stage({ 5: { if: [between(clockTime(12, 1), clockTime(12, 5))], ...LAMP, enabled: false } });
    home.advance(2 * MINUTE);
    home.order(5, "enable");
    expect(home.taken()).toEqual([]);
    home.advance(HOUR);
    expect(home.taken()).toEqual(["lamp DOF"]);
  });
});

describe("in the middle of a run", () => {
  test.each([
    ["runThen", ["lamp DON"], 1],
    ["runElse", ["lamp DOF"], 0],
    ["runIf", ["lamp DOF"], 0],
  ] as const)("a person's %s takes the place of a wait", (verb, sent, counted) => {
    const home = stage({ 5: { if: [stateIs(1, 7)], ...SLOW } });
    home.order(5, "runThen");
    home.advance(3 * MINUTE);
    home.taken();
    home.order(5, verb);
    expect(home.taken()).toEqual(sent);
    home.advance(3 * MINUTE);
    expect(home.variable(1, 1)).toBe(0);
    home.advance(HOUR);
    expect(home.variable(1, 1)).toBe(counted);
  });

  test("a folder that closes ends nothing", () => {
    const folders = { 3: { if: [stateIs(1, 0)] } };
    const home = stage({ 5: { if: [sensorIs(1)], ...SLOW, parentId: 3 } }, { folders });
    home.report("sensor", 1);
    home.write(2, 1, 1);
    home.report("sensor", 0);
    home.advance(HOUR);
    expect(home.taken()).toEqual(["lamp DON"]);
    expect(home.variable(1, 1)).toBe(1);
  });

  test("called programs start when its group has ended, in their order", () => {
    const home = stage({
      5: { then: [control(7, "runthen"), control(6, "runthen"), ON] },
      6: { then: [tell("lamp", "DON", 6)] },
      7: { then: [tell("lamp", "DON", 7)] },
    });
    home.order(5, "runThen");
    expect(home.taken()).toEqual(["lamp DON", "lamp DON 7", "lamp DON 6"]);
  });

  test("one repeat comes after the other", () => {
    const steps = [times(2), tell("lamp", "BRT"), wait(seconds(1)), times(3), tell("lamp", "DIM"), wait(seconds(1))];
    const home = stage({ 5: { then: steps } });
    home.order(5, "runThen");
    home.advance(MINUTE);
    expect(home.taken()).toEqual(["lamp BRT", "lamp BRT", "lamp DIM", "lamp DIM", "lamp DIM"]);
  });
});
