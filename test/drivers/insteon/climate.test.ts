/** Thermostats: the bytes of their status and of what they send by themselves. */

import { describe, expect, test } from "vitest";
import type { DevicePlan } from "../../../simulators/insteon/simulated-device.ts";
import { SimulatedInsteonHome } from "./simulated-home.ts";

const THERMOSTAT: DevicePlan = { id: [0x1a, 0x0b, 1], kind: "thermostat" };
const VENSTAR: DevicePlan = { id: [0x1a, 0x0b, 2], kind: "thermostat", product: [5, 3] };
const MODEM = [0x4a, 0x11, 0x5c];
const NODE = "1A B 1 1";
const VENSTAR_NODE = "1A B 2 1";

/** A message of a thermostat to the modem. */
const direct = (last: number, cmd1: number, cmd2: number) => [0x02, 0x50, 0x1a, 0x0b, last, ...MODEM, 0x0b, cmd1, cmd2];

describe("what a thermostat sends by itself", () => {
  test.each([
    ["temperature, doubled", 0x6e, 0x8d, { ST: 141 }],
    ["humidity", 0x6f, 0x30, { CLIHUM: 48 }],
    ["off", 0x70, 0x00, { CLIMD: 0, CLIFS: 8 }],
    ["heat", 0x70, 0x01, { CLIMD: 1, CLIFS: 8 }],
    ["cool with the fan on", 0x70, 0x12, { CLIMD: 2, CLIFS: 7 }],
    ["auto", 0x70, 0x03, { CLIMD: 3, CLIFS: 8 }],
    ["cool set-point", 0x71, 0x4b, { CLISPC: 150 }],
    ["heat set-point", 0x72, 0x44, { CLISPH: 136 }],
  ])("%s (%i %i) is shown as %j", async (_what, cmd1, cmd2, values) => {
    const home = await SimulatedInsteonHome.discovered([THERMOSTAT]);
    home.modem.emit(direct(1, cmd1, cmd2));
    await home.pass(100);
    expect(Object.fromEntries(Object.keys(values).map((id) => [id, home.host.value(NODE, id)]))).toEqual(values);
    expect(home.host.controls).toEqual([]);
  });

  test("a Venstar adapter sends its temperature in whole degrees, and is not asked for a status that it does not know", async () => {
    const home = await SimulatedInsteonHome.discovered([VENSTAR]);
    home.modem.emit(direct(2, 0x6e, 0x43));
    await home.pass(100);
    expect(home.host.value(VENSTAR_NODE)).toBe(134);
    expect(home.device(VENSTAR).received.filter(({ cmd1, cmd2 }) => cmd1 === 0x2e && cmd2 === 2)).toEqual([]);
  });

  test("a thermostat is told to send, and the link for it is written when it is included", async () => {
    const home = new SimulatedInsteonHome([]);
    home.modem.place(THERMOSTAT);
    await home.start();
    await home.operate("include", { label: "1A.0B.01" });
    const asked = home.device(THERMOSTAT).received.filter(({ cmd1, data = [] }) => cmd1 === 0x2e && data[1] === 8);
    expect(asked).toHaveLength(1);
    const records = home
      .device(THERMOSTAT)
      .links.records()
      .map((record) => Buffer.from(record).toString("hex"));
    expect(records).toContainEqual(expect.stringMatching(/^e2ef4a115c/));
    expect(home.modem.records.map((record) => Buffer.from(record).toString("hex"))).toContainEqual(
      expect.stringMatching(/^a2ef1a0b01/),
    );
  });

  test("that it begins to cool is shown with its first node too", async () => {
    const home = await SimulatedInsteonHome.discovered([THERMOSTAT]);
    home.device(THERMOSTAT).climate.tenthsCelsius = 301;
    home.modem.press(home.device(THERMOSTAT), 1, 0x11);
    await home.pass(5000);
    expect([home.host.value("1A B 1 2"), home.host.value(NODE)]).toEqual([255, 172]);
  });
});

describe("the flags of a thermostat's status", () => {
  test.each([
    [0x00, 0, 2, 141],
    [0x01, 2, 2, 141],
    [0x02, 1, 2, 141],
    [0x04, 0, 2, 141],
    [0x08, 0, 1, 43],
    [0x09, 2, 1, 43],
    [0x0a, 1, 1, 43],
    [0x10, 0, 2, 141],
  ])("%i: state %i, unit %i, and 21.5 °C is %i half degrees of it", async (flags, state, unit, halfDegrees) => {
    const home = await SimulatedInsteonHome.discovered([THERMOSTAT]);
    home.device(THERMOSTAT).climateFlags = flags;
    await home.query(NODE);
    expect(["CLIHCS", "UOM", "ST"].map((id) => home.host.value(NODE, id))).toEqual([state, unit, halfDegrees]);
  });
});
