/**
 * A builder for every kind of device: the plan of an ordinary one, as sold. Options set the common differences.
 * Everything else can be changed in the plan itself, which is plain data.
 */

import type { ClassName, ClassPlan, DevicePlan, EndpointPlan, SecurityName } from "./device-plan.ts";

export type KindOptions = {
  readonly name?: string;
  /** Ids of a device in the library's database; without them the device is unknown there. */
  readonly ids?: { readonly manufacturerId: number; readonly productType: number; readonly productId: number };
  readonly security?: readonly SecurityName[];
  /** Says whether a command had its effect. Default: true. */
  readonly supervision?: boolean;
  readonly listening?: DevicePlan["listening"];
  readonly firmware?: string;
  /** Classes in addition to those of the kind, or in place of one of them. */
  readonly classes?: EndpointPlan["classes"];
  readonly reportsChanges?: boolean;
  /** Has a second association group, whose members it turns on and off. Default: false. */
  readonly controls?: boolean;
};

type Classes = Partial<Record<ClassName, ClassPlan>>;
type Kind = {
  readonly name: string;
  readonly generic: number;
  readonly specific: number;
  readonly listening?: DevicePlan["listening"];
  readonly classes: Classes;
  readonly endpoints?: readonly EndpointPlan[];
};

/** Generic device classes. */
const REMOTE = 0x01;
const THERMOSTAT = 0x08;
const SWITCH_BINARY = 0x10;
const SWITCH_MULTILEVEL = 0x11;
const SENSOR_NOTIFICATION = 0x07;
const SENSOR_MULTILEVEL = 0x21;
const METER = 0x31;
const ENTRY_CONTROL = 0x40;
const UNKNOWN_MAKER = { manufacturerId: 0x0fff, productType: 0x0001, productId: 0x0001 };
const ROUTING_END_NODE = 4;

/** Kinds of notification. */
const SMOKE = 1;
const CARBON_MONOXIDE = 2;
const HEAT = 4;
const WATER = 5;
const ACCESS = 6;
const HOME_SECURITY = 7;
const SIREN = 14;

function make(kind: Kind, options: KindOptions): DevicePlan {
  const { security = [], supervision = true } = options;
  const listening = options.listening ?? kind.listening ?? "always";
  const own = withBattery(listening, { ...kind.classes, ...options.classes });
  const controls = options.controls === true ? CONTROLLING : {};
  const isSecure = security.length > 0;
  return {
    name: options.name ?? kind.name,
    ...(options.ids ?? UNKNOWN_MAKER),
    firmware: options.firmware ?? "1.0",
    basic: ROUTING_END_NODE,
    generic: kind.generic,
    specific: kind.specific,
    listening,
    security,
    classes: { ...common(security, supervision), ...controls, ...(isSecure ? secured(own) : own) },
    endpoints: kind.endpoints ?? [],
    reportsChanges: options.reportsChanges ?? true,
  };
}

const BASIC_SET = [0x20, 1];
const CONTROLLING: Classes = {
  Association: { version: 2, values: { groups: 2 } },
  "Association Group Information": { version: 1, values: { "sends 2": BASIC_SET } },
};

function common(security: readonly SecurityName[], supervision: boolean): Classes {
  return {
    "Z-Wave Plus Info": { version: 2 },
    Version: { version: 2 },
    "Manufacturer Specific": { version: 2 },
    Association: { version: 2, values: { groups: 1 } },
    "Association Group Information": { version: 1 },
    "Device Reset Locally": { version: 1 },
    ...(supervision ? { Supervision: { version: 1 } } : {}),
    ...(security.includes("S0") ? { Security: { version: 1 } } : {}),
    ...(security.some((name) => name !== "S0") ? { "Security 2": { version: 1 } } : {}),
  };
}

function withBattery(listening: DevicePlan["listening"], classes: Classes): Classes {
  if (listening === "always") return classes;
  const battery: Classes = { Battery: { version: 1, values: { percent: 90 } } };
  const wakeUp: Classes = listening === "sleeping" ? { "Wake Up": { version: 2, values: { intervalS: 3600 } } } : {};
  return { ...battery, ...wakeUp, ...classes };
}

function secured(classes: Classes): Classes {
  return Object.fromEntries(Object.entries(classes).map(([name, plan]) => [name, { ...plan, secure: true }]));
}

function switchClasses(on = false): Classes {
  return { "Binary Switch": { version: 2, values: { on } } };
}

function levelClasses(travelMs = 0, switchType = DOWN_UP): Classes {
  return {
    "Multilevel Switch": {
      version: 4,
      capabilities: { primarySwitchType: switchType },
      values: { level: 0, travelMs },
    },
  };
}

const DOWN_UP = 2;
const CLOSE_OPEN = 3;

export const switchPlan = (options: KindOptions = {}): DevicePlan =>
  make({ name: "Switch", generic: SWITCH_BINARY, specific: 1, classes: switchClasses() }, options);

export const dimmerPlan = (options: KindOptions = {}): DevicePlan =>
  make({ name: "Dimmer", generic: SWITCH_MULTILEVEL, specific: 1, classes: levelClasses() }, options);

