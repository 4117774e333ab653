/** The home on a real broker, as other programs see it: announcements, values, commands, availability. */

import { connectAsync, type MqttClient } from "mqtt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { plug } from "../../simulators/zigbee/device-kinds.ts";
import { SimulatedBridge } from "../../simulators/zigbee/simulated-bridge.ts";
import type { IntegrationSettings } from "../../src/drivers/integration-type.ts";
import { SYSTEM_CAUSE } from "../../src/home/cause.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { freePort } from "../support/free-port.ts";
import { type RunningBroker, startPlainBroker } from "../support/mqtt-brokers.ts";
import { pass, passingUntil, passUntil } from "../support/passing-time.ts";

const clock = new VirtualClock(START_MS);
let broker: RunningBroker;
let reader: MqttClient;
let bridge: SimulatedBridge;
let controller: TestController;
let port: number;
/** What the broker has, by topic, and how often each topic was written. */
const kept = new Map<string, string>();
const written = new Map<string, number>();

beforeAll(async () => {
  port = await freePort();
  const url = `mqtt://127.0.0.1:${port}`;
  broker = await startPlainBroker(port);
  reader = await connectAsync(url);
  reader.on("message", (topic, payload) => {
    kept.set(topic, payload.toString());
    written.set(topic, (written.get(topic) ?? 0) + 1);
  });
  await reader.subscribeAsync(["domovoi/#", "homeassistant/device/+/config"]);
  bridge = await SimulatedBridge.start(url, [plug("Plug")]);
  controller = await passingUntil(clock, startTestController({ mqttUrl: url }, { clock }));
  const announce = { type: "announce", id: null, name: null, settings: { url, access: "guest" }, enabled: true };
  await passingUntil(clock, controller.services.integrations.add(announce, SYSTEM_CAUSE));
  await controller.login();
  await passUntil(clock, () => kept.get("domovoi/status") === "online" && configs().length > 20);
  await pass(clock, 2000);
}, 60_000);

afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await bridge.stop();
  await reader.endAsync();
  await broker.stop();
});

test("a lamp is announced with its state, its commands and its availability", () => {
  const lamp = configOf(dimmer());
  const base = `domovoi/${topic(dimmer())}`;
  expect(lamp).toMatchObject({
    device: { name: node(dimmer())?.name, manufacturer: "Domovoi" },
    availability: [{ topic: "domovoi/status" }, { topic: `${base}/link` }],
    components: { main: { platform: "light", state_topic: `${base}/ST`, brightness_scale: expect.any(Number) } },
  });
  // A short form of topics is refused in the announcement of a device.
  expect(JSON.stringify(lamp)).not.toContain("~");
});

test("a lamp that counts to 255 is announced, commanded and shown in percent", async () => {
  const wired = "1A 2B 3C 1";
  const value = `domovoi/${topic(wired)}/ST`;
  await command(wired, { command: "DON", parameters: [77] });
  await passUntil(clock, () => kept.get(value) === "77");
  expect(controller.services.home.nodes.get(wired)?.properties.get("ST")?.value).toBe(196);
  await command(wired, { command: "DON", parameters: [12] });
  await passUntil(clock, () => kept.get(value) === "12");
});

test("a cover whose status is a raw level is announced in percent", () => {
  const covers = configs().filter((config) => JSON.stringify(config).includes('"platform":"cover"'));
  expect(covers[0]).toMatchObject({
    components: { main: { position_topic: expect.stringMatching(/^domovoi\/.*\/ST$/), position_open: 100 } },
  });
});

test("no lock, no garage door, and nothing of the same broker is announced", () => {
  const announced = configs().map(({ device }) => device.name);
  expect(announced.length).toBeGreaterThan(20);
  const { nodes } = controller.services.home;
  const hidden = [...nodes.values()].filter(
    ({ address, nodeDefId }) => address.startsWith("ZB") || /lock/i.test(nodeDefId),
  );
  expect(hidden.length).toBeGreaterThan(0);
  // They were never announced, so nothing is withdrawn.
  expect([...kept].filter(([each, text]) => each.endsWith("/config") && text === "")).toEqual([]);
  expect(hidden.map(({ name }) => name).filter((name) => announced.includes(name))).toEqual([]);
});

