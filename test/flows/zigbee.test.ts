/** Zigbee devices of a bridge on a real broker, in a whole service: commands, events, what is away, joining and leaving. */

import { connectAsync } from "mqtt";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as kinds from "../../simulators/zigbee/device-kinds.ts";
import { SimulatedBridge } from "../../simulators/zigbee/simulated-bridge.ts";
import { SYSTEM_CAUSE } from "../../src/home/cause.ts";
import { valueOfWord } from "../../src/profile/status-words.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { freePort } from "../support/free-port.ts";
import { type RunningBroker, startPlainBroker } from "../support/mqtt-brokers.ts";
import { pass, passingUntil, passUntil } from "../support/passing-time.ts";

const [BULB, PLUG, DOOR, REMOTE, GANG] = ["ZB001_1", "ZB002_1", "ZB003_1", "ZB004_1", "ZB005_1"] as const;
const GANG_2 = "ZB005_2";

const clock = new VirtualClock(START_MS);
const devices = [
  kinds.bulb("Bulb"),
  kinds.plug("Kitchen/plug"),
  kinds.contact("Door"),
  kinds.remote("Remote"),
  kinds.twoGang("Gang"),
];
let broker: RunningBroker;
let bridge: SimulatedBridge;
let controller: TestController;
let port: number;

beforeAll(async () => {
  port = await freePort();
  broker = await startPlainBroker(port);
  bridge = await SimulatedBridge.start(url(), devices);
  controller = await passingUntil(clock, startTestController({ demo: false, mqttUrl: url() }, { clock }));
  await controller.login();
  await passUntil(clock, () => node(GANG_2)?.link === "online");
  // What the bridge repeats at its start is over.
  await pass(clock, 5000);
}, 60_000);

afterAll(async () => {
  await controller[Symbol.asyncDispose]();
  await bridge.stop();
  await broker.stop();
});

test("every device is nodes of family 14 with the name that the bridge has for it", () => {
  expect([BULB, PLUG, GANG, GANG_2].map((address) => node(address)?.name)).toEqual([
    "Bulb",
    "Kitchen/plug",
    "Gang",
    "Gang right",
  ]);
  expect([node(BULB)?.family, node(GANG_2)?.primary, value(BULB, "ERR")]).toEqual([14, GANG, 0]);
});

test("a command is done when the device's new state comes back", async () => {
  const answer = await get(`/rest/nodes/${BULB}/cmd/DON/50`);
  expect([answer.status, value(BULB, "ST")]).toEqual([200, 50]);
  expect(bridge.received.at(-1)).toEqual({ name: "Bulb", message: { brightness: 127 } });
  expect((await get(`/rest/nodes/${GANG_2}/cmd/DON`)).status).toBe(200);
  expect([value(GANG, "ST"), value(GANG_2, "ST")]).toEqual([0, 100]);
});

test("a command that the device does not take fails with the bridge's sentence, and marks the device", async () => {
  bridge.silent.add("Kitchen/plug");
  expect((await get(`/rest/nodes/${PLUG}/cmd/DON`)).status).not.toBe(200);
  expect([node(PLUG)?.link, value(PLUG, "ERR"), value(PLUG, "ST")]).toEqual(["unreachable", 1, 0]);
  bridge.silent.clear();
  expect((await get(`/rest/query/${PLUG}`)).status).toBe(200);
  await passUntil(clock, () => node(PLUG)?.link === "online" && value(PLUG, "ERR") === 0);
});

test("availability is the link of the device", async () => {
  await bridge.setAvailable("Bulb", false);
  await passUntil(clock, () => node(BULB)?.link === "unreachable" && value(BULB, "ERR") === 1);
  await bridge.setAvailable("Bulb", true);
  await passUntil(clock, () => node(BULB)?.link === "online" && value(BULB, "ERR") === 0);
});

