/** Z-Wave commands, one line per case. */

import { describe, expect, test } from "vitest";
import type { CommandParameterValue } from "../../../src/drivers/command.ts";
import type { Act } from "../../../src/drivers/zwave/plan/act.ts";
import { CC } from "../../../src/drivers/zwave/plan/command-class-table.ts";
import type { DeviceView } from "../../../src/drivers/zwave/plan/device-view.ts";
import { nodeShapeOf } from "../../../src/drivers/zwave/plan/nodedef-of-plan.ts";
import { planDevice } from "../../../src/drivers/zwave/plan/plan-device.ts";
import { questionsOf } from "../../../src/drivers/zwave/sending/fulfil.ts";
import { declareBuiltinProfile } from "../../../src/profile/builtin/builtin.ts";
import { Profile } from "../../../src/profile/profile.ts";
import { classify, type DeviceClass } from "../../support/client-classes.ts";
import {
  barrier,
  battery,
  bolt,
  channel,
  level,
  lift,
  meter,
  mode,
  relay,
  sensor,
  setpoint,
  tone,
  value,
  view,
  volume,
} from "./views.ts";

const basicOnly = value({ cc: CC.basic, property: "currentValue", max: 99 });
const reset = value({ cc: CC.meter, property: "reset", type: "boolean", readable: false });
const parameter = value({ cc: CC.configuration, property: 3 });
const locked = value({ cc: CC.lock, property: "locked", type: "boolean" });
const indicator = value({ cc: CC.indicator, property: "value" });

const DIMMER = view(0x11, 0x01, level, battery, parameter, indicator);
const FAN = view(0x11, 0x08, level);
const RELAY = view(0x10, 0x01, relay);
const COVER = view(0x11, 0x07, level);
const BLIND = view(0x11, 0x06, lift(13), lift(23));
const SHADE = view(0x11, 0x06, lift(12));
const SLATS = view(0x11, 0x07, lift(23));
const NIGHT_LIGHT_PLUG = view(0x10, 0x01, level, relay);
const LOCK = view(0x40, 0x03, bolt);
const operationType = value({ cc: CC.doorLock, property: "operationType", states: { 1: "Constant", 2: "Timed" } });
const lockTime = value({ cc: CC.doorLock, property: "lockTimeoutConfiguration", min: 0, max: 65_535 });
const LOCK_TIME = "V62_LOCK_TIMEOUT_CONFIGURATION";
const TIMED_LOCK = view(0x40, 0x03, bolt, operationType, lockTime);
const OLD_LOCK = view(0x40, 0x00, locked);
const CLIMATE = view(0x08, 0x06, sensor(1, 0, "°C"), setpoint(1), setpoint(2), mode);
const horn = value({ cc: CC.barrierOperator, property: "signalingState", key: 1, states: { 0: "Off", 255: "On" } });
const GATE = view(0x40, 0x07, barrier, horn);
const CHIME = view(0x03, 0x01, tone, volume);
const LAMP = view(0x11, 0x02, level, channel(0), channel(2));
const OLD = view(0x10, 0x00, basicOnly);
const PLUG = view(0x10, 0x01, relay, meter(1, 2, "W"), reset);

const percent = (level: number, id = ""): CommandParameterValue => ({ id, value: level, uom: 51, prec: 0 });
const given = (id: string, raw: number, uom: number, prec = 0): CommandParameterValue => ({
  id,
  value: raw,
  uom,
  prec,
});
const PREVIOUS = given("", 1, 25);

/** Acts in short: what is written, what is called. */
const set = (property: string, to: unknown, more: object = {}) => ({ kind: "set", value: { property }, to, ...more });
const call = (method: string, ...args: readonly unknown[]) => ({ kind: "call", method, args });
const timed = (seconds: number) =>
  call("setConfiguration", {
    operationType: 2,
    lockTimeoutConfiguration: seconds,
    outsideHandlesCanOpenDoorConfiguration: [false, false, false, false],
    insideHandlesCanOpenDoorConfiguration: [false, false, false, false],
  });
const refuse = { kind: "refuse" };

type Case = readonly [
  device: DeviceView,
  part: number,
  command: string,
  parameters: readonly CommandParameterValue[],
  act: object,
];

