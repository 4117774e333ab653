/** What real devices announce that differs from the plain form, and devices that announce themselves in several ways. */

import { beforeEach, expect, test } from "vitest";
import { memoryStore } from "../../recording-host.ts";
import { type AnnouncedWorld, actionsIn, bytes, DEVICE, FIRST, started } from "./announced-world.ts";

let world: AnnouncedWorld;
beforeEach(() => {
  world = started();
});

const { announce, hear, value, send } = actionsIn(() => world);

test.each([
  [{}, ["c ON"], ["b 50", "c ON"], ["m 300", "c ON"]],
  [{ on_command_type: "first" }, ["c ON"], ["c ON", "b 50"], ["c ON", "m 300"]],
  [{ on_command_type: "brightness" }, ["b 99"], ["b 50"], ["m 300", "b 50"]],
])("a lamp with %j is turned on in the order that it says", async (more, on, level, mired) => {
  await announce("light/x", {
    ...{ command_topic: "c", brightness_command_topic: "b", brightness_scale: 99, color_temp_command_topic: "m" },
    ...{ ...more, device: DEVICE, unique_id: "u1" },
  });
  expect(send(FIRST, "DON")).toEqual(on);
  expect(send(FIRST, "DON", 50)).toEqual(level);
  expect(send(FIRST, "GV1", 300)).toEqual(mired);
  expect(send(FIRST, "DOF")).toEqual(["c OFF"]);
});

test("a state topic with + levels is one subscription, and is read from whatever topic it means", async () => {
  const pattern = "+/+/BTtoMQTT/AABB";
  await announce("sensor/x", {
    ...{ state_topic: pattern, value_template: "{{ value_json.tempc | is_defined }}" },
    ...{ device_class: "temperature", unit_of_measurement: "°C", device: DEVICE, unique_id: "u1" },
  });
  expect([...world.topics]).toEqual([pattern]);
  expect(
    ["home/gw/BTtoMQTT/AABB", "home/gw/BTtoMQTT/CC", "home/BTtoMQTT/AABB"].map((each) => world.announced.reads(each)),
  ).toEqual([true, false, false]);
  hear("home/gw/BTtoMQTT/AABB", { tempc: 21.5 });
  expect(value("CLITEMP")).toBe(2150);
  await announce("sensor/x", "", false);
  expect([[...world.topics], world.announced.reads("home/gw/BTtoMQTT/AABB")]).toEqual([[], false]);
});

test.each(["+/+", "home/a+", "home/#"])(
  "the state topic %s is refused, and so is a command topic with a + level",
  async (topic) => {
    await announce("switch/x", { command_topic: "c", state_topic: topic, device: DEVICE, unique_id: "u1" });
    await announce("switch/y", { command_topic: "a/+", state_topic: "s", device: DEVICE, unique_id: "u2" });
    expect([world.host.nodes.size, world.announced.findings().length]).toEqual([0, 2]);
  },
);

test("topics with + levels of all devices together have a limit", async () => {
  world = started(memoryStore(), 500);
  for (let at = 0; at < 102; at += 1) {
    const topic = `+/sensor${at}`;
    const own = { identifiers: [`d${at}`] };
    world.announced.announce(`sensor/x${at}`, {
      ...{ topic: "", isRetained: true },
      payload: bytes({
        state_topic: topic,
        device_class: "humidity",
        unit_of_measurement: "%",
        device: own,
        unique_id: `u${at}`,
      }),
    });
  }
  await world.clock.advance(5000);
  expect([world.topics.size, world.announced.findings().length]).toEqual([100, 2]);
});

test.each([
  ["button_short_press", "DON"],
  ["button_short_release", "DON"],
  ["button_double_press", "DFON"],
  ["button_triple_press", "DON3"],
  ["button_quadruple_press", "DON4"],
  ["button_long_press", "BMAN"],
  ["button_long_release", "SMAN"],
])("the trigger %s of a button is %s", async (type, control) => {
  const config = { automation_type: "trigger", type, subtype: "button_1", topic: "t", payload: "SINGLE" };
  await announce("device_automation/x", { ...config, device: DEVICE });
  hear("t", "SINGLE");
  expect(world.host.controls).toEqual([{ address: FIRST, control, value: 0 }]);
});

test("a short release is no second press of a button that tells of its press too", async () => {
  for (const type of ["button_short_press", "button_short_release"]) {
    const config = { automation_type: "trigger", type, subtype: "button_1", topic: "t", payload: type };
    await announce(`device_automation/${type}`, { ...config, device: DEVICE });
  }
  hear("t", "button_short_press");
  hear("t", "button_short_release");
  expect(world.host.controls.map(({ control }) => control)).toEqual(["DON", "SMAN"]);
});

test.each(["ring", "SINGLE", "press"])("the event %s is a press", async (word) => {
  await announce("event/x", { state_topic: "e", event_types: [word], device: DEVICE, unique_id: "u1" });
  hear("e", { event_type: word });
  expect(world.host.controls).toEqual([{ address: FIRST, control: "DON", value: 0 }]);
});

