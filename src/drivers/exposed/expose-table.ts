/**
 * What each expose of a Zigbee device becomes, specific rows before general ones. Units and ids are those of the interface.
 *
 * @see docs/zigbee.md
 */

import { locksBy } from "../../profile/command-words.ts";
import { BOLT, OPENED, type StateShape, SWITCHED } from "../../profile/state-shapes.ts";
import { UOM, uomOfSymbol } from "../../profile/uom.ts";
import { ownMember } from "../../util/foreign-value.ts";
import { givenValue, PERCENT } from "../node-parts.ts";
import type { Expose, Plain } from "./expose.ts";
import {
  command,
  type ExposedFeature,
  type ExposedPart,
  indexFeature,
  type Message,
  numberFeature,
  stateFeature,
} from "./feature.ts";

/** Names the next free property of a node for values without an id of their own. */
type NextId = () => string;
type Row = { readonly fits: (expose: Expose) => boolean; readonly make: (expose: Expose, next: NextId) => ExposedPart };

/** The full brightness of lamps. */
const BRIGHTNESS_MAX = 254;
const STEP = 25;
const NOTHING: ExposedPart = { features: [], commands: [] };
const THERMOSTAT_MODES: Readonly<Record<string, number>> = {
  off: 0,
  heat: 1,
  cool: 2,
  auto: 3,
  emergency_heating: 4,
  fan_only: 6,
  dry: 8,
};
const RUNNING_STATES: Readonly<Record<string, number>> = { idle: 0, heat: 1, cool: 2, fan_only: 3 };
const RAW_UOM = 56;

/** Main functions: they make a node of their own where they have an endpoint of their own. */
const MAIN: Readonly<Record<string, (expose: Expose, next: NextId) => ExposedPart>> = {
  light,
  switch: (expose) => onOff(featureOf(expose, "state")),
  cover,
  lock,
  climate,
  fan,
};

export function isMain({ type }: Expose): boolean {
  return Object.hasOwn(MAIN, type);
}

export function mainPart(expose: Expose, next: NextId): ExposedPart {
  return ownMember(MAIN, expose.type)?.(expose, next) ?? NOTHING;
}

type Known = readonly [
  id: string,
  uom: number,
  prec: number,
  byUnit?: Readonly<Record<string, readonly [uom: number, prec: number]>>,
];

/** Numeric exposes by name. */
const NUMBERS: Readonly<Record<string, Known>> = {
  battery: ["BATLVL", UOM.percent, 0],
  temperature: ["CLITEMP", UOM.celsius, 2, { "°F": [UOM.fahrenheit, 2] }],
  local_temperature: ["CLITEMP", UOM.celsius, 2, { "°F": [UOM.fahrenheit, 2] }],
  humidity: ["CLIHUM", 22, 1],
  pressure: ["BARPRES", 118, 1, { kPa: [31, 2] }],
  illuminance: ["LUMIN", 36, 0],
  illuminance_lux: ["LUMIN", 36, 0],
  soil_moisture: ["MOIST", UOM.percent, 1],
  co2: ["CO2LVL", 54, 0],
  voc: ["VOCLVL", 54, 0, { "µg/m³": [122, 0], "μg/m³": [122, 0] }],
  pm25: ["PM25", 122, 0],
  pm10: ["PM10", 122, 0],
  power: ["CPW", 73, 1, { kW: [30, 3] }],
  current: ["CC", 1, 3, { mA: [41, 0] }],
  voltage: ["CV", 72, 2, { mV: [43, 0] }],
  energy: ["TPW", 33, 3, { Wh: [119, 0] }],
  power_factor: ["PF", 53, 2],
  ac_frequency: ["FREQ", 90, 2],
};

type Sensed = { readonly category: number; readonly shape: StateShape };

/** Binary exposes that tell what the device is, the most important first. */
export const SENSED: Readonly<Record<string, Sensed>> = {
  smoke: { category: 156, shape: SWITCHED },
  carbon_monoxide: { category: 151, shape: SWITCHED },
  gas: { category: 102, shape: SWITCHED },
  water_leak: { category: 159, shape: SWITCHED },
  contact: { category: 160, shape: OPENED },
  occupancy: { category: 155, shape: SWITCHED },
  presence: { category: 155, shape: SWITCHED },
  vibration: { category: 158, shape: SWITCHED },
  // Of somebody or something that is at home or away.
  tracker: { category: 101, shape: SWITCHED },
};

