/** Units of measure by id and by symbol. An unknown id is like none. */

import { expect, test } from "vitest";
import { allUoms, findUom, UOM, uomName, uomOfSymbol } from "../../src/profile/uom.ts";

test.each([
  ["°C", UOM.celsius],
  ["°F", UOM.fahrenheit],
  ["%", UOM.percent],
  ["A", 1],
  ["nonsense", null],
  ["", null],
])("the first unit with the symbol %j is %j", (symbol, uom) => expect(uomOfSymbol(symbol)).toBe(uom));

test.each<[keyof typeof UOM, string, string]>([
  ["celsius", "°C", "temperature"],
  ["fahrenheit", "°F", "temperature"],
  ["percent", "%", "percent"],
  ["index", "", "index into a list"],
  ["boolean", "", "boolean"],
])("%s has the symbol %j and measures %s", (name, symbol, meaning) => {
  expect(findUom(UOM[name])).toMatchObject({ id: UOM[name], symbol, meaning });
});

test("values of switched units have names, those of measurements have none", () => {
  const labels = (uom: number) => [0, 100].map((value) => findUom(uom).names.get(value) ?? null);
  expect([labels(UOM.offOn), labels(UOM.openClosed), labels(UOM.percent)]).toEqual([
    ["Off", "On"],
    ["Open", "Closed"],
    [null, null],
  ]);
});

test.each([
  [UOM.celsius, "°C"],
  [UOM.percent, "%"],
  [22, "%"],
  [UOM.seconds, " seconds"],
  [UOM.index, ""],
])("a number in unit %i ends with %j", (uom, suffix) => expect(findUom(uom).suffix).toBe(suffix));

test.each([
  [UOM.none, "no unit"],
  [UOM.celsius, "°C"],
  [UOM.index, "index into a list"],
  [9999, "unknown"],
])("a sentence calls unit %i %j", (uom, name) => expect(uomName(uom)).toBe(name));

test("every unit is found by its id, and an unknown one is like none", () => {
  for (const uom of allUoms()) expect(findUom(uom.id)).toBe(uom);
  for (const id of [-1, 155, 1.5, Number.NaN]) expect(findUom(id)).toMatchObject({ id: 0, symbol: "", suffix: "" });
});
