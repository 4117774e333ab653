/** What devices become that announce themselves the way of Home Assistant. */

import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { memoryStore } from "../../recording-host.ts";
import { type AnnouncedWorld, actionsIn, bytes, DEVICE, FIRST, started } from "./announced-world.ts";

let world: AnnouncedWorld;
beforeEach(() => {
  world = started();
});

const { announce, hear, value, role, send } = actionsIn(() => world);

const light = {
  schema: "json",
  state_topic: "l",
  command_topic: "l/set",
  supported_color_modes: ["rgb", "color_temp"],
};

test.each([
  ["light", { command_topic: "c", state_topic: "s" }, "switch"],
  ["light", light, "color-lamp"],
  ["light", { ...light, supported_color_modes: ["brightness"] }, "dimmer"],
  ["switch", { command_topic: "c" }, "switch"],
  ["switch", { command_topic: "c", device_class: "outlet" }, "outlet"],
  ["cover", { command_topic: "c", position_topic: "p" }, "cover"],
  ["cover", { command_topic: "c", state_topic: "s", device_class: "garage" }, "garage-door"],
  ["lock", { command_topic: "c", state_topic: "s" }, "lock"],
  ["siren", { command_topic: "c" }, "siren"],
  ["valve", { command_topic: "c" }, "valve"],
  ["fan", { command_topic: "c", percentage_command_topic: "p" }, "fan"],
  [
    "climate",
    { temperature_command_topic: "c", current_temperature_topic: "t", mode_command_topic: "m" },
    "thermostat",
  ],
  ["binary_sensor", { state_topic: "s", device_class: "motion" }, "motion"],
  ["binary_sensor", { state_topic: "s", device_class: "door" }, "contact"],
  ["binary_sensor", { state_topic: "s", device_class: "moisture" }, "leak"],
  ["sensor", { state_topic: "s", device_class: "temperature", unit_of_measurement: "°C" }, "temperature"],
  ["sensor", { state_topic: "s", device_class: "power", unit_of_measurement: "W" }, "meter"],
  ["device_tracker", { state_topic: "s" }, "binary-sensor"],
  ["device_automation", { automation_type: "trigger", type: "action", subtype: "on", topic: "t" }, "button"],
])("%s %j is a node of the role %s", async (component, config, wanted) => {
  await announce(`${component}/x`, { ...config, device: DEVICE, unique_id: "u1" });
  expect(role()).toBe(wanted);
  expect(world.host.nodes.get(FIRST)).toMatchObject({ family: 10, instance: 0, name: "Thing" });
  expect([world.host.violations, world.announced.findings()]).toEqual([[], []]);
});

test("a tracker is on at home and off anywhere else; one that only sends where it is, is refused", async () => {
  await announce("device_tracker/x", { state_topic: "s", payload_home: "here", device: DEVICE, unique_id: "u1" });
  const told = ["here", "not_home", "Work", "unavailable", "here", "None"].map((word) => {
    hear("s", word);
    return value("ST");
  });
  expect(told).toEqual([100, 0, 0, null, 100, null]);
  await announce("device_tracker/y", { json_attributes_topic: "a", unique_id: "u2", device: { identifiers: ["y"] } });
  expect(world.announced.findings().map(({ detail }) => detail)).toEqual([
    expect.stringContaining("only sends where it is"),
  ]);
});

test("a lamp with one JSON message has level, temperature and color, and takes them", async () => {
  await announce("light/x", { ...light, device: DEVICE, unique_id: "u1", min_mireds: 153, max_mireds: 500 });
  hear("l", { state: "ON", brightness: 255, color: { r: 0, g: 255, b: 0 }, color_temp: 300 });
  expect(["ST", "GV1", "GV2", "GV3"].map((id) => value(id))).toEqual([100, 300, 120, 100]);
  expect(send(FIRST, "DON", 50)).toEqual(['l/set {"state":"ON","brightness":128}']);
  expect(send(FIRST, "GV2", 240)).toEqual(['l/set {"state":"ON","color":{"r":0,"g":0,"b":255}}']);
  expect(send(FIRST, "DOF")).toEqual(['l/set {"state":"OFF"}']);
});