const ROWS: readonly Row[] = [
  {
    fits: ({ type, name }) => type === "numeric" && Object.hasOwn(NUMBERS, name),
    make: (expose) => ({ features: knownNumber(expose), commands: [] }),
  },
  { fits: ({ isInternal, name }) => isInternal || name === "linkquality", make: () => NOTHING },
  // A value under a main function's name is that of its node.
  { fits: ({ name }) => name === "action", make: () => NOTHING },
  {
    fits: ({ type }) => type === "binary",
    make: (expose, next) => otherState(expose, next()),
  },
  { fits: ({ type }) => type === "numeric", make: (expose, next) => otherNumber(expose, next()) },
  {
    fits: ({ type, values }) => type === "enum" && values.length > 0,
    make: (expose, next) => otherChoice(expose, next()),
  },
];

/** A value beside the main function. */
export function valuePart(expose: Expose, next: NextId): ExposedPart {
  return ROWS.find(({ fits }) => fits(expose))?.make(expose, next) ?? NOTHING;
}

/** A sensor's main state. Zigbee calls a closed contact true. */
export function sensedFeature(expose: Expose, { shape }: Sensed): ExposedFeature {
  const { name, property, access } = expose;
  const is = (value: unknown) => {
    if (name === "contact" && typeof value === "boolean") return !value;
    return stateOf(expose, value);
  };
  return stateFeature("ST", shape, { property, access, is });
}

function featureOf({ features }: Expose, name: string): Expose | null {
  return features.find((each) => each.name === name) ?? null;
}

/** null: neither of both. */
function stateOf({ valueOn, valueOff }: Expose, value: unknown): boolean | null {
  return value === valueOn ? true : value === valueOff ? false : null;
}

function onOff(state: Expose | null): ExposedPart {
  if (!state) return NOTHING;
  const { property, access, valueOn, valueOff } = state;
  const is = (value: unknown) => stateOf(state, value);
  return {
    features: [stateFeature("ST", SWITCHED, { property, access, is })],
    commands: [command("DON", () => ({ [property]: valueOn })), command("DOF", () => ({ [property]: valueOff }))],
  };
}

function light(expose: Expose): ExposedPart {
  const state = featureOf(expose, "state");
  const brightness = featureOf(expose, "brightness");
  if (!state) return NOTHING;
  if (!brightness) return onOff(state);
  const level = brightness.property;
  const { property, valueOn, valueOff } = state;
  const percentOf = (value: number) => Math.round((Math.min(value, BRIGHTNESS_MAX) * 100) / BRIGHTNESS_MAX);
  const status: ExposedFeature = {
    ...numberFeature("ST", { property: level, uom: UOM.percent, bounds: [0, 100], access: state.access }),
    asked: (state.access & 4) === 0 ? [] : [property],
    // The brightness stays while it is off, and some messages have no state.
    read(message) {
      if (message[property] === valueOff) return 0;
      const value = message[level];
      if (typeof value === "number") return Math.max(percentOf(value), 1);
      if (message[property] === valueOn) return Object.hasOwn(message, level) ? null : undefined;
      return Object.hasOwn(message, property) ? null : undefined;
    },
  };
  const move = (key: string, value: unknown): Message => ({ [`${level}_${key}`]: value });
  const commands = [
    command(
      "DON",
      (parameters) => {
        const percent = givenValue(parameters);
        if (percent === null) return { [property]: valueOn };
        if (percent <= 0) return { [property]: valueOff };
        return { [level]: Math.max(1, Math.round((Math.min(percent, 100) * BRIGHTNESS_MAX) / 100)) };
      },
      PERCENT,
      { isOptional: true },
    ),
    command("DOF", () => ({ [property]: valueOff })),
    command("BRT", () => move("step_onoff", STEP)),
    command("DIM", () => move("step_onoff", -STEP)),
    command("FDUP", () => move("move_onoff", STEP)),
    command("FDDOWN", () => move("move_onoff", -STEP)),
    command("FDSTOP", () => move("move", "stop")),
  ];
  const steps = commands.filter(({ id }) => expose.canMove || id === "DON" || id === "DOF");
  const parts = [colorTemperature(expose), color(expose)];
  return {
    features: [status, ...parts.flatMap(({ features }) => features)],
    commands: [...steps, ...parts.flatMap((part) => part.commands)],
  };
}

