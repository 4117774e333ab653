/** Configuration of Zigbee devices as numbered parameters with names. */

import { beforeEach, expect, test } from "vitest";
import { twoGang } from "../../../simulators/zigbee/device-kinds.ts";
import type { Message } from "../../../src/drivers/exposed/feature.ts";
import { NumberedDevices, ZIGBEE_DEVICES } from "../../../src/drivers/exposed/numbered-devices.ts";
import { bridgeDevice } from "../../../src/drivers/mqtt/bridge-device.ts";
import { ZigbeeParameters } from "../../../src/drivers/mqtt/zigbee-parameters.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { memoryStore, RecordingHost } from "../recording-host.ts";

const GANG = "ZB001_1";
const { signal } = new AbortController();
const config = { category: "config", access: 7 };
const behavior = { ...config, type: "enum", name: "power_on_behavior", property: "power_on_behavior" };
const EXPOSES = [
  { ...behavior, label: "Power-on behavior", values: ["off", "on", "previous"] },
  { ...config, type: "numeric", name: "offset", property: "offset", label: "Offset", unit: "°C", value_step: 0.5 },
  { ...config, type: "binary", name: "child_lock", property: "child_lock", value_on: "LOCK", value_off: "UNLOCK" },
  { ...config, type: "numeric", name: "late", property: "late", access: 2, value_min: 0, value_max: 60, value_step: 1 },
  // Nobody can set these.
  { ...config, type: "numeric", name: "device_temperature", property: "device_temperature", access: 5 },
  { ...config, type: "composite", name: "schedule", property: "schedule", features: [] },
];

let world: ReturnType<typeof started>;
beforeEach(() => {
  world = started();
});

function started(exposes: readonly object[] = EXPOSES, store = memoryStore()) {
  const host = new RecordingHost(new VirtualClock(0), store);
  const devices = new NumberedDevices(host, ZIGBEE_DEVICES);
  const { listed } = twoGang("Gang");
  const device = { ...listed, ieee_address: "0x0000000000000001" };
  const { definition } = listed as { readonly definition?: unknown };
  const main = (definition as { readonly exposes: readonly object[] }).exposes;
  for (const _pause of devices.adopt([bridgeDevice({ ...device, definition: { exposes: [...main, ...exposes] } })], 9));
  const sent: Message[] = [];
  const asked: string[] = [];
  const parameters = new ZigbeeParameters(() => ({
    host,
    find: (address) => devices.find(address)?.device ?? null,
    async ask(_address, property) {
      asked.push(property);
      return { kind: "acked" };
    },
    async set(_address, message) {
      sent.push(message);
      return { kind: "acked" };
    },
  }));
  const hear = (message: Message) => {
    const found = devices.find(GANG);
    if (found) parameters.hear(found.device, message);
  };
  return { host, store, parameters, sent, asked, hear };
}

test("what can be set is a parameter with name, unit, bounds and choices", () => {
  const known = world.parameters.known(GANG);
  const choices = ["off", "on", "previous"].map((name, value) => ({ value, name }));
  expect(known[0]).toEqual({
    ...{ number: 1, size: 1, name: "Power-on behavior", unit: "", prec: 0, min: null, max: null, choices },
  });
  expect(known.map(({ number, name, size, prec, unit }) => [number, name, size, prec, unit])).toEqual([
    [1, "Power-on behavior", 1, 0, ""],
    [2, "Offset", 4, 1, "°C"],
    [3, "child_lock", 1, 0, ""],
    [4, "late", 4, 0, ""],
  ]);
});

test("a value is the place of a choice, or a number with its decimals, and is sent as the device takes it", async () => {
  world.hear({ power_on_behavior: "previous", offset: -1.5, child_lock: "UNLOCK" });
  const values = await Promise.all([1, 2, 3].map((number) => world.parameters.get(GANG, number, signal)));
  expect(values.map((each) => each?.value)).toEqual([2, -15, 0]);
  expect(world.asked).toEqual(["power_on_behavior", "offset", "child_lock"]);
  await world.parameters.set(GANG, { number: 2, size: 4, value: 25 }, signal);
  await world.parameters.set(GANG, { number: 3, size: 1, value: 1 }, signal);
  expect(world.sent).toEqual([{ offset: 2.5 }, { child_lock: "LOCK" }]);
});

test("a device that cannot be asked has the value that it reported last, and before that none", async () => {
  await expect(world.parameters.get(GANG, 4, signal)).rejects.toMatchObject({ code: "DEVICE_FAILED" });
  world.hear({ late: 30 });
  expect(await world.parameters.get(GANG, 4, signal)).toEqual({ number: 4, size: 4, value: 30 });
  expect(world.asked).toEqual([]);
});

test("what the device does not take is refused, and not sent", async () => {
  const set = (number: number, size: 1 | 4, value: number) =>
    world.parameters.set(GANG, { number, size, value }, signal);
  expect([await set(4, 4, 61), await set(1, 1, 3)]).toMatchObject([
    { reason: "bad-parameter" },
    { reason: "bad-parameter" },
  ]);
  await expect(set(1, 4, 1)).rejects.toMatchObject({ code: "BAD_PARAMETER_SIZE" });
  await expect(set(9, 1, 1)).rejects.toMatchObject({ code: "PARAMETER_NOT_FOUND" });
  expect([world.sent, await world.parameters.get(GANG, 9, signal)]).toEqual([[], null]);
});

test("a number stays with its property when others come, go and change places", () => {
  expect(world.parameters.known(GANG)).toHaveLength(4);
  const [first, second, third] = EXPOSES;
  const fresh = { ...config, type: "binary", name: "led", property: "led", value_on: true, value_off: false };
  const later = started([fresh, third ?? {}, first ?? {}], world.store);
  expect(later.parameters.known(GANG).map(({ number, name }) => [number, name])).toEqual([
    [1, "Power-on behavior"],
    [3, "child_lock"],
    [5, "led"],
  ]);
  const last = started([second ?? {}], world.store);
  expect(last.parameters.known(GANG).map(({ number }) => number)).toEqual([2]);
});
