/** Devices that are known by their nodedef alone: the rules of every driver, and what each command does to them. */

import { describe, expect, test } from "vitest";
import type { CommandParameterValue } from "../../src/drivers/command.ts";
import type { ServiceStore } from "../../src/drivers/service.ts";
import type { PlayedDevice } from "../../src/drivers/virtual/played-device.ts";
import { createVirtualDriver, type Fault } from "../../src/drivers/virtual/virtual-driver.ts";
import { declareBuiltinProfile } from "../../src/profile/builtin/builtin.ts";
import { editor, nodedef } from "../../src/profile/builtin/definition-text.ts";
import { Profile } from "../../src/profile/profile.ts";
import { roleOf } from "../../src/profile/roles.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { describeDriver } from "./conformance.ts";
import { memoryStore, RecordingHost } from "./recording-host.ts";

const NOON = Date.parse("2026-06-01T12:00:00Z");
const LAMP = "1A 2B 3C 1";
const THING = "n003_thing";

const value = (raw: number, uom: number, id = "", prec = 0): CommandParameterValue => ({ id, value: raw, uom, prec });

/** A property as received from another controller. */
const told = (id: string, raw: number | null, uom: number, prec = 0, text: string | null = null) => ({
  id,
  value: raw,
  uom,
  prec,
  text,
});

/** A device of family 1 with a nodedef of the built-in profile, or a plugin's with one of its own. */
function device(profile: Profile, nodeDefId: string, properties: PlayedDevice["properties"]): PlayedDevice {
  const [address, family, instance] = profile.nodedef(nodeDefId, 1, 1) ? [LAMP, 1, 1] : [THING, 10, 3];
  const spec = {
    address,
    name: "Thing",
    nodeDefId,
    family,
    instance,
    type: "1.1.0.0",
    primary: address,
    devtype: null,
  };
  return {
    spec,
    nodedef: profile.nodedef(nodeDefId, family, instance),
    role: roleOf(profile, spec),
    editor: (id) => profile.editor(id, family, instance),
    properties,
  };
}

function subjectWith(store: ServiceStore) {
  const clock = new VirtualClock(NOON);
  const host = new RecordingHost(clock, store);
  const faults = new Map<string, Fault>();
  const played = [device(host.profile, "DimmerLampSwitch", [told("ST", 0, 100), told("OL", 180, 100)])];
  const driver = createVirtualDriver({
    devices: [],
    played,
    still: true,
    latencyMs: 0,
    timeZone: "UTC",
    faults: (address) => faults.get(address) ?? null,
  });
  return {
    driver,
    host,
    advance: (spanMs: number) => clock.advance(spanMs),
    lamp: LAMP,
    deafen: () => void faults.set(LAMP, "silence"),
    press: (control: string) => void driver.simulation?.act(LAMP, control, null),
    parameters: null,
    lock: null,
  } as const;
}

describeDriver("virtual, of devices known by their nodedef,", subjectWith);

const OWN_NODEDEFS = [
  nodedef("pool", {
    name: "Pool",
    properties: "ST:ONOFF GV1:CIRCUIT GV2:PERCENT GV3:DAYS GV4:DAYS",
    accepts:
      "DON DOF GV2(PERCENT) SET_CIRCUIT(CIRCUIT) SPEED(PERCENT) BOTH(c:CIRCUIT=GV1,s:PERCENT=GV2?) SETGV3(DAYS) SERVICE QUERY",
    labels: { SPEED: "Set Pump Speed", GV2: "Pump Speed" },
  }),
  nodedef("heater", {
    name: "Heater",
    properties: "CLISPH:DEGREES CLISPC:DEGREES CLITEMP:DEGREES",
    accepts: "CLISPH(DEGREES=CLISPH) CLISPHD(DEGREES) BRT DIM QUERY",
  }),
  nodedef("cover", { name: "Cover", properties: "ST:POSITION", accepts: "OPEN CLOSE STOP TOGGLE QUERY" }),
  nodedef("door", { name: "Door", properties: "ST:LOCK", accepts: "SECMD(SECURE) QUERY" }),
];
const OWN_EDITORS = [
  editor("CIRCUIT", { uom: 25, subset: "0-3", names: "0 Off, 1 Pool, 2 Spa, 3 Both" }),
  editor("DAYS", { uom: 10, min: 0, max: 99 }),
  editor("DEGREES", { uom: 17, prec: 1, min: 40, max: 104 }),
  editor("POSITION", { uom: 97, min: 0, max: 100 }, { uom: 79, subset: "0,100" }),
  editor("LOCK", { uom: 11, subset: "0,100-102" }),
  editor("SECURE", { uom: 84, subset: "0,1" }),
];

