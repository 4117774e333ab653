/** A controller with devices of all its worlds, each behind the simulator of its world, and what the world does to them. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAsync, type MqttClient } from "mqtt";
import { expect, vi } from "vitest";
import { type ModemServer, serveModem } from "../../simulators/insteon/serve-modem.ts";
import { SimulatedModem } from "../../simulators/insteon/simulated-modem.ts";
import * as zigbee from "../../simulators/zigbee/device-kinds.ts";
import { SimulatedBridge, type SimulatedDevice } from "../../simulators/zigbee/simulated-bridge.ts";
import * as act from "../../simulators/zwave/device-acts.ts";
import * as zwave from "../../simulators/zwave/device-kinds.ts";
import { createSimulatedNetwork, type SimulatedNetwork } from "../../simulators/zwave/simulated-network.ts";
import type { Driver } from "../../src/drivers/driver.ts";
import { HomeHost } from "../../src/drivers/driver-host.ts";
import { createVirtualDriver } from "../../src/drivers/virtual/virtual-driver.ts";
import { nodedef } from "../../src/profile/builtin/definition-text.ts";
import { roleOf } from "../../src/profile/roles.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { memoryStore } from "../drivers/recording-host.ts";
import { START_MS, startTestController, type TestController } from "./controller.ts";
import { freePort } from "./free-port.ts";
import { DEVICES } from "./matter-devices.ts";
import { MANUAL_CODE, simulateMatter } from "./matter-home.ts";
import { type RunningBroker, startPlainBroker } from "./mqtt-brokers.ts";
import { pass, passingUntil, passUntil } from "./passing-time.ts";
import { type RadioServer, serveRadio } from "./radio-server.ts";

export const clock = new VirtualClock(START_MS);
const storage = await mkdtemp(join(tmpdir(), "domovoi-one-door-"));
const modem = new SimulatedModem(clock, [
  { id: [0x22, 0x05, 0x06], kind: "leak" },
  { id: [0x22, 0x05, 0x07], kind: "door" },
]);
const endpoints = new Map<string, ReturnType<(typeof DEVICES)["light"]>>();
const drivers = new Map<string, Driver>();
/** The control that each node sent last. */
export const controls = new Map<string, string>();

export let controller: TestController;
let broker: RunningBroker;
let other: MqttClient;
export let bridge: SimulatedBridge;
let server: ModemServer;
let network: SimulatedNetwork;
let radio: RadioServer;
let closeMatter: () => Promise<void>;

const MATTER = ["contact", "cover", "lock", "leak", "smoke"] as const;
const AWAKE = { listening: "always", security: [] } as const;
const RADIO = [
  zwave.contactPlan(AWAKE),
  zwave.coverPlan({ travelMs: 0 }),
  zwave.lockPlan(AWAKE),
  zwave.barrierPlan(),
  zwave.leakPlan(AWAKE),
  zwave.smokePlan(AWAKE),
];

export async function startWorlds(): Promise<void> {
  const port = await freePort();
  const url = `mqtt://127.0.0.1:${port}`;
  broker = await startPlainBroker(port);
  other = await connectAsync(url);
  const devices = [zigbee.contact("Z contact"), plainCover("Z plain"), zigbee.blind("Z cover"), zigbee.lock("Z lock")];
  bridge = await SimulatedBridge.start(url, [...devices, zigbee.leak("Z leak"), smoke("Z smoke")]);
  for (const [id, component, config] of ANNOUNCED) await announce(id, component, config);
  server = await serveModem(modem);
  network = await createSimulatedNetwork({ devices: RADIO });
  radio = await serveRadio(network);
  const settings = { demo: false, mqttUrl: url, insteonPort: server.url, zwavePort: radio.url };
  controller = await passingUntil(clock, startTestController(settings, { clock, awaitsRadios: false }));
  controller.services.feed.listen(({ change }) => {
    if (change.type === "control-sent") controls.set(change.address, change.control);
  });
  await add(createVirtualDriver({ name: "virtual", ...PLAYING, devices: VIRTUAL, played: [] }));
  await addPlayed();
  await addMatter();
  const { home } = controller.services;
  const wanted = RADIO.map((_plan, at) => `ZW${String(at + 2).padStart(3, "0")}_1`);
  await vi.waitFor(
    async () => {
      await pass(clock, 200);
      expect(wanted.filter((address) => home.nodes.get(address)?.link !== "online")).toEqual([]);
    },
    { timeout: 90_000, interval: 100 },
  );
  await passUntil(clock, () => [...home.nodes.values()].some(({ address }) => address === "22 5 7 2"));
}