test("a lit lamp stays lit when a message has no state, and every color mode can dim", async () => {
  await announce("light/x", { ...light, device: DEVICE, unique_id: "u1" });
  hear("l", { state: "ON", brightness: 100 });
  hear("l", { color_mode: "rgb", color: { r: 255, g: 0, b: 0 } });
  expect(value("ST")).toBe(39);
  expect(send(FIRST, "DON", 20)).toHaveLength(1);
});

test("a lamp with a topic for each value is scaled as it says", async () => {
  const topics = { command_topic: "c", state_topic: "s", brightness_command_topic: "b", brightness_state_topic: "bs" };
  await announce("light/x", { ...topics, brightness_scale: 100, device: DEVICE, unique_id: "u1" });
  hear("s", "ON");
  hear("bs", "40");
  expect(value("ST")).toBe(40);
  expect(send(FIRST, "DON", 50)).toEqual(["b 50", "c ON"]);
});

test("a cover has its position by its own scale, also upside down", async () => {
  const scale = { position_topic: "p", set_position_topic: "sp", position_open: 0, position_closed: 100 };
  await announce("cover/x", { command_topic: "c", ...scale, device: DEVICE, unique_id: "u1" });
  hear("p", "25");
  expect(value("ST")).toBe(75);
  expect([send(FIRST, "DON", 10), send(FIRST, "FDSTOP")]).toEqual([["sp 90"], ["c STOP"]]);
});

test("a thermostat has its values in the interface's numbers, and is set by topic", async () => {
  await announce("climate/x", {
    ...{ temperature_command_topic: "tc", temperature_state_topic: "ts", current_temperature_topic: "t" },
    ...{ mode_command_topic: "mc", mode_state_topic: "m", modes: ["off", "heat", "heat_cool"], action_topic: "a" },
    ...{ device: DEVICE, unique_id: "u1" },
  });
  hear("ts", "20.5");
  hear("t", "19.25");
  hear("m", "heat_cool");
  hear("a", "heating");
  expect(["CLISPH", "CLITEMP", "CLIMD", "CLIHCS"].map((id) => value(id))).toEqual([205, 1925, 3, 1]);
  expect([send(FIRST, "CLISPH", 21), send(FIRST, "CLIMD", 3)]).toEqual([["tc 21"], ["mc heat_cool"]]);
});

test("a thermostat whose one template cannot be read has its other values", async () => {
  const topics = { temperature_command_topic: "tc", temperature_state_topic: "ts", action_topic: "a" };
  await announce("climate/x", { ...topics, action_template: "{{ now() }}", device: DEVICE, unique_id: "u1" });
  hear("ts", "20");
  hear("a", "idle");
  expect([value("CLISPH"), value("CLIHCS"), world.announced.findings().length]).toEqual([200, undefined, 1]);
});

test("a cover's position and a lock's state come back as the answer to their commands", async () => {
  const template = '{"position": {{ position }} }';
  const cover = { command_topic: "c", position_topic: "p", set_position_topic: "sp", set_position_template: template };
  await announce("cover/x", { ...cover, device: DEVICE, unique_id: "u1" });
  hear("p", "10");
  expect(send(FIRST, "DON", 30)).toEqual(['sp {"position": 30 }']);
  const lock = { command_topic: "l", state_topic: "ls", device: { ids: "d2", name: "Lock" }, unique_id: "u2" };
  await announce("lock/x", lock);
  hear("ls", "LOCKED");
  const found = world.devices.find("n000_002_1");
  const message = found?.node.plan.commands[0]?.message([{ id: "", value: 0, uom: 0, prec: 0 }]);
  if (!found || !message) throw new Error("It is no lock.");
  const given = { node: found.node, id: "1", signal: new AbortController().signal };
  const outcome = world.announced.send(given, "d2", message);
  hear("ls", "UNLOCKED");
  expect([await outcome, value("ST", "n000_002_1")]).toEqual([{ kind: "acked" }, 0]);
});