async function bench(nodeDefId: string, properties: PlayedDevice["properties"], isKnown = true) {
  const clock = new VirtualClock(NOON);
  const host = new RecordingHost(clock, memoryStore());
  host.profile.declare(10, 3, { nodedefs: OWN_NODEDEFS, editors: OWN_EDITORS });
  const known = device(host.profile, nodeDefId, properties);
  const played = isKnown ? known : { ...known, nodedef: null };
  const driver = createVirtualDriver({ devices: [], played: [played], still: true, latencyMs: 0, timeZone: "UTC" });
  await driver.start(host, new AbortController().signal);
  const { address } = known.spec;
  return {
    host,
    driver,
    clock,
    address,
    /** Sends a command. @returns how it ended, and the values that follow it. */
    async resultOf(command: string, ...parameters: readonly CommandParameterValue[]) {
      host.forget();
      const outcome = await driver.send({
        id: "c1",
        address,
        command,
        parameters,
        signal: new AbortController().signal,
      });
      await clock.advance(10_000);
      const values = host.reports.map((report) => [report.id, report.value]);
      return [outcome.kind, Object.fromEntries(values)];
    },
  };
}

describe("a lamp that reports bytes", () => {
  const dimmer = () =>
    bench("DimmerLampSwitch", [told("ST", 0, 100, 0, "dark"), told("OL", 180, 100), told("RR", 28, 25)]);

  test("goes to the requested level, or else to its on level", async () => {
    const { resultOf } = await dimmer();
    expect(await resultOf("DON", value(50, 51))).toEqual(["acked", { ST: 128 }]);
    expect(await resultOf("DON")).toEqual(["acked", { ST: 180 }]);
    expect(await resultOf("DFON")).toEqual(["acked", { ST: 255 }]);
    expect(await resultOf("DIM")).toEqual(["acked", { ST: 247 }]);
    expect(await resultOf("FDDOWN")).toEqual(["acked", { ST: 0 }]);
    expect(await resultOf("BRT")).toEqual(["acked", { ST: 8 }]);
    expect(await resultOf("DOF")).toEqual(["acked", { ST: 0 }]);
  });

  test("accepts the values of its write commands, in the unit in which the property was received", async () => {
    const { resultOf } = await dimmer();
    expect(await resultOf("OL", value(100, 51))).toEqual(["acked", { OL: 255 }]);
    expect(await resultOf("RR", value(20, 25))).toEqual(["acked", { RR: 20 }]);
  });

  test("a command that its nodedef does not explain is accepted, changes nothing, and is reported once", async () => {
    const { resultOf, host } = await dimmer();
    expect(await resultOf("BEEP")).toEqual(["acked", {}]);
    expect(await resultOf("BEEP")).toEqual(["acked", {}]);
    expect(host.logLines.filter((line) => line.includes("BEEP"))).toHaveLength(1);
  });

  test("the text of a received value belongs to that value", async () => {
    const { resultOf, host, address } = await dimmer();
    expect(host.last(address, "ST")).toMatchObject({ value: 0, text: "dark" });
    await resultOf("DFON");
    expect(host.last(address, "ST")).not.toHaveProperty("text");
    await resultOf("DOF");
    expect(host.last(address, "ST")).toMatchObject({ value: 0, text: "dark" });
  });
});

describe("a thing of a plugin", () => {
  const pool = () => bench("pool", [told("ST", 0, 78), told("GV1", 1, 25), told("GV2", 40, 51), told("GV3", 7, 10)]);

  test.each([
    ["a status with two values", "DON", [], { ST: 100 }],
    ["a command that is called like a property", "GV2", [value(70, 51)], { GV2: 70 }],
    ["a set and the id of a property", "SETGV3", [value(12, 10)], { GV3: 12 }],
    ["a set and the label of a property", "SPEED", [value(55, 51)], { GV2: 55 }],
    ["the one property that has the parameter's editor", "SET_CIRCUIT", [value(3, 25)], { GV1: 3 }],
    ["every parameter that starts from a property", "BOTH", [value(2, 25, "c"), value(9, 51, "s")], { GV1: 2, GV2: 9 }],
    ["a parameter that was left out", "BOTH", [value(2, 25, "c")], { GV1: 2 }],
    ["nothing that is known", "SERVICE", [], {}],
  ] as const)("writes %s", async (_what, command, parameters, values) => {
    const { resultOf } = await pool();
    expect(await resultOf(command, ...parameters)).toEqual(["acked", values]);
  });

  test("a property without a received value is reported once it has one", async () => {
    const { driver, host, address } = await pool();
    expect(host.last(address, "GV4")).toBeNull();
    host.forget();
    await driver.query(address, new AbortController().signal);
    expect(host.reports.map(({ id, value }) => [id, value])).toEqual([
      ["ST", 0],
      ["GV1", 1],
      ["GV2", 40],
      ["GV3", 7],
    ]);
  });

  test("without a nodedef every command is accepted, and the common ones switch it", async () => {
    const { resultOf } = await bench("pool", [told("ST", 0, 78)], false);
    expect(await resultOf("DON")).toEqual(["acked", { ST: 100 }]);
    expect(await resultOf("WHATEVER", value(1, 0))).toEqual(["acked", {}]);
  });
});

