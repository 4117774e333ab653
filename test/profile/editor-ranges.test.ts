/** Ranges without an end: their description, and their values. */

import { describe, expect, test } from "vitest";
import type { EditorRange } from "../../src/profile/editor.ts";
import { acceptValue, describeEditor } from "../../src/profile/editor-value.ts";
import { inSubset, subsetValues } from "../../src/profile/subset.ts";

const range = (of: Partial<EditorRange>): EditorRange => {
  return { uom: 51, prec: 0, min: null, max: null, step: null, subset: null, names: new Map(), ...of };
};

describe("an editor receives", () => {
  test.each<[string, Partial<EditorRange>]>([
    ["a number % (unit 51)", {}],
    ["0 to anything % (unit 51)", { min: 0 }],
    ["anything to 100 % (unit 51)", { max: 100 }],
    ["0 to 100 % (unit 51)", { min: 0, max: 100 }],
    ["0 to 100", { min: 0, max: 100, uom: 0 }],
  ])("as %s", (words, of) => {
    expect(describeEditor({ id: "X", ranges: [range(of)] }).text).toBe(words);
  });
});

describe("a subset that is open to a side ends", () => {
  const NAMES = new Map([
    [2, "two"],
    [9, "nine"],
  ]);
  test.each<[string, string, Partial<EditorRange>, number, boolean]>([
    ["at the maximum", "5-", { max: 20 }, 20, true],
    ["not behind the maximum", "5-", { max: 20 }, 21, false],
    ["at the maximum in its precision", "50-", { max: 20, prec: 1 }, 200, true],
    ["not behind the maximum in its precision", "50-", { max: 20, prec: 1 }, 201, false],
    ["at the minimum in its precision", "-50", { min: 1, prec: 1 }, 10, true],
    ["not before the minimum in its precision", "-50", { min: 1, prec: 1 }, 9, false],
    ["at the minimum", "-5", { min: 1 }, 1, true],
    ["not before the minimum", "-5", { min: 1 }, 0, false],
    ["at the last name", "5-", { names: NAMES }, 9, true],
    ["not behind the last name", "5-", { names: NAMES }, 10, false],
    ["at the only name", "-5", { names: new Map([[2, "two"]]) }, 1, false],
    ["at the first name", "-5", { names: NAMES }, 2, true],
    ["not before the first name", "-5", { names: NAMES }, 1, false],
    ["nowhere where nothing is said", "5-", {}, 1_000_000, true],
  ])("%s", (_claim, subset, of, raw, isIn) => {
    expect(inSubset(range({ ...of, subset }), raw)).toBe(isIn);
  });
});

test.each<[string, number, readonly number[] | null]>([
  ["1,3-5", 4, [1, 3, 4, 5]],
  ["1,3-5", 3, null],
  ["2,5-3", 1, [2]],
  [" 1 , 3 - 5 ,", 4, [1, 3, 4, 5]],
  ["", 0, []],
])("the subset %j has at most %i values: %j", (subset, limit, values) => {
  expect(subsetValues(range({ subset }), limit)).toEqual(values);
});

test("a counted value may be off by a millionth, which is the error of decimal fractions", () => {
  const editor = { id: "X", ranges: [range({ uom: 25, names: new Map([[0, "none"]]) })] };
  const taken = [1, -1, 2].map((value) => acceptValue(editor, { value, uom: 25, prec: 6 })?.value ?? null);
  expect(taken.map((value) => value === 0)).toEqual([true, true, false]);
});