const CASES: readonly Case[] = [
  [DIMMER, 0, "DON", [], set("restorePrevious", true)],
  [DIMMER, 0, "DON", [PREVIOUS], set("restorePrevious", true)],
  [DIMMER, 0, "DON", [percent(50)], set("targetValue", 50)],
  [DIMMER, 0, "DON", [percent(100)], set("targetValue", 99)],
  [DIMMER, 0, "DON", [percent(0)], set("targetValue", 0)],
  [DIMMER, 0, "DON", [given("", 255, 100)], set("targetValue", 99)],
  [DIMMER, 0, "DON", [percent(30), given("RR", 5, 58)], set("targetValue", 30, { duration: "5s" })],
  [DIMMER, 0, "DON", [percent(30), given("RR", 2, 45)], set("targetValue", 30, { duration: "2m" })],
  [DIMMER, 0, "DOF", [], set("targetValue", 0)],
  [DIMMER, 0, "DFON", [], set("targetValue", 99, { duration: "0s" })],
  [DIMMER, 0, "DFOF", [], set("targetValue", 0, { duration: "0s" })],
  [DIMMER, 0, "BRT", [], set("targetValue", 43)],
  [DIMMER, 0, "DIM", [], set("targetValue", 37)],
  [DIMMER, 0, "FDUP", [], call("startLevelChange", { direction: "up", ignoreStartLevel: true })],
  [DIMMER, 0, "FDDOWN", [], call("startLevelChange", { direction: "down", ignoreStartLevel: true })],
  [DIMMER, 0, "FDSTOP", [], call("stopLevelChange")],
  [DIMMER, 0, "BEEP", [], call("identify")],
  [DIMMER, 0, "CONFIG", [given("NUM", 3, 107), given("VAL", -1, 111)], { kind: "configure", number: 3, value: -1 }],
  [DIMMER, 0, "CONFIG", [given("NUM", 3, 107)], refuse],
  [RELAY, 0, "DON", [], set("targetValue", true)],
  [RELAY, 0, "DFOF", [], set("targetValue", false)],
  [COVER, 0, "DON", [], set("targetValue", 99)],
  [COVER, 0, "DON", [percent(20)], set("targetValue", 20)],
  [COVER, 0, "FDDOWN", [], set("targetValue", 0)],
  [COVER, 0, "FDDOWN", [percent(30)], set("targetValue", 30)],
  [COVER, 0, "FDSTOP", [], call("stopLevelChange")],
  [BLIND, 0, "FDUP", [], set("targetValue", 99)],
  [BLIND, 0, "FDSTOP", [], call("stopLevelChange", 13)],
  [BLIND, 0, "ANGLPOS", [percent(50)], set("targetValue", 50)],
  [SHADE, 0, "FDUP", [], call("startLevelChange", 12, "up")],
  [SLATS, 0, "DON", [percent(40)], set("targetValue", 40)],
  [SLATS, 0, "FDDOWN", [], set("targetValue", 0)],
  [NIGHT_LIGHT_PLUG, 0, "DON", [], set("targetValue", true)],
  [LOCK, 0, "SECMD", [given("", 1, 84)], set("targetMode", 255)],
  [LOCK, 0, "SECMD", [given("", 0, 84)], set("targetMode", 0)],
  [TIMED_LOCK, 0, LOCK_TIME, [given("", 90, 58)], timed(90)],
  [TIMED_LOCK, 0, LOCK_TIME, [given("", 0, 58)], set("operationType", 1)],
  [TIMED_LOCK, 0, "V62_OPERATION_TYPE", [given("", 1, 25)], set("operationType", 1)],
  [TIMED_LOCK, 0, "V62_OPERATION_TYPE", [given("", 2, 25)], timed(40)],
  [OLD_LOCK, 0, "SECMD", [given("", 1, 84)], set("locked", true)],
  [CLIMATE, 0, "CLISPH", [given("", 215, 4, 1)], set("setpoint", 21.5)],
  [CLIMATE, 0, "CLIMD", [given("", 11, 67)], set("mode", 11)],
  [GATE, 0, "FDUP", [], set("targetState", 255)],
  [GATE, 0, "FDDOWN", [], set("targetState", 0)],
  [GATE, 0, "V66_SIGNALING_STATE_1", [given("", 100, 78)], set("signalingState", 255)],
  [GATE, 0, "V66_SIGNALING_STATE_1", [given("", 0, 78)], set("signalingState", 0)],
  [CHIME, 0, "DON", [], set("toneId", 255)],
  [CHIME, 0, "DON", [given("", 2, 25)], set("toneId", 2)],
  [CHIME, 0, "DOF", [], set("toneId", 0)],
  [CHIME, 0, "SVOL", [percent(30)], set("defaultVolume", 30)],
  [LAMP, 0, "COLOR", [given("RED", 255, 100)], set("targetColor", { red: 255 })],
  [LAMP, 0, "COLOR", [], set("targetColor", { warmWhite: 255, red: 0 })],
  [OLD, 0, "DON", [], set("targetValue", 255)],
  [OLD, 0, "DON", [percent(40)], set("targetValue", 40)],
  [PLUG, 143, "RESET", [], call("reset")],
];

