/**
 * One meaning in all worlds: the physical state goes in at the simulator of each world, and every surface says it in its words. No
 * number of a state is here: where two numbers are swapped, the words change.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
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
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { freePort } from "../support/free-port.ts";
import { DEVICES } from "../support/matter-devices.ts";
import { MANUAL_CODE, simulateMatter } from "../support/matter-home.ts";
import { type RunningBroker, startPlainBroker } from "../support/mqtt-brokers.ts";
import { pass, passingUntil, passUntil } from "../support/passing-time.ts";
import { type RadioServer, serveRadio } from "../support/radio-server.ts";
import { type Meaning, type Said, saidOf } from "../support/surfaces.ts";

// The library of Matter and the radio have the clock of the machine, which other tests may keep busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 150_000 });

const DOOR: Meaning = { active: "open", rest: "closed" };
const BOLT: Meaning = { active: "unlocked", rest: "locked" };
const LEAK: Meaning = { active: "wet", rest: "dry" };
const SMOKE: Meaning = { active: "smoke", rest: "quiet" };

/** A device of a world: how each word comes about, in the order in which they are tried; the first one is where it begins. */
type Row = {
  readonly world: string;
  readonly kind: string;
  readonly address: () => string;
  readonly meaning: Meaning;
  readonly states: readonly (readonly [word: string, bring: () => Promise<unknown> | void])[];
  /** The words that it sends with its state. */
  readonly sends?: readonly string[];
  /** On says that nothing is wrong. */
  readonly isInverse?: true;
  /** Surfaces that have no word for it, and why. */
  readonly without?: Readonly<Partial<Record<keyof Said, string>>>;
};

const PLAIN_COVER = { matter: "–" } as const;
const NO_COMMANDS = { cli: "–" } as const;
const clock = new VirtualClock(START_MS);
const storage = await mkdtemp(join(tmpdir(), "domovoi-one-door-"));
const modem = new SimulatedModem(clock, [
  { id: [0x22, 0x05, 0x06], kind: "leak" },
  { id: [0x22, 0x05, 0x07], kind: "door" },
]);
const endpoints = new Map<string, ReturnType<(typeof DEVICES)["light"]>>();
const drivers = new Map<string, Driver>();
/** The control that each node sent last. */
const controls = new Map<string, string>();
const table: string[] = [];

let controller: TestController;
let broker: RunningBroker;
let other: MqttClient;
let bridge: SimulatedBridge;
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

beforeAll(async () => {
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
}, 150_000);

afterAll(async () => {
  await controller?.[Symbol.asyncDispose]();
  await closeMatter?.();
  await bridge?.stop();
  await other?.endAsync();
  await broker?.stop();
  await server?.close();
  await radio?.close();
  await network?.stop();
  await rm(storage, { recursive: true, force: true });
  if (process.env.DOMOVOI_TABLE) process.stdout.write(`${table.join("\n")}\n`);
});

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

function matterAddress(name: (typeof MATTER)[number]): string {
  return `ZM00001_${String(endpoints.get(name)?.number).padStart(3, "0")}_1`;
}

const named = (name: string) => () =>
  [...controller.services.home.nodes.values()].find((node) => node.name === name)?.address ?? `no node ${name}`;
const matter = (name: (typeof MATTER)[number], values: object) => () => endpoints.get(name)?.set(values as never);
const sensed = (value: boolean) => ({ booleanState: { stateValue: value } });
const radioDevice = (at: number) => network.device(RADIO[at]?.name ?? "");
const say = (id: string, text: string) => () => other.publishAsync(`a/${id}`, text, { retain: true });
const virtual = (address: string, control: string) => () =>
  void drivers.get("virtual")?.simulation?.act(address, control, null);
