/** What a Zigbee device becomes, from what Zigbee2MQTT exposes of it. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as kinds from "../../../simulators/zigbee/device-kinds.ts";
import type { ListedDevice } from "../../../src/drivers/exposed/expose.ts";
import { NumberedDevices, ZIGBEE, ZIGBEE_DEVICES } from "../../../src/drivers/exposed/numbered-devices.ts";
import { plannedNodes } from "../../../src/drivers/exposed/plan-device.ts";
import { bridgeDevice } from "../../../src/drivers/mqtt/bridge-device.ts";
import { Profile } from "../../../src/profile/profile.ts";
import { roleOf } from "../../../src/profile/roles.ts";
import { valueOfWord } from "../../../src/profile/status-words.ts";
import { atOnce } from "../../../src/util/slices.ts";
import { VirtualClock } from "../../../src/util/virtual-clock.ts";
import { memoryStore, RecordingHost } from "../recording-host.ts";

type Listed = ReturnType<typeof kinds.bulb>["listed"];

function planned(listed: Listed) {
  const device = bridgeDevice(listed);
  if (!device) throw new Error("It is no device.");
  return { device, plans: [...plannedNodes(device)] };
}

/** What the first node reads from a message, as raw values by id. */
function readFrom(listed: Listed, message: Readonly<Record<string, unknown>>, part = 1) {
  const plan = planned(listed).plans[part - 1];
  return Object.fromEntries(
    (plan?.features ?? []).flatMap((feature) => {
      const value = feature.read(message);
      return value === undefined ? [] : [[feature.id, value]];
    }),
  );
}

const sent = (listed: Listed, id: string, ...values: readonly number[]) =>
  planned(listed)
    .plans[0]?.commands.find((command) => command.id === id)
    ?.message(values.map((value) => ({ id: "", value, uom: 0, prec: 0 })));

test.each([
  [kinds.bulb("a"), ["color-lamp"]],
  [kinds.plug("a"), ["outlet"]],
  [kinds.twoGang("a"), ["switch", "switch"]],
  [kinds.contact("a"), ["contact"]],
  [kinds.motion("a"), ["motion"]],
  [kinds.leak("a"), ["leak"]],
  [kinds.lock("a"), ["lock"]],
  [kinds.blind("a"), ["cover"]],
  [kinds.radiator("a"), ["thermostat"]],
  [kinds.remote("a"), ["button"]],
])("%# is known by its role", ({ listed }, roles) => {
  const { profile, host } = adopted([listed]);
  const nodes = [...host.nodes.values()];
  expect(nodes.map((node) => roleOf(profile, { ...node, enabled: true, parent: null, driver: "" } as never))).toEqual(
    roles,
  );
});

describe("a lamp", () => {
  const { listed } = kinds.bulb("lamp");
  test("that is off has the status 0, and its brightness stays", () => {
    expect(readFrom(listed, { state: "OFF", brightness: 127 })).toEqual({ ST: 0 });
    expect(readFrom(listed, { state: "ON", brightness: 127 })).toEqual({ ST: 50 });
    expect(readFrom(listed, { state: "ON", brightness: 1 })).toEqual({ ST: 1 });
  });
  test("that reports no state keeps it", () => {
    expect(readFrom(listed, { color_temp: 300 })).toEqual({ GV1: 300 });
    expect(readFrom(listed, { brightness: 254 })).toEqual({ ST: 100 });
  });
  test("takes a level in percent of 254 steps, and 0 is off", () => {
    expect(sent(listed, "DON", 50)).toEqual({ brightness: 127 });
    expect(sent(listed, "DON")).toEqual({ state: "ON" });
    expect(sent(listed, "DON", 0)).toEqual({ state: "OFF" });
    expect(sent(listed, "GV2", 120)).toEqual({ color: { hue: 120 } });
  });
});

const [OPEN, CLOSED] = [valueOfWord("open", 79), valueOfWord("closed", 79)];

