/** The tables of the Matter bridge without the library: device types, values, commands, limits, levels and names. */

import { expect, test } from "vitest";
import { type Facts, KIND_OF_ROLE, KINDS } from "../../../src/bridges/matter/device-table.ts";
import { effectOfLevel, levelValue, matterLevel } from "../../../src/bridges/matter/levels.ts";
import {
  fixedOf,
  hundredthsOf,
  limitsOf,
  systemMode,
  thermostatFeatures,
} from "../../../src/bridges/matter/thermostat.ts";
import { uniqueNames } from "../../../src/bridges/matter/unique-names.ts";
import { commandOf } from "../../../src/profile/command-words.ts";
import type { NodeRole } from "../../../src/profile/roles-table.ts";

type Given = {
  /** Commands; "DON(x)" takes a value. */
  readonly accepts?: string;
  /** Displayed values and units by property. */
  readonly values?: Readonly<Record<string, readonly [value: number | null, uom: number]>>;
  readonly role?: NodeRole;
};

function facts({ accepts = "", values = {}, role = "other" }: Given): Facts {
  const commands = accepts.split(" ");
  return {
    accepts: (id) => commands.some((each) => each.replace("(x)", "") === id),
    takesValue: (id) => commands.includes(`${id}(x)`),
    reports: (id) => id in values,
    role,
    commandFor: (word) =>
      commandOf(word, {
        accepts: commands.map((each) => ({
          id: each.replace("(x)", ""),
          parameters: each.endsWith("(x)") ? [{}] : [],
        })),
      }),
    value: (id) => values[id]?.[0] ?? null,
    uom: (id) => values[id]?.[1] ?? 0,
    limits: () => ({ min: 400, max: 3500 }),
  };
}

test.each([
  ["dimmer", { accepts: "DON(x) DOF", values: { ST: [0, 51] } }, "dimmable-light"],
  ["dimmer", { accepts: "DON(x) DOF", values: { ST: [0, 78] } }, "light"],
  ["outlet", {}, "outlet"],
  ["cover", { accepts: "FDUP FDDOWN FDSTOP" }, "cover"],
  ["cover", { accepts: "FDUP" }, null],
  ["thermostat", { accepts: "CLISPH(x)", values: { ST: [20, 4], CLISPH: [20, 4] } }, "thermostat"],
  ["thermostat", { accepts: "CLIMD(x)", values: { ST: [20, 4] } }, "temperature"],
  ["thermostat", { accepts: "CLISPH(x)", values: { ST: [40, 101], CLISPH: [40, 101] } }, null],
  ["humidity", { values: { CLIHUM: [40, 22] } }, "humidity"],
  ["light", { values: { ST: [40, 51] } }, null],
] as const)("a %s of %j is shown as %s", (role, given, kind) => {
  expect(KIND_OF_ROLE[role]?.(facts(given)) ?? null).toBe(kind);
});

test("buttons, alarms and parts of devices are not shown", () => {
  for (const role of ["button", "alarm", "heartbeat", "low-battery", "repeater", "other"] as const) {
    expect(KIND_OF_ROLE[role]).toBeUndefined();
  }
});

test.each([
  ["dimmable-light", [0, 51], { onOff: { onOff: false } }],
  ["dimmable-light", [50, 51], { onOff: { onOff: true }, levelControl: { currentLevel: 127 } }],
  ["dimmable-light", [1, 100], { onOff: { onOff: true }, levelControl: { currentLevel: 1 } }],
  ["dimmable-light", [null, 51], {}],
  ["contact", [0, 79], { booleanState: { stateValue: false } }],
  ["contact", [100, 79], { booleanState: { stateValue: true } }],
  ["contact", [101, 79], {}],
  ["smoke", [101, 78], {}],
  ["light", [101, 78], {}],
  ["leak", [100, 78], { booleanState: { stateValue: true } }],
  ["leak", [null, 78], {}],
  ["lock", [100, 11], { doorLock: { lockState: 1 } }],
  ["lock", [102, 11], { doorLock: { lockState: 0 } }],
  ["lock", [101, 11], { doorLock: { lockState: null } }],
  ["occupancy", [100, 78], { occupancySensing: { occupancy: { occupied: true } } }],
  ["smoke", [100, 78], { smokeCoAlarm: { smokeState: 2 } }],
  ["temperature", [68, 17], { temperatureMeasurement: { measuredValue: 2000 } }],
  ["illuminance", [0, 36], { illuminanceMeasurement: { measuredValue: 0 } }],
  ["illuminance", [100, 36], { illuminanceMeasurement: { measuredValue: 20_001 } }],
] as const)("%s: the status %j is %j", (kind, ST, attributes) => {
  expect(KINDS[kind].state(facts({ values: { ST } }))).toEqual(attributes);
});