const bolt = (mode: number) => async () => {
  const { CommandClasses } = await import("@zwave-js/core");
  radioDevice(2).values.set(0, CommandClasses["Door Lock"], "mode", mode);
  await radioDevice(2).tell(0, CommandClasses["Door Lock"]);
};
const barrier = (state: number) => async () => {
  const { CommandClasses } = await import("@zwave-js/core");
  radioDevice(3).values.set(0, CommandClasses["Barrier Operator"], "state", state);
  await radioDevice(3).tell(0, CommandClasses["Barrier Operator"]);
};
/** Of devices that only commands move. */
const command = (address: string, path: string) => async () => {
  const answer = await passingUntil(
    clock,
    controller.local.get(`/rest/nodes/${encodeURIComponent(address)}/cmd/${path}`),
  );
  expect(answer.status).toBe(200);
  await pass(clock, 6000);
};
const ON = 0x11;
const OFF = 0x13;
const insteon = (at: number, group: number, message: number) => () => {
  const id = [
    [0x22, 0x05, 0x06],
    [0x22, 0x05, 0x07],
  ][at] as [number, number, number];
  modem.press(modem.device(id), group, message);
};
const level = (at: number, value: number) => () => act.dimByHand(radioDevice(at), value);

const ROWS: readonly Row[] = [
  {
    ...{
      world: "Zigbee",
      kind: "contact",
      address: named("Z contact"),
      meaning: DOOR,
      sends: ["open", "closed"],
      without: NO_COMMANDS,
    },
    states: [
      ["closed", () => bridge.report("Z contact", { contact: true })],
      ["open", () => bridge.report("Z contact", { contact: false })],
      ["closed", () => bridge.report("Z contact", { contact: true })],
      ["unknown", () => bridge.report("Z contact", { contact: null })],
    ],
  },
  {
    ...{ world: "Zigbee", kind: "plain cover", address: named("Z plain"), meaning: DOOR, without: PLAIN_COVER },
    states: [
      ["closed", () => bridge.report("Z plain", { state: "CLOSE" })],
      ["open", () => bridge.report("Z plain", { state: "OPEN" })],
      ["closed", () => bridge.report("Z plain", { state: "CLOSE" })],
      ["unknown", () => bridge.report("Z plain", { state: null })],
    ],
  },
  {
    ...{ world: "Zigbee", kind: "cover", address: named("Z cover"), meaning: DOOR },
    states: [
      ["closed", () => bridge.report("Z cover", { position: 0, state: "CLOSE" })],
      ["open", () => bridge.report("Z cover", { position: 100, state: "OPEN" })],
      ["closed", () => bridge.report("Z cover", { position: 0, state: "CLOSE" })],
    ],
  },
  {
    ...{ world: "Zigbee", kind: "lock", address: named("Z lock"), meaning: BOLT },
    states: [
      ["locked", () => bridge.report("Z lock", { state: "LOCK", lock_state: "locked" })],
      ["unlocked", () => bridge.report("Z lock", { state: "UNLOCK", lock_state: "unlocked" })],
      ["locked", () => bridge.report("Z lock", { state: "LOCK", lock_state: "locked" })],
      ["jammed", () => bridge.report("Z lock", { state: "UNLOCK", lock_state: "not_fully_locked" })],
    ],
  },
  {
    ...{
      world: "Zigbee",
      kind: "leak",
      address: named("Z leak"),
      meaning: LEAK,
      sends: ["wet", "dry"],
      without: NO_COMMANDS,
    },
    states: [
      ["dry", () => bridge.report("Z leak", { water_leak: false })],
      ["wet", () => bridge.report("Z leak", { water_leak: true })],
      ["dry", () => bridge.report("Z leak", { water_leak: false })],
      ["unknown", () => bridge.report("Z leak", { water_leak: null })],
    ],
  },
  {
    ...{
      world: "Zigbee",
      kind: "smoke",
      address: named("Z smoke"),
      meaning: SMOKE,
      sends: ["smoke", "quiet"],
      without: NO_COMMANDS,
    },
    states: [
      ["quiet", () => bridge.report("Z smoke", { smoke: false })],
      ["smoke", () => bridge.report("Z smoke", { smoke: true })],
      ["quiet", () => bridge.report("Z smoke", { smoke: false })],
    ],
  },
  {
    ...{
      world: "announced",
      kind: "contact",
      address: named("A contact"),
      meaning: DOOR,
      sends: ["open", "closed"],
      without: NO_COMMANDS,
    },
    states: [
      ["closed", say("contact", "OFF")],
      ["open", say("contact", "ON")],
      ["closed", say("contact", "OFF")],
      ["unknown", say("contact", "None")],
    ],
  },
  {
    ...{ world: "announced", kind: "plain cover", address: named("A plain"), meaning: DOOR, without: PLAIN_COVER },
    states: [
      ["closed", say("plain", "closed")],
      ["open", say("plain", "open")],
      ["closed", say("plain", "closed")],
      ["unknown", say("plain", "None")],
    ],
  },
  {
    ...{ world: "announced", kind: "cover", address: named("A cover"), meaning: DOOR },
    states: [
      ["closed", say("cover", "0")],
      ["open", say("cover", "100")],
      ["closed", say("cover", "0")],
    ],
  },
  {
    ...{ world: "announced", kind: "garage", address: named("A garage"), meaning: DOOR, without: PLAIN_COVER },
    states: [
      ["closed", say("garage", "closed")],
      ["open", say("garage", "open")],
      ["closed", say("garage", "closed")],
      ["unknown", say("garage", "None")],
    ],
  },
  {
    ...{ world: "announced", kind: "lock", address: named("A lock"), meaning: BOLT },
    states: [
      ["locked", say("lock", "LOCKED")],
      ["unlocked", say("lock", "UNLOCKED")],
      ["locked", say("lock", "LOCKED")],
      ["jammed", say("lock", "JAMMED")],
    ],
  },
  {
    ...{
      world: "announced",
      kind: "leak",
      address: named("A leak"),
      meaning: LEAK,
      sends: ["wet", "dry"],
      without: NO_COMMANDS,
    },
    states: [
      ["dry", say("leak", "OFF")],
      ["wet", say("leak", "ON")],
      ["dry", say("leak", "OFF")],
    ],
  },
  {
    ...{
      world: "announced",
      kind: "smoke",
      address: named("A smoke"),
      meaning: SMOKE,
      sends: ["smoke", "quiet"],
      without: NO_COMMANDS,
    },
    states: [
      ["quiet", say("smoke", "OFF")],
      ["smoke", say("smoke", "ON")],
      ["quiet", say("smoke", "OFF")],
      ["unknown", say("smoke", "None")],
    ],
  },
  {
    ...{
      world: "Z-Wave",
      kind: "contact",
      address: () => "ZW002_306",
      meaning: DOOR,
      sends: ["open", "closed"],
      without: NO_COMMANDS,
    },
    states: [
      ["closed", () => act.openByHand(radioDevice(0), false)],
      ["open", () => act.openByHand(radioDevice(0), true)],
      ["closed", () => act.openByHand(radioDevice(0), false)],
    ],
  },
  {
    ...{ world: "Z-Wave", kind: "cover", address: () => "ZW003_1", meaning: DOOR },
    states: [
      ["closed", level(1, 0)],
      ["open", level(1, 99)],
      ["closed", level(1, 0)],
      ["unknown", level(1, 254)],
    ],
  },
  {
    ...{ world: "Z-Wave", kind: "lock", address: () => "ZW004_1", meaning: BOLT },
    states: [
      ["locked", bolt(0xff)],
      ["unlocked", bolt(0)],
      ["locked", bolt(0xff)],
      ["unknown", bolt(0xfe)],
    ],
  },
  {
    ...{ world: "Z-Wave", kind: "garage", address: () => "ZW005_1", meaning: DOOR, without: { matter: "–" } },
    states: [
      ["closed", barrier(0)],
      ["open", barrier(255)],
      ["closed", barrier(0)],
      ["unknown", barrier(252)],
    ],
  },
  {
    ...{
      world: "Z-Wave",
      kind: "leak",
      address: () => "ZW006_305",
      meaning: LEAK,
      sends: ["wet", "dry"],
      without: NO_COMMANDS,
    },
    states: [
      ["dry", () => act.senseLeak(radioDevice(4), false)],
      ["wet", () => act.senseLeak(radioDevice(4), true)],
      ["dry", () => act.senseLeak(radioDevice(4), false)],
    ],
  },
  {
    ...{
      world: "Z-Wave",
      kind: "smoke",
      address: () => "ZW007_301",
      meaning: SMOKE,
      sends: ["smoke", "quiet"],
      without: NO_COMMANDS,
    },
    states: [
      ["quiet", () => act.senseSmoke(radioDevice(5), false)],
      ["smoke", () => act.senseSmoke(radioDevice(5), true)],
      ["quiet", () => act.senseSmoke(radioDevice(5), false)],
    ],
  },
  {
    ...{
      world: "Matter",
      kind: "contact",
      address: () => matterAddress("contact"),
      meaning: DOOR,
      sends: ["open", "closed"],
      without: NO_COMMANDS,
    },
    states: [
      ["closed", matter("contact", sensed(true))],
      ["open", matter("contact", sensed(false))],
      ["closed", matter("contact", sensed(true))],
    ],
  },
  {
    ...{ world: "Matter", kind: "cover", address: () => matterAddress("cover"), meaning: DOOR },
    states: [
      ["closed", matter("cover", { windowCovering: { currentPositionLiftPercent100ths: 10_000 } })],
      ["open", matter("cover", { windowCovering: { currentPositionLiftPercent100ths: 0 } })],
      ["closed", matter("cover", { windowCovering: { currentPositionLiftPercent100ths: 10_000 } })],
    ],
  },
  {
    ...{ world: "Matter", kind: "lock", address: () => matterAddress("lock"), meaning: BOLT },
    states: [
      ["locked", matter("lock", { doorLock: { lockState: 1 } })],
      ["unlocked", matter("lock", { doorLock: { lockState: 2 } })],
      ["jammed", matter("lock", { doorLock: { lockState: 0 } })],
      ["unknown", matter("lock", { doorLock: { lockState: null } })],
    ],
  },
  {
    ...{
      world: "Matter",
      kind: "leak",
      address: () => matterAddress("leak"),
      meaning: LEAK,
      sends: ["wet", "dry"],
      without: NO_COMMANDS,
    },
    states: [
      ["dry", matter("leak", sensed(false))],
      ["wet", matter("leak", sensed(true))],
      ["dry", matter("leak", sensed(false))],
    ],
  },
  {
    ...{
      world: "Matter",
      kind: "smoke",
      address: () => matterAddress("smoke"),
      meaning: SMOKE,
      sends: ["smoke", "quiet"],
      without: NO_COMMANDS,
    },
    states: [
      ["quiet", matter("smoke", { smokeCoAlarm: { smokeState: 0 } })],
      ["smoke", matter("smoke", { smokeCoAlarm: { smokeState: 2 } })],
      ["quiet", matter("smoke", { smokeCoAlarm: { smokeState: 0 } })],
    ],
  },
  {
    ...{
      world: "Insteon",
      kind: "contact",
      address: () => "22 5 7 1",
      meaning: DOOR,
      sends: ["open", "closed"],
      without: NO_COMMANDS,
    },
    states: [
      ["closed", insteon(1, 1, OFF)],
      ["open", insteon(1, 1, ON)],
      ["closed", insteon(1, 1, OFF)],
    ],
  },
  {
    ...{
      world: "Insteon",
      kind: "leak-dry",
      address: () => "22 5 6 1",
      meaning: LEAK,
      without: NO_COMMANDS,
      sends: ["dry"],
      isInverse: true,
    },
    states: [
      ["dry", insteon(0, 1, ON)],
      ["wet", insteon(0, 2, ON)],
      ["dry", insteon(0, 1, ON)],
    ],
  },
  {
    ...{
      world: "virtual",
      kind: "contact",
      address: () => "2C 10 5 1",
      meaning: DOOR,
      sends: ["open", "closed"],
      without: NO_COMMANDS,
    },
    states: [
      ["closed", virtual("2C 10 5 1", "CLOSE")],
      ["open", virtual("2C 10 5 1", "OPEN")],
      ["closed", virtual("2C 10 5 1", "CLOSE")],
    ],
  },
  {
    ...{
      world: "virtual",
      kind: "radio contact",
      address: () => "ZY008_1",
      meaning: DOOR,
      sends: ["open", "closed"],
      without: NO_COMMANDS,
    },
    states: [
      ["closed", virtual("ZY008_1", "CLOSE")],
      ["open", virtual("ZY008_1", "OPEN")],
      ["closed", virtual("ZY008_1", "CLOSE")],
    ],
  },
  {
    ...{
      world: "virtual",
      kind: "leak-dry",
      address: () => "2C 44 8 1",
      meaning: LEAK,
      without: NO_COMMANDS,
      sends: ["wet", "dry"],
      isInverse: true,
    },
    states: [
      ["dry", virtual("2C 44 8 1", "DRY")],
      ["wet", virtual("2C 44 8 1", "WET")],
      ["dry", virtual("2C 44 8 1", "DRY")],
    ],
  },
  {
    ...{ world: "virtual", kind: "lock", address: () => "ZY010_1", meaning: BOLT },
    states: [
      ["locked", command("ZY010_1", "LOCK")],
      ["unlocked", command("ZY010_1", "UNLOCK")],
      ["locked", command("ZY010_1", "SECMD/1")],
    ],
  },
  {
    ...{ world: "virtual", kind: "cover", address: () => "2C 44 9 1", meaning: DOOR },
    states: [
      ["closed", command("2C 44 9 1", "FDDOWN")],
      ["open", command("2C 44 9 1", "FDUP")],
      ["closed", command("2C 44 9 1", "DOF")],
    ],
  },
  {
    ...{ world: "played", kind: "plain cover", address: () => "n003_plain", meaning: DOOR, without: PLAIN_COVER },
    states: [
      ["closed", command("n003_plain", "FDDOWN")],
      ["open", command("n003_plain", "DON")],
      ["closed", command("n003_plain", "DOF")],
      ["open", command("n003_plain", "FDUP")],
    ],
  },
  {
    ...{ world: "played", kind: "cover", address: () => "n003_cover", meaning: DOOR },
    states: [
      ["closed", command("n003_cover", "FDDOWN")],
      ["open", command("n003_cover", "FDUP")],
      ["closed", command("n003_cover", "DOF")],
    ],
  },
  {
    ...{ world: "played", kind: "lock", address: () => "n003_lock", meaning: BOLT },
    states: [
      ["locked", command("n003_lock", "SECMD/1")],
      ["unlocked", command("n003_lock", "SECMD/0")],
      ["locked", command("n003_lock", "LOCK")],
    ],
  },
  {
    ...{ world: "played", kind: "garage", address: () => "n003_garage", meaning: DOOR, without: PLAIN_COVER },
    states: [
      ["closed", command("n003_garage", "FDDOWN")],
      ["open", command("n003_garage", "DON")],
      ["closed", command("n003_garage", "FDDOWN")],
    ],
  },
];