test("hostile announcements are bounded: long names, wildcard topics, deep JSON, many components", async () => {
  const name = "x".repeat(40_000);
  await announce("switch/a", { command_topic: "c", unique_id: name, name, device: { ids: name, name, model: name } });
  const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  await announce("sensor/b", `{"availability":${deep},"device":${deep},"state_topic":"s","unit_of_measurement":"W"}`);
  await announce("switch/c", { command_topic: "home/+/set", unique_id: "c", device: DEVICE });
  const cmps = Object.fromEntries(
    Array.from({ length: 1000 }, (_, at) => [`s${at}`, { p: "switch", cmd_t: `c${at}` }]),
  );
  await announce("device/d", { dev: { ids: "many", name: "Many" }, cmps });
  await announce("switch/e", "x".repeat(300_000));
  expect([world.host.violations, world.topics.size]).toEqual([[], 0]);
  expect([...world.host.nodes.values()].map(({ name: shown }) => shown.length)).toEqual([200]);
  expect(JSON.stringify(world.host.store.keys().map((each) => world.host.store.get(each))).length).toBeLessThan(10_000);
  expect(
    world.announced
      .findings()
      .map(({ detail }) => detail.length)
      .every((length) => length <= 400),
  ).toBe(true);
});

test("payloads are sent as JSON has them, and read as Python writes them", async () => {
  const config = { command_topic: "c", state_topic: "s", value_template: "{{ value_json.on }}" };
  await announce("switch/x", { ...config, payload_on: true, payload_off: false, device: DEVICE, unique_id: "u1" });
  hear("s", { on: true });
  expect([value("ST"), send(FIRST, "DOF")]).toEqual([100, ["c false"]]);
});

test("the entities of a device are its properties, and relays beside one another its nodes", async () => {
  const relay = (id: string, name: string | null) => ({
    command_topic: id,
    state_topic: `${id}s`,
    name,
    unique_id: id,
  });
  await announce("switch/a", { ...relay("r1", "Left"), device: DEVICE });
  await announce("switch/b", { ...relay("r2", null), device: DEVICE });
  await announce("sensor/c", {
    ...{ state_topic: "p", device_class: "power", unit_of_measurement: "W", unique_id: "p", device: DEVICE },
  });
  expect([...world.host.nodes.values()].map(({ name }) => name)).toEqual(["Thing", "Thing 2"]);
  hear("p", "12.3");
  hear("r2s", "ON");
  expect([value("CPW"), value("ST", "n000_001_2")]).toEqual([123, 100]);
});

test("a device announces itself in one message, and a component with nothing but its platform is gone", async () => {
  const cmps = {
    t: { p: "sensor", dev_cla: "temperature", unit_of_meas: "°C", val_tpl: "{{ value_json.t }}", uniq_id: "t1" },
    h: { p: "sensor", dev_cla: "humidity", unit_of_meas: "%", val_tpl: "{{ value_json.h }}", uniq_id: "h1" },
  };
  const root = { dev: { ids: "d1", name: "Thing" }, o: { name: "maker" }, stat_t: "all" };
  await announce("device/x", { ...root, cmps });
  hear("all", { t: 21.5, h: 40 });
  expect([value("CLITEMP"), value("CLIHUM")]).toEqual([2150, 400]);
  await announce("device/x", { ...root, cmps: { ...cmps, h: { p: "sensor" } } });
  expect(world.host.nodedefOf(FIRST)?.properties.map(({ id }) => id)).toEqual(["CLITEMP", "ERR"]);
});

