/** What bridges and devices were seen to do, and what becomes of it: the driver over a real broker. */

import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as kinds from "../../../simulators/zigbee/device-kinds.ts";
import { SimulatedBridge, type SimulatedDevice } from "../../../simulators/zigbee/simulated-bridge.ts";
import { MqttDriver } from "../../../src/drivers/mqtt/mqtt-driver.ts";
import { roleOf } from "../../../src/profile/roles.ts";
import { valueOfWord } from "../../../src/profile/status-words.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { freePort } from "../../support/free-port.ts";
import { type RunningBroker, startPlainBroker } from "../../support/mqtt-brokers.ts";
import { pass, passingUntil, passUntil } from "../../support/passing-time.ts";
import { RecordingHost } from "../recording-host.ts";

const FIRST = "ZB001_1";
let broker: RunningBroker;
let url: string;
let world: Awaited<ReturnType<typeof started>>;

beforeAll(async () => {
  const port = await freePort();
  broker = await startPlainBroker(port);
  url = `mqtt://127.0.0.1:${port}`;
});

afterEach(async () => {
  await world.driver.stop();
  await world.bridge.stop();
});

afterAll(() => broker.stop());

async function started(devices: readonly SimulatedDevice[], base = `home ${randomUUID()}`) {
  const clock = new VirtualClock(0);
  const host = new RecordingHost(clock);
  const bridge = await SimulatedBridge.start(url, devices, base);
  const limits = { mqttMessageBytesMax: 1_000_000, mqttEntitiesMax: 100, zigbeeDevicesMax: 10 };
  const own = { user: "", password: "", ca: "", discoveryPrefix: "", uuid: "00:21:b9:00:00:01" };
  const driver = new MqttDriver({
    reserved: () => [],
    name: "mqtt",
    url,
    base,
    ...own,
    limits,
  });
  await passingUntil(clock, driver.start(host, new AbortController().signal));
  await passUntil(clock, () => host.links.get(FIRST) === "online");
  // What the bridge repeats at its start is over.
  await pass(clock, 4000);
  host.forget();
  return { clock, host, bridge, driver };
}

function send(command: string, ...values: readonly number[]) {
  const parameters = values.map((value) => ({ id: "", value, uom: 51, prec: 0 }));
  const { signal } = new AbortController();
  return passingUntil(world.clock, world.driver.send({ id: "1", address: FIRST, command, parameters, signal }));
}

const values = (id = "ST") => world.host.reports.filter((each) => each.id === id).map(({ value }) => value);

describe("a cover", () => {
  beforeEach(async () => {
    world = await started([kinds.blind("Blind")]);
    await world.bridge.report("Blind", { position: 100 });
    await passUntil(world.clock, () => world.host.value(FIRST) === 100);
    world.host.forget();
    await world.bridge.report("Blind", { position: 100 });
    await passUntil(world.clock, () => values().length > 0);
  });

  test("has not arrived when the bridge publishes its target as its position", async () => {
    // {"state":"CLOSE","position":20} comes at once; the cover needs seconds.
    expect(await send("DON", 20)).toMatchObject({ kind: "acked" });
    expect(values()).toEqual([100]);
    await world.bridge.report("Blind", { position: 85 });
    await world.bridge.report("Blind", { position: 20 });
    await passUntil(world.clock, () => world.host.value(FIRST) === 20);
    expect(values()).toEqual([100, 85, 20]);
  });

  test("that reports nothing on its way is at its target when it must have arrived", async () => {
    await send("DON", 20);
    // The bridge repeats all that it has, whatever was reported.
    await world.bridge.report("Blind", { linkquality: 80 });
    await pass(world.clock, 50_000);
    expect(values()).toEqual([100]);
    await passUntil(world.clock, () => world.host.value(FIRST) === 20);
  });

  test("that says that it stands, or is asked, is where it says", async () => {
    await send("DON", 20);
    await world.bridge.report("Blind", { moving: "STOP" });
    await passUntil(world.clock, () => world.host.value(FIRST) === 20);
    // The answer says how it moved before.
    await send("DON", 90);
    await world.bridge.report("Blind", { moving: "UP" });
    await pass(world.clock, 1000);
    expect(world.host.value(FIRST)).toBe(20);
    await passingUntil(world.clock, world.driver.query(FIRST, new AbortController().signal));
    expect(world.host.value(FIRST)).toBe(90);
  });

  test("moved by hand is taken as it reports, but for a jump while it says that it moves", async () => {
    await world.bridge.report("Blind", { position: 30 });
    await passUntil(world.clock, () => world.host.value(FIRST) === 30);
    await world.bridge.report("Blind", { position: 100, moving: "UP" });
    await world.bridge.report("Blind", { position: 45, moving: "UP" });
    await passUntil(world.clock, () => world.host.value(FIRST) === 45);
    expect(values()).toEqual([100, 30, 45]);
  });
});

test("a lamp that is set to what it has and publishes nothing was sent the command, and did not fail", async () => {
  world = await started([kinds.bulb("Lamp")]);
  world.bridge.terse.add("Lamp");
  expect(await send("DON")).toEqual({ kind: "acked" });
  expect(await send("DON")).toMatchObject({ kind: "sent" });
  expect(world.host.links.get(FIRST)).toBe("online");
});