const MIRED = 152;

function colorTemperature(expose: Expose): ExposedPart {
  const found = featureOf(expose, "color_temp");
  if (!found) return NOTHING;
  const { property, access, min, max } = found;
  const bounds = min !== null && max !== null ? ([min, max] as const) : null;
  const feature = numberFeature("GV1", { property, access, uom: MIRED, bounds, label: "Color Temperature" });
  const set = command("GV1", (parameters) => withValue(property, givenValue(parameters)), feature.editor, {
    label: "Color Temperature",
  });
  return { features: [feature], commands: [set] };
}

const HUE = 149;

function color(expose: Expose): ExposedPart {
  const found = featureOf(expose, "color_hs") ?? featureOf(expose, "color_xy");
  if (!found) return NOTHING;
  const { property } = found;
  const member = (id: string, name: string, uom: number, max: number, label: string) => {
    const feature = numberFeature(id, { property, uom, bounds: [0, max], label });
    const read = (message: Message) => {
      const value = message[property];
      if (typeof value !== "object" || value === null || !(name in value)) return undefined;
      const read = (value as Message)[name];
      return typeof read === "number" && Number.isFinite(read) ? read : null;
    };
    const set = command(id, (parameters) => inColor(property, name, givenValue(parameters)), feature.editor, { label });
    return { feature: { ...feature, read }, set };
  };
  const both = [member("GV2", "hue", HUE, 360, "Hue"), member("GV3", "saturation", UOM.percent, 100, "Saturation")];
  return { features: both.map(({ feature }) => feature), commands: both.map(({ set }) => set) };
}

function inColor(property: string, name: string, value: number | null): Message | null {
  return value === null ? null : { [property]: { [name]: value } };
}

function withValue(property: string, value: number | null): Message | null {
  return value === null ? null : { [property]: value };
}

/** No DOF, or clients would take it for a lamp. Where it has a position, that decides. */
function cover(expose: Expose): ExposedPart {
  const state = featureOf(expose, "state");
  const position = featureOf(expose, "position");
  const stateKey = state?.property ?? "state";
  const features: ExposedFeature[] = [];
  if (position) {
    const { property, access } = position;
    features.push(numberFeature("ST", { property, access, uom: UOM.percent, bounds: [0, 100] }));
  } else if (state) {
    const is = (value: unknown) => (value === "OPEN" ? true : value === "CLOSE" ? false : null);
    features.push(stateFeature("ST", OPENED, { property: stateKey, access: state.access, is }));
  }
  const open = command(
    "DON",
    (parameters) => {
      const percent = givenValue(parameters);
      return percent === null || !position ? { [stateKey]: "OPEN" } : { [position.property]: Math.round(percent) };
    },
    position ? PERCENT : null,
    { isOptional: true },
  );
  return {
    features,
    commands: [
      open,
      command("FDUP", () => ({ [stateKey]: "OPEN" })),
      command("FDDOWN", () => ({ [stateKey]: "CLOSE" })),
      ...(state && !state.values.includes("STOP") && state.values.length > 0
        ? []
        : [command("FDSTOP", () => ({ [stateKey]: "STOP" }))]),
    ],
  };
}

const BOLTS = { locked: "locked", unlocked: "unlocked", not_fully_locked: "jammed" } as const;
const LOCK_EDITOR = "ZB_SECMD";
const LOCK_STATUS = "ZB_LOCK_STS";

