/** Values of Z-Wave devices and their properties, one line per case. */

import { describe, expect, test } from "vitest";
import { CC } from "../../../src/drivers/zwave/plan/command-class-table.ts";
import type { DeviceView } from "../../../src/drivers/zwave/plan/device-view.ts";
import { defaultNodeName, labelsOf } from "../../../src/drivers/zwave/plan/node-name.ts";
import { planDevice } from "../../../src/drivers/zwave/plan/plan-device.ts";
import { isHidden } from "../../../src/drivers/zwave/plan/value-table.ts";
import {
  barrier,
  battery,
  binarySensor,
  bolt,
  channel,
  level,
  lift,
  meter,
  mode,
  notification,
  relay,
  sensor,
  setpoint,
  tone,
  value,
  view,
  volume,
} from "./views.ts";

const DIMMER = view(0x11, 0x01, level, battery);
const RELAY = view(0x10, 0x01, relay);
const MOTOR = view(0x11, 0x07, level);
const LOCK = view(0x40, 0x03, bolt, battery);
const CLIMATE = view(0x08, 0x06, sensor(1, 0, "°C"), setpoint(1), setpoint(2, "°F"), mode);
const WEATHER = view(
  0x21,
  0x01,
  sensor(1, 1, "°F"),
  sensor(5, 0, "%"),
  sensor(3, 1, "Lux"),
  sensor(27, 0),
  sensor(87, 0),
);
const PLUG = view(
  0x10,
  0x01,
  relay,
  meter(1, 2, "W"),
  meter(1, 0, "kWh"),
  meter(1, 4, "V"),
  meter(1, 5, "A"),
  meter(1, 7, "kVar"),
);
const MOTION = view(0x07, 0x01, notification(7, "Motion sensor status", { 0: "idle", 8: "Motion detection" }));
const DOOR = view(0x07, 0x01, notification(6, "Door state", { 22: "open", 23: "closed" }));
const MAINS = view(0x07, 0x01, notification(8, "Mains status", { 2: "lost", 3: "back" }));
const OTHER = view(0x07, 0x01, notification(19, "Trap status", { 0: "idle", 2: "Trap armed" }));

type Case = readonly [
  device: DeviceView,
  node: number,
  property: string,
  told: unknown,
  raw: number | null,
  uom: number,
  prec: number,
];