describe.each(ROWS.map((row) => [`${row.world} ${row.kind}`, row] as const))("%s", (_name, row) => {
  const { meaning, states, without = {}, isInverse = false } = row;
  test("every surface says what the device is, and what it sends", async () => {
    const [first, ...others] = states;
    await first?.[1]();
    await settled(row, first?.[0] ?? "");
    let before = first?.[0];
    for (const [word, bring] of others) {
      controls.clear();
      await bring();
      const said = await settled(row, word);
      const sent = controls.get(row.address()) ?? "–";
      const [on, off] = isInverse ? [meaning.rest, meaning.active] : [meaning.active, meaning.rest];
      const control = sent === "DON" ? on : sent === "DOF" ? off : sent;
      const expected = { ...everywhere(word), ...without };
      table.push(`| ${row.world} | ${row.kind} | ${word} | ${Object.values(said).join(" | ")} | ${control} |`);
      expect({ before, word, ...said }).toEqual({ before, word, ...expected });
      expect([word, control]).toEqual([word, row.sends?.includes(word) ? word : "–"]);
      before = word;
    }
  });

  /** Waits a little for the word; what is said then counts. */
  async function settled(of: Row, word: string): Promise<Said> {
    for (let turn = 0; ; turn += 1) {
      await pass(clock, 200);
      await new Promise((resolve) => setTimeout(resolve, 5));
      const said = await passingUntil(clock, saidOf(controller, of.address(), meaning, isInverse));
      if (said.rest === word || turn >= 25) return said;
    }
  }
});

/** A jammed bolt is neither locked nor unlocked: no command is done by it. */
function everywhere(word: string): Said {
  const cli = word === "jammed" ? "unknown" : word;
  return { rest: word, page: word, matter: word, announced: word, cli, program: word };
}
