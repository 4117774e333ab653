/**
 * The worlds whose messages are fuzzed: each opens what reads them, sends one odd message after the other, and says what went wrong.
 * Brokers, modems and streams are reached over their wires; the libraries of radios and plugins where they hand messages over.
 */

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectAsync } from "mqtt";
import { WebSocket } from "ws";
import { bulb, plug } from "../../../simulators/zigbee/device-kinds.ts";
import { climateSensorPlan, lockPlan, switchPlan } from "../../../simulators/zwave/device-kinds.ts";
import type { ControllerEvent } from "../../../src/drivers/matter/controller-messages.ts";
import { MatterDriver } from "../../../src/drivers/matter/matter-driver.ts";
import { PluginData } from "../../../src/drivers/plugin/plugin-data.ts";
import { PluginDefinitions } from "../../../src/drivers/plugin/plugin-definitions.ts";
import { PluginSession } from "../../../src/drivers/plugin/session.ts";
import { type Clock, systemClock } from "../../../src/util/clock.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { RecordingHost } from "../../drivers/recording-host.ts";
import { SimulatedRadio, settled } from "../../drivers/zwave/simulated-adapter.ts";
import { startTestController, type TestController } from "../../support/controller.ts";
import { freePort } from "../../support/free-port.ts";
import { startPlainBroker } from "../../support/mqtt-brokers.ts";
import type { OddValues } from "./odd-values.ts";

type World = {
  /** Sends one message, and settles when it may have been read. */
  say(odd: OddValues): Promise<void> | void;
  /** What failed until now. */
  failures(): readonly string[];
  end(): Promise<void>;
};

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The failures that a whole controller has written to its log. */
function failuresOf(controller: TestController): readonly string[] {
  return controller.lines
    .filter(({ level, message }) => level === "error" && !message.startsWith("A driver is down"))
    .map(({ message, fields }) => `${message} ${JSON.stringify(fields)}`);
}

/** The system's time, in a type of clock that tests take. */
const REAL = systemClock as Clock as VirtualClock;
const BATCH = 20;

/** Waits for the wire after some messages, so that nothing piles up. */
function inBatches(send: (odd: OddValues) => void | Promise<void>, settle: () => Promise<void>) {
  let sent = 0;
  return async (odd: OddValues) => {
    await send(odd);
    sent += 1;
    if (sent % BATCH === 0) await settle();
  };
}

async function brokerWorld(topics: (odd: OddValues) => readonly [topic: string, payload: string]): Promise<World> {
  const port = await freePort();
  const url = `mqtt://127.0.0.1:${port}`;
  const broker = await startPlainBroker(port);
  const client = await connectAsync(url);
  await client.publishAsync("zigbee2mqtt/bridge/devices", JSON.stringify(DEVICES), { retain: true });
  const controller = await startTestController({ demo: false, mqttUrl: url }, { clock: REAL });
  const settle = async () => {
    await client.publishAsync("zigbee2mqtt/marker", "{}", { qos: 1 });
    for (let turn = 0; turn < BATCH; turn += 1) await nextTurn();
  };
  return {
    say: inBatches(async (odd) => {
      const [topic, payload] = topics(odd);
      await client.publishAsync(topic, payload, { retain: odd.isChance(0.1) });
    }, settle),
    failures: () => failuresOf(controller),
    async end() {
      await controller[Symbol.asyncDispose]();
      await client.endAsync();
      await broker.stop();
    },
  };
}

const DEVICES = [plug("Plug").listed, bulb("Lamp").listed];
const STATE = {
  state: "ON",
  brightness: 120,
  color_temp: 300,
  power: 2.5,
  linkquality: 90,
  action: "single",
  update: {},
};
const BRIDGE: Readonly<Record<string, unknown>> = {
  "bridge/devices": DEVICES,
  "bridge/state": { state: "online" },
  "bridge/groups": [
    { id: 1, friendly_name: "All", members: [{ ieee_address: DEVICES[0]?.ieee_address, endpoint: 1 }] },
  ],
  "bridge/logging": { level: "error", message: "z2m: Publish 'set' 'state' to 'Plug' failed" },
  "bridge/event": { type: "device_joined", data: { friendly_name: "New", ieee_address: "0x00124b0000000077" } },
  "bridge/response/permit_join": { status: "ok", transaction: "1", data: {} },
  Plug: STATE,
  Lamp: STATE,
  "Lamp/availability": { state: "online" },
  "Plug/power": 2.5,
};

