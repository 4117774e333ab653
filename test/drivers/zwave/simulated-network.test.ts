/** The simulated radio network itself: what its devices are, and that the real library understands all of them. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Driver } from "zwave-js";
import {
  drainTo,
  enterCode,
  measure,
  notify,
  pressButton,
  senseBinary,
  senseCarbonMonoxide,
  senseLeak,
  senseSmoke,
  senseTamper,
  setBasicByHand,
  turnBolt,
  turnSetpoint,
} from "../../../simulators/zwave/device-acts.ts";
import * as kinds from "../../../simulators/zwave/device-kinds.ts";
import { parseDevicePlan } from "../../../simulators/zwave/device-plan.ts";
import { createSimulatedNetwork, type SimulatedNetwork } from "../../../simulators/zwave/simulated-network.ts";

const AWAKE = { listening: "always" } as const;

/** A device as a person would record it. */
const RECORDED = {
  name: "Recorded plug",
  manufacturerId: "0x0fff",
  productType: 1,
  productId: "0x0002",
  firmware: "2.5",
  generic: "0x10",
  specific: 1,
  classes: {
    "Manufacturer Specific": { version: 1 },
    Version: { version: 2 },
    "Binary Switch": { version: 1, values: { on: true } },
    Configuration: { version: 1, capabilities: { parameters: [{ "#": 3, valueSize: 1, defaultValue: 7 }] } },
  },
};

const AIR = {
  ...RECORDED,
  name: "Air",
  classes: {
    Version: { version: 2 },
    "Humidity Control Mode": { version: 2, values: { mode: 0, modes: [0, 1, 2] } },
    "Humidity Control Setpoint": { version: 1, values: { "setpoint 1": 35 } },
    Clock: { version: 1 },
    Protection: { version: 2 },
    Indicator: { version: 1 },
  },
};

const PLANS = [
  kinds.basicPlan(),
  kinds.barrierPlan(),
  kinds.chimePlan(),
  kinds.windowCoveringPlan(),
  kinds.fanPlan(),
  kinds.coverPlan(),
  kinds.colourLightPlan(),
  kinds.thermostatPlan({ fahrenheit: true }),
  kinds.meterPlan(),
  kinds.sirenPlan(),
  kinds.lockPlan(),
  kinds.lockPlan({ name: "S0 lock", security: ["S0"] }),
  kinds.remotePlan(AWAKE),
  kinds.smokePlan(AWAKE),
  kinds.leakPlan(AWAKE),
  kinds.carbonMonoxidePlan(AWAKE),
  kinds.tamperPlan(AWAKE),
  kinds.binarySensorPlan(AWAKE),
  parseDevicePlan(RECORDED),
  parseDevicePlan(AIR),
];