test("a command reaches the device by the account's own rights, and only the changed value is published", async () => {
  const value = `domovoi/${topic(dimmer())}/ST`;
  written.clear();
  await command(dimmer(), { command: "DON", parameters: [40] });
  await passUntil(clock, () => kept.get(value) === "40");
  const cause =
    controller.services.queue.lives.recent().at(-1)?.cause ?? controller.services.queue.lives.recent()[0]?.cause;
  expect(cause).toMatchObject({ kind: "request", by: "announce" });
  expect([...written.keys()].filter((each) => each.endsWith("/config"))).toEqual([]);
});

test("what is no command, is kept, or is not allowed changes nothing", async () => {
  const before = controller.services.queue.lives.recent().length;
  for (const payload of ["", "{", "[]", '{"command":7}', '{"command":"DON","parameters":["x"]}', "x".repeat(5000)]) {
    await reader.publishAsync(`domovoi/${topic(dimmer())}/set`, payload);
  }
  await reader.publishAsync("domovoi/../../set", "{}");
  await reader.publishAsync(`domovoi/${topic(lockNode())}/set`, '{"command":"UNLOCK"}');
  await pass(clock, 500);
  expect(controller.services.queue.lives.recent()).toHaveLength(before);
});

test("a new name is announced, and a node that is disabled is withdrawn with its values", async () => {
  const address = dimmer();
  await rest(`/rest/nodes/${encodeURIComponent(address)}/change?name=Lantern`);
  await passUntil(clock, () => configOf(address)?.device.name === "Lantern");
  await rest(`/rest/nodes/${encodeURIComponent(address)}/disable`);
  await passUntil(clock, () => kept.get(configTopic(address)) === "");
  await pass(clock, 500);
  const own = [...kept].filter(([each, text]) => each.startsWith(`domovoi/${topic(address)}/`) && text !== "");
  expect(own.filter(([each]) => !each.endsWith("/set"))).toEqual([]);
  await rest(`/rest/nodes/${encodeURIComponent(address)}/enable`);
  await passUntil(clock, () => configOf(address)?.device.name === "Lantern");
});

test("when Home Assistant starts, everything is announced again", async () => {
  written.clear();
  await reader.publishAsync("homeassistant/status", "online");
  await passUntil(clock, () => (written.get(configTopic(dimmer())) ?? 0) > 0);
});

test("a node that went while the controller did not run is withdrawn at the next start", async () => {
  const address = dimmer();
  const { feed, integrations } = controller.services;
  await passingUntil(clock, integrations.stop("announce", SYSTEM_CAUSE));
  feed.commit({ type: "node-enabled", address, enabled: false }, SYSTEM_CAUSE);
  await passingUntil(clock, integrations.start("announce", SYSTEM_CAUSE));
  await passUntil(clock, () => kept.get(configTopic(address)) === "");
  feed.commit({ type: "node-enabled", address, enabled: true }, SYSTEM_CAUSE);
  await passUntil(clock, () => configOf(address) !== null);
});

test("only the nodes that the owner chose are announced, and all others are withdrawn with their values", async () => {
  const address = dimmer();
  await configure({ nodes: [address, "no such node"] });
  await passUntil(clock, () => configs().length === 1);
  await passUntil(clock, () => own().every((each) => each.startsWith(`domovoi/${topic(address)}/`)));
  expect(configOf(address)).not.toBeNull();
  await configure({ nodes: [] });
  await passUntil(clock, () => configs().length > 20);
});

