/** Traffic with devices: confirmed and unconfirmed commands, sleeping and missing devices, and their own reports. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  dimByHand,
  enterCode,
  flap,
  measure,
  openByHand,
  pressButton,
  resetByHand,
  sense,
  senseMotion,
  turnBolt,
} from "../../../simulators/zwave/device-acts.ts";
import {
  climateSensorPlan,
  contactPlan,
  dimmerPlan,
  lockPlan,
  motionPlan,
  remotePlan,
  stripPlan,
  switchPlan,
} from "../../../simulators/zwave/device-kinds.ts";
import type { CommandParameterValue, Outcome } from "../../../src/drivers/command.ts";
import { CC } from "../../../src/drivers/zwave/plan/command-class-table.ts";
import type { ZWaveDriver } from "../../../src/drivers/zwave/zwave-driver.ts";
import { SimulatedRadio, settled, type WaitingHost } from "./simulated-adapter.ts";

const DIMMER = { id: 2, address: "ZW002_1" };
/** Knows no Supervision, and does not say what it did either. */
const PLAIN = {
  id: 3,
  address: "ZW003_1",
  value: { commandClass: 0x25, endpoint: 0, property: "currentValue" },
};
const STRIP = { id: 4, second: "ZW004_3", meter: "ZW004_3143" };
const LOCK = { id: 5, address: "ZW005_1", alarms: "ZW005_306", slots: 10 };
const MOTION = { id: 6, sensor: "ZW006_307" };
const CONTACT = { id: 7, address: "ZW007_1", door: "ZW007_306" };
const REMOTE = { id: 8, second: "ZW008_402" };
const ROOM = { id: 9, address: "ZW009_1" };

const OTHER = { id: 10, address: "ZW010_1" };
const SET = 1;

let services: SimulatedRadio;
let driver: ZWaveDriver;
let host: WaitingHost;

beforeAll(async () => {
  services = await SimulatedRadio.create([
    dimmerPlan(),
    switchPlan({ name: "Plain", supervision: false, reportsChanges: false }),
    stripPlan({ outlets: 2 }),
    lockPlan(),
    motionPlan({ listening: "always" }),
    contactPlan(),
    remotePlan({ listening: "always" }),
    climateSensorPlan({ listening: "always" }),
    dimmerPlan({ name: "Other" }),
  ]);
  ({ driver, host } = await services.started());
  await settled(driver);
}, 60_000);

beforeEach(() => host.forget());

afterAll(() => services.stop());

describe("the outcome of a command", () => {
  test("a device with Supervision confirms it, and its report names the command", async () => {
    expect(await send(DIMMER.address, "DON", percent(40))).toEqual({ kind: "acked" });
    await host.until(() => host.value(DIMMER.address) === 40);
    expect(host.last(DIMMER.address, "ST")).toMatchObject({ cause: "ack", commandId: "test-DON" });
  });

  test("a device without Supervision was only sent the command, and its state counts as unknown until it reports", async () => {
    const level = () => driver.running().stack.controller.nodes.get(PLAIN.id)?.getValue(PLAIN.value);
    const before = level();
    expect(await send(PLAIN.address, before === true ? "DOF" : "DON")).toEqual({ kind: "sent" });
    expect([level(), host.value(PLAIN.address)]).toEqual([before, null]);
    await host.until(() => host.value(PLAIN.address) === (before === true ? 0 : 100));
    expect(host.last(PLAIN.address, "ST")).toMatchObject({ cause: "ack" });
  });

  test("a device that refuses is named as such, and stays as it was", async () => {
    const device = services.network.device(DIMMER.id);
    device.refuses.add("Multilevel Switch");
    const outcome = await send(DIMMER.address, "DON", percent(77));
    device.refuses.clear();
    expect(outcome).toMatchObject({ kind: "failed", reason: "rejected", retryable: false });
    await driver.query(DIMMER.address, new AbortController().signal);
    await host.until(() => host.value(DIMMER.address) !== null);
    expect(host.reports.map(({ value }) => value)).not.toContain(77);
  });

  test("an outlet of a strip is switched by itself", async () => {
    expect(await send(STRIP.second, "DON")).toEqual({ kind: "acked" });
    await host.until(() => host.value(STRIP.second) === 100);
    expect(new Set(host.reports.map(({ address }) => address))).toEqual(new Set([STRIP.second]));
  });

  test("a lock is locked, and only the lock itself has codes", async () => {
    expect(await send(LOCK.address, "SECMD", { id: "", value: 1, uom: 84, prec: 0 })).toEqual({ kind: "acked" });
    await host.until(() => host.value(LOCK.address) === 100);
    expect([driver.codes?.slots(LOCK.address), driver.codes?.slots(LOCK.alarms)]).toEqual([LOCK.slots, 0]);
  });
});