test("a value on a topic of its own is the device's, also when the name holds a slash, and no other subtopic is", async () => {
  await bridge.publish("Kitchen/plug/power", "12.5");
  await bridge.publish("Kitchen/plug/set/state", '"ON"');
  await bridge.publish("Kitchen/state", '"ON"');
  await bridge.publish("Kitchen/plug/energy", "13");
  await passUntil(clock, () => value(PLUG, "TPW") === 13_000);
  expect([value(PLUG, "CPW"), value(PLUG, "ST")]).toEqual([125, 0]);
});

test("a door that opens and a press of a remote reach the stream once", async () => {
  const stream = await controller.subscribe("rest");
  await bridge.report("Door", { contact: false });
  await bridge.report("Door", { battery: 50 });
  await bridge.report("Remote", { action: "on" });
  await bridge.report("Remote", { action: "" });
  await passUntil(clock, () => value(DOOR, "BATLVL") === 50);
  await passUntil(clock, () => stream.frames.some(({ node, control }) => node === REMOTE && control === "DON"));
  const controls = stream.frames.filter(({ control }) => control === "DON" || control === "DOF");
  expect(controls.map(({ node, control }) => `${node} ${control}`)).toEqual([`${DOOR} DON`, `${REMOTE} DON`]);
  expect(value(DOOR, "ST")).toBe(valueOfWord("open", 79));
  await stream.close();
});

test("what the broker has kept is a value, and no event", async () => {
  const stream = await controller.subscribe("rest");
  const other = await connectAsync(url());
  await other.publishAsync("zigbee2mqtt/Remote", JSON.stringify({ action: "off" }), { retain: true });
  await other.publishAsync("zigbee2mqtt/Remote", "");
  await other.endAsync();
  await passingUntil(clock, controller.restart());
  await controller.login();
  const again = await controller.subscribe("rest");
  await passUntil(clock, () => node(GANG_2)?.link === "online");
  await pass(clock, 5000);
  const isPress = ({ node, control }: { readonly node: string; readonly control: string }) =>
    node === REMOTE && control === "DOF";
  expect(again.frames.filter(isPress)).toEqual([]);
  expect([value(DOOR, "ST"), value(BULB, "ST")]).toEqual([valueOfWord("open", 79), 50]);
  await stream.close();
  await again.close();
});

test("a device joins over the network's operation, and leaves", async () => {
  bridge.newcomer = kinds.leak("Cellar");
  const begun = await post("/api/radios/zigbee/operation", { kind: "include" });
  expect(begun).toMatchObject({ kind: "include" });
  await passUntil(clock, () => stage() === "done");
  expect(await operation()).toMatchObject({ address: "ZB006_1", detail: "Cellar is paired." });
  expect(node("ZB006_1")?.name).toBe("Cellar");
  await post("/api/radios/zigbee/operation", { kind: "exclude", input: { address: "ZB006_1" } });
  await passUntil(clock, () => node("ZB006_1") === undefined);
});

test("a device is renamed in Zigbee2MQTT over an operation: its node, number and room stay, and an owner's name too", async () => {
  const done = async (address: string, name: string) => {
    await post("/api/radios/zigbee/operation", { kind: "rename", input: { address, name } });
    await passUntil(clock, () => ["done", "failed"].includes(stage() ?? ""));
    return (await operation()).detail;
  };
  expect(await done(DOOR, "Cellar door")).toBe("Door is called Cellar door in Zigbee2MQTT.");
  await passUntil(clock, () => node(DOOR)?.name === "Cellar door");
  await get(`/rest/nodes/${DOOR}/change?name=Way%20out`);
  await done(DOOR, "Door");
  await bridge.report("Door", { battery: 50 });
  await pass(clock, 500);
  expect([node(DOOR)?.name, await done(DOOR, "Bulb")]).toEqual(["Way out", expect.stringContaining("refused it")]);
  await get(`/rest/nodes/${DOOR}/change?name=Door`);
});