test("under another base topic nothing stays below the former one", async () => {
  await configure({ baseTopic: "domovoi/two" });
  await passUntil(clock, () => kept.get("domovoi/two/status") === "online");
  await passUntil(clock, () => own().every((each) => each.startsWith("domovoi/two/")));
  await configure({ baseTopic: "domovoi" });
  await passUntil(clock, () => kept.get("domovoi/two/status") === "");
  await passUntil(clock, () => kept.get(`domovoi/${topic("1A 2B 3C 1")}/link`) === "online");
});

test("after a stop the home is offline, also for those who come later", async () => {
  await passingUntil(clock, controller.services.integrations.stop("announce", SYSTEM_CAUSE));
  await passUntil(clock, () => kept.get("domovoi/status") === "offline");
  const late = await connectAsync(`mqtt://127.0.0.1:${port}`);
  const heard = new Promise<string>((resolve) =>
    late.once("message", (_topic, payload) => resolve(payload.toString())),
  );
  await late.subscribeAsync("domovoi/status");
  expect(await heard).toBe("offline");
  await late.endAsync();
});

test("when the integration is removed, nothing of it stays on the broker", async () => {
  const { integrations } = controller.services;
  await passingUntil(clock, integrations.start("announce", SYSTEM_CAUSE));
  await passUntil(clock, () => kept.get("domovoi/status") === "online");
  await pass(clock, 1000);
  await passingUntil(clock, integrations.remove("announce", null, SYSTEM_CAUSE));
  await passUntil(clock, () => configs().length + own().length === 0 && kept.get("domovoi/status") === "");
});

test.each([
  [{ mqttAnnounce: "owner", mqttUrl: "mqtt://127.0.0.1" }, "must be one of none, guest, user"],
  [{ mqttAnnounce: "guest" }, "set mqttUrl"],
])("the settings %j are refused with what they may be", async (settings, sentence) => {
  await expect(startTestController({ demo: false, ...settings })).rejects.toThrow(sentence);
});

/** Topics with a value that the broker has kept. */
function own(): readonly string[] {
  const ends = ["/set", "/status", "/event"];
  return [...kept].flatMap(([each, text]) =>
    text !== "" && each.startsWith("domovoi/") && !ends.some((end) => each.endsWith(end)) ? [each] : [],
  );
}

async function configure(settings: IntegrationSettings) {
  const { integrations } = controller.services;
  const patch = { name: null, enabled: null, settings };
  await passingUntil(clock, integrations.change("announce", patch, SYSTEM_CAUSE));
}

type Config = { readonly device: { readonly name: string } };

function configs(): readonly Config[] {
  return [...kept].flatMap(([each, text]) => (each.endsWith("/config") && text !== "" ? [JSON.parse(text)] : []));
}

function configTopic(address: string): string {
  const own = `domovoi_${controller.services.home.controller.uuid.replace(/[^0-9A-Za-z]/g, "")}`;
  return `homeassistant/device/${own}_${topic(address)}/config`;
}

function configOf(address: string): Config | null {
  const text = kept.get(configTopic(address)) ?? "";
  return text === "" ? null : JSON.parse(text);
}

function topic(address: string): string {
  return address.replaceAll(" ", "_");
}

function node(address: string) {
  return controller.services.home.nodes.get(address);
}

function find(fits: (config: string) => boolean): string {
  const found = [...controller.services.home.nodes.keys()].find((address) =>
    fits(kept.get(configTopic(address)) ?? ""),
  );
  if (found === undefined) throw new Error("The demo home has no such node.");
  return found;
}

function dimmer(): string {
  return find((config) => config.includes('"platform":"light"') || config.includes("Lantern"));
}

function lockNode(): string {
  const found = [...controller.services.home.nodes.values()].find(({ nodeDefId }) => /lock/i.test(nodeDefId));
  return found?.address ?? "";
}

async function command(address: string, message: object): Promise<void> {
  await reader.publishAsync(`domovoi/${topic(address)}/set`, JSON.stringify(message));
}

async function rest(path: string) {
  expect((await passingUntil(clock, controller.local.get(path))).status).toBe(200);
}
