/** The first moments of an adapter that knows its devices: the library asks each whether it is there. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { dimmerPlan } from "../../../simulators/zwave/device-kinds.ts";
import type { SimulatedDevice } from "../../../simulators/zwave/simulated-device.ts";
import { SimulatedRadio, settled } from "./simulated-adapter.ts";

const DEVICES = 12;
const QUESTION = "No Operation";

let services: SimulatedRadio;
let devices: readonly SimulatedDevice[];

beforeAll(async () => {
  const plans = Array.from({ length: DEVICES }, (_none, index) => dimmerPlan({ name: `Lamp ${index + 1}` }));
  services = await SimulatedRadio.create(plans);
  devices = plans.map(({ name }) => services.network.device(name));
}, 60_000);

afterAll(() => services.stop());

test("a command is sent before queries of the remaining devices, and all are queried in the end", async () => {
  for (const device of devices) device.received.length = 0;
  const firstAsked = Promise.race(devices.map((device) => device.hears(QUESTION, 0, 30_000)));
  const { driver } = await services.started();
  await firstAsked;
  const { signal } = new AbortController();
  const outcome = await driver.send({ id: "1", address: "ZW002_1", command: "DON", parameters: [], signal });
  expect([outcome.kind, asked().length < DEVICES]).toEqual(["acked", true]);
  await settled(driver);
  expect(asked().length).toBe(DEVICES);
}, 60_000);

function asked(): readonly SimulatedDevice[] {
  return devices.filter(({ received }) => received.some(({ className }) => className === QUESTION));
}