function zigbee(): Promise<World> {
  return brokerWorld((odd) => {
    const path = odd.oneOf(Object.keys(BRIDGE));
    return [`zigbee2mqtt/${path}`, odd.json(BRIDGE[path])];
  });
}

const DEVICE = {
  identifiers: ["d1"],
  name: "Thing",
  manufacturer: "Maker",
  model: "One",
  connections: [["mac", "00"]],
};
const TEMPLATES = [
  ...[
    "{{ value_json.v }}",
    "{{ value_json | tojson }}",
    "{{ value valueOf value }}",
    "{% if value in value %}a{% endif %}",
  ],
  ...[
    "{{ (value ~ value) * 2 }}",
    "{{ {value_json: 1} }}",
    "{{ [value_json, value][0] | round(99) }}",
    "{{ value_json['x'] }}",
  ],
];
const COMPONENTS = [
  "switch",
  "light",
  "sensor",
  "binary_sensor",
  "cover",
  "lock",
  "climate",
  "fan",
  "number",
  "select",
];

function announcement(odd: OddValues): object {
  const topic = (name: string) => odd.oneOf([`s/${odd.below(5)}`, `zigbee2mqtt/${name}`, "$SYS/x", "a/+/b"]);
  return {
    ...{
      unique_id: `u${odd.below(40)}`,
      name: "Thing",
      device: DEVICE,
      state_topic: topic("Plug"),
      command_topic: topic("Lamp/set"),
    },
    ...{
      value_template: odd.oneOf(TEMPLATES),
      availability_topic: topic("x"),
      availability_template: odd.oneOf(TEMPLATES),
    },
    ...{ payload_on: "1", unit_of_measurement: "W", device_class: "power", options: ["a", "b"], min: 0, max: 10 },
    ...{
      brightness_state_topic: topic("b"),
      modes: ["off", "heat"],
      temperature_command_topic: topic("t"),
      schema: "json",
    },
    ...{ expire_after: 1, off_delay: 1, cmps: { a: { p: "switch", cmd_t: "c", uniq_id: "x" } }, "~": "base" },
  };
}

function announced(): Promise<World> {
  return brokerWorld((odd) => {
    if (odd.isChance(0.4)) return [`s/${odd.below(5)}`, odd.json({ v: 1, x: [1, { y: 2 }] })];
    const path = odd.isChance(0.2) ? "device/d" : `${odd.oneOf(COMPONENTS)}/n${odd.below(30)}`;
    return [`homeassistant/${path}/config`, odd.isChance(0.1) ? "" : odd.json(announcement(odd))];
  });
}