describe("identities and topics", () => {
  const sensor = { p: "sensor", device_class: "temperature", unit_of_measurement: "°C" };
  test("an identifier as a text is a list of one, and one of null refuses that entity only", async () => {
    await announce("sensor/a", { ...sensor, state_topic: "a", unique_id: "a", device: { ids: "x1", name: "One" } });
    await announce("sensor/b", { ...sensor, state_topic: "b", unique_id: "b", device: { ids: [null], name: "Two" } });
    expect([...world.host.nodes.values()].map(({ name }) => name)).toEqual(["One"]);
    expect(world.announced.findings()).toMatchObject([{ detail: "sensor/b: Its announcement cannot be read." }]);
  });
  test("~ is the base at one end of a topic only, also in the list of availability, and no slash is added", async () => {
    const availability = [{ t: "~/lwt", pl_avail: "up", pl_not_avail: "down" }];
    await announce("sensor/a", {
      "~": "base",
      stat_t: "~/s~x",
      avty: availability,
      ...sensor,
      dev: DEVICE,
      uniq_id: "a",
    });
    await announce("sensor/b", { "~": "/base", stat_t: "end~", ...sensor, dev: DEVICE, uniq_id: "b" });
    expect([...world.topics]).toEqual(["base/s~x", "base/lwt", "end/base"]);
  });
  test("a topic that stands for several is refused with a sentence", async () => {
    await announce("sensor/a", { ...sensor, state_topic: "home/#", device: DEVICE, unique_id: "a", name: "All" });
    expect([world.topics.size, world.host.nodes.size]).toEqual([0, 0]);
    expect(world.announced.findings()[0]?.detail).toContain("wildcard");
  });
});

test("availability is the link: the latest word, all of them, or any", async () => {
  const availability = [{ topic: "a1" }, { topic: "a2" }];
  const config = { state_topic: "s", device_class: "motion", availability, unique_id: "u1", device: DEVICE };
  const linkAfter = (word: string) => {
    hear("a2", word);
    return world.host.links.get(FIRST);
  };
  await announce("binary_sensor/x", { ...config, availability_mode: "all" });
  hear("a1", "online");
  expect([linkAfter("online"), linkAfter("offline")]).toEqual(["online", "unreachable"]);
  await announce("binary_sensor/x", { ...config, availability_mode: "any" });
  hear("a1", "online");
  expect(linkAfter("offline")).toBe("online");
  await announce("binary_sensor/x", config);
  expect([linkAfter("offline"), value("ERR")]).toEqual(["unreachable", 1]);
});

test("a value is good for as long as it says, in a number or a text, and the link stays", async () => {
  const config = { state_topic: "s", device_class: "temperature", unit_of_measurement: "°C", device: DEVICE };
  await announce("sensor/x", { ...config, unique_id: "u1", expire_after: "60" });
  hear("s", "20");
  await world.clock.advance(59_000);
  expect(value("CLITEMP")).toBe(2000);
  await world.clock.advance(2000);
  expect([value("CLITEMP"), world.host.links.get(FIRST)]).toEqual([null, "online"]);
  await announce("sensor/x", { ...config, unique_id: "u1", expire_after: "null" });
  hear("s", "21");
  await world.clock.advance(100_000);
  expect(value("CLITEMP")).toBe(2100);
});

test("motion that never ends by itself ends after its delay, and both are controls", async () => {
  await announce("binary_sensor/x", {
    state_topic: "s",
    device_class: "motion",
    off_delay: 5,
    unique_id: "u",
    device: DEVICE,
  });
  hear("s", "ON");
  await world.clock.advance(6000);
  expect(world.host.controls.map(({ control }) => control)).toEqual(["DON", "DOF"]);
});

test("a kept message is a value and no event; a press and an event are controls", async () => {
  await announce("event/x", { state_topic: "e", event_types: ["single", "hold"], unique_id: "u1", device: DEVICE });
  hear("e", { event_type: "single" }, true);
  expect(world.host.controls).toEqual([]);
  hear("e", { event_type: "single" });
  hear("e", { event_type: "other" });
  hear("e", "");
  expect(world.host.controls).toMatchObject([{ control: "DON" }]);
});

