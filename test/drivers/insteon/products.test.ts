/** Every product has nodes whose nodedefs exist, whatever the engine of the device. */

import { expect, test } from "vitest";
import { nodesOf } from "../../../src/drivers/insteon/products.ts";
import { declareBuiltinProfile } from "../../../src/profile/builtin/builtin.ts";
import { Profile } from "../../../src/profile/profile.ts";

test.each(["i1", "i2", "i2CS"] as const)(
  "every product with the engine %s has nodes with a nodedef of the family",
  (engine) => {
    const profile = new Profile();
    declareBuiltinProfile(profile);
    const categories = Array.from({ length: 256 }, (_, category) => category);
    const nodes = categories.flatMap((category) =>
      Array.from({ length: 128 }, (_, subcategory) => subcategory).flatMap(
        (subcategory) => nodesOf("1A 2B 3C", { category, subcategory, firmware: 69, engine }) ?? [],
      ),
    );
    const unknown = nodes.filter(({ nodeDefId }) => !profile.nodedef(nodeDefId, 1, 1));
    expect(nodes.length).toBeGreaterThan(1000);
    expect(unknown.map(({ nodeDefId }) => nodeDefId)).toEqual([]);
  },
);

test.each([
  [1, 32, "i2CS", ["DimmerLampSwitch_ADV"]],
  [1, 46, "i2CS", ["DimmerLampOnly", "FanLincMotor"]],
  [1, 66, "i2", ["KeypadDimmer", "KeypadButton", "KeypadButton", "KeypadButton", "KeypadButton"]],
  [2, 57, "i2CS", ["RelayLampSwitch_ADV", "RelayLampSwitch_ADV"]],
  [7, 0, "i1", ["BinaryControl", "RelayLampOnly"]],
  [16, 8, "i2CS", ["BinaryAlarm_ADV", "BinaryAlarm_ADV", "BinaryAlarm_ADV"]],
] as const)("product %i.%i with the engine %s has the nodedefs %j", (category, subcategory, engine, nodedefs) => {
  const nodes = nodesOf("1A 2B 3C", { category, subcategory, firmware: 69, engine });
  expect(nodes?.map(({ nodeDefId }) => nodeDefId)).toEqual(nodedefs);
});

test("a modem has no nodes", () => {
  expect(nodesOf("1A 2B 3C", { category: 3, subcategory: 21, firmware: 158, engine: "i2" })).toBeNull();
});
