import type { EditorRange } from "@domovoi/client";
import { expect, test } from "vitest";
import { createEditor } from "../../client/src/model/editor.ts";
import { readValue } from "../../src/cli/home/value-input.ts";

const range = (uom: string, more: Partial<EditorRange>): EditorRange => ({
  ...{ uom, prec: 0, min: null, max: null, step: null, subset: null, names: new Map() },
  ...more,
});
const editor = (...ranges: readonly EditorRange[]) => createEditor({ id: "test", ranges });

const PERCENT = editor(range("51", { min: 0, max: 100 }));
const SWITCH = editor(
  range("51", {
    subset: "0,100",
    names: new Map([
      [0, "Off"],
      [100, "On"],
    ]),
  }),
);
const PREVIOUS = editor(
  range("25", { subset: "1", names: new Map([[1, "Previous Value"]]) }),
  range("51", { min: 0, max: 100 }),
);
const CELSIUS = editor(range("4", { prec: 1, min: 5, max: 35 }), range("17", { prec: 1, min: 41, max: 95 }));
const RAMP = editor(range("45", { min: 0, max: 127 }), range("58", { min: 0, max: 127 }));
const RATES = editor(
  range("25", {
    subset: "0-2",
    names: new Map([
      [0, "9.0 minutes"],
      [1, "30.0 seconds"],
      [2, "2.0 seconds"],
    ]),
  }),
);
const HALF = editor(range("14", { prec: 1, subset: "0,5", names: new Map([[5, "1"]]) }));

test.each([
  ["75", PERCENT, 75],
  ["75%", PERCENT, { value: 75, uom: 51 }],
  [" 75 percent ", PERCENT, { value: 75, uom: 51 }],
  ["on", SWITCH, { value: 100, uom: 51 }],
  ["previous value", PREVIOUS, { value: 1, uom: 25 }],
  ["21.5°C", CELSIUS, { value: 21.5, uom: 4 }],
  ["21,5 c", CELSIUS, { value: 21.5, uom: 4 }],
  ["70 °F", CELSIUS, { value: 70, uom: 17 }],
  ["3 minutes", RAMP, { value: 3, uom: 45 }],
  ["3 seconds", RAMP, { value: 3, uom: 58 }],
  ["1", HALF, { value: 0.5, uom: 14 }],
  ["2s", RATES, { value: 2, uom: 25 }],
  ["9 minutes", RATES, { value: 0, uom: 25 }],
  ["25s", RATES, { value: 1, uom: 25 }],
  ["-3", null, -3],
])("%j is read", (text, of, value) => {
  expect(readValue(text, of, "It")).toEqual(value);
});

test.each([
  ["101", PERCENT, 'It does not take "101": it takes 0 to 100%.'],
  ["75°C", PERCENT, 'It does not take "75°C": it takes 0 to 100%.'],
  ["50", SWITCH, 'It does not take "50": it takes Off or On.'],
  ["warm", CELSIUS, 'It does not take "warm": it takes 5 to 35°C, or 41 to 95°F.'],
  ["0x10", PERCENT, 'It does not take "0x10": it takes 0 to 100%.'],
  ["", PERCENT, 'It does not take "": it takes 0 to 100%.'],
  ["3", RATES, "It takes a time with its unit: 500ms, 2s, 3m."],
  ["fast", RATES, '"fast" is not a length of time. Write 500ms, 2s, 30m, 2h or 3d.'],
  ["on", null, 'It does not take "on": a number is expected.'],
])("%j is refused with what is taken", (text, of, sentence) => {
  expect(() => readValue(text, of, "It")).toThrow(sentence);
});