test("what is published for a group is no state of a node; its members report their own", async () => {
  world = await started([kinds.plug("Plug")]);
  const members = [{ ieee_address: world.driver.network.devices()[0]?.address, endpoint: 1 }];
  await world.bridge.publish("bridge/groups", [{ id: 1, friendly_name: "Plugs", members }], true);
  await world.bridge.publish("Plugs", { state: "ON" });
  await world.bridge.report("Plug", { power: 3 });
  await passUntil(world.clock, () => world.host.value(FIRST, "CPW") === 30);
  expect([world.host.nodes.size, new Set(values())]).toEqual([1, new Set([0])]);
});

test("lamps that are a group move together by one message, when all of them are told the same", async () => {
  const lamps = ["One", "Two", "Three"].map((name) => kinds.plug(name));
  world = await started(lamps);
  const members = lamps.map(({ listed }) => ({ ieee_address: listed.ieee_address, endpoint: 1 }));
  world.bridge.groups.set("All", ["One", "Two", "Three"]).set("Pair", ["One", "Two"]);
  const groups = [
    { id: 1, friendly_name: "Pair", members: members.slice(0, 2) },
    { id: 2, friendly_name: "All", members },
    { id: 3, friendly_name: "Alone", members: members.slice(2) },
  ];
  await world.bridge.publish("bridge/groups", groups, true);
  await pass(world.clock, 200);
  const tell = async (count: number, ...commands: readonly string[]) => {
    world.bridge.received.length = 0;
    const parameters: [] = [];
    world.driver.groupcast(commands.map((command, at) => ({ address: `ZB00${at + 1}_1`, command, parameters })));
    await passUntil(world.clock, () => world.bridge.received.length >= count);
    await pass(world.clock, 500);
    return world.bridge.received;
  };
  expect(await tell(1, "DON", "DON", "DON")).toEqual([{ name: "All", message: { state: "ON" } }]);
  await passUntil(world.clock, () => [1, 2, 3].every((at) => world.host.value(`ZB00${at}_1`) === 100));
  expect(await tell(1, "DOF", "DOF", "DON")).toEqual([{ name: "Pair", message: { state: "OFF" } }]);
  expect(await tell(0, "DON", "DOF")).toEqual([]);
});

test.each([
  ["ON", "OFF"],
  [true, false],
  ["Open", "Closed"],
  [1, 0],
])("a switch whose values are %j and %j is sent them in their JSON type", async (on, off) => {
  const pump = kinds.plug("Pump");
  const state = { type: "binary", name: "state", property: "state", access: 7, value_on: on, value_off: off };
  const definition = { exposes: [{ type: "switch", features: [state] }] };
  world = await started([{ ...pump, listed: { ...pump.listed, definition } }]);
  expect([await send("DON"), await send("DOF")]).toEqual([{ kind: "acked" }, { kind: "acked" }]);
  expect(world.bridge.received.map(({ message }) => message)).toEqual([{ state: on }, { state: off }]);
});

test.each([
  ["ends in a blank", "Lamp ", "home a"],
  ["begins with a blank and a slash", " /Lamp", "home b"],
  ["is below a base that begins with a slash", "Lamp", "/zigbee"],
  ["is below a base that ends in a blank", "Lamp", "zigbee "],
])("a topic that %s is used as it is", async (_what, name, base) => {
  world = await started([kinds.bulb(name)], base);
  expect(world.host.nodes.get(FIRST)?.name).toBe(name);
  expect(await send("DON")).toEqual({ kind: "acked" });
  expect(world.bridge.received.at(-1)).toEqual({ name, message: { state: "ON" } });
  await world.bridge.setAvailable(name, false);
  await passUntil(world.clock, () => world.host.links.get(FIRST) === "unreachable");
});

test("topics that are left over from an old name make no nodes, and change none", async () => {
  world = await started([kinds.plug("New")]);
  await world.bridge.publish("Old", { state: "ON", power: 70 }, true);
  await world.bridge.publish("Old/availability", { state: "offline" }, true);
  await world.bridge.report("New", { power: 3 });
  await passUntil(world.clock, () => world.host.value(FIRST, "CPW") === 30);
  expect([[...world.host.nodes.keys()], world.host.links.get(FIRST)]).toEqual([[FIRST], "online"]);
  expect(values("CPW")).toEqual([30]);
});

test("a siren whose only function is a composite is a siren, and is written whole", async () => {
  world = await started([kinds.siren("Siren")]);
  const node = world.host.nodes.get(FIRST);
  expect(node && roleOf(world.host.profile, node)).toBe("siren");
  expect([(await send("DON")).kind, (await send("DOF")).kind]).toEqual(["sent", "sent"]);
  const loud = { level: "very_high", strobe_level: "very_high", strobe: true, strobe_duty_cycle: 5, duration: 1800 };
  const quiet = { level: "low", strobe_level: "low", strobe: false, strobe_duty_cycle: 0, duration: 0 };
  expect(world.bridge.received.map(({ message }) => message)).toEqual([
    { warning: { mode: "emergency", ...loud } },
    { warning: { mode: "stop", ...quiet } },
  ]);
});