export async function stopWorlds(): Promise<void> {
  await controller?.[Symbol.asyncDispose]();
  await closeMatter?.();
  await bridge?.stop();
  await other?.endAsync();
  await broker?.stop();
  await server?.close();
  await radio?.close();
  await network?.stop();
  await rm(storage, { recursive: true, force: true });
}

/** What a device without a position reports about a door that moves. */
function plainCover(name: string): SimulatedDevice {
  const blind = zigbee.blind(name);
  const state = { type: "enum", name: "state", property: "state", access: 3, values: ["OPEN", "CLOSE", "STOP"] };
  const exposes = [{ type: "cover", features: [state] }];
  return { ...blind, state: { state: "CLOSE" }, listed: withExposes(blind, exposes) };
}

function withExposes({ listed }: SimulatedDevice, exposes: readonly object[]): SimulatedDevice["listed"] {
  return { ...listed, definition: { ...(listed.definition as object), exposes } };
}

function smoke(name: string): SimulatedDevice {
  const leak = zigbee.leak(name);
  const exposes = [{ type: "binary", name: "smoke", property: "smoke", access: 1, value_on: true, value_off: false }];
  return { ...leak, state: { smoke: false }, listed: withExposes(leak, exposes) };
}

const ANNOUNCED: readonly (readonly [id: string, component: string, config: object])[] = [
  ["contact", "binary_sensor", { device_class: "door" }],
  ["plain", "cover", { command_topic: "a/plain/set" }],
  ["cover", "cover", { command_topic: "a/cover/set", position_topic: "a/cover", set_position_topic: "a/cover/to" }],
  ["garage", "cover", { command_topic: "a/garage/set", device_class: "garage" }],
  ["lock", "lock", { command_topic: "a/lock/set" }],
  ["leak", "binary_sensor", { device_class: "moisture" }],
  ["smoke", "binary_sensor", { device_class: "smoke" }],
];

async function announce(id: string, component: string, config: object) {
  const topic = component === "cover" && "position_topic" in config ? {} : { state_topic: `a/${id}` };
  const device = { identifiers: [`a-${id}`], name: `A ${id}` };
  const text = JSON.stringify({ ...config, ...topic, unique_id: `a-${id}`, name: null, device });
  await other.publishAsync(`homeassistant/${component}/${id}/config`, text, { retain: true });
}

const PLAYING = { still: true, latencyMs: 0, timeZone: "UTC", faults: () => null } as const;
const VIRTUAL = [
  { kind: "door", address: "2C 10 5 1", name: "V door" },
  { kind: "leak", address: "2C 44 8 1", name: "V leak" },
  { kind: "radio-contact", address: "ZY008_1", name: "V contact" },
  { kind: "radio-lock", address: "ZY010_1", name: "V lock" },
  { kind: "blind", address: "2C 44 9 1", name: "V blind" },
] as const;

const COVER_COMMANDS = "DON FDUP FDDOWN FDSTOP";
/** Devices that only their nodedef describes, as those of a twin. */
const PLAYED: readonly (readonly [id: string, status: string, accepts: string, sends: string])[] = [
  ["contact", "_79_0_R_0_101", "", "DON DOF"],
  ["plain", "_79_0_R_0_101", COVER_COMMANDS, ""],
  ["cover", "_51_0_R_0_100", "DON(_51_0_R_0_100?) FDUP FDDOWN FDSTOP", ""],
  ["lock", "_11_0_R_0_102", "SECMD(_84_0_R_0_1)", ""],
  ["garage", "_97_0_R_0_104", "DON FDUP FDDOWN", ""],
];