const CASES: readonly Case[] = [
  [DIMMER, 0, "ST", 0, 0, 51, 0],
  [DIMMER, 0, "ST", 42, 42, 51, 0],
  [DIMMER, 0, "ST", 99, 100, 51, 0],
  [DIMMER, 0, "ST", 254, 101, 51, 0],
  [DIMMER, 0, "ST", 255, 100, 51, 0],
  [DIMMER, 0, "BATLVL", 87, 87, 51, 0],
  [RELAY, 0, "ST", true, 100, 78, 0],
  [RELAY, 0, "ST", false, 0, 78, 0],
  [RELAY, 0, "ST", null, 101, 78, 0],
  [MOTOR, 0, "ST", 99, 100, 51, 0],
  [LOCK, 0, "ST", 255, 100, 11, 0],
  [LOCK, 0, "ST", 0, 0, 11, 0],
  [LOCK, 0, "ST", 16, 0, 11, 0],
  [LOCK, 0, "ST", 254, 101, 11, 0],
  [CLIMATE, 0, "ST", 21.7, 217, 4, 1],
  [CLIMATE, 0, "ST", 21, 210, 4, 1],
  [CLIMATE, 0, "ST", 21.37, 2137, 4, 2],
  [CLIMATE, 0, "CLISPH", 20.5, 205, 4, 1],
  [CLIMATE, 0, "CLISPC", 78, 780, 17, 1],
  [CLIMATE, 0, "CLIMD", 11, 11, 67, 0],
  [WEATHER, 0, "ST", -4.4, -44, 17, 1],
  [WEATHER, 0, "CLIHUM", 45, 45, 22, 0],
  [WEATHER, 0, "LUMIN", 312, 312, 36, 0],
  [WEATHER, 0, "UV", 7, 7, 71, 0],
  [WEATHER, 0, "V31_SENSOR_87", 3, 3, 56, 0],
  [PLUG, 0, "ST", true, 100, 78, 0],
  [PLUG, 143, "ST", 12.4, 124, 73, 1],
  [PLUG, 143, "TPW", 1.005, 1005, 33, 3],
  [PLUG, 143, "CV", 231.2, 2312, 72, 1],
  [PLUG, 143, "CC", 0.054, 54, 1, 3],
  [PLUG, 143, "PPW", 0.123, 1230, 136, 1],
  [MOTION, 307, "ST", 8, 100, 78, 0],
  [MOTION, 307, "ST", 0, 0, 78, 0],
  [DOOR, 306, "ST", 22, 0, 79, 0],
  [DOOR, 306, "ST", 23, 100, 79, 0],
  [DOOR, 306, "ST", 5, 101, 79, 0],
  [MAINS, 308, "ST", 2, 2, 93, 0],
  [OTHER, 319, "ST", 2, 2, 25, 0],
  [view(0x40, 0x07, barrier), 0, "ST", 0, 0, 97, 0],
  [view(0x40, 0x07, barrier), 0, "ST", 40, 40, 97, 0],
  [view(0x40, 0x07, barrier), 0, "ST", 252, 103, 97, 0],
  [view(0x40, 0x07, barrier), 0, "ST", 253, 102, 97, 0],
  [view(0x40, 0x07, barrier), 0, "ST", 254, 104, 97, 0],
  [view(0x40, 0x07, barrier), 0, "ST", 255, 100, 97, 0],
  [view(0x03, 0x01, tone, volume), 0, "ST", 2, 100, 78, 0],
  [view(0x03, 0x01, tone, volume), 0, "SVOL", 40, 40, 51, 0],
  [view(0x11, 0x06, lift(13), lift(23)), 0, "ST", 99, 100, 51, 0],
  [view(0x11, 0x06, lift(13), lift(23)), 0, "ANGLPOS", 50, 50, 51, 0],
  [view(0x11, 0x07, lift(23)), 0, "ST", 50, 50, 51, 0],
  [
    view(0x20, 0x01, value({ cc: CC.basic, property: "currentValue" }), binarySensor(0xff)),
    ...([0, "ST", true, 100, 78, 0] as const),
  ],
  [view(0x10, 0x01, level, relay), 0, "ST", true, 100, 78, 0],
  [view(0x11, 0x02, level, channel(2)), 0, "RED", 200, 200, 100, 0],
  [view(0x20, 0x01, binarySensor(0x0c)), 0, "ST", true, 100, 78, 0],
  [view(0x20, 0x01, binarySensor(0x0a)), 0, "ST", true, 0, 79, 0],
  [view(0x20, 0x01, binarySensor(0x0a)), 0, "ST", false, 100, 79, 0],
];

describe("reports are converted to the home's units", () => {
  test.each(CASES)(
    "%#: part %i, %s of %j … is %j in unit %i with %i decimals",
    (device, part, property, told, raw, uom, prec) => {
      const node = planDevice(device).find((plan) => plan.part === part);
      const shown = node?.properties.find(({ id }) => id === property);
      expect(shown?.kind.read(told)).toEqual({ value: raw, uom, prec });
    },
  );
});

const CATEGORIES: readonly (readonly [device: DeviceView, part: number, category: number])[] = [
  [DIMMER, 0, 109],
  [RELAY, 0, 121],
  [MOTOR, 0, 107],
  [LOCK, 0, 111],
  [CLIMATE, 0, 140],
  [WEATHER, 0, 118],
  [PLUG, 143, 143],
  [MOTION, 0, 185],
  [MOTION, 307, 155],
  [DOOR, 306, 160],
  [MAINS, 308, 181],
  [OTHER, 319, 185],
  [view(0x20, 0x01, binarySensor(0x06)), 0, 159],
  [view(0x20, 0x01, binarySensor(0xff)), 0, 104],
  [view(0x00, 0x00, bolt), 0, 111],
  [view(0x00, 0x00), 0, 101],
];

test.each(CATEGORIES)("%#: the category of part %i is %i, as clients classify it", (device, part, category) => {
  expect(planDevice(device).find((plan) => plan.part === part)?.category).toBe(category);
});