test("after a restart of the bridge each device is as its kept availability says, before it has reported", async () => {
  world = await started([kinds.plug("Here"), kinds.plug("Gone")]);
  await world.bridge.setAvailable("Gone", false);
  await passUntil(world.clock, () => world.host.links.get("ZB002_1") === "unreachable");
  await world.bridge.publish("bridge/state", { state: "offline" }, true);
  await passUntil(world.clock, () => world.host.links.get(FIRST) === "unreachable");
  world.bridge.silent.add("Here").add("Gone");
  await world.bridge.publish("bridge/state", { state: "online" }, true);
  await passUntil(world.clock, () => world.host.links.get(FIRST) === "online");
  expect([world.host.value(FIRST, "ERR"), world.host.links.get("ZB002_1")]).toEqual([0, "unreachable"]);
});

test("a device that leaves the network stays, unreachable, and its owner is told, until it is back", async () => {
  const plug = kinds.plug("Plug");
  world = await started([plug]);
  const told = () => world.driver.network.troubles().map(({ address, detail }) => [address, detail]);
  await world.bridge.leave("Plug");
  await passUntil(world.clock, () => world.host.links.get(FIRST) === "unreachable");
  expect(told()).toEqual([[FIRST, "It has left the network. Pair it again, or remove it."]]);
  expect([...world.host.nodes.keys()]).toContain(FIRST);
  world.bridge.newcomer = plug;
  world.driver.commissioning.begin("include", {});
  await passUntil(world.clock, () => world.host.operations.at(-1)?.stage === "done");
  await world.bridge.report("Plug", { state: "ON" });
  await passUntil(world.clock, () => world.host.links.get(FIRST) === "online");
  expect(told()).toEqual([]);
});

describe("an operation ends", () => {
  const last = () => world.host.operations.at(-1);

  test("when the bridge does not answer", async () => {
    world = await started([kinds.plug("Plug")]);
    world.bridge.isDeaf = true;
    for (const [kind, input] of [
      ["include", {}],
      ["exclude", { address: FIRST }],
      ["interview", { address: FIRST }],
    ] as const) {
      world.driver.commissioning.begin(kind, input);
      await world.clock.advance(300_000);
      expect(last()).toMatchObject({ kind, stage: "failed", detail: "Zigbee2MQTT does not answer. Is it running?" });
    }
    expect(world.host.nodes.has(FIRST)).toBe(true);
  });

  test("when nothing joins while the network is open", async () => {
    world = await started([kinds.plug("Plug")]);
    world.driver.commissioning.begin("include", {});
    await passUntil(world.clock, () => last()?.stage === "waiting");
    await world.clock.advance(254_000);
    expect(last()).toMatchObject({ stage: "failed", detail: expect.stringContaining("No device joined") });
  });

  test("when another program closes the network", async () => {
    world = await started([kinds.plug("Plug")]);
    world.driver.commissioning.begin("include", {});
    await passUntil(world.clock, () => last()?.stage === "waiting");
    await world.bridge.setOpen(false);
    await passUntil(world.clock, () => last()?.stage === "failed");
    expect(last()?.detail).toContain("No device joined");
  });
});

describe("no event is made", () => {
  test("of an action that is empty or null", async () => {
    world = await started([kinds.remote("Remote")]);
    await world.bridge.publish("Remote", { action: "" });
    await world.bridge.publish("Remote", { action: null });
    await world.bridge.publish("Remote", { action: "on" });
    await passUntil(world.clock, () => world.host.controls.length > 0);
    expect(world.host.controls).toEqual([{ address: FIRST, control: "DON", value: 0 }]);
  });

  test("of an action that the broker has kept", async () => {
    world = await started([kinds.remote("Remote")]);
    await world.bridge.publish("Remote", { action: "off", battery: 40 }, true);
    await passUntil(world.clock, () => world.host.controls.length > 0);
    await world.driver.stop();
    world.host.forget();
    await passingUntil(world.clock, world.driver.start(world.host, new AbortController().signal));
    await passUntil(world.clock, () => world.host.value(FIRST, "BATLVL") === 40);
    await pass(world.clock, 5000);
    expect(world.host.controls).toEqual([]);
  });

  test("of the states that the bridge repeats after its own restart, but of those after them", async () => {
    world = await started([kinds.contact("Door")]);
    await world.bridge.publish("bridge/state", { state: "offline" }, true);
    await passUntil(world.clock, () => world.host.links.get(FIRST) === "unreachable");
    await world.bridge.publish("bridge/state", { state: "online" }, true);
    await world.bridge.report("Door", { contact: false });
    await passUntil(world.clock, () => world.host.value(FIRST) === valueOfWord("open", 79));
    expect(world.host.controls).toEqual([]);
    await pass(world.clock, 5000);
    await world.bridge.report("Door", { contact: true });
    await passUntil(world.clock, () => world.host.controls.length > 0);
    expect(world.host.controls).toMatchObject([{ control: "DOF" }]);
  });
});
