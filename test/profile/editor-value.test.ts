/** One value against its editor: what it takes, in which unit and precision, and how that is said. */

import { describe, expect, test } from "vitest";
import type { Editor, EditorRange } from "../../src/profile/editor.ts";
import { acceptRawLevel, acceptValue, describeEditor, takesUnit } from "../../src/profile/editor-value.ts";

const NONE = 0;
const CELSIUS = 4;
const FAHRENHEIT = 17;
const INDEX = 25;
const PERCENT = 51;
const OFF_ON = 78;
const LEVEL = 100;
const HALF_DEGREES = 101;

const editor = (...ranges: readonly Partial<EditorRange>[]): Editor => ({
  id: "X",
  ranges: ranges.map((of) => ({
    uom: PERCENT,
    prec: 0,
    min: null,
    max: null,
    step: null,
    subset: null,
    names: new Map(),
    ...of,
  })),
});
/** The value as it is displayed, with its unit and precision: `20.5 in 4, 1`. */
function taken(of: Editor | null, displayed: number, uom: number, prec = 0): string | null {
  const accepted = acceptValue(of, { value: Math.round(displayed * 10 ** prec), uom, prec });
  return accepted && `${accepted.value / 10 ** accepted.prec} in ${accepted.uom}, ${accepted.prec}`;
}

describe("without ranges every value is taken as it is given", () => {
  test.each([null, editor()])("%j", (of) => {
    expect(acceptValue(of, { value: 2150, uom: 999, prec: 2 })).toEqual({ value: 2150, uom: 999, prec: 2 });
    expect(acceptValue(of, { value: 2 ** 53, uom: 999, prec: 0 })).toBeNull();
  });
});

describe("bounds", () => {
  const bounded = editor({ min: 10, max: 20 });
  test.each([
    [9, null],
    [10, "10 in 51, 0"],
    [20, "20 in 51, 0"],
    [21, null],
  ])("10 to 20 is asked for %d: %s", (value, expected) => {
    expect(taken(bounded, value, NONE)).toBe(expected);
    expect(taken(bounded, value, PERCENT)).toBe(expected);
  });

  test("a side without a bound is open", () => {
    expect([taken(editor({ min: 0 }), 5000, NONE), taken(editor({ max: 0 }), -5000, NONE)]).toEqual([
      "5000 in 51, 0",
      "-5000 in 51, 0",
    ]);
  });
});

