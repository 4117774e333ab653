/** When a device is planned again: its reports may turn it into another device, and mostly do not. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { dimByHand, sense } from "../../../simulators/zwave/device-acts.ts";
import { climateSensorPlan, dimmerPlan } from "../../../simulators/zwave/device-kinds.ts";
import type { NodeSpec } from "../../../src/drivers/driver.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { memoryStore } from "../recording-host.ts";
import { SimulatedRadio, settled, WaitingHost } from "./simulated-adapter.ts";

const DIMMER = { id: 2, address: "ZW002_1" };
const ROOM = { id: 3, address: "ZW003_1" };
const LUMINANCE = 3;
const LUX = 1;
/** Longer than the wait for a device that reports values in a row. */
const LATER_MS = 2000;

class CountingHost extends WaitingHost {
  readonly told: string[] = [];

  override node(spec: NodeSpec): null {
    this.told.push(spec.address);
    return super.node(spec);
  }
}

let services: SimulatedRadio;
let host: CountingHost;
const clock = new VirtualClock(Date.UTC(2026, 4, 2, 12));

beforeAll(async () => {
  services = await SimulatedRadio.create([dimmerPlan(), climateSensorPlan({ listening: "always" })]);
  host = new CountingHost(clock, services.knowing(memoryStore()));
  const driver = services.driver();
  await driver.start(host, new AbortController().signal);
  await settled(driver);
  await clock.advance(LATER_MS);
}, 60_000);

afterAll(() => services.stop());

test("a report does not, even with more values than any node shows", async () => {
  host.told.length = 0;
  await dimByHand(services.network.device(DIMMER.id), 42);
  await host.until(() => host.value(DIMMER.address) === 42);
  await clock.advance(LATER_MS);
  expect(host.told).toEqual([]);
});

test("a value that was never reported before does", async () => {
  await sense(services.network.device(ROOM.id), LUMINANCE, LUX, 120);
  await dimByHand(services.network.device(DIMMER.id), 43);
  // One line carries everything in order, so the earlier reports have arrived when this one has.
  await host.until(() => host.value(DIMMER.address) === 43);
  await clock.advance(LATER_MS);
  expect(host.value(ROOM.address, "LUMIN")).toBe(120);
});