test("a number has the unit that it is told in, and light is in lux where a raw number is beside it", () => {
  const numeric = (name: string, unit?: string) => ({ type: "numeric", name, property: name, access: 1, unit });
  const exposes = [
    numeric("illuminance"),
    numeric("illuminance_lux", "lx"),
    numeric("voc", "µg/m³"),
    numeric("power", "kW"),
  ];
  const listed = { ...kinds.leak("a").listed, definition: { vendor: "x", model: "y", exposes } };
  const { host } = adopted([listed]);
  const [node] = host.nodes.values();
  const units = new Map(host.nodedefOf(node?.address ?? "")?.properties.map(({ id, editor }) => [id, editor]));
  expect([...units.keys()].filter((id) => id !== "ERR")).toEqual(["LUMIN", "VOCLVL", "CPW"]);
  expect([units.get("LUMIN"), units.get("VOCLVL"), units.get("CPW")].map((editor) => editor?.split("_")[1])).toEqual([
    ...["36", "122", "30"],
  ]);
  expect(readFrom(listed, { illuminance: 20_000, illuminance_lux: 99, voc: 120, power: 1.5 })).toEqual({
    ...{ LUMIN: 99, VOCLVL: 120, CPW: 1.5 },
  });
});

test("a contact that is closed is true on the broker and closed here", () => {
  const { listed } = kinds.contact("door");
  expect(readFrom(listed, { contact: true, battery: 90 })).toEqual({ ST: CLOSED, BATLVL: 90 });
  expect(readFrom(listed, { contact: false })).toEqual({ ST: OPEN });
  expect(readFrom(listed, { contact: null })).toEqual({ ST: null });
});

test("a switch gets the value that its definition declares, in its JSON type", () => {
  const value = { type: "binary", name: "state", property: "state", access: 7, value_on: 1, value_off: 0 };
  const { listed } = kinds.plug("pump");
  const numbered = { ...listed, definition: { exposes: [{ type: "switch", features: [value] }] } };
  expect(sent(numbered, "DON")).toEqual({ state: 1 });
  expect(readFrom(numbered, { state: 1 })).toEqual({ ST: 100 });
  expect(readFrom(numbered, { state: "ON" })).toEqual({ ST: null });
});

test("the position of a cover decides its status, not the state beside it", () => {
  const { listed } = kinds.blind("blind");
  expect(readFrom(listed, { state: "OPEN", position: 0 })).toEqual({ ST: 0 });
  expect(sent(listed, "DON", 40)).toEqual({ position: 40 });
});

test("a thermostat has temperature, set-point, mode and state in the interface's numbers", () => {
  const { listed, state } = kinds.radiator("radiator");
  expect(readFrom(listed, state)).toEqual({ CLITEMP: 19.5, CLISPH: 20, CLIMD: 1, CLIHCS: 0 });
  expect(sent(listed, "CLIMD", 0)).toEqual({ system_mode: "off" });
  expect(sent(listed, "CLIMD", 2)).toBeNull();
});

test.each([
  ["on", "DON"],
  ["off", "DOF"],
  ["double", "DFON"],
  ["1_triple", "DON3"],
  ["button_2_hold", "BMAN"],
  ["brightness_stop", "SMAN"],
  ["brightness_move_up", "FDUP"],
  ["arrow_left_release", "SMAN"],
  ["recall_4", null],
  ["", null],
])("the action %j is the control %j", (action, control) => {
  expect(planned(kinds.remote("remote").listed).plans[0]?.controlOf(action)).toBe(control);
});

test("what is no device is left out: the coordinator, disabled ones, those without an address", () => {
  const { listed } = kinds.plug("a");
  const bad = [
    null,
    3,
    {},
    { ...listed, ieee_address: "x" },
    { ...listed, disabled: true },
    { ...listed, friendly_name: "" },
  ];
  expect([{ ...listed, type: "Coordinator" }, ...bad].map(bridgeDevice)).toEqual(Array(7).fill(null));
});

const expose: fc.Arbitrary<object> = fc.letrec((tie) => ({
  expose: fc.record(
    {
      type: fc.constantFrom(
        "light",
        "switch",
        "cover",
        "lock",
        "climate",
        "fan",
        "binary",
        "numeric",
        "enum",
        "text",
        "list",
        "",
      ),
      name: fc.oneof(
        fc.constantFrom(
          "state",
          "brightness",
          "position",
          "mode",
          "action",
          "contact",
          "temperature",
          "color_xy",
          "system_mode",
        ),
        fc.string(),
      ),
      property: fc.oneof(fc.constantFrom("state", "action", "__proto__", "constructor"), fc.string()),
      endpoint: fc.constantFrom("", "left", "right", "l1"),
      label: fc.string(),
      unit: fc.constantFrom("", "W", "°C", "nonsense"),
      access: fc.oneof(fc.integer({ min: 0, max: 7 }), fc.anything()),
      value_min: fc.oneof(fc.double(), fc.anything()),
      value_max: fc.oneof(fc.double(), fc.anything()),
      values: fc.oneof(fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean()), { maxLength: 80 }), fc.anything()),
      value_on: fc.anything(),
      category: fc.constantFrom(undefined, "config", "diagnostic"),
      features: fc.array(tie("expose"), { maxLength: 4 }),
    },
    { requiredKeys: ["type", "name"] },
  ),
})).expose as fc.Arbitrary<object>;