describe("units", () => {
  test("a value without a unit has the first range that takes it", () => {
    const two = editor({ uom: OFF_ON, subset: "0,100" }, { min: 0, max: 100 });
    expect([taken(two, 100, NONE), taken(two, 50, NONE), taken(two, 101, NONE)]).toEqual([
      "100 in 78, 0",
      "50 in 51, 0",
      null,
    ]);
  });

  test("a value with a unit is taken by the range of that unit, though another one comes first", () => {
    const two = editor({ uom: CELSIUS, min: 5, max: 100 }, { uom: FAHRENHEIT, min: 40, max: 95 });
    expect(taken(two, 70, FAHRENHEIT)).toBe("70 in 17, 0");
    expect(taken(two, 70, CELSIUS)).toBe("70 in 4, 0");
  });

  test("a range without a unit takes a value of any unit", () => {
    expect(taken(editor({ uom: NONE, min: 0, max: 10 }), 7, 45)).toBe("7 in 0, 0");
  });

  test("a unit that no range has is converted where it can be, and refused where it cannot", () => {
    const celsius = editor({ uom: CELSIUS, prec: 1, min: 5, max: 30 });
    expect(taken(celsius, 68, FAHRENHEIT)).toBe("20 in 4, 1");
    expect(taken(celsius, 100, FAHRENHEIT)).toBeNull();
    expect(taken(celsius, 20, PERCENT)).toBeNull();
    expect(taken(editor({ min: 0, max: 100 }), 128, LEVEL)).toBe("50 in 51, 0");
  });

  test("a value that its own range refuses is not taken by conversion out of that range's bounds", () => {
    expect(taken(editor({ uom: FAHRENHEIT, min: 40, max: 95 }), 100, FAHRENHEIT)).toBeNull();
  });

  test("an editor takes the units of its ranges and those that become them", () => {
    const both = editor({ uom: 45, min: 0 }, { uom: CELSIUS });
    expect([45, CELSIUS, FAHRENHEIT, HALF_DEGREES, PERCENT, NONE].map((uom) => takesUnit(both, uom))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
    expect([takesUnit(editor({ uom: NONE }), NONE), takesUnit(editor(), PERCENT), takesUnit(null, PERCENT)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe("precision", () => {
  test("digits beyond the editor's are rounded", () => {
    expect(taken(editor({ min: 0, max: 100 }), 33.4, NONE, 1)).toBe("33 in 51, 0");
    expect(taken(editor({ uom: CELSIUS, prec: 1 }), 20.56, NONE, 2)).toBe("20.6 in 4, 1");
  });

  test("half a degree is kept where the editor has whole ones, and no other fraction, unit or list", () => {
    const whole = editor({ uom: CELSIUS, min: 5, max: 30 });
    expect([20.5, -0.5, 20.25, 20].map((value) => taken(editor({ uom: CELSIUS }), value, CELSIUS, 2))).toEqual([
      "20.5 in 4, 1",
      "-0.5 in 4, 1",
      "20 in 4, 0",
      "20 in 4, 0",
    ]);
    expect(taken(whole, 20.5, NONE, 1)).toBe("20.5 in 4, 1");
    expect(taken(editor({ uom: PERCENT }), 20.5, PERCENT, 1)).toBe("21 in 51, 0");
    expect(taken(editor({ uom: HALF_DEGREES }), 20.5, HALF_DEGREES, 1)).toBe("21 in 101, 0");
    expect(taken(editor({ uom: CELSIUS, prec: 2 }), 20.5, CELSIUS, 1)).toBe("20.5 in 4, 2");
    expect(taken(editor({ uom: CELSIUS, subset: "20,21" }), 20.5, CELSIUS, 1)).toBeNull();
  });

  test("a number too large for its precision is refused", () => {
    expect(acceptValue(editor({ prec: 3 }), { value: 2 ** 53 - 1, uom: PERCENT, prec: 0 })).toBeNull();
  });

  test("zero has no sign", () => {
    expect(Object.is(acceptValue(editor({}), { value: -4, uom: PERCENT, prec: 1 })?.value, 0)).toBe(true);
  });
});

describe("lists", () => {
  test("only listed values are taken", () => {
    const listed = editor({ uom: INDEX, subset: "0,2-3" });
    expect([0, 1, 2, 3, 4].map((value) => taken(listed, value, NONE) !== null)).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
  });

  test.each([
    ["a list", { uom: 45, subset: "1-5" }],
    ["an index", { uom: INDEX, min: 0, max: 9 }],
    ["a unit of whole things, the first", { uom: 107 }],
    ["a unit of whole things, the last", { uom: 114 }],
    ["a unit whose values have names", { uom: OFF_ON }],
  ])("%s takes no fraction", (_, of) => {
    expect([taken(editor(of), 2, NONE), taken(editor(of), 2.4, NONE, 1)]).toEqual([`2 in ${of.uom}, 0`, null]);
  });

  test.each([106, 116, PERCENT])("unit %i rounds a fraction", (uom) => {
    expect(taken(editor({ uom }), 2.4, NONE, 1)).toBe(`2 in ${uom}, 0`);
  });
});

describe("a raw level of wired hardware", () => {
  const raw = (of: Editor | null, value: number) => acceptRawLevel(of, value)?.value ?? null;
  const dimmer = editor({ uom: CELSIUS }, { min: 0, max: 100 });

  test("is 0 to 255 in the unit of levels, rounded", () => {
    expect(acceptRawLevel(dimmer, 127.4)).toEqual({ value: 127, uom: LEVEL, prec: 0 });
    expect([-1, 0, 1, 254, 255, 256, Number.NaN].map((value) => raw(dimmer, value))).toEqual([
      null,
      0,
      1,
      254,
      255,
      null,
      null,
    ]);
  });

  test("needs an editor of percentages", () => {
    expect([raw(null, 5), raw(editor(), 5), raw(editor({ uom: LEVEL }), 5)]).toEqual([null, null, null]);
  });

  test("switches a two-valued device on, unless it is 0", () => {
    const relay = editor({ subset: "0,100" });
    expect([0, 1, 128, 255].map((value) => raw(relay, value))).toEqual([0, 255, 255, 255]);
  });

  test("goes to the nearest step above off, the higher one of two that are as near", () => {
    const fan = editor({ subset: "0,25,75,100" });
    expect([0, 1, 64, 127, 128, 191, 230, 255].map((value) => raw(fan, value))).toEqual([
      0, 64, 64, 64, 191, 191, 255, 255,
    ]);
    expect(raw(editor({ subset: "0,20,40,60" }), 51 * 1.5)).toBe(102);
  });
});

describe("an editor says what it takes", () => {
  const ON = new Map([
    [0, "Off"],
    [100, "On"],
  ]);
  test.each<[string, Editor | null]>([
    ["a number", null],
    ["a number", editor()],
    ["0 (Off), 100 (On) % (unit 51)", editor({ subset: "0,100", names: ON })],
    ["1, 2 °C (unit 4)", editor({ uom: CELSIUS, subset: "1-2" })],
    ["0-11 % (unit 51)".replace("0-11", [...Array(12).keys()].join(", ")), editor({ subset: "0-11" })],
    ["0-12 % (unit 51)", editor({ subset: "0-12" })],
    [
      "0 to 9 °C (unit 4), or 32 to 48 °F (unit 17)",
      editor({ uom: CELSIUS, min: 0, max: 9 }, { uom: FAHRENHEIT, min: 32, max: 48 }),
    ],
    [
      "a number °C (unit 4), or a number °F (unit 17), or a number",
      editor({ uom: CELSIUS }, { uom: FAHRENHEIT }, { uom: NONE }),
    ],
  ])("%s", (words, of) => expect(describeEditor(of).text).toBe(words));
});