describe("commands on the air", () => {
  test.each(CASES)("%#: part %i, %s %j", (device, part, command, parameters, act) => {
    const node = planDevice(device).find((plan) => plan.part === part);
    const planned = node?.commands.find(({ id }) => id === command);
    const told: Act | undefined = planned?.act({ parameters, current: () => 40 });
    expect(told).toMatchObject(act);
  });

  test("a lock is not timed without a time", () => {
    const kind = planDevice(TIMED_LOCK)[0]?.commands.find(({ id }) => id === "V62_OPERATION_TYPE");
    expect(kind?.act({ parameters: [given("", 2, 25)], current: () => undefined })).toMatchObject(refuse);
  });

  test("a step from a level that is not known is refused", () => {
    const brighter = planDevice(DIMMER)[0]?.commands.find(({ id }) => id === "BRT");
    expect(brighter?.act({ parameters: [], current: () => undefined })).toMatchObject(refuse);
  });
});

const CLASSES: readonly (readonly [device: DeviceView, kind: DeviceClass])[] = [
  [DIMMER, "light"],
  [LAMP, "light"],
  [RELAY, "switch"],
  [CHIME, "switch"],
  [COVER, "cover"],
  [BLIND, "cover"],
  [SHADE, "cover"],
  [SLATS, "cover"],
  [NIGHT_LIGHT_PLUG, "switch"],
  [GATE, "cover"],
  [LOCK, "lock"],
  [OLD_LOCK, "lock"],
  [CLIMATE, "climate"],
  [view(0x21, 0x01, sensor(1, 0, "°C"), basicOnly), "none"],
];

describe("nodedefs", () => {
  test.each(CLASSES)("%#: clients take the device for a %s", (device, kind) => {
    expect(nodedefs(device).map(classify)[0]).toBe(kind);
  });

  test.each([DIMMER, FAN, RELAY, COVER, BLIND, LOCK, CLIMATE, GATE, CHIME, LAMP, PLUG])(
    "%#: every editor that they name exists, for both radios",
    (device) => {
      const missing = ([4, 12] as const).flatMap((family) => unknownEditors(device, family));
      expect(missing).toEqual([]);
    },
  );

  test("equal devices share one, for any number of devices", () => {
    expect(nodedefs({ ...DIMMER, nodeId: 77 })).toEqual(nodedefs(DIMMER));
  });

  test("a fan is known by its nodedef's id, and the second radio by its prefix", () => {
    const [fan] = planDevice(FAN).map((plan) => nodeShapeOf(plan, 12).id);
    expect(fan).toMatch(/^UZY[0-9A-F]{8}Fan$/);
  });
});

describe("questions", () => {
  test("one answer is requested once, and each sensor on its own", () => {
    const [node] = planDevice(view(0x08, 0x06, sensor(1, 0, "°C"), sensor(5, 0, "%"), setpoint(1), setpoint(2), mode));
    expect(questionsOf(node ?? { properties: [] })).toHaveLength(5);
  });

  test("values that only the driver knows are not requested", () => {
    expect(questionsOf({ properties: planDevice(view(0x01, 0x01))[0]?.properties ?? [] })).toEqual([]);
  });
});

function nodedefs(device: DeviceView) {
  return planDevice(device).flatMap((plan) => nodeShapeOf(plan, 4).definitions.nodedefs ?? []);
}

function unknownEditors(device: DeviceView, family: 4 | 12): readonly string[] {
  const profile = new Profile();
  declareBuiltinProfile(profile);
  const shapes = planDevice(device).map((plan) => nodeShapeOf(plan, family).definitions);
  for (const shape of shapes) profile.declare(family, 1, shape, true);
  return shapes
    .flatMap(({ nodedefs = [] }) => nodedefs)
    .flatMap(({ properties, accepts }) => [...properties, ...accepts.flatMap(({ parameters }) => parameters)])
    .map(({ editor }) => editor)
    .filter((editor) => profile.editor(editor, family, 1) === null);
}
