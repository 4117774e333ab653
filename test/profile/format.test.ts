import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { declareBuiltinProfile } from "../../src/profile/builtin/builtin.ts";
import { nodedef } from "../../src/profile/builtin/definition-text.ts";
import { createFormatter, describeProperty } from "../../src/profile/format.ts";
import { Profile } from "../../src/profile/profile.ts";

const profile = new Profile();
declareBuiltinProfile(profile);
profile.declare(
  12,
  1,
  {
    nodedefs: [
      nodedef("UZW1", {
        name: "Dimmer",
        properties: "ST:_51_0_R_0_101_N_IX_LVL CLITEMP:_17_1 BATLVL:_51_0_R_0_100 LOCK:ZY_LOCK_STS",
        accepts: "",
      }),
    ],
    names: new Map([["IX_LVL-101", "Unknown"]]),
  },
  true,
);

type Case = readonly [node: string, id: string, value: number | null, uom: number, prec: number, formatted: string];

function describeIn(
  nodeDefId: string,
  id: string,
  value: number | null,
  uom: number,
  prec: number,
  text: string | null = null,
) {
  const family = nodeDefId.startsWith("UZW") ? 12 : 1;
  return describeProperty(profile, { nodeDefId, family, instance: 1 }, { id, value, uom, prec, text });
}

describe("a property reads", () => {
  const cases: readonly Case[] = [
    ["DimmerLampSwitch_ADV", "ST", 0, 100, 0, "Off"],
    ["DimmerLampSwitch_ADV", "ST", 127, 100, 0, "50%"],
    ["DimmerLampSwitch_ADV", "ST", 255, 100, 0, "100%"],
    ["DimmerLampSwitch_ADV", "ST", 1, 100, 0, "0%"],
    ["DimmerLampSwitch_ADV", "ST", 0, 51, 0, "Off"],
    ["DimmerLampSwitch_ADV", "ST", 50, 51, 0, "50%"],
    ["DimmerLampSwitch_ADV", "ST", null, 0, 0, " "],
    ["DimmerLampSwitch_ADV", "RR", 28, 25, 0, "0.5 seconds"],
    ["DimmerLampSwitch_ADV", "RR", 27, 25, 0, "2.0 seconds"],
    ["DimmerLampSwitch_ADV", "RR", 0, 25, 0, "9.0 minutes"],
    ["DimmerLampSwitch_ADV", "ERR", 0, 0, 0, "True"],
    ["RelayLampSwitch_ADV", "ST", 255, 100, 0, "On"],
    ["RelayLampSwitch_ADV", "ST", 3, 100, 0, "On"],
    ["RelayLampSwitch_ADV", "ST", 0, 100, 0, "Off"],
    ["RelayLampSwitch_ADV", "RR", 28, 25, 0, "28"],
    ["KeypadButton_ADV", "ST", 255, 100, 0, "On"],
    ["BinaryAlarm_ADV", "ST", 255, 100, 0, "On"],
    ["FanLincMotor", "ST", 191, 100, 0, "Medium"],
    ["FanLincMotor", "ST", 64, 100, 0, "Low"],
    ["DoorLock", "ST", 255, 100, 0, "Locked"],
    ["DoorLock", "ST", 0, 100, 0, "Unlocked"],
    ["Thermostat", "ST", 156, 101, 0, "78.0°"],
    ["Thermostat", "ST", 1560, 101, 1, "78.0°"],
    ["Thermostat", "CLIMD", 1, 98, 0, "Heat"],
    ["Thermostat", "CLIFS", 8, 99, 0, "Auto"],
    ["Thermostat", "CLIHUM", 1, 22, 0, "1%"],
    ["IMETER_SOLO", "ST", 1234, 73, 0, "1234 Watts"],
    ["UZW1", "ST", 101, 51, 0, "Unknown"],
    ["UZW1", "ST", 1010, 51, 1, "Unknown"],
    ["UZW1", "ST", 0, 51, 0, "0%"],
    ["UZW1", "CLITEMP", 705, 17, 1, "70.5°F"],
    ["UZW1", "BATLVL", 60, 51, 0, "60%"],
    ["UZW1", "LOCK", 100, 11, 0, "Locked"],
    ["UZW1", "OTHER", 4100, 69, 3, "4.1 US gallons"],
    ["UZW1", "OTHER", 42, 97, 0, "42%"],
    ["UZW1", "OTHER", 103, 97, 0, "Closing"],
    ["UZW1", "OTHER", -5, 0, 1, "-0.5"],
    ["UZW9", "ST", 100, 78, 0, "On"],
    ["UZW9", "ST", 7, 500, 0, "7"],
  ];
  test.each(cases)("%s %s of %s in unit %s with %s decimals as %j", (node, id, value, uom, prec, formatted) => {
    expect(describeIn(node, id, value, uom, prec).formatted).toBe(formatted);
  });

  test("the driver's text where there is one", () => {
    expect(describeIn("DimmerLampSwitch", "ST", 0, 100, 0, "Half way").formatted).toBe("Half way");
    expect(describeIn("DimmerLampSwitch", "ST", 0, 100, 0, "").formatted).toBe("Off");
  });
});

describe("a property's name", () => {
  test("is its label in the nodedef", () => {
    expect(describeIn("DimmerLampSwitch", "ST", 0, 100, 0)).toMatchObject({ name: "Status", label: "Status" });
  });

  test("is empty where no nodedef labels it; events leave it out where the nodedef has no such property", () => {
    expect(describeIn("DimmerLampSwitch", "GV1", 0, 0, 0)).toMatchObject({ name: "", label: null });
    expect(describeIn("UZW9", "ST", 0, 0, 0)).toMatchObject({ name: "", label: "" });
  });
});

test("a formatter follows what drivers declare later", () => {
  const young = new Profile();
  const format = createFormatter(young);
  const node = { nodeDefId: "Lamp", family: 10, instance: 3 };
  const property = { id: "ST", value: 1, uom: 25, prec: 0, text: null };
  expect(format(node, property)).toEqual({ formatted: "1", name: "", label: "" });
  young.declare(10, 3, {
    nodedefs: [nodedef("Lamp", { name: "Lamp", properties: "ST:_25_0_N_LAMP", accepts: "" })],
    names: new Map([["LAMP-1", "Glowing"]]),
  });
  expect(format(node, property)).toEqual({ formatted: "Glowing", name: "Status", label: "Status" });
});

test("every value of every property has a text that shows on one line", () => {
  const nodedefs = [...(profile.instance(1, 1)?.nodedefs.keys() ?? []), "UZW1", "UZW9"];
  const value = fc.option(fc.integer());
  fc.assert(
    fc.property(
      fc.constantFrom(...nodedefs),
      fc.constantFrom("ST", "OL", "RR", "ERR", "CLIMD", "GV1"),
      value,
      fc.integer({ min: 0, max: 160 }),
      fc.integer({ min: 0, max: 6 }),
      (node, id, raw, uom, prec) => {
        const { formatted } = describeIn(node, id, raw, uom, prec);
        expect(formatted).toMatch(/^[^\n]+$/);
        expect(formatted).not.toMatch(/NaN|undefined|Infinity/);
      },
    ),
  );
});