test("a thermostat shifts its set-points", async () => {
  const { resultOf } = await bench("heater", [
    told("CLISPH", 680, 17, 1),
    told("CLISPC", 760, 17, 1),
    told("CLITEMP", 701, 17, 1),
  ]);
  expect(await resultOf("BRT")).toEqual(["acked", { CLISPH: 690, CLISPC: 770 }]);
  expect(await resultOf("CLISPHD", value(-20, 17, "", 1))).toEqual(["acked", { CLISPH: 670 }]);
  expect(await resultOf("CLISPH", value(21, 4))).toEqual(["acked", { CLISPH: 698 }]);
});

test("a blind opens and closes, and so does a door whose unit counts the other way", async () => {
  const blind = await bench("cover", [told("ST", 30, 97)]);
  expect(await blind.resultOf("OPEN")).toEqual(["acked", { ST: 100 }]);
  expect(await blind.resultOf("CLOSE")).toEqual(["acked", { ST: 0 }]);
  expect(await blind.resultOf("TOGGLE")).toEqual(["acked", { ST: 100 }]);
  const door = await bench("cover", [told("ST", 0, 79)]);
  expect(await door.resultOf("CLOSE")).toEqual(["acked", { ST: 100 }]);
});

test("a lock locks and unlocks, and takes codes", async () => {
  const { resultOf, driver, address } = await bench("door", [told("ST", 0, 11)]);
  expect(await resultOf("SECMD", value(1, 84))).toEqual(["acked", { ST: 100 }]);
  expect(await resultOf("SECMD", value(0, 84))).toEqual(["acked", { ST: 0 }]);
  const { signal } = new AbortController();
  expect((await driver.codes?.set(address, 3, "8246", signal))?.kind).toBe("acked");
});

test.each([
  ["its category is door lock", "4.64.3.0", 111, true],
  ["it has no category, and its class is a door lock", "4.64.3.0", null, true],
  ["its category is barrier operator", "4.64.7.0", 184, false],
  ["it has no category, and its class is a barrier operator", "4.64.7.0", null, false],
  ["it is a dimmer", "4.17.1.0", 109, false],
])("a device with an unknown nodedef takes user codes or not: %s", async (_when, type, category, takesCodes) => {
  const host = new RecordingHost(new VirtualClock(NOON), memoryStore());
  const known = device(host.profile, "door", [told("ST", 0, 11)]);
  const devtype = category === null ? null : { generic: type, manufacturer: "0.0.0", category };
  const spec = { ...known.spec, nodeDefId: "unknown", family: 4, instance: 4, type, devtype };
  const played = { ...known, nodedef: null, role: roleOf(host.profile, spec), spec };
  const driver = createVirtualDriver({ devices: [], played: [played], still: true, latencyMs: 0, timeZone: "UTC" });
  await driver.start(host, new AbortController().signal);
  expect(driver.codes?.slots(known.spec.address)).toBe(takesCodes ? 30 : 0);
});

test("every nodedef of the built-in profile is played: each command it accepts is acknowledged", async () => {
  const profile = new Profile();
  declareBuiltinProfile(profile);
  const ids = [...(profile.instance(1, 1)?.nodedefs.keys() ?? [])];
  const ends = await Promise.all(
    ids.map(async (id) => {
      const { resultOf, host, address } = await bench(id, []);
      const accepts = host.nodedefOf(address)?.accepts ?? [];
      const outcomes: unknown[] = [];
      for (const { id: command } of accepts) outcomes.push((await resultOf(command))[0]);
      return { id, outcomes: new Set(outcomes), violations: host.violations };
    }),
  );
  expect(ends.filter(({ violations }) => violations.length > 0)).toEqual([]);
  expect(new Set(ends.flatMap(({ outcomes }) => [...outcomes]))).toEqual(new Set(["acked"]));
});