test("options of a device are set in Zigbee2MQTT, and only those that were given", async () => {
  const input = { address: BULB, transition: 1.5, retain: false };
  await post("/api/radios/zigbee/operation", { kind: "options", input });
  await passUntil(clock, () => bridge.options.length > 0 && stage() === "done");
  const id = devices[0]?.listed.ieee_address;
  expect(bridge.options).toEqual([{ id, options: { transition: 1.5, retain: false } }]);
});

test("configuration is parameters with names, which are read and written", async () => {
  const path = `/api/nodes/${PLUG}/parameters`;
  const choices = ["off", "on", "previous"].map((name, at) => ({ value: at, name }));
  const { data } = JSON.parse((await get(path)).text);
  expect(data).toMatchObject([{ number: 1, size: 1, name: "Power-on behavior", choices }]);
  const headers = { ...controller.bearer(), "Content-Type": "application/json" };
  const written = controller.portal.request("PUT", `${path}/1`, { headers, body: '{"value":1}' });
  expect((await passingUntil(clock, written)).status).toBe(200);
  expect(bridge.received.at(-1)).toEqual({ name: "Kitchen/plug", message: { power_on_behavior: "on" } });
  expect(JSON.parse((await get(`${path}/1`)).text).data).toEqual({ number: 1, size: 1, value: 1 });
});

test("the network lists its devices and their health", async () => {
  const { text } = await get("/api/radios/zigbee/nodes");
  expect(JSON.parse(text).data).toContainEqual(
    expect.objectContaining({ address: DOOR, batteryPercent: 50, security: null }),
  );
});

test("a group becomes a scene once, when all its members are known, and stays its owner's", async () => {
  const [bulb, plug] = devices.map(({ listed }) => ({ ieee_address: listed.ieee_address, endpoint: 1 }));
  const scenes = () => [...controller.services.home.groups.values()].filter(({ name }) => name === "Lamps");
  const list = (members: readonly unknown[]) =>
    bridge.publish("bridge/groups", [{ id: 1, friendly_name: "Lamps", members }, null, { id: "x" }], true);
  await list([bulb, { ieee_address: "0x00124b00000000ff", endpoint: 1 }]);
  await pass(clock, 500);
  expect(scenes()).toEqual([]);
  await list([bulb, plug]);
  await passUntil(clock, () => scenes().length === 1);
  expect(scenes()[0]?.members.map(({ address }) => address)).toEqual([BULB, PLUG]);
  const { feed } = controller.services;
  feed.commit({ type: "group-removed", address: String(scenes()[0]?.address) }, SYSTEM_CAUSE);
  await list([bulb, plug]);
  await pass(clock, 500);
  expect(scenes()).toEqual([]);
});

test("a lock takes a code as a text, and its refusal is the outcome", async () => {
  bridge.newcomer = kinds.lock("Front door");
  await post("/api/radios/zigbee/operation", { kind: "include" });
  await passUntil(clock, () => node("ZB007_1") !== undefined);
  const codes = controller.services.drivers.of("mqtt").codes;
  const { signal } = new AbortController();
  expect([codes?.slots("ZB007_1"), codes?.slots(BULB)]).toEqual([30, 0]);
  const set = codes?.set("ZB007_1", 2, "0815", signal);
  expect(await passingUntil(clock, Promise.resolve(set))).toMatchObject({ kind: "sent" });
  const code = { user: 2, user_type: "unrestricted", user_enabled: true, pin_code: "0815" };
  expect(bridge.received.at(-1)).toEqual({ name: "Front door", message: { pin_code: code } });
  bridge.silent.add("Front door");
  const cleared = codes?.clear("ZB007_1", 2, signal);
  expect(await passingUntil(clock, Promise.resolve(cleared))).toMatchObject({ kind: "failed", reason: "no-ack" });
  bridge.silent.clear();
});