function lock(expose: Expose): ExposedPart {
  const state = featureOf(expose, "state");
  const position = featureOf(expose, "lock_state");
  if (!state) return NOTHING;
  const { property, access, valueOn, valueOff } = state;
  const status = numberFeature("ST", { property, access, uom: BOLT.uom, bounds: [0, 102] });
  const read: ExposedFeature["read"] = (message) => {
    const told = position ? message[position.property] : undefined;
    if (typeof told === "string" && Object.hasOwn(BOLTS, told)) return BOLT.numberOf(BOLTS[told as keyof typeof BOLTS]);
    if (!Object.hasOwn(message, property)) return undefined;
    const isLocked = stateOf(state, message[property]);
    return isLocked === null ? null : BOLT.numberOf(isLocked ? "locked" : "unlocked");
  };
  const set = command(
    "SECMD",
    (parameters) => {
      const wanted = givenValue(parameters);
      return wanted === null ? null : { [property]: locksBy(wanted) ? valueOn : valueOff };
    },
    LOCK_EDITOR,
  );
  return { features: [{ ...status, editor: LOCK_STATUS, read }], commands: [set] };
}

/** A list of the interface with numbers of its own, such as the modes of thermostats. */
function listed(id: string, found: Expose | null, uom: number, numbers: Readonly<Record<string, number>>): ExposedPart {
  if (!found) return NOTHING;
  const { property, access, values } = found;
  const known = values.flatMap((value) => ownMember(numbers, value) ?? []).toSorted((a, b) => a - b);
  const base = numberFeature(id, { property, access, uom });
  const editor = `_${uom}_0${maskOf(known)}`;
  const read: ExposedFeature["read"] = (message) =>
    Object.hasOwn(message, property) ? (ownMember(numbers, message[property]) ?? null) : undefined;
  const wordOf = (number: number | null) => values.find((value) => ownMember(numbers, value) === number);
  const set = command(
    id,
    (parameters) => {
      const word = wordOf(givenValue(parameters));
      return word === undefined ? null : { [property]: word };
    },
    editor,
  );
  return { features: [{ ...base, editor, read }], commands: (access & 2) === 0 ? [] : [set] };
}

function maskOf(values: readonly number[]): string {
  const mask = values.reduce((sum, value) => sum | (1 << value), 0);
  return values.length === 0 ? "" : `_S_${(mask >>> 0).toString(16).toUpperCase().padStart(8, "0")}`;
}

function climate(expose: Expose, next: NextId): ExposedPart {
  const setpoint = (id: string, found: Expose | null): ExposedPart => {
    if (!found) return NOTHING;
    const { property, access, min, max, unit } = found;
    const bounds = min !== null && max !== null ? ([min, max] as const) : null;
    const uom = unit === "°F" ? UOM.fahrenheit : UOM.celsius;
    const feature = numberFeature(id, { property, access, uom, prec: 1, bounds });
    return {
      features: [feature],
      commands: [command(id, (parameters) => withValue(property, givenValue(parameters)), feature.editor)],
    };
  };
  const heating = featureOf(expose, "occupied_heating_setpoint") ?? featureOf(expose, "current_heating_setpoint");
  const cooling = featureOf(expose, "occupied_cooling_setpoint") ?? featureOf(expose, "current_cooling_setpoint");
  const temperature = featureOf(expose, "local_temperature");
  const known = new Set([heating, cooling, temperature].map((each) => each?.name));
  const isListed = ({ name }: Expose) => known.has(name) || ["system_mode", "running_state"].includes(name);
  const parts = [
    ...(temperature ? [{ features: knownNumber(temperature), commands: [] }] : []),
    setpoint("CLISPH", heating),
    setpoint("CLISPC", cooling),
    listed("CLIMD", featureOf(expose, "system_mode"), 67, THERMOSTAT_MODES),
    listed("CLIHCS", featureOf(expose, "running_state"), 66, RUNNING_STATES),
    ...expose.features.filter((each) => !isListed(each)).map((each) => valuePart(each, next)),
  ];
  return { features: parts.flatMap(({ features }) => features), commands: parts.flatMap(({ commands }) => commands) };
}