describe("the simulated radio network", () => {
  let network: SimulatedNetwork;
  let driver: Driver;
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "domovoi-radio-"));
    network = await createSimulatedNetwork({ devices: PLANS });
    driver = new Driver(network.port(), {
      logConfig: { enabled: false },
      storage: { cacheDir: directory },
      securityKeys: network.keys,
      testingHooks: { skipFirmwareIdentification: true },
    });
    driver.on("error", () => {});
    const ready = new Promise<void>((resolve) => driver.once("all nodes ready", resolve));
    await driver.start();
    await ready;
  }, 60_000);
  afterAll(async () => {
    await driver.destroy();
    await network.stop();
    await rm(directory, { recursive: true, force: true });
  });

  const nodeOf = (name: string) => driver.controller.nodes.getOrThrow(network.device(name).id);

  /** The next notification of a device, as the library reads it. */
  async function notified(name: string, act: () => Promise<void>): Promise<object> {
    const told = new Promise<object>((resolve) => {
      nodeOf(name).once("notification", (_endpoint, _cc, args) => resolve(args));
    });
    await act();
    return told;
  }

  async function updated(name: string, act: () => Promise<void>): Promise<unknown> {
    const node = nodeOf(name);
    const told = new Promise<unknown>((resolve) => {
      const hear = (_node: unknown, args: { readonly property: unknown }) => {
        if (/^alarm/.test(String(args.property))) return; // What devices of before notifications said.
        node.off("value updated", hear);
        resolve(args);
      };
      node.on("value updated", hear);
    });
    await act();
    return told;
  }

  test("every kind of device was interviewed to the end", () => {
    const unready = PLANS.filter(({ name }) => !nodeOf(name).ready).map(({ name }) => name);
    expect(unready).toEqual([]);
  });

  test("secure devices are spoken to with their own keys", () => {
    expect(nodeOf("Lock").getHighestSecurityClass()).toBe(2);
    expect(nodeOf("S0 lock").getHighestSecurityClass()).toBe(7);
    expect(nodeOf("Siren").getHighestSecurityClass()).toBe(-1);
  });

  test("a recorded device is what its record says", () => {
    const plug = nodeOf("Recorded plug");
    expect(plug.firmwareVersion).toBe("2.5");
    expect(plug.getValue({ commandClass: 37, property: "currentValue" })).toBe(true);
  });

  test("repeater, clock and remote accept the commands that they support, and refuse all others", async () => {
    const { commandClasses } = nodeOf("Air");
    await commandClasses["Humidity Control Setpoint"].set(1, 40, 0);
    await commandClasses["Humidity Control Mode"].set(2);
    await commandClasses["Humidity Control Mode"].set(3).catch(() => {});
    await commandClasses.Clock.set(21, 45, 3);
    await commandClasses.Protection.set(1, 0);
    await commandClasses.Indicator.set(128);
    const lock = nodeOf("Lock").commandClasses["Door Lock"];
    await lock.setConfiguration({
      operationType: 2,
      lockTimeoutConfiguration: 90,
      outsideHandlesCanOpenDoorConfiguration: [false, false, false, false],
      insideHandlesCanOpenDoorConfiguration: [true, false, false, false],
    });
    expect({
      setpoint: await commandClasses["Humidity Control Setpoint"].get(1),
      mode: await commandClasses["Humidity Control Mode"].get(),
      clock: await commandClasses.Clock.get(),
      buttons: await commandClasses.Protection.get(),
      light: await commandClasses.Indicator.get(),
      lock: await lock.getConfiguration(),
    }).toMatchObject({
      setpoint: { value: 40 },
      mode: 2,
      clock: { hour: 21, minute: 45, weekday: 3 },
      buttons: { local: 1, rf: 0 },
      light: 128,
      lock: { operationType: 2, lockTimeoutConfiguration: 90 },
    });
  });

  test.each([
    [{ ...RECORDED, generic: 300 }, "generic"],
    [{ ...RECORDED, listening: "now and then" }, "listening"],
    [{ ...RECORDED, classes: { "Tea Kettle": { version: 1 } } }, "Tea Kettle"],
    [[], "is not an object"],
  ])("a record that cannot be is refused with its place", (record, place) => {
    expect(() => parseDevicePlan(record)).toThrow(place);
  });

  test.each([
    ["Smoke alarm", senseSmoke, 2],
    ["Leak sensor", senseLeak, 2],
    ["CO alarm", senseCarbonMonoxide, 2],
    ["Tamper sensor", senseTamper, 3],
  ] as const)("%s: what it senses is understood", async (name, act, newValue) => {
    expect(await updated(name, () => act(network.device(name), true))).toMatchObject({ newValue });
  });

  test("a lock says who unlocked it, and that its battery is low", async () => {
    const lock = network.device("Lock");
    await turnBolt(lock, true);
    const unlocked = await notified("Lock", () => enterCode(lock, 3));
    expect(unlocked).toMatchObject({ type: 6, event: 1 });
    await drainTo(lock, 0);
  });

  test("a siren that sounds reports it", async () => {
    const siren = () => notify(network.device("Siren"), 14, 1);
    expect(await updated("Siren", siren)).toMatchObject({ commandClassName: "Notification" });
  });

  test("values that people change, press and measure arrive with their numbers", async () => {
    const basic = () => setBasicByHand(network.device("Basic device"), 40);
    expect(await updated("Basic device", basic)).toMatchObject({ newValue: 40 });
    const setpoint = () => turnSetpoint(network.device("Thermostat"), 1, 71);
    expect(await updated("Thermostat", setpoint)).toMatchObject({ newValue: 71 });
    const power = () => measure(network.device("Meter"), "W", 42.5);
    expect(await updated("Meter", power)).toMatchObject({ newValue: 42.5 });
    const contact = () => senseBinary(network.device("Old contact"), 10, true);
    expect(await updated("Old contact", contact)).toMatchObject({ newValue: true });
  });

  test("a button that is pressed twice is one event", async () => {
    const told = new Promise((resolve) => nodeOf("Remote").once("value notification", (_node, args) => resolve(args)));
    await pressButton(network.device("Remote"), 2, "twice");
    expect(await told).toMatchObject({ propertyKey: "002", value: 3 });
  });
});