/** An outlet strip: the root switches all of them. */
export function stripPlan(options: KindOptions & { readonly outlets?: number } = {}): DevicePlan {
  const { outlets = 3 } = options;
  const outlet = { generic: SWITCH_BINARY, specific: 1, classes: { ...switchClasses(), ...meterClasses() } };
  const classes = { ...switchClasses(), "Multi Channel": { version: 4 } };
  const endpoints = Array.from({ length: outlets }, () => outlet);
  return make({ name: "Strip", generic: SWITCH_BINARY, specific: 4, classes, endpoints }, options);
}

/** Red, green, blue, warm and cold white. */
export function colourLightPlan(options: KindOptions = {}): DevicePlan {
  const colorComponents = { 0: 0, 1: 0, 2: 0, 3: 0, 4: 0 };
  const classes = { ...levelClasses(), "Color Switch": { version: 3, capabilities: { colorComponents } } };
  return make({ name: "Colour light", generic: SWITCH_MULTILEVEL, specific: 1, classes }, options);
}

/** A roller shutter; `travelMs` from end to end. */
export const coverPlan = (options: KindOptions & { readonly travelMs?: number } = {}): DevicePlan =>
  make(
    {
      name: "Shutter",
      generic: SWITCH_MULTILEVEL,
      specific: 7,
      classes: levelClasses(options.travelMs ?? 1000, CLOSE_OPEN),
    },
    options,
  );

/** The same with Window Covering, which names what moves. */
export function windowCoveringPlan(options: KindOptions & { readonly travelMs?: number } = {}): DevicePlan {
  const OUT_BOTTOM = 13;
  const travelMs = options.travelMs ?? 1000;
  const covering = { version: 1, capabilities: { supportedParameters: [OUT_BOTTOM], travelTime: travelMs } };
  const classes = { ...levelClasses(travelMs, CLOSE_OPEN), "Window Covering": covering };
  return make({ name: "Blind", generic: SWITCH_MULTILEVEL, specific: 6, classes }, options);
}

export const fanPlan = (options: KindOptions = {}): DevicePlan =>
  make({ name: "Fan", generic: SWITCH_MULTILEVEL, specific: 8, classes: levelClasses() }, options);

/** `fahrenheit`: setpoints and the measured temperature in °F. */
export function thermostatPlan(options: KindOptions & { readonly fahrenheit?: boolean } = {}): DevicePlan {
  const { fahrenheit = false } = options;
  const scale = fahrenheit ? "°F" : "°C";
  const [minValue, maxValue] = fahrenheit ? [40, 95] : [5, 35];
  const [heat, cool] = fahrenheit ? [68, 76] : [20, 25];
  const range = { minValue, maxValue, scale };
  const classes: Classes = {
    "Thermostat Mode": { version: 3, values: { mode: 1, modes: [0, 1, 2, 3] } },
    "Thermostat Operating State": { version: 1, values: { state: 1 } },
    "Thermostat Setpoint": {
      version: 3,
      capabilities: { setpoints: { 1: range, 2: range } },
      values: { "setpoint 1": heat, "setpoint 2": cool, scale: fahrenheit ? 1 : 0, min: minValue, max: maxValue },
    },
    "Thermostat Fan Mode": { version: 3, values: { mode: 0, modes: [0, 1, 6] } },
    "Thermostat Fan State": { version: 1, values: { state: 0 } },
    "Multilevel Sensor": { version: 5, values: { [`1/${fahrenheit ? 1 : 0}`]: fahrenheit ? 69.5 : 20.5 } },
  };
  return make({ name: "Thermostat", generic: THERMOSTAT, specific: 6, classes }, options);
}

/** A door lock that wakes for a beam; secure as no other would be. */
export function lockPlan(options: KindOptions & { readonly users?: number } = {}): DevicePlan {
  const { users = 10 } = options;
  const classes: Classes = {
    "Door Lock": { version: 2, values: { mode: 0 } },
    "User Code": { version: 1, capabilities: { numUsers: users } },
    ...notificationClasses({ [ACCESS]: [1, 2, 5, 6, 11, 16, 22, 23] }),
  };
  const kind: Kind = { name: "Lock", generic: ENTRY_CONTROL, specific: 3, listening: "often", classes };
  return make(kind, { security: ["S2-access-control", "S0"], ...options });
}

/** `events` by the kind of notification; nothing is active at first. */
function notificationClasses(events: Readonly<Record<number, readonly number[]>>): Classes {
  const values = Object.fromEntries(Object.keys(events).map((type) => [`type ${type}`, 0]));
  const capabilities = { supportsV1Alarm: false, notificationTypesAndEvents: events };
  return { Notification: { version: 8, capabilities, values } };
}

function notifier(name: string, events: Readonly<Record<number, readonly number[]>>) {
  return (options: KindOptions = {}): DevicePlan =>
    make(
      { name, generic: SENSOR_NOTIFICATION, specific: 1, listening: "sleeping", classes: notificationClasses(events) },
      options,
    );
}