test("a thermostat with a set-point for each side has both, within the limits of its unit", async () => {
  const side = (name: string) => ({
    [`temperature_${name}_command_topic`]: `${name}/set`,
    [`temperature_${name}_state_topic`]: name,
  });
  await announce("climate/x", { ...side("low"), ...side("high"), temp_unit: "F", device: DEVICE, unique_id: "u1" });
  hear("low", "68");
  hear("high", "75.5");
  expect([value("CLISPH"), value("CLISPC"), world.host.last(FIRST, "CLISPC")?.uom]).toEqual([680, 755, 17]);
  expect([send(FIRST, "CLISPH", 70), send(FIRST, "CLISPC", 78)]).toEqual([["low/set 70"], ["high/set 78"]]);
  const editors = world.host.nodedefOf(FIRST)?.properties.map(({ editor }) => editor) ?? [];
  expect(editors.filter((editor) => editor.startsWith("_17_1_R_45_95"))).toHaveLength(2);
});

test("a thermostat that cools only has that set-point, and is switched off by its own topic", async () => {
  await announce("climate/x", {
    ...{ temperature_command_topic: "tc", mode_command_topic: "mc", modes: ["cool", "dry"] },
    ...{ power_command_topic: "p", device: DEVICE, unique_id: "u1" },
  });
  expect(send(FIRST, "CLISPC", 24)).toEqual(["tc 24"]);
  expect([send(FIRST, "CLIMD", 0), send(FIRST, "CLIMD", 2)]).toEqual([["p OFF"], ["p ON", "mc cool"]]);
});

test("a lock whose commands are made with a code gets an empty one", async () => {
  const template = '{"action":"{{ value }}","code":"{{ code }}"}';
  await announce("lock/x", { command_topic: "c", command_template: template, device: DEVICE, unique_id: "u1" });
  expect(send(FIRST, "SECMD", 1)).toEqual(['c {"action":"LOCK","code":""}']);
});

test("a cover that cannot stop has no Stop", async () => {
  await announce("cover/x", { command_topic: "c", payload_stop: null, device: DEVICE, unique_id: "u1" });
  const accepts = world.host.nodedefOf(FIRST)?.accepts.map(({ id }) => id) ?? [];
  expect([accepts.includes("FDUP"), accepts.includes("FDSTOP")]).toEqual([true, false]);
});

test("a device whose announcement is taken over by another one keeps node and name", async () => {
  const config = { command_topic: "c", state_topic: "s", unique_id: "u1", device: DEVICE };
  await announce("switch/x", config);
  await announce("switch/x", { migrate_discovery: true });
  expect([...world.host.nodes.keys()]).toEqual([FIRST]);
  const { device, ...own } = config;
  await announce("device/x", { device, components: { one: { ...own, platform: "switch" } } });
  await announce("switch/x", "", false);
  hear("s", "ON");
  expect([[...world.host.nodes.keys()], world.host.nodes.get(FIRST)?.name, value("ST")]).toEqual([
    [FIRST],
    "Thing",
    100,
  ]);
});

test("a device is one, whichever of its identities is named and whichever comes first, also after a restart", async () => {
  const store = memoryStore();
  world = started(store);
  const mac = [["mac", "AA:BB"]];
  const sensor = (key: string, device: object) =>
    announce(`sensor/${key}`, {
      state_topic: key,
      device_class: "humidity",
      unit_of_measurement: "%",
      device,
      unique_id: key,
    });
  await sensor("a", { identifiers: ["x", "y"], connections: mac, name: "Thing" });
  await sensor("b", { identifiers: ["y", "x"] });
  await sensor("c", { connections: [["mac", "aa:bb"]] });
  expect([...world.host.nodes.keys()]).toEqual([FIRST]);
  world = started(store);
  await sensor("b", { identifiers: ["y"] });
  expect([...world.host.nodes.keys()]).toEqual([FIRST]);
});

test.each([[["sensor/a", "switch/b"]], [["switch/b", "sensor/a"]]])(
  "a device has the name, model and room of all its announcements, in the order %j too",
  async (paths) => {
    const configs: Readonly<Record<string, object>> = {
      "sensor/a": {
        ...{ state_topic: "h", device_class: "humidity", unit_of_measurement: "%", unique_id: "a" },
        device: { identifiers: ["JUDGE1"] },
      },
      "switch/b": {
        command_topic: "c",
        unique_id: "b",
        device: { identifiers: ["JUDGE1"], name: "Pump", model: "P1", sa: "Cellar" },
      },
    };
    for (const path of paths) await announce(path, configs[path]);
    const { name, room } = world.host.nodes.get(FIRST) ?? {};
    expect([[...world.host.nodes.keys()], name, room]).toEqual([[FIRST], "Pump", "Cellar"]);
  },
);