async function add(driver: Driver) {
  const { services } = controller;
  const host = new HomeHost(services, driver.name, memoryStore());
  services.drivers.add({ driver }, host, true);
  drivers.set(driver.name, driver);
  await passingUntil(clock, services.drivers.run(driver.name));
}

async function addPlayed() {
  const { profile } = controller.services;
  const nodedefs = PLAYED.map(([id, status, accepts, sends]) => ({
    ...nodedef(`P_${id}`, { name: id, properties: `ST:${status}`, accepts, sends }),
    nls: null,
  }));
  profile.declare(10, 3, { nodedefs }, true);
  const played = PLAYED.map(([id]) => {
    const address = `n003_${id}`;
    const spec = {
      address,
      name: `P ${id}`,
      nodeDefId: `P_${id}`,
      family: 10,
      instance: 3,
      type: "1.1.0.0",
      primary: address,
      devtype: null,
    };
    const editor = (name: string) => profile.editor(name, 10, 3);
    return { spec, nodedef: profile.nodedef(`P_${id}`, 10, 3), role: roleOf(profile, spec), editor, properties: [] };
  });
  await add(createVirtualDriver({ name: "played", ...PLAYING, devices: [], played }));
}

async function addMatter() {
  const home = await simulateMatter(storage);
  const device = await home.device({ name: "M" });
  for (const name of MATTER) {
    const endpoint = DEVICES[name]() as unknown as ReturnType<(typeof DEVICES)["light"]>;
    await device.add(endpoint);
    endpoints.set(name, endpoint);
  }
  await device.start();
  const { driver } = home.driver(memoryStore());
  await add(driver);
  driver.commissioning.begin("include", { code: MANUAL_CODE });
  await vi.waitFor(
    async () => {
      await pass(clock, 40);
      if (driver.commissioning.operation()?.stage === "asking") driver.commissioning.answer({ kind: "confirm" });
      expect(controller.services.home.nodes.get(matterAddress("contact"))?.link).toBe("online");
    },
    { timeout: 60_000, interval: 20 },
  );
  closeMatter = async () => void (await device.close());
}

export function matterAddress(name: (typeof MATTER)[number]): string {
  return `ZM00001_${String(endpoints.get(name)?.number).padStart(3, "0")}_1`;
}

export const named = (name: string) => () =>
  [...controller.services.home.nodes.values()].find((node) => node.name === name)?.address ?? `no node ${name}`;
export const matter = (name: (typeof MATTER)[number], values: object) => () =>
  endpoints.get(name)?.set(values as never);
export const sensed = (value: boolean) => ({ booleanState: { stateValue: value } });
export const radioDevice = (at: number) => network.device(RADIO[at]?.name ?? "");
export const say = (id: string, text: string) => () => other.publishAsync(`a/${id}`, text, { retain: true });
export const virtual = (address: string, control: string) => () =>
  void drivers.get("virtual")?.simulation?.act(address, control, null);
export const bolt = (mode: number) => async () => {
  const { CommandClasses } = await import("@zwave-js/core");
  radioDevice(2).values.set(0, CommandClasses["Door Lock"], "mode", mode);
  await radioDevice(2).tell(0, CommandClasses["Door Lock"]);
};
export const barrier = (state: number) => async () => {
  const { CommandClasses } = await import("@zwave-js/core");
  radioDevice(3).values.set(0, CommandClasses["Barrier Operator"], "state", state);
  await radioDevice(3).tell(0, CommandClasses["Barrier Operator"]);
};
/** Of devices that only commands move. */
export const command = (address: string, path: string) => async () => {
  const answer = await passingUntil(
    clock,
    controller.local.get(`/rest/nodes/${encodeURIComponent(address)}/cmd/${path}`),
  );
  expect(answer.status).toBe(200);
  await pass(clock, 6000);
};
export const ON = 0x11;
export const OFF = 0x13;
export const insteon = (at: number, group: number, message: number) => () => {
  const id = [
    [0x22, 0x05, 0x06],
    [0x22, 0x05, 0x07],
  ][at] as [number, number, number];
  modem.press(modem.device(id), group, message);
};
export const level = (at: number, value: number) => () => act.dimByHand(radioDevice(at), value);