export const contactPlan = notifier("Door contact", { [ACCESS]: [22, 23], [HOME_SECURITY]: [3] });
export const motionPlan = notifier("Motion sensor", { [HOME_SECURITY]: [3, 8] });
export const heatPlan = notifier("Heat alarm", { [HEAT]: [2, 6] });
export const waterFlowPlan = notifier("Water flow sensor", { [WATER]: [2, 6] });
export const leakPlan = notifier("Leak sensor", { [WATER]: [2] });
export const smokePlan = notifier("Smoke alarm", { [SMOKE]: [2, 3] });
export const carbonMonoxidePlan = notifier("CO alarm", { [CARBON_MONOXIDE]: [2, 3] });
export const tamperPlan = notifier("Tamper sensor", { [HOME_SECURITY]: [3] });

/** A contact of before notifications. */
export const binarySensorPlan = (options: KindOptions = {}): DevicePlan =>
  make(
    {
      name: "Old contact",
      generic: 0x20,
      specific: 1,
      listening: "sleeping",
      classes: { "Binary Sensor": { version: 2, values: { types: [10], "type 10": 0 } } },
    },
    options,
  );

/** Temperature, humidity and light. */
export const climateSensorPlan = (options: KindOptions = {}): DevicePlan =>
  make(
    {
      name: "Climate sensor",
      generic: SENSOR_MULTILEVEL,
      specific: 1,
      listening: "sleeping",
      classes: { "Multilevel Sensor": { version: 7, values: { "1/0": 21.5, "5/0": 45, "3/1": 120 } } },
    },
    options,
  );

function meterClasses(): Classes {
  return { Meter: { version: 4, values: { "scale 0": 12.5, "scale 2": 0, "scale 4": 230, "scale 5": 0 } } };
}

/** A plug that measures kWh, W, V and A. */
export const meterPlugPlan = (options: KindOptions = {}): DevicePlan =>
  make(
    {
      name: "Metering plug",
      generic: SWITCH_BINARY,
      specific: 1,
      classes: { ...switchClasses(), ...meterClasses() },
    },
    options,
  );

export const meterPlan = (options: KindOptions = {}): DevicePlan =>
  make({ name: "Meter", generic: METER, specific: 1, classes: meterClasses() }, options);

export const sirenPlan = (options: KindOptions = {}): DevicePlan =>
  make(
    {
      name: "Siren",
      generic: SWITCH_BINARY,
      specific: 5,
      classes: { ...switchClasses(), ...notificationClasses({ [SIREN]: [1] }) },
    },
    options,
  );

export function chimePlan(options: KindOptions = {}): DevicePlan {
  const tones = [
    { name: "Bell", duration: 2 },
    { name: "Alarm", duration: 5 },
  ];
  const capabilities = { defaultToneId: 1, defaultVolume: 40, tones };
  const classes: Classes = { "Sound Switch": { version: 1, capabilities } };
  return make({ name: "Chime", generic: 0x03, specific: 1, classes }, options);
}

/** Its buttons can be pressed once or twice, held, and let go. */
export function remotePlan(options: KindOptions & { readonly scenes?: number } = {}): DevicePlan {
  const keys = [0, 1, 2, 3];
  const scenes = { version: 3, values: { scenes: options.scenes ?? 4, keys, sequence: 0 } };
  const classes: Classes = { "Central Scene": scenes };
  return make({ name: "Remote", generic: REMOTE, specific: 1, listening: "sleeping", classes }, options);
}

export function barrierPlan(options: KindOptions = {}): DevicePlan {
  const classes: Classes = {
    "Barrier Operator": { version: 1, values: { state: 0 } },
    ...notificationClasses({ [ACCESS]: [0x43, 0x44] }),
  };
  return make({ name: "Garage door", generic: ENTRY_CONTROL, specific: 7, classes }, options);
}

/** Speaks nothing but Basic, as the oldest devices do. */
export function basicPlan(options: KindOptions = {}): DevicePlan {
  const plan = make({ name: "Basic device", generic: SWITCH_BINARY, specific: 0, classes: {} }, options);
  const { "Manufacturer Specific": maker = { version: 1 }, Version: version = { version: 1 } } = plan.classes;
  return { ...plan, classes: { Basic: { version: 1 }, "Manufacturer Specific": maker, Version: version } };
}

export type ParameterPlan = {
  readonly number: number;
  readonly size: 1 | 2 | 4;
  readonly value: number;
  readonly min?: number;
  readonly max?: number;
};

/** Configuration parameters, for `classes` of any kind. */
export function parameterClasses(parameters: readonly ParameterPlan[]): Classes {
  const capabilities = {
    parameters: parameters.map(({ number, size, value, min, max }) => ({
      "#": number,
      valueSize: size,
      defaultValue: value,
      ...(min === undefined ? {} : { minValue: min }),
      ...(max === undefined ? {} : { maxValue: max }),
    })),
  };
  return { Configuration: { version: 1, capabilities } };
}

/** A device that takes new firmware, for `classes` of any kind. */
export function firmwareClasses(manufacturerId = UNKNOWN_MAKER.manufacturerId): Classes {
  return { "Firmware Update Meta Data": { version: 4, values: { manufacturerId } } };
}
