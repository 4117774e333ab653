/** Sensors on batteries: the groups of each model, and their values over a restart. */

import { describe, expect, test } from "vitest";
import type { DevicePlan } from "../../../simulators/insteon/simulated-device.ts";
import { memoryStore } from "../recording-host.ts";
import { SimulatedInsteonHome } from "./simulated-home.ts";

const MOTION: DevicePlan = { id: [0x1a, 0x0b, 1], kind: "motion" };
const MOTION_II: DevicePlan = {
  id: [0x1a, 0x0b, 2],
  kind: "motion",
  product: [16, 22],
  groups: [1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 15],
};
const DOOR: DevicePlan = { id: [0x1a, 0x0b, 3], kind: "door" };
const SMOKE: DevicePlan = { id: [0x1a, 0x0b, 4], kind: "leak", product: [16, 10], groups: [1, 2, 3, 5, 6, 10] };

/** A broadcast of the sensor: group and command. */
const broadcast = (last: number, group: number, cmd1: number) => [
  0x02,
  0x50,
  0x1a,
  0x0b,
  last,
  0x00,
  0x00,
  group,
  0xcb,
  cmd1,
  0x00,
];

describe("the groups of a sensor", () => {
  test.each([
    ["a motion sensor: motion", 1, 1, 0x11, "1A B 1 1", 255],
    ["a motion sensor: the end of motion", 1, 1, 0x13, "1A B 1 1", 0],
    ["a motion sensor: dark", 1, 2, 0x11, "1A B 1 2", 255],
    ["a motion sensor: low battery", 1, 3, 0x11, "1A B 1 3", 255],
    ["Motion Sensor II: motion", 2, 1, 0x11, "1A B 2 1", 255],
    ["Motion Sensor II: the end of motion has a group of its own", 2, 5, 0x11, "1A B 2 1", 0],
    ["Motion Sensor II: dark", 2, 2, 0x11, "1A B 2 2", 255],
    ["Motion Sensor II: the end of darkness has a group of its own", 2, 6, 0x11, "1A B 2 2", 0],
    ["Motion Sensor II: tamper", 2, 10, 0x11, "1A B 2 A", 255],
    ["a door sensor: open", 3, 1, 0x11, "1A B 3 1", 255],
    ["a door sensor: closed, with a group of its own", 3, 2, 0x11, "1A B 3 1", 0],
    ["a smoke bridge: carbon monoxide", 4, 2, 0x11, "1A B 4 2", 255],
  ])("%s (device %i, group %i, command %i)", async (_what, last, group, cmd1, address, value) => {
    const home = await SimulatedInsteonHome.discovered([MOTION, MOTION_II, DOOR, SMOKE]);
    home.modem.emit(broadcast(last, group, cmd1));
    await home.pass(1000);
    expect(home.host.value(address)).toBe(value);
    expect(home.host.violations).toEqual([]);
  });
});

describe("a sensor after a restart", () => {
  test("says nothing of itself, and the home has what it had", async () => {
    const store = memoryStore();
    const first = await SimulatedInsteonHome.discovered([DOOR, MOTION], store);
    first.modem.press(first.device(DOOR), 1, 0x11);
    await first.pass(5000);
    await first.driver.stop();
    const second = new SimulatedInsteonHome([], store, first);
    await second.start();
    await second.pass(60_000);
    expect([second.host.known("1A B 3 1"), second.host.known("1A B 1 1")]).toEqual([255, null]);
    expect(second.host.reports.filter(({ id }) => id === "ST")).toEqual([]);
  });
});