test("a sensor that says dry is wet when it is off", () => {
  const state = (value: number) => KINDS.leak.state(facts({ values: { ST: [value, 100] }, role: "leak-dry" }));
  expect([state(255), state(0)]).toEqual([
    { booleanState: { stateValue: false } },
    { booleanState: { stateValue: true } },
  ]);
});

const COVER = { accepts: "DON(x) DOF FDSTOP", values: { ST: [70, 51] } } as const;

test("a cover counts the percent that is closed, and has a position only where its node has one", () => {
  expect(KINDS.cover.state(facts(COVER))).toEqual({ windowCovering: { currentPositionLiftPercent100ths: 3000 } });
  expect(KINDS.cover.features?.(facts(COVER))).toEqual(["PositionAwareLift"]);
  const blind = facts({ accepts: "FDUP FDDOWN", values: { ST: [0, 79] } });
  expect([KINDS.cover.features?.(blind), KINDS.cover.state(blind)]).toEqual([[], {}]);
  const moving = facts({ ...COVER, values: { ST: [103, 97] } });
  expect(KINDS.cover.state(moving)).toEqual({});
});

test.each([
  ["light", {}, { kind: "on" }, ["DON"]],
  ["light", {}, { kind: "level", level: 7 }, null],
  ["dimmable-light", { values: { ST: [0, 51] } }, { kind: "level", level: 127 }, ["DON 50"]],
  ["dimmable-light", { values: { ST: [0, 100] } }, { kind: "level", level: 254 }, ["DON 255"]],
  ["dimmable-light", { accepts: "FDUP" }, { kind: "fade-up" }, ["FDUP"]],
  ["dimmable-light", {}, { kind: "fade-up" }, null],
  ["fan", { accepts: "DON(x) DOF", values: { ST: [0, 51] } }, { kind: "fan", percent: 33 }, ["DON 33"]],
  ["fan", { accepts: "DON DOF" }, { kind: "fan", percent: 33 }, ["DON"]],
  ["fan", {}, { kind: "fan", percent: 0 }, ["DOF"]],
  ["cover", COVER, { kind: "lift", closed: 25 }, ["DON 75"]],
  ["cover", COVER, { kind: "lift", closed: 100 }, ["DOF"]],
  ["cover", { accepts: "DON(x) FDUP FDDOWN" }, { kind: "open" }, ["FDUP"]],
  ["cover", { accepts: "FDUP FDDOWN" }, { kind: "open" }, ["FDUP"]],
  ["cover", { accepts: "FDUP FDDOWN" }, { kind: "stop" }, null],
  ["lock", { accepts: "SECMD(x)" }, { kind: "lock" }, ["SECMD 1"]],
  ["lock", { accepts: "LOCK UNLOCK" }, { kind: "unlock" }, ["UNLOCK"]],
] as const)("%s of %j: %j is %j", (kind, given, command, expected) => {
  expect(sent(kind, facts(given), command)).toEqual(expected);
});

const CLIMATE = facts({
  accepts: "CLISPH(x) CLISPC(x) CLIMD(x)",
  values: { ST: [21, 4], CLISPH: [20, 4], CLISPC: [24, 4], CLIMD: [3, 67] },
});

test("of two set-points the one that pushes the other goes last, so that a thermostat with a band of its own moves the other", () => {
  expect(sent("thermostat", CLIMATE, { kind: "climate", heat: 2600, cool: 2600 })).toEqual(["CLISPC 26", "CLISPH 26"]);
  expect(sent("thermostat", CLIMATE, { kind: "climate", heat: 1850, cool: 1850 })).toEqual([
    "CLISPH 18.5",
    "CLISPC 18.5",
  ]);
  // It has moved the cooling set-point away by itself, and is asked for more.
  const spread = facts({
    accepts: "CLISPH(x) CLISPC(x)",
    values: { ST: [21, 4], CLISPH: [26.5, 4], CLISPC: [28.5, 4] },
  });
  expect(sent("thermostat", spread, { kind: "climate", heat: 2750, cool: 2750 })).toEqual([
    "CLISPC 27.5",
    "CLISPH 27.5",
  ]);
  expect(sent("thermostat", CLIMATE, { kind: "climate", mode: 4 })).toEqual(["CLIMD 1"]);
});