describe("values that no table knows", () => {
  const odd = value({ cc: 0x6b, property: "masterValveDelay", unit: "seconds", label: "Master Valve Delay" });

  test("are shown under their own name, with their unit, and can be written", () => {
    const [node] = planDevice(view(0x10, 0x07, odd));
    const shown = node?.properties.find(({ id }) => id === "V6B_MASTER_VALVE_DELAY");
    expect(shown).toMatchObject({ label: "Master Valve Delay", kind: { uom: 58 } });
    expect(node?.commands.map(({ spelled }) => spelled)).toContain(
      "V6B_MASTER_VALVE_DELAY(_58_0=V6B_MASTER_VALVE_DELAY)",
    );
  });

  test.each([
    [{ type: "boolean" }, true, { value: 1, uom: 2, prec: 0 }],
    [{ type: "duration" }, { value: 3, unit: "minutes" }, { value: 180, uom: 58, prec: 0 }],
    [{ type: "duration" }, { unit: "unknown" }, { value: null, uom: 58, prec: 0 }],
    [{ type: "number", states: { 1: "One", 2: "Two" } }, 2, { value: 2, uom: 25, prec: 0 }],
    [{ type: "number", states: { 0: "default" }, unit: "%", min: 0, max: 100 }, 40, { value: 40, uom: 51, prec: 0 }],
    [{ type: "number" }, 0.25, { value: 25, uom: 56, prec: 2 }],
    [{ type: "string" }, "closed", { value: 0, uom: 145, prec: 0, text: "closed" }],
    [{ type: "string" }, "", { value: null, uom: 145, prec: 0 }],
    [{ type: "boolean[]" }, [true, false], { value: 0, uom: 145, prec: 0, text: "[true,false]" }],
    [{ type: "buffer" }, Uint8Array.of(1, 255), { value: 0, uom: 145, prec: 0, text: "01ff" }],
  ])("%#: of type %j read %j", (metadata, told, reading) => {
    const [node] = planDevice(view(0x10, 0x07, value({ cc: 0x6b, property: "odd", ...metadata })));
    expect(node?.properties[0]?.kind.read(told)).toEqual(reading);
  });

  test("with long names have ids that fit and differ", () => {
    const long = ["widthOfTheLatchOfTheOuterDoorConfiguration", "widthOfTheLatchOfTheOuterDoorConfigured"];
    const [node] = planDevice(view(0x40, 0x03, ...long.map((property) => value({ cc: 0x62, property }))));
    const ids = node?.properties.map(({ id }) => id).filter((id) => id !== "ERR") ?? [];
    expect(new Set(ids).size).toBe(2);
    expect(Math.max(...ids.map((id) => id.length))).toBeLessThanOrEqual(32);
  });
});

describe("hidden values", () => {
  const hidden = [
    value({ cc: CC.userCode, property: "userCode", key: 1, type: "string", secret: true }),
    value({ cc: CC.userCode, property: "userIdStatus", key: 1 }),
    value({ cc: CC.configuration, property: 3 }),
    value({ cc: CC.multilevelSwitch, property: "targetValue" }),
    value({ cc: CC.multilevelSwitch, property: "restorePrevious", type: "boolean", readable: false }),
    value({ cc: CC.centralScene, property: "scene", key: "001", stateful: false }),
    value({ cc: CC.notification, property: "alarmType" }),
    value({ cc: CC.centralScene, property: "slowRefresh", type: "boolean" }),
    value({ cc: CC.thermostatSetpoint, property: "setpoint", key: 0 }),
    value({ cc: CC.humidityControlSetpoint, property: "setpointScale", key: 1 }),
    value({ cc: CC.protection, property: "exclusiveControlNodeId" }),
    value({ cc: CC.indicator, property: 0x50, key: 3 }),
    value({ cc: CC.doorLock, property: "insideHandlesCanOpenDoor", type: "boolean[]" }),
  ];
  const { endpoints } = view(0x40, 0x03, ...hidden);

  test.each(hidden)("$commandClass/$property", (one) => {
    expect(endpoints.map((endpoint) => isHidden(one, endpoint))).toEqual([true]);
  });
});

