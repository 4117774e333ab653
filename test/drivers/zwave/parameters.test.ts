/** Parameters of devices that the library's database describes: size, sign, and values that are made of bits. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parameterClasses, switchPlan } from "../../../simulators/zwave/device-kinds.ts";
import type { Outcome } from "../../../src/drivers/command.ts";
import type { DeviceParameter } from "../../../src/drivers/driver.ts";
import type { ZWaveDriver } from "../../../src/drivers/zwave/zwave-driver.ts";
import { SimulatedRadio } from "./simulated-adapter.ts";

/** Its parameter 1 has one byte and is marked as unsigned. */
const UNSIGNED = { ids: { manufacturerId: 0x001a, productType: 0x5352, productId: 0x0000 }, address: "ZW002_1" };
/** Its parameter 0 has two bytes and is described as four groups of bits. */
const BITS = { ids: { manufacturerId: 0x0064, productType: 0x4001, productId: 0x0000 }, address: "ZW003_1" };
/** Nobody describes it. */
const UNKNOWN = { address: "ZW004_1" };
/** It has no parameters at all. */
const PLAIN = { address: "ZW005_1" };
const { signal } = new AbortController();

let services: SimulatedRadio;
let driver: ZWaveDriver;

beforeAll(async () => {
  services = await SimulatedRadio.create([
    switchPlan({ name: "Unsigned", ids: UNSIGNED.ids, classes: parameterClasses([{ number: 1, size: 1, value: 0 }]) }),
    switchPlan({ name: "Bits", ids: BITS.ids, classes: parameterClasses([{ number: 0, size: 2, value: 0 }]) }),
    switchPlan({ name: "Unknown", classes: parameterClasses([{ number: 5, size: 4, value: 0 }]) }),
    switchPlan({ name: "Plain" }),
  ]);
  ({ driver } = await services.started());
}, 60_000);

afterAll(() => services.stop());

type Case = readonly [what: string, address: string, parameter: DeviceParameter, read: number];

const CASES: readonly Case[] = [
  ["an unsigned byte stays unsigned", UNSIGNED.address, { number: 1, size: 1, value: 200 }, 200],
  ["and takes the negative number of the same bits", UNSIGNED.address, { number: 1, size: 1, value: -1 }, 255],
  ["bits are read as bits", BITS.address, { number: 0, size: 2, value: 0x85_03 }, 0x85_03],
  ["in whatever sign they are written", BITS.address, { number: 0, size: 2, value: -2 }, 0xff_fe],
  ["what nobody describes is signed", UNKNOWN.address, { number: 5, size: 4, value: -7 }, -7],
  ["and takes the positive number of the same bits", UNKNOWN.address, { number: 5, size: 4, value: 2 ** 32 - 9 }, -9],
];

describe("a parameter is read as it was written", () => {
  test.each(CASES)("%s", async (_what, address, parameter, read) => {
    const written = await driver.parameters?.set(address, parameter, signal);
    expect(written?.kind).toBe("acked");
    const { number, size } = parameter;
    expect(await driver.parameters?.get(address, number, signal)).toEqual({ number, size, value: read });
  });
});

test("what describes a device names its parameters, with unit, bounds and choices; without a description they have a number", () => {
  const known = (address: string) => driver.parameters?.known(address) ?? [];
  const plain = { unit: "", prec: 0, choices: [] };
  expect(known(UNSIGNED.address)).toEqual([
    { ...plain, number: 1, size: 1, name: "Delayed OFF Time", min: 0, max: 255 },
  ]);
  const [bits, behavior] = known(BITS.address);
  expect(bits).toMatchObject({ size: 2, name: expect.stringContaining("Runtime Up: Mode, Runtime Up: Duration") });
  expect(behavior).toMatchObject({
    ...{ name: "Opposite Button Behavior", min: null, max: null },
    choices: [
      { value: 0, name: "Reverse direction" },
      { value: 255, name: "Stop" },
    ],
  });
  expect(known(UNKNOWN.address)).toMatchObject([{ number: 5, size: 4, name: "" }]);
  expect(known(PLAIN.address)).toEqual([]);
});

describe("the command CONFIG", () => {
  const configure = (number: number, value: number): Promise<Outcome> => {
    const parameters = [
      { id: "NUM", value: number, uom: 107, prec: 0 },
      { id: "VAL", value, uom: 111, prec: 0 },
    ];
    return driver.send({ id: "c", address: UNSIGNED.address, command: "CONFIG", parameters, signal });
  };

  test("writes in the size that the device has", async () => {
    expect(await configure(1, 7)).toEqual({ kind: "acked" });
    expect(await driver.parameters?.get(UNSIGNED.address, 1, signal)).toMatchObject({ value: 7 });
  });

  test("is refused for a parameter that there is not", async () => {
    expect(await configure(99, 7)).toMatchObject({ kind: "failed", reason: "bad-parameter" });
  });
});

describe("a device without parameters", () => {
  test("refuses a request for one with a permanent error", async () => {
    await expect(driver.parameters?.get(PLAIN.address, 1, signal)).rejects.toMatchObject({ code: "NOT_SUPPORTED" });
  });

  test("cannot be written one", async () => {
    const written = await driver.parameters?.set(PLAIN.address, { number: 1, size: 1, value: 1 }, signal);
    expect(written).toMatchObject({ kind: "failed", reason: "unsupported" });
  });
});