test("a device that was gone and joins again under another name has its number, the owner's name and its room", async () => {
  const listed = devices.map((each) => each.listed);
  const [plug, others] = [listed[1], listed.filter((_each, at) => at !== 1)];
  const parent = { address: "12345", kind: "folder" } as const;
  const { feed } = controller.services;
  feed.commit(
    { type: "folder-added", folder: { address: parent.address, name: "Laundry", parent: null } },
    SYSTEM_CAUSE,
  );
  feed.commit({ type: "parent-changed", address: PLUG, kind: "node", parent }, SYSTEM_CAUSE);
  await get(`/rest/nodes/${PLUG}/change?name=Washer`);
  await bridge.publish("bridge/devices", others, true);
  await passUntil(clock, () => node(PLUG)?.link === "unreachable");
  await bridge.publish("bridge/devices", [...others, { ...plug, friendly_name: "0x1234" }], true);
  await bridge.publish("0x1234", { state: "ON", power: 7 });
  await passUntil(clock, () => node(PLUG)?.link === "online" && value(PLUG, "CPW") === 70);
  expect([node(PLUG)?.name, node(PLUG)?.parent]).toEqual(["Washer", parent]);
});

test("hostile messages change nothing but what they say", async () => {
  const before = value(BULB, "ST");
  for (const payload of [
    "{",
    "[]",
    "null",
    "1e999",
    "{}".repeat(9),
    `"${"x".repeat(300_000)}"`,
    '{"__proto__":{"state":"ON"}}',
  ]) {
    await bridge.publish("Bulb", payload);
    await bridge.publish("bridge/event", payload);
    await bridge.publish("bridge/devices", payload);
  }
  await bridge.publish("../<script>/$SYS", "{}");
  await bridge.list();
  expect((await get(`/rest/nodes/${BULB}/cmd/DOF`)).status).toBe(200);
  expect([before, value(BULB, "ST")]).toEqual([50, 0]);
});

test("a broker that is away makes the devices unreachable, and they come back with it", async () => {
  await broker.stop();
  await passUntil(clock, () => node(BULB)?.link === "unreachable");
  expect((await get(`/rest/nodes/${BULB}/cmd/DON`)).status).not.toBe(200);
  broker = await startPlainBroker(port);
  await passUntil(clock, () => node(BULB)?.link === "online");
  expect((await get(`/rest/nodes/${BULB}/cmd/DON`)).status).toBe(200);
}, 40_000);

test("an address that is no broker's is refused with what it may be", async () => {
  const wrong = startTestController({ demo: false, mqttUrl: "broker.local" });
  await expect(wrong).rejects.toThrow("The setting mqttUrl does not have the form that it needs. mqtt://HOST:1883");
});

function url(): string {
  return `mqtt://127.0.0.1:${port}`;
}

function node(address: string) {
  return controller.services.home.nodes.get(address);
}

function value(address: string, property: string): number | null | undefined {
  return node(address)?.properties.get(property)?.value;
}

function get(path: string) {
  const listener = path.startsWith("/api") ? controller.portal : controller.local;
  return passingUntil(clock, listener.get(path));
}

async function post(path: string, body: object) {
  const headers = { ...controller.bearer(), "Content-Type": "application/json" };
  const options = { headers, body: JSON.stringify(body) };
  const { text } = await passingUntil(clock, controller.portal.request("POST", path, options));
  return JSON.parse(text).data;
}

function stage() {
  return controller.services.drivers.find("mqtt")?.driver?.commissioning?.operation()?.stage;
}

async function operation() {
  return JSON.parse((await get("/api/radios/zigbee/operation")).text).data;
}

test("a device that Zigbee2MQTT refuses to remove is removed here with force alone", async () => {
  const attic = kinds.leak("Attic");
  bridge.newcomer = attic;
  await post("/api/radios/zigbee/operation", { kind: "include" });
  await passUntil(clock, () => stage() === "done");
  const { address } = await operation();
  bridge.silent.add(attic.listed.ieee_address);
  await post("/api/radios/zigbee/operation", { kind: "exclude", input: { address } });
  await passUntil(clock, () => stage() === "failed");
  expect(node(String(address))).toBeDefined();
  await post("/api/radios/zigbee/operation", { kind: "exclude", input: { address, force: true } });
  await passUntil(clock, () => node(String(address)) === undefined);
  bridge.silent.clear();
});