/** Of a modem: its answer to each command, then whatever comes. */
async function insteon(): Promise<World> {
  let line: Socket | null = null;
  const server = createServer((socket) => {
    line = socket.on("error", () => {});
    socket.on("data", (bytes) => {
      if (bytes[1] === 0x60) socket.write(Buffer.from([0x02, 0x60, 0x11, 0x22, 0x33, 0x03, 0x15, 0x9e, 0x06]));
      else socket.write(Buffer.concat([bytes, Buffer.from([0x06])]));
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const insteonPort = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const controller = await startTestController({ demo: false, insteonPort }, { clock: REAL });
  return {
    say: inBatches(
      (odd) => {
        const kind = odd.oneOf([0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x5c, odd.below(256)]);
        const from = odd.isChance(0.7) ? [0x11, 0x22, odd.below(4)] : [...odd.bytes(3)];
        line?.write(Buffer.from([0x02, kind, ...from, ...odd.bytes(odd.below(22))]));
      },
      async () => {
        for (let turn = 0; turn < BATCH; turn += 1) await nextTurn();
      },
    ),
    failures: () => failuresOf(controller),
    async end() {
      await controller[Symbol.asyncDispose]();
      line?.destroy();
      server.close();
    },
  };
}

async function zwave(): Promise<World> {
  const radio = await SimulatedRadio.create([lockPlan(), climateSensorPlan(), switchPlan({ name: "Plain" })]);
  const { driver, host } = await radio.started();
  await settled(driver);
  const { stack } = driver.running();
  const devices = [...stack.controller.nodes.values()];
  const emit = stack.emit.bind(stack) as (event: string, ...told: readonly unknown[]) => boolean;
  return {
    async say(odd) {
      const device = odd.oneOf(devices);
      const id = odd.oneOf([{ commandClass: odd.below(256), property: "x" }, ...device.getDefinedValueIDs()]);
      const event = odd.oneOf([
        "node value updated",
        "node value added",
        "node value notification",
        "node notification",
      ]);
      const change = { ...id, newValue: odd.value(), prevValue: odd.value(), value: odd.value() };
      if (event === "node notification") {
        const told = odd.mutated({ type: 6, event: 6, eventLabel: "Keypad", parameters: { userId: 1 } }, 0.4);
        emit(event, device.getEndpoint(0), odd.oneOf([0x71, 0x6f, 0x26, odd.below(256)]), Object(told));
      } else emit(event, device, odd.mutated(change, 0.1) === null ? change : { ...change, endpoint: odd.below(4) });
      host.forget();
      await nextTurn();
    },
    failures: () => host.violations.filter((each) => each.startsWith("Z-Wave")),
    async end() {
      await radio.stopDrivers();
      await radio.stop();
    },
  };
}

const CLUSTERS = {
  onOff: { onOff: true },
  levelControl: { currentLevel: 100, minLevel: 1, maxLevel: 254 },
  thermostat: {
    occupiedHeatingSetpoint: 2000,
    localTemperature: 2100,
    systemMode: 4,
    thermostatRunningState: { heat: true },
  },
  doorLock: { lockState: 1 },
  temperatureMeasurement: { measuredValue: 2100 },
  colorControl: { currentHue: 1, currentSaturation: 2, colorTemperatureMireds: 300 },
  windowCovering: { currentPositionLiftPercent100ths: 100 },
};

async function matter(): Promise<World> {
  const storage = mkdtempSync(join(tmpdir(), "matter-"));
  const host = new RecordingHost(new VirtualClock(0));
  let tell = (_event: ControllerEvent): void => {};
  const options = { name: "matter", storage, networkInterface: null, homeName: "Home", lockCode: "" };
  const driver = new MatterDriver(options, (_task, { event }) => {
    tell = event;
    setImmediate(() => event({ kind: "ready" }));
    return { send: () => {}, end: async () => {} };
  });
  await driver.start(host, new AbortController().signal);
  const peers = ["peer1", "peer2", "peer3"];
  return {
    async say(odd) {
      const [peer, cluster] = [odd.oneOf(peers), odd.oneOf(Object.keys(CLUSTERS)) as keyof typeof CLUSTERS];
      // What the thread passes on is of its own types; the values are the devices'.
      const values = odd.mutated(CLUSTERS[cluster], 0.5);
      const isRecord = typeof values === "object" && values !== null && !Array.isArray(values);
      const clusters = { [cluster]: { features: [], values: isRecord ? values : {} } };
      const endpoints = [
        { number: 0, parent: null, deviceTypes: [22], clusters: {} },
        { number: 1, parent: 0, deviceTypes: [odd.below(1000)], clusters },
      ];
      const about = {
        peer,
        identity: peer,
        name: "Lamp",
        product: "Lamp",
        firmware: null,
        sleep: { kind: "none", idleMs: 0 },
      };
      const event = odd.oneOf([
        { kind: "peer", description: { ...about, endpoints }, isFresh: odd.isChance(0.5) },
        { kind: "values", peer, endpoint: 1, cluster, values: isRecord ? values : {}, isAnswer: odd.isChance(0.2) },
        { kind: "link", peer, link: odd.oneOf(["online", "asleep", "lost"]) },
      ]);
      tell(event as ControllerEvent);
      host.forget();
      await nextTurn();
    },
    failures: () => host.violations.filter((each) => each.startsWith("Matter ")),
    async end() {
      await driver.stop();
      rmSync(storage, { recursive: true });
    },
  };
}

const PLUGIN_MESSAGES: readonly (readonly [kind: string, message: object])[] = [
  [
    "command",
    {
      addnode: [
        {
          address: "a1",
          name: "A",
          nodeDefId: "CTL",
          primaryNode: "a1",
          drivers: [{ driver: "ST", value: 1, uom: 2 }],
        },
      ],
    },
  ],
  ["command", { command: [{ address: "a1", cmd: "DON", value: 1 }] }],
  ["command", { removenode: [{ address: "a1" }], renamenode: [{ address: "a1", name: "B" }] }],
  ["command", { changenode: [{ address: "a1", nodeDefId: "B" }] }],
  ["status", { set: [{ address: "a1", driver: "ST", value: "1", uom: 2 }], get: [{ address: "a1" }] }],
  ["custom", { set: [{ key: "notices", value: { a: "b" } }], get: [{ key: "a" }], getAll: {} }],
  ["system", { config: { version: "1" }, setPoll: { short: 1, long: 2 }, setController: { node: "a1", driver: "ST" } }],
  ["system", { setLogList: { levels: [{ name: "X", value: "X", level: 5 }] }, setLogLevel: { level: "DEBUG" } }],
  [
    "system",
    {
      updateprofile: {
        editors: [{ id: "E", ranges: [{ uom: 2, min: 0, max: 1 }] }],
        nodedefs: [{ id: "N" }],
        delete: {},
      },
    },
  ],
  ["portal", { webhook: { status: 200, body: "x" } }],
];

function plugin(): World {
  const host = new RecordingHost(new VirtualClock(0));
  const failures: string[] = [];
  const defaults = { shortPollS: 60, longPollS: 300, logLevel: "INFO", parameters: {} };
  const session = new PluginSession({
    ...{ slot: 7, uuid: "00:00:5e:00:53:07", name: "Test", host, nodesMax: 20 },
    data: new PluginData(host.store, defaults, 100_000),
    definitions: new PluginDefinitions({ directory: "/nowhere", slot: 7, host, bytesMax: 100_000 }),
    ...{ send: () => {}, connection: () => null, exceeded: () => {}, restart: () => {}, stop: () => {} },
    ...{
      pollsChanged: () => {},
      dataChanged: () => {},
      noted: () => {},
      webHooks: { answer: () => {} },
      search: async () => [],
    },
  });
  return {
    async say(odd) {
      const [kind, message] = odd.oneOf(PLUGIN_MESSAGES);
      const text = odd.json(message);
      await session
        .received(kind, text)
        .catch((error: unknown) => void failures.push(`${kind} ${text.slice(0, 500)}: ${(error as Error).stack}`));
      host.forget();
      await nextTurn();
    },
    failures: () => failures,
    end: async () => {},
  };
}

async function stream(): Promise<World> {
  const controller = await startTestController({ demo: false }, { clock: REAL });
  const url = controller.portal.url.replace("https", "wss");
  return {
    async say(odd) {
      const path = odd.oneOf(["/rest/subscribe", "/api/events/subscribe"]);
      const socket = new WebSocket(`${url}${path}`, odd.oneOf([[], ["ISYSUB"]]), { rejectUnauthorized: false });
      const closed = new Promise<void>((resolve) => {
        socket.on("close", () => resolve()).on("error", () => resolve());
      });
      socket.on("open", () => {
        const login = odd.isChance(0.5) ? { auth: { token: "x" } } : { type: "auth", creds: { token: "x" } };
        socket.send(odd.isChance(0.2) ? odd.bytes(odd.below(2000)) : odd.json(login));
        setImmediate(() => socket.close());
      });
      await closed;
    },
    failures: () => failuresOf(controller),
    end: () => controller[Symbol.asyncDispose](),
  };
}

export const WORLDS: Readonly<Record<string, () => Promise<World> | World>> = {
  ...{ "Zigbee on a broker": zigbee, "announced devices on a broker": announced, "an Insteon modem": insteon },
  ...{ "Z-Wave devices": zwave, "Matter devices": matter, "a plugin": plugin, "the stream": stream },
};