test("limits are sorted, clamped and never empty, and two pairs of them fit a dead band of nothing", () => {
  expect(limitsOf(3000, 500)).toEqual({ min: 500, max: 3000 });
  expect(limitsOf(-90_000, 90_000)).toEqual({ min: -5000, max: 10_000 });
  expect([limitsOf(null, 3000), limitsOf(2000, 2000)]).toEqual([
    { min: 400, max: 4000 },
    { min: 400, max: 4000 },
  ]);
  expect(fixedOf(["Heating", "Cooling", "AutoMode"], { min: 1000, max: 3200 }, { min: 500, max: 3000 })).toEqual({
    thermostat: {
      ...{
        absMinHeatSetpointLimit: 500,
        minHeatSetpointLimit: 500,
        maxHeatSetpointLimit: 3200,
        absMaxHeatSetpointLimit: 3200,
      },
      ...{
        absMinCoolSetpointLimit: 500,
        minCoolSetpointLimit: 500,
        maxCoolSetpointLimit: 3200,
        absMaxCoolSetpointLimit: 3200,
      },
      ...{ minSetpointDeadBand: 0, controlSequenceOfOperation: 4 },
    },
  });
});

test.each([
  [{ heats: true, cools: false, hasModes: true }, ["Heating"]],
  [{ heats: false, cools: true, hasModes: true }, ["Cooling"]],
  [{ heats: true, cools: true, hasModes: false }, ["Heating", "Cooling"]],
  [{ heats: true, cools: true, hasModes: true }, ["Heating", "Cooling", "AutoMode"]],
  [{ heats: false, cools: false, hasModes: true }, null],
])("a thermostat that %j has the features %j", (given, features) => {
  expect(thermostatFeatures(given)).toEqual(features);
});

test("a mode that the thermostat does not have in Matter shows as one that it has", () => {
  expect([
    systemMode(3, ["Heating"]),
    systemMode(2, ["Heating"]),
    systemMode(1, ["Cooling"]),
    systemMode(0, ["Heating"]),
  ]).toEqual([4, 4, 3, 0]);
});

test("degrees without a scale are not guessed", () => {
  expect([hundredthsOf(70, 14), hundredthsOf(140, 101), hundredthsOf(70, 17)]).toEqual([null, null, 2111]);
});

test("a level is never 0, and a lamp that is off has none", () => {
  expect([
    matterLevel(0, 51),
    matterLevel(1, 51),
    matterLevel(100, 51),
    matterLevel(null, 51),
    matterLevel(101, 51),
  ]).toEqual([null, 3, 254, null, null]);
  expect([levelValue(1, 51), levelValue(254, 51), levelValue(1, 100)]).toEqual([1, 100, 1]);
});

const LEVEL = { level: 100, minLevel: 1, withOnOff: true, isOn: false, sinceOffMs: null } as const;

test.each([
  ["with on and off, a lamp that is off comes on", {}, "set"],
  ["the lowest level with on and off is off", { level: 1 }, "off"],
  ["without on and off, a lamp that is off stays off", { withOnOff: false }, "store"],
  ["without on and off, a lamp that is on takes it", { withOnOff: false, isOn: true }, "set"],
  ["right after an off it is stored", { sinceOffMs: 200 }, "store"],
  ["right after an off it is stored, also while the lamp still reports on", { sinceOffMs: 200, isOn: true }, "store"],
  ["some time after an off the lamp comes on", { sinceOffMs: 1500 }, "set"],
] as const)("a level: %s", (_claim, change, effect) => {
  expect(effectOfLevel({ ...LEVEL, ...change })).toBe(effect);
});

test("names are unique at 32 bytes, and whole characters are cut", () => {
  const long = "The lamp beside the window of the upper floor";
  const names = uniqueNames([long, `${long} left`, "Lamp", "Lamp", " ", "ä".repeat(20)]);
  expect(names).toEqual([
    ...["The lamp beside the window of th", "The lamp beside the window of 2", "Lamp", "Lamp 2", "?", "ä".repeat(16)],
  ]);
});

function sent(
  kind: keyof typeof KINDS,
  given: Facts,
  command: Parameters<NonNullable<(typeof KINDS)["light"]["command"]>>[1],
) {
  const commands = KINDS[kind].command?.(given, command) ?? null;
  return (
    commands?.map(({ command: id, parameters }) =>
      [id, ...parameters.map(({ value, prec }) => value / 10 ** prec)].join(" "),
    ) ?? null
  );
}