test("the members of a scene get one frame, and each reports its outcome", async () => {
  const lamps = [services.network.device(DIMMER.id), services.network.device(OTHER.id)];
  for (const lamp of lamps) lamp.received.length = 0;
  const commands = [DIMMER, OTHER].map(({ address }) => ({ address, command: "DON", parameters: [percent(64)] }));
  driver.groupcast?.(commands);
  const outcomes = await Promise.all(commands.map(({ address }) => send(address, "DON", percent(64))));
  expect(outcomes).toEqual([{ kind: "acked" }, { kind: "acked" }]);
  await host.until(() => [DIMMER, OTHER].every(({ address }) => host.value(address) === 64));
  const sets = lamps.map(({ received }) =>
    received.filter(({ className, command }) => className === "Multilevel Switch" && command === SET),
  );
  expect(sets.map((frames) => frames.length)).toEqual([2, 2]);
  expect(host.controls).toEqual([]);
});

test("a device that does not answer is unreachable with ERR 1, and recovers with its next report", async () => {
  const device = services.network.device(DIMMER.id);
  device.condition = "silent";
  expect(await send(DIMMER.address, "DON")).toMatchObject({ kind: "failed", reason: "no-ack", retryable: true });
  await host.until(() => host.value(DIMMER.address, "ERR") === 1);
  expect(host.links.get(DIMMER.address)).toBe("unreachable");
  device.condition = "awake";
  await dimByHand(device, 20);
  await host.until(() => host.value(DIMMER.address, "ERR") === 0);
  expect(host.links.get(DIMMER.address)).toBe("online");
});

test("a device that sleeps gets its waiting commands when it wakes, and the surfaces show it", async () => {
  const device = services.network.device(CONTACT.id);
  await host.until(() => host.links.get(CONTACT.address) === "asleep");
  expect((await driver.query(CONTACT.address, new AbortController().signal)).kind).toBe("queued");
  expect(host.written).toEqual([{ address: CONTACT.address, phase: "pending", active: true }]);
  await device.wakeUp();
  await host.until(() => host.written.length === 2);
  expect(host.written[1]).toMatchObject({ active: false });
  expect(host.last(CONTACT.address, "BATLVL")).toMatchObject({ cause: "query" });
});

describe("devices that act on their own", () => {
  test("a lamp that is switched at its paddle sends a control, and a change of level alone does not", async () => {
    const device = services.network.device(DIMMER.id);
    await dimByHand(device, 0);
    await host.until(() => host.value(DIMMER.address) === 0);
    host.forget();
    for (const level of [60, 30, 0]) await dimByHand(device, level);
    await host.until(() => host.value(DIMMER.address) === 0);
    expect(host.controls.map(({ control }) => control)).toEqual(["DON", "DOF"]);
    expect(host.last(DIMMER.address, "ST")).toMatchObject({ cause: "report" });
  });

  test("motion is a state and a control", async () => {
    const device = services.network.device(MOTION.id);
    await senseMotion(device, true);
    await host.until(() => host.value(MOTION.sensor) === 100);
    await senseMotion(device, false);
    await host.until(() => host.value(MOTION.sensor) === 0);
    expect(host.controls).toContainEqual({ address: MOTION.sensor, control: "DOF", value: 0 });
  });

  test("a door says which of the two it is", async () => {
    const device = services.network.device(CONTACT.id);
    await openByHand(device, true);
    await host.until(() => host.value(CONTACT.door) === 0);
    await openByHand(device, false);
    await host.until(() => host.value(CONTACT.door) === 100);
  });

  test("a code at the lock reports its slot, and never the code", async () => {
    // After a restart the two have to agree on their numbers once more before the lock is understood.
    await driver.query(LOCK.address, new AbortController().signal);
    await enterCode(services.network.device(LOCK.id), 7);
    await host.until(() => host.value(LOCK.alarms, "ALARM") === 24 && host.value(LOCK.address) === 0);
    expect(host.value(LOCK.alarms, "USRNUM")).toBe(7);
    await turnBolt(services.network.device(LOCK.id), true);
    await host.until(() => host.controls.length === 2);
    expect(host.controls.map(({ control, value }) => [control, value])).toEqual([
      ["ALARM", 24],
      ["ALARM", 4],
    ]);
  });

  test("every press of a remote's button is a control of that button", async () => {
    const device = services.network.device(REMOTE.id);
    for (const how of ["once", "twice", "held", "released"] as const) await pressButton(device, 2, how);
    await host.until(() => host.controls.length === 4);
    expect(host.controls.map(({ address, control }) => [address, control])).toEqual([
      [REMOTE.second, "DON"],
      [REMOTE.second, "DFON"],
      [REMOTE.second, "FDUP"],
      [REMOTE.second, "FDSTOP"],
    ]);
  });

  test("a measure keeps its decimals and its unit", async () => {
    await sense(services.network.device(ROOM.id), 1, 0, -7.25);
    await measure(services.network.device(STRIP.id), "W", 12.3, 2);
    await host.until(() => host.last(STRIP.meter, "ST") !== null && host.last(ROOM.address, "ST") !== null);
    expect(host.last(ROOM.address, "ST")).toMatchObject({ uom: 4, prec: 2, value: -725 });
    expect(host.last(STRIP.meter, "ST")).toMatchObject({ uom: 73, prec: 1, value: 123 });
  });

  test("a relay with endless reports is read to the end, and breaks nothing", async () => {
    const told = () => host.reports.filter(({ address }) => address === PLAIN.address);
    await flap(services.network.device(PLAIN.id), 100);
    await host.until(() => told().length >= 100);
    expect(told().at(-1)?.value).toBe(0);
    expect(host.violations).toEqual([]);
  });
});

