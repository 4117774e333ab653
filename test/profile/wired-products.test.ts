import { expect, test } from "vitest";
import { declareBuiltinProfile } from "../../src/profile/builtin/builtin.ts";
import { nodeDefIdOfType, productNodes } from "../../src/profile/builtin/wired-products-table.ts";
import { Profile } from "../../src/profile/profile.ts";

const CATEGORIES = Array.from({ length: 120 }, (_, category) => category);
const SUBCATEGORIES = Array.from({ length: 128 }, (_, subcategory) => subcategory);

test("every node of every wired product has a nodedef of the built-in profile, and a suffix of its own", () => {
  const profile = new Profile();
  declareBuiltinProfile(profile);
  const products = CATEGORIES.flatMap((category) => SUBCATEGORIES.map((sub) => productNodes(category, sub) ?? []));
  const nodes = products.flat();
  expect(nodes.length).toBeGreaterThan(500);
  expect(nodes.filter(({ nodeDefId }) => profile.nodedef(nodeDefId, 1, 1) === null)).toEqual([]);
  expect(products.filter((each) => new Set(each.map(({ suffix }) => suffix)).size < each.length)).toEqual([]);
});

test.each([
  ["1.32.69.0", "1", "DimmerLampSwitch"],
  ["1.65.69.0", "8", "KeypadButton"],
  ["2.44.69.0", "1", "KeypadRelay"],
  ["1.46.69.0", "2", "FanLincMotor"],
  ["5.3.13.0", "1", "TempLinc"],
  ["5.14.13.0", "1", "TempLinc"],
  ["5.5.13.0", "1", "RelayLampSwitch"],
  ["7.0.65.0", "2", "RelayLampOnly"],
  ["7.3.65.0", "c", "EZIO2x4_Input"],
  ["16.10.67.0", "A", "BinaryAlarm"],
  ["16.22.67.0", "1", "PIR2844"],
  ["1.32.69.0", "9", "DimmerLampSwitch"],
  ["3.21.0.0", "1", null],
  ["", "1", null],
])("type %s, node %s: %s", (type, suffix, nodeDefId) => {
  expect(nodeDefIdOfType(type, suffix)).toBe(nodeDefId);
});