test("an announcement that is withdrawn removes the device, one that is only not repeated leaves it", async () => {
  const store = memoryStore();
  world = started(store);
  await announce("switch/x", { command_topic: "c", state_topic: "s", unique_id: "u1", device: DEVICE });
  world = started(store);
  expect(world.host.nodes.get(FIRST)?.name).toBe("Thing");
  await announce("switch/x", { command_topic: "c", state_topic: "s", unique_id: "u1", device: DEVICE });
  await announce("switch/x", "", false);
  expect([world.host.nodes.size, world.topics.size]).toEqual([0, 0]);
});

test("what another part follows is not taken, and what cannot be shown is named with its reason", async () => {
  await announce("switch/z", { command_topic: "c", unique_id: "z", device: DEVICE, origin: { name: "Zigbee2MQTT" } });
  await announce("vacuum/v", { command_topic: "c", unique_id: "v", device: DEVICE, name: "Robot" });
  await announce("sensor/s", { state_topic: "s", unique_id: "s", device: DEVICE, name: "Version" });
  const template = "{{ now() }}";
  const clock = { state_topic: "s", unit_of_measurement: "s", value_template: template };
  await announce("sensor/t", { ...clock, unique_id: "t", device: DEVICE, name: "Clock" });
  hear("s", "5");
  // Shown without a value.
  expect([...world.host.nodes.values()].map(({ name }) => name)).toEqual(["Thing"]);
  expect(world.host.reports.filter(({ id }) => id !== "ERR")).toEqual([]);
  expect(world.announced.findings().map(({ detail }) => detail)).toEqual([
    "Robot: Entities of the kind vacuum are not shown.",
    "Version: Its value is a text.",
    "Clock: Its value_template cannot be read: now() is not read.",
  ]);
});

test("entities have a limit for all devices together", async () => {
  world = started(memoryStore(), 3);
  for (let at = 0; at < 5; at += 1) {
    await announce(`switch/${at}`, {
      command_topic: "c",
      unique_id: `u${at}`,
      device: { ids: `d${at}`, name: `N${at}` },
    });
  }
  expect(world.host.nodes.size).toBe(3);
  const detail = "switch/3: No more than 3 entities are taken (mqttEntitiesMax).";
  expect(world.announced.findings()).toMatchObject([{ detail }, {}]);
});

test("whatever is announced and sent, nodes and reports are valid", async () => {
  const key = fc.constantFrom(
    ...[
      "state_topic",
      "stat_t",
      "command_topic",
      "cmd_t",
      "device_class",
      "unit_of_measurement",
      "value_template",
      "~",
    ],
    ...["device", "dev", "availability", "modes", "options", "min", "max", "schema", "brightness", "name", "unique_id"],
    ...[
      "position_topic",
      "percentage_command_topic",
      "__proto__",
      "expire_after",
      "cmps",
      "origin",
      "supported_color_modes",
    ],
  );
  const config = fc.dictionary(
    key,
    fc.oneof(fc.constantFrom("t", "{{ value_json.a }}", "temperature"), fc.jsonValue()),
  );
  const component = fc.constantFrom(
    ..."light switch sensor binary_sensor cover lock climate fan number select button event device valve x".split(" "),
  );
  await fc.assert(
    fc.asyncProperty(component, config, fc.jsonValue(), async (kind, given, message) => {
      world = started();
      await announce(`${kind}/x`, { ...given, device: given.device ?? DEVICE });
      for (const topic of world.topics) hear(topic, message);
      expect(world.host.violations).toEqual([]);
    }),
  );
});

