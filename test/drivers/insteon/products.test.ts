/** Every product has nodes whose nodedefs exist, whatever the engine of the device. */

import { expect, test } from "vitest";
import { nodesOf } from "../../../src/drivers/insteon/devices/products.ts";
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

/** Products of the makers, with the nodedefs of their nodes without the engine's form. */
const PRODUCTS: readonly (readonly [name: string, category: number, subcategories: string, nodedefs: string])[] = [
  ["ControlLinc, RemoteLinc", 0, "4 5 6", "RemoteLinc2*8"],
  ["MiniRemote with four buttons", 0, "16 20 23 27", "RemoteLinc2*4"],
  ["MiniRemote with eight buttons", 0, "18 22 24 26", "RemoteLinc2*8"],
  ["MiniRemote switch", 0, "17 21 25 28", "RemoteLinc2"],
  ["LampLinc, socket", 1, "0 6 7 13 14 34 35 42", "DimmerLampSwitch"],
  ["plug-in dimmer", 1, "11 15 17 18", "DimmerLampSwitch"],
  ["SwitchLinc, ToggleLinc, OutletLinc", 1, "1 3 4 23 25 29 30 31 32 33 36 39 43 45 48 49", "DimmerLampSwitch"],
  ["InLineLinc, ballast, DIN, micro, fixture", 1, "2 24 26 37 44 50 52 53 54 55 56 57 61 62 63 64", "DimmerLampSwitch"],
  ["bulb", 1, "58 59 60 73 74 75 76 77 78 79", "DimmerLampOnly"],
  ["keypad with six buttons", 1, "9 10 27 41 47 66", "KeypadDimmer KeypadButton*4"],
  ["keypad with eight buttons", 1, "5 12 28 65", "KeypadDimmer KeypadButton*7"],
  ["FanLinc", 1, "46", "DimmerLampOnly FanLincMotor"],
  ["i3 paddle, i3 dial", 1, "87 88", "DimmerLampSwitch"],
  ["relay keypad with eight buttons", 2, "5 37", "KeypadRelay KeypadButton*7"],
  ["relay keypad with six buttons", 2, "15 30 32 38 44", "KeypadRelay KeypadButton*4"],
  ["ApplianceLinc", 2, "6 9 12 23 45 48 53 54 55 56", "RelayLampSwitch"],
  ["OutletLinc", 2, "8 33", "RelayLampSwitch"],
  ["SwitchLinc relay", 2, "10 11 13 14 21 22 24 25 26 28 35 41 42", "RelayLampSwitch"],
  ["InLineLinc, DIN, micro relay", 2, "16 18 20 31 34 43 46 47 49 50 51 52", "RelayLampSwitch"],
  ["outlet with two halves", 2, "57 63", "RelayLampSwitch*2"],
  ["hood, exhaust fan", 5, "0 2 5", "RelayLampSwitch"],
  ["Venstar thermostat", 5, "1 3 4 14", "TempLinc BinaryAlarm*2"],
  ["thermostat", 5, "7 8 10 11 15 16 17 18 19 20 21 22 23 24", "Thermostat BinaryAlarm*2"],
  ["I/O Linc", 7, "0 13", "BinaryControl RelayLampOnly"],
  ["EZIO2x4", 7, "3", "EZIO2x4_Output*2 EZIO2x4_Input*4"],
  ["EZRain", 4, "0", "EZRAIN_Output*8 EZRAIN_Input"],
  ["siren", 7, "30", "Siren"],
  ["meter", 9, "7", "IMETER_SOLO"],
  ["open/close micro module", 14, "1 2 3", "DimmerMotorSwitch"],
  ["lock", 15, "6 10", "DoorLock"],
  ["motion sensor", 16, "1 3 4 5", "BinaryAlarm*3"],
  ["Motion Sensor II", 16, "22", "PIR2844 BinaryAlarm*12"],
  ["open/close sensor", 16, "2 6 7", "BinaryAlarm*2"],
  ["door sensor", 16, "9 17 20 21", "BinaryAlarm*4"],
  ["leak sensor", 16, "8 13 14", "BinaryAlarm*3"],
  ["smoke bridge", 16, "10", "BinaryAlarm*8"],
];

const named = PRODUCTS.flatMap(([name, category, subcategories, nodedefs]) =>
  subcategories.split(" ").map((subcategory) => [name, category, Number(subcategory), nodedefs] as const),
);

test.each(named)("the product %s %i.%i has the nodes %s", (_name, category, subcategory, nodedefs) => {
  const nodes = nodesOf("1A 2B 3C", { category, subcategory, firmware: 69, engine: "i1" });
  const wanted = nodedefs.split(" ").flatMap((word) => {
    const [id = "", count = "1"] = word.split("*");
    return Array.from({ length: Number(count) }, () => id);
  });
  expect(nodes?.map(({ nodeDefId }) => nodeDefId)).toEqual(wanted);
});

test.each([11, 29])("the range extender 0.%i has no nodes", (subcategory) => {
  expect(nodesOf("1A 2B 3C", { category: 0, subcategory, firmware: 69, engine: "i2" })).toBeNull();
});