describe("the network changes", () => {
  test("a device that was reset is gone with all of its nodes", async () => {
    const device = await services.network.newcomer(switchPlan({ name: "Newcomer" }));
    const { controller } = driver.running().stack;
    await controller.beginInclusion({ strategy: NO_SECURITY });
    await services.network.press(device);
    const own = () => [...host.nodes.keys()].filter((address) => address.startsWith(`ZW0${device.id}_`));
    await host.until(() => own().some((address) => host.value(address) !== null));
    await resetByHand(device);
    await host.until(() => own().length === 0);
  });

  test("an adapter that is unplugged is reported once, and the driver can be started again", async () => {
    services.network.unplug();
    await host.until(() => host.states.includes("failed"));
    expect(await send(DIMMER.address, "DON")).toMatchObject({ kind: "failed", reason: "not-ready" });
    await driver.stop();
    await expect(driver.start(host, new AbortController().signal)).rejects.toThrow();
    services.network.replug();
    await driver.start(host, new AbortController().signal);
    expect((await send(DIMMER.address, "DON", percent(10))).kind).toBe("acked");
    expect(host.states.filter((state) => state === "failed")).toHaveLength(1);
  });
});

/** The library's inclusion strategy without keys. */
const NO_SECURITY = 2;

function percent(value: number): CommandParameterValue {
  return { id: "", value, uom: 51, prec: 0 };
}

function send(address: string, command: string, ...parameters: readonly CommandParameterValue[]): Promise<Outcome> {
  const { signal } = new AbortController();
  return driver.send({ id: `test-${command}`, address, command, parameters, signal });
}

describe("invalid reports of a device", () => {
  const ODD = [
    null,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    1e300,
    -1,
    2.5,
    "x".repeat(100_000),
    true,
    {},
    [1],
    Buffer.alloc(9),
  ];

  test("a value of any kind is reported in the form of its property, or as none", () => {
    const { stack } = driver.running();
    for (const device of stack.controller.nodes.values()) {
      for (const id of device.getDefinedValueIDs()) {
        for (const newValue of ODD) stack.emit("node value updated", device, { ...id, newValue, prevValue: 0 });
        stack.emit("node value updated", device, { ...id, endpoint: 99, newValue: 1, prevValue: 0 });
      }
    }
    expect(host.reports.length).toBeGreaterThan(0);
    expect(host.violations).toEqual([]);
  });

  test.each<[string, number, object]>([
    ["an event without a type", CC.notification, { event: 6, label: 5 }],
    ["an event whose words are long", CC.notification, { type: 6, event: 6, eventLabel: "x".repeat(100_000) }],
    [
      "a user that is no number",
      CC.notification,
      { type: 6, event: 6, eventLabel: "Keypad", parameters: { userId: "1" } },
    ],
    ["parameters without end", CC.notification, { type: 6, event: 6, parameters: Buffer.alloc(255) }],
    ["an event that nobody knows", CC.notification, { type: 6, event: 4_000_000_000 }],
    ["a key without a kind", CC.entryControl, { eventType: "enter", eventData: "1234" }],
    ["a level that moves nowhere", CC.multilevelSwitch, { eventType: 4, direction: 7 }],
  ])("%s breaks nothing", (_claim, commandClass, args) => {
    const { stack } = driver.running();
    const endpoint = stack.controller.nodes.get(LOCK.id)?.getEndpoint(0);
    const notify = stack.emit.bind(stack) as (event: string, ...told: readonly unknown[]) => boolean;
    notify("node notification", endpoint, commandClass, args);
    expect(host.violations).toEqual([]);
  });
});