describe("nodes of a device", () => {
  test("a device with endpoints has one for each, and one for the meter of each", () => {
    const two = view(
      0x10,
      0x04,
      { ...relay, endpoint: 1 },
      { ...meter(1, 2, "W"), endpoint: 1 },
      { ...relay, endpoint: 2 },
    );
    const endpoints = [0, 1, 2].map((index) => ({ index, generic: 0x10, specific: 1, commandClasses: new Map() }));
    const plans = planDevice({ ...two, endpoints });
    expect(plans.map(({ endpoint, part }) => [endpoint, part])).toEqual([
      [0, 0],
      [1, 0],
      [1, 143],
      [2, 0],
    ]);
  });

  test("a lock's alarms have their own, with the user's number", () => {
    const lock = view(0x40, 0x03, bolt, notification(6, "Lock state", { 0: "idle", 11: "Lock jammed" }));
    const alarms = planDevice(lock).find(({ part }) => part === 306);
    expect(alarms?.properties.map(({ id }) => id)).toEqual(["ALARM", "USRNUM", "V71_NOTIFICATION_6_LOCK_STATE", "ERR"]);
  });

  test("a node is called what it is, with the endpoint's number, and no two of a device have one name", () => {
    const node = (endpoint: number, part: number, ...words: readonly string[]) => ({ endpoint, part, words });
    const strip = [node(0, 0, "Power Strip"), node(1, 0, "Power Switch"), node(2, 0, "Power Switch")];
    expect(labelsOf(strip)).toEqual(["Power Strip", "Power Switch 1", "Power Switch 2"]);
    const siren = [node(0, 0, "Siren"), node(0, 314, "Siren", "Siren Notification"), node(0, 315, "Siren")];
    expect(labelsOf(siren)).toEqual(["Siren", "Siren Notification", "Siren 315"]);
  });

  test.each([
    [null, true, "Tilt Sensor", "ZW 005 Tilt Sensor"],
    ["Hall plug", true, "Power Switch", "Hall plug"],
    ["Hall plug", false, "Meter", "Hall plug Meter"],
    ["Front door lock", false, "Lock Alarm", "Front door lock Alarm"],
    ["Stairs motion sensor", false, "Motion Sensor", "Stairs motion sensor State"],
  ])(
    "a name of an earlier installation (%s) stands for the device, first node %s, %s: %s",
    (own, isFirst, label, name) => {
      expect(defaultNodeName(own, "ZW 005", label, isFirst)).toBe(name);
    },
  );

  test("values about a battery have names, and rarely used ones are hidden", () => {
    const says = (property: string, type: string) => value({ cc: CC.battery, property, type, writeable: false });
    const sensor = view(0x07, 0x01, battery, says("chargingStatus", "number"), says("overheating", "boolean"));
    const shown = planDevice(sensor)[0]?.properties.map(({ id, hide }) => [id, hide]);
    expect(shown).toEqual([
      ["BATLVL", false],
      ["BATCHG", false],
      ["BATHOT", true],
      ["ERR", true],
    ]);
  });

  test("channels of a lamp have the names that people give colours", () => {
    const [lamp] = planDevice(view(0x11, 0x02, level, channel(0), channel(2)));
    expect(lamp?.properties.map(({ label }) => label)).toEqual([null, "Warm White", "Red", null]);
  });

  test("every button of a remote is one that only sends", () => {
    const buttons = [1, 2].map((n) =>
      value({ cc: CC.centralScene, property: "scene", key: `00${n}`, stateful: false }),
    );
    const plans = planDevice(view(0x01, 0x01, ...buttons)).filter(({ part }) => part > 400);
    expect(plans.map(({ part, sends }) => [part, sends[0]])).toEqual([
      [401, "DON"],
      [402, "DON"],
    ]);
  });

  test("ids are unique, even when a device has a value twice", () => {
    const twice = view(0x21, 0x01, sensor(1, 0, "°C"), { ...sensor(1, 0, "°C"), property: "again" }, relay, level);
    const ids = planDevice(twice)[0]?.properties.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
  });
});
