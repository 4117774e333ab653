/** Conversions of commands' values: levels between percent and 0–255, temperatures between their scales, nothing else. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { convertUnit, isTemperature } from "../../src/profile/convert-unit.ts";
import { allUoms } from "../../src/profile/uom.ts";

const CELSIUS = 4;
const DEVICE_DEGREES = 14;
const FAHRENHEIT = 17;
const PERCENT = 51;
const LEVEL = 100;
const HALF_DEGREES = 101;
const TEMPERATURES = [CELSIUS, DEVICE_DEGREES, FAHRENHEIT, HALF_DEGREES];

describe("a value becomes", () => {
  test.each([
    [0, PERCENT, LEVEL, 0],
    [1, PERCENT, LEVEL, 3],
    [50, PERCENT, LEVEL, 128],
    [100, PERCENT, LEVEL, 255],
    [0, LEVEL, PERCENT, 0],
    [1, LEVEL, PERCENT, 0],
    [127, LEVEL, PERCENT, 50],
    [255, LEVEL, PERCENT, 100],
    [0, CELSIUS, FAHRENHEIT, 32],
    [100, CELSIUS, FAHRENHEIT, 212],
    [-40, CELSIUS, FAHRENHEIT, -40],
    [32, FAHRENHEIT, CELSIUS, 0],
    [68, FAHRENHEIT, CELSIUS, 20],
    [41, HALF_DEGREES, CELSIUS, 20.5],
    [141, HALF_DEGREES, FAHRENHEIT, 70.5],
    [20.5, CELSIUS, HALF_DEGREES, 41],
    [20.3, DEVICE_DEGREES, HALF_DEGREES, 41],
    [70, FAHRENHEIT, DEVICE_DEGREES, 70],
    [21.5, DEVICE_DEGREES, CELSIUS, 21.5],
    [21.5, DEVICE_DEGREES, FAHRENHEIT, 21.5],
    [21.5, CELSIUS, DEVICE_DEGREES, 21.5],
  ])("%d in unit %d as unit %d: %d", (value, from, to, expected) => {
    expect(convertUnit(value, from, to)).toBe(expected);
  });
});

test("a value stays as it is in its own unit, whatever the unit", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true }), fc.constantFrom(...allUoms()), (value, { id }) => {
      expect(convertUnit(value, id, id)).toBe(value);
    }),
  );
});

test("every percentage survives its way through a level", () => {
  for (let percent = 0; percent <= 100; percent += 1) {
    const level = convertUnit(percent, PERCENT, LEVEL);
    expect(convertUnit(level ?? Number.NaN, LEVEL, PERCENT)).toBe(percent);
  }
});

test("a temperature and a temperature become each other, a level and a percentage, and no other two units", () => {
  const ids = allUoms().map(({ id }) => id);
  expect(ids.filter(isTemperature)).toEqual(TEMPERATURES);
  const converts = ids.flatMap((from) =>
    ids.filter((to) => from !== to && convertUnit(1, from, to) !== null).map((to) => [from, to]),
  );
  const temperatures = TEMPERATURES.flatMap((from) => TEMPERATURES.filter((to) => to !== from).map((to) => [from, to]));
  const sorted = (pairs: readonly (readonly number[])[]) => pairs.map(String).sort();
  expect(sorted(converts)).toEqual(sorted([...temperatures, [PERCENT, LEVEL], [LEVEL, PERCENT]]));
});
