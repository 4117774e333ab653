/** Colors and temperatures between people and devices. */

import type { Node, Property } from "@domovoi/client";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hueOf, rgbOf } from "../../web/src/controls/hue.ts";
import { sendToLit } from "../../web/src/controls/send-to-lit.ts";
import { usedIn } from "../../web/src/energy/used.ts";
import { isActive } from "../../web/src/parts/activity.ts";
import { setUnits, temperatureOf, toDevice } from "../../web/src/text/home-units.ts";
import { inOwnWords } from "../../web/src/text/own-words.ts";

test.each([
  [0, 1, [255, 0, 0]],
  [120, 1, [0, 255, 0]],
  [240, 1, [0, 0, 255]],
  [60, 1, [255, 255, 0]],
  [200, 0, [255, 255, 255]],
] as const)("hue %i at saturation %f has the channels %j", (hue, saturation, channels) => {
  expect(rgbOf(hue, saturation)).toEqual(channels);
});

test("a hue that is sent is the one that is shown", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 359 }), fc.integer({ min: 40, max: 100 }), (hue, percent) => {
      const shown = hueOf(rgbOf(hue, percent / 100));
      const apart = Math.abs(shown.hue - hue);
      expect(Math.min(apart, 360 - apart)).toBeLessThanOrEqual(2);
      expect(Math.abs(shown.saturation * 100 - percent)).toBeLessThanOrEqual(1);
    }),
  );
});

/** A node with one temperature, which may name its unit. */
function node(value: number, uom: string, own?: "1" | "2"): Node {
  const properties = new Map<string, Partial<Property>>([["ST", { value: String(value), uom }]]);
  if (own) properties.set("UOM", { value: own });
  return { properties, value: () => value } as unknown as Node;
}

describe("temperatures", () => {
  test.each([
    ["metric", node(21, "4"), 21],
    ["metric", node(68, "17"), 20],
    ["metric", node(140, "101", "2"), 21.1],
    ["metric", node(42, "101", "1"), 21],
    ["us", node(20, "4"), 68],
    ["us", node(70, "17"), 70],
    ["us", node(70, "14"), 70],
    ["metric", node(21, "14"), 21],
  ] as const)("in a %s home, case %#, are in its unit", (units, some, shown) => {
    setUnits(units);
    expect(temperatureOf(some, "ST")).toBeCloseTo(shown, 1);
  });

  test.each([
    ["Hall is 70.0 ° since 19:02.", "Hall is 21.1 °C since 19:02."],
    ["Flur ist „70.0 °“, zuletzt geändert 19:02.", "Flur ist „21.1 °C“, zuletzt geändert 19:02."],
  ])("a sentence of the controller has the value as the page shows it: %s", (sentence, shown) => {
    expect(inOwnWords(sentence, { of: "70.0°", are: "21.1 °C" })).toBe(shown);
  });

  test("a set-point arrives in the unit of the device", () => {
    setUnits("metric");
    expect(toDevice(node(140, "101", "2"), "101", 20)).toBeCloseTo(68);
    expect(toDevice(node(21, "4"), "4", 20)).toBe(20);
    setUnits("us");
    expect(toDevice(node(21, "4"), "4", 68)).toBeCloseTo(20);
  });
});

test("a color turns on a lamp that is off first, and one that is on stays as it is", async () => {
  const sentAt = async (status: string) => {
    const sent: string[] = [];
    const lamp = {
      role: "color-lamp",
      properties: new Map([["ST", { value: status, uom: "51", prec: 0 }]]),
      nodedef: { accepts: [{ id: "DON" }, { id: "CCT" }] },
      send: async (...press: readonly unknown[]) => void sent.push(press.join(" ")),
    };
    await sendToLit(lamp as unknown as Node, "CCT", 2700);
    return sent;
  };
  expect(await sentAt("0")).toEqual(["DON", "CCT 2700"]);
  expect(await sentAt("40")).toEqual(["CCT 2700"]);
  expect(await sentAt("")).toEqual(["CCT 2700"]);
});

test("a counter that was reset counts from zero, wherever in the day that was", () => {
  const point = (last: number | null, max = last) => ({ last, max });
  expect(usedIn([point(12), point(15)], 10)).toEqual([2, 3]);
  expect(usedIn([point(12), point(1), point(3)], 10)).toEqual([2, 1, 2]);
  expect(usedIn([point(2, 14)], 10)).toEqual([6]);
  expect(usedIn([point(null), point(15)], null)).toEqual([0, 0]);
  expect(usedIn([point(null)], null)).toBeNull();
});

test.each([
  ["leak", "0", "78", false],
  ["leak", "100", "78", true],
  ["leak-dry", "0", "100", true],
  ["leak-dry", "255", "100", false],
  ["contact", "0", "79", true],
  ["contact", "100", "79", false],
  ["contact", "255", "100", true],
  ["contact", "101", "79", null],
  ["lock", "100", "11", false],
  ["lock", "0", "11", true],
  ["garage-door", "100", "97", true],
  ["garage-door", "103", "97", null],
  ["lock", "102", "11", true],
  ["cover", "0", "79", true],
  ["smoke", "101", "78", null],
  ["motion", "", "78", null],
] as const)("a %s of %s in unit %s is active: %s", (role, value, uom, active) => {
  expect(isActive({ role }, { value, uom, prec: 0 })).toBe(active);
});