describe("what an announcement can make the controller do", () => {
  test.each([
    ["of Zigbee2MQTT", { command_topic: "zigbee2mqtt/front_door/set" }],
    ["of Zigbee2MQTT, shortened", { cmd_t: "~/bridge/request/permit_join", "~": "zigbee2mqtt" }],
    ["of our own announcements", { command_topic: "domovoi/n000_001_1/set" }],
    ["of announcements", { command_topic: "homeassistant/switch/x/config" }],
    ["of the broker", { command_topic: "$SYS/broker" }],
    ["that is a base itself", { command_topic: "zigbee2mqtt" }],
  ])("commands to a topic %s are refused, with the topic", async (_name, more) => {
    await announce("switch/bad", { unique_id: "bad", name: "Lamp", device: DEVICE, state_topic: "s", ...more });
    expect(world.host.nodes.size).toBe(0);
    expect(world.announced.findings()[0]?.detail).toMatch(
      /^Lamp: Its commands would go to (zigbee2mqtt|domovoi|home|\$)/,
    );
  });

  test("a part that commands others is refused, and states of others may be read", async () => {
    const speed = { percentage_command_topic: "zigbee2mqtt/lock/set", percentage_state_topic: "zigbee2mqtt/lock" };
    await announce("fan/bad", { unique_id: "bad", command_topic: "own/set", ...speed });
    expect(world.host.nodes.size).toBe(0);
    await announce("sensor/good", { unique_id: "good", state_topic: "zigbee2mqtt/lock", unit_of_measurement: "%" });
    expect(world.host.nodes.size).toBe(1);
  });
});

describe("many entities", () => {
  const switches = (count: number, more: object = {}) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [
        `s${at}`,
        { p: "switch", unique_id: `s${at}`, cmd_t: `c${at}`, stat_t: "shared", val_tpl: "{{ value_json.v }}", ...more },
      ]),
    );

  test("of one device are declared a node a slice, and a message that they share is read an entity a slice", async () => {
    world = started(memoryStore(), 200);
    await announce("device/d", { dev: { ids: "many", name: "Many" }, cmps: switches(200) });
    const known = world.devices.ofId("many");
    if (!known) throw new Error("It was not declared.");
    expect(known.nodes).toHaveLength(200);
    let before = world.host.nodes.size;
    const other = { ...known.device, id: "other", topic: "Other" };
    for (const _pause of world.devices.put(other)) {
      expect(world.host.nodes.size - before).toBeLessThanOrEqual(1);
      before = world.host.nodes.size;
    }
    expect(world.host.nodes.size).toBe(400);
    const message = { topic: "shared", payload: bytes({ v: "ON" }), isRetained: false };
    expect([...world.announced.receive(message)].length).toBeGreaterThanOrEqual(400);
    expect(value("ST", "n000_001_200")).toBe(100);
  });

  test("a device that announces itself anew under its path replaces the one before, over a restart too", async () => {
    const store = memoryStore();
    world = started(store);
    const config = (id: string) => ({
      unique_id: id,
      command_topic: `c/${id}`,
      device: { identifiers: [id], name: id },
    });
    for (let at = 0; at < 20; at += 1) await announce("switch/same", config(`d${at}`));
    expect([...world.host.nodes.values()].map(({ name }) => name)).toEqual(["d19"]);
    world = started(store);
    await announce("switch/same", config("next"));
    expect([...world.host.nodes.values()].map(({ name }) => name)).toEqual(["next"]);
  });

  test("devices that announce themselves no more count: their nodes and new ones are as many as the limit says", async () => {
    const store = memoryStore();
    world = started(store, 30);
    await announce("device/a", { dev: { ids: "a", name: "A" }, cmps: switches(20) });
    world = started(store, 30);
    await announce("device/b", { dev: { ids: "b", name: "B" }, cmps: switches(20) });
    await announce("device/c", { dev: { ids: "c", name: "C" }, cmps: switches(20) });
    expect(world.host.nodes.size).toBeLessThanOrEqual(40);
    expect(world.announced.findings().at(-1)?.detail).toContain("No more than 30 entities are taken");
  });

  test("numbers are rows of their own, and those of earlier versions are kept", async () => {
    const store = memoryStore();
    store.set("announced numbers", { d1: 7 });
    world = started(store);
    await announce("switch/a", { unique_id: "a", command_topic: "c", device: DEVICE });
    await announce("switch/b", { unique_id: "b", command_topic: "c/b", device: { identifiers: ["new"] } });
    expect([...world.host.nodes.keys()]).toEqual(["n000_007_1", "n000_008_1"]);
    expect(store.keys().filter((key) => key.includes("number"))).toEqual([
      "announced number d1",
      "announced number new",
    ]);
  });
});