/** Speeds are steps of the mode's list; off is 0. */
function fan(expose: Expose): ExposedPart {
  const state = featureOf(expose, "state");
  const mode = featureOf(expose, "mode");
  if (!mode) return light(expose);
  const speeds = mode.values.filter((value) => !["off", "on", "auto", "smart"].includes(String(value)));
  const values: readonly Plain[] = ["off", ...speeds];
  const { property, access } = mode;
  const speed = indexFeature("ST", { property, access, values, label: null, prefix: "ZB" });
  const last = values.at(-1) ?? "off";
  const wordOf = (at: number | null) => (at === null ? last : values[at]);
  return {
    features: [speed],
    commands: [
      command(
        "DON",
        (parameters) => {
          const word = wordOf(givenValue(parameters));
          return word === undefined ? null : { [property]: word };
        },
        speed.editor,
        { isOptional: true },
      ),
      command("DOF", () => (state ? { [state.property]: state.valueOff } : { [property]: "off" })),
    ],
  };
}

function knownNumber(expose: Expose): readonly ExposedFeature[] {
  const [id = "", uom = RAW_UOM, prec = 0, byUnit = {}] = ownMember(NUMBERS, expose.name) ?? [];
  const { property, access, unit } = expose;
  const [shownUom, shownPrec] = ownMember(byUnit, unit) ?? [uom, prec];
  return [numberFeature(id, { property, access, uom: shownUom, prec: shownPrec })];
}

function otherState(expose: Expose, id: string): ExposedPart {
  const { property, access, label, valueOn, valueOff } = expose;
  const is = (value: unknown) => stateOf(expose, value);
  const feature = stateFeature(id, SWITCHED, { property, access, is, label });
  const message = (on: number | null) => (on === null ? null : { [property]: on > 0 ? valueOn : valueOff });
  const set = command(id, (parameters) => message(givenValue(parameters)), feature.editor, { label });
  return { features: (access & 1) === 0 ? [] : [feature], commands: (access & 2) === 0 ? [] : [set] };
}

/** A siren whose whole function is one composite, which is only ever written, and whole. */
export function isSiren({ type, name, features }: Expose): boolean {
  return type === "composite" && name === "warning" && features.some((each) => each.name === "mode");
}

/** As loud and as bright as it can, for as long as it is wanted. */
export function sirenPart({ property, features }: Expose): ExposedPart {
  const members = (isOn: boolean) =>
    Object.fromEntries(features.flatMap((each) => loudest(each, isOn).map((value) => [each.property, value])));
  return {
    features: [],
    commands: [
      command("DON", () => ({ [property]: members(true) })),
      command("DOF", () => ({ [property]: members(false) })),
    ],
  };
}

const SIREN_MODES = ["emergency", "burglar", "fire"];
const SIREN_S = 1800;
const DUTY_CYCLE = 5;

/** Nothing for a member that can be left out. */
function loudest({ name, values, valueOn, valueOff, max }: Expose, isOn: boolean): readonly Plain[] {
  if (name === "mode") return [(isOn ? SIREN_MODES.find((each) => values.includes(each)) : undefined) ?? "stop"];
  if (name === "strobe") return [isOn ? valueOn : valueOff];
  if (name === "duration") return [isOn ? Math.min(SIREN_S, max ?? SIREN_S) : 0];
  if (name === "strobe_duty_cycle") return [isOn ? DUTY_CYCLE : 0];
  const last = values.at(isOn ? -1 : 0);
  return last === undefined ? [] : [last];
}

const DECIMALS = 2;

function otherNumber(expose: Expose, id: string): ExposedPart {
  const { property, access, label, unit, min, max } = expose;
  const bounds = min !== null && max !== null ? ([min, max] as const) : null;
  const uom = uomOfSymbol(unit) ?? RAW_UOM;
  const feature = numberFeature(id, { property, access, uom, prec: DECIMALS, bounds, label });
  const set = command(id, (parameters) => withValue(property, givenValue(parameters)), feature.editor, { label });
  return { features: (access & 1) === 0 ? [] : [feature], commands: (access & 2) === 0 ? [] : [set] };
}

function otherChoice(expose: Expose, id: string): ExposedPart {
  const { property, access, label, values } = expose;
  const feature = indexFeature(id, { property, access, values, label, prefix: "ZB" });
  const message = (at: number | null) => (at === null || values[at] === undefined ? null : { [property]: values[at] });
  const set = command(id, (parameters) => message(givenValue(parameters)), feature.editor, { label });
  return { features: (access & 1) === 0 ? [] : [feature], commands: (access & 2) === 0 ? [] : [set] };
}