test("whatever a device exposes, it gets valid nodes, and its messages valid reports", () => {
  fc.assert(
    fc.property(fc.array(expose, { maxLength: 12 }), fc.dictionary(fc.string(), fc.jsonValue()), (exposes, message) => {
      const { listed } = kinds.plug("any");
      const { host, devices } = adopted([{ ...listed, definition: { exposes } }]);
      for (const device of devices.all()) devices.receive(device, message, { cause: "report" }, true);
      expect(host.violations).toEqual([]);
      expect(host.nodes.size).toBeGreaterThan(0);
    }),
  );
});

function adopted(listed: readonly unknown[]) {
  const host = new RecordingHost(new VirtualClock(0));
  const devices = new NumberedDevices(host, ZIGBEE_DEVICES);
  for (const _pause of devices.adopt(listed.map(bridgeDevice), 100));
  const profile = new Profile();
  for (const { plan } of devices.nodes()) profile.declare(ZIGBEE, 1, plan.definitions, true, "mqtt");
  return { host, devices, profile };
}

test("a device keeps its number over a new name, a restart, and when it joins again", () => {
  const store = memoryStore();
  const [one, other] = [kinds.plug("One"), kinds.plug("Other")].map(({ listed }) => listed);
  const first = new NumberedDevices(new RecordingHost(new VirtualClock(0), store), ZIGBEE_DEVICES);
  for (const _pause of first.adopt([one, other].map(bridgeDevice), 10));
  expect(first.find("ZB002_1")?.device.device.topic).toBe("Other");
  const host = new RecordingHost(new VirtualClock(0), store);
  const second = new NumberedDevices(host, ZIGBEE_DEVICES);
  atOnce(second.load());
  expect([...host.nodes.keys()]).toEqual(["ZB001_1", "ZB002_1"]);
  for (const _pause of second.adopt([bridgeDevice({ ...other, friendly_name: "Kitchen/plug " })], 10));
  expect(second.ofTopic("Kitchen/plug ")?.number).toBe(2);
  expect(second.ofTopic("Other")).toBeNull();
  // Listed again as it was, it is not declared again.
  const { length } = host.reports;
  host.nodes.delete("ZB002_1");
  for (const _pause of second.adopt([bridgeDevice({ ...other, friendly_name: "Kitchen/plug " })], 10));
  expect([host.nodes.has("ZB002_1"), host.reports.length]).toEqual([false, length]);
  // One is not listed any more: it stays, and cannot be reached.
  expect(host.last("ZB001_1", "ERR")).toMatchObject({ value: 1 });
});

test("open and closed that an earlier version stored are turned once, and nothing is sent", () => {
  const store = memoryStore();
  const host = new RecordingHost(new VirtualClock(0), store);
  const listed = [kinds.contact("Door"), kinds.plug("Plug")].map(
    ({ listed: each }) => bridgeDevice(each) as ListedDevice,
  );
  const before = new NumberedDevices(host, ZIGBEE_DEVICES);
  for (const device of listed) {
    before.put(device);
    store.set(`device ${device.id}`, device);
  }
  const known = { id: "ST", prec: 0, cause: "report" } as const;
  const [DOOR, PLUG] = ["ZB001_1", "ZB002_1"] as const;
  host.report([
    { ...known, address: DOOR, value: CLOSED, uom: 79 },
    { ...known, address: PLUG, value: 100, uom: 78 },
  ]);
  for (const run of [1, 2]) {
    const devices = new NumberedDevices(host, ZIGBEE_DEVICES);
    atOnce(devices.load());
    expect([run, host.value(DOOR), host.value(PLUG)]).toEqual([run, OPEN, 100]);
    devices.receive(
      devices.ofTopic("Door") as NonNullable<ReturnType<NumberedDevices["ofTopic"]>>,
      { contact: false },
      { cause: "report" },
      true,
    );
    expect([run, host.value(DOOR), host.controls]).toEqual([run, OPEN, []]);
  }
});
