/**
 * The meaning of Z-Wave values: the property that shows each, its kind, and its node. Specific rows before general
 * ones; the first that fits wins. An unknown value still gets a property of its own name (`plan-device.ts`). Values
 * that are deliberately not shown are in `HIDDEN`, with the reason.
 */

import { BOLT } from "../../../profile/state-shapes.ts";
import { findUom } from "../../../profile/uom.ts";
import { METER_PART, notificationPart } from "../addresses.ts";
import { CC } from "./command-class-table.ts";
import type { EndpointView, ValueView } from "./device-view.ts";
import {
  type Bounds,
  enumeration,
  type Kind,
  kindOfMetadata,
  LEVEL,
  namedEditor,
  OFF_ON,
  OPEN_CLOSED,
  PERCENT_KIND,
  POSITION,
  quantity,
} from "./kinds.ts";
import { LOCK_TIMER_MAX_SECONDS } from "./lock-timer.ts";
import { NOTIFICATIONS } from "./notification-table.ts";
import { METERS, SENSORS } from "./sensor-table.ts";
import { uomOfUnit } from "./unit-table.ts";

/**
 * When a device itself turns it on or off, that is also sent as DON and DOF: with each message of a sensor, so that a
 * motion that goes on restarts waits, or with each change of a switch, whose periodic reports say nothing new.
 */
export type Speaks = "message" | "change";

export type Shown = {
  readonly kind: Kind;
  /** The property; null: it has no name of its own and is shown under the value's name unless it is the status. */
  readonly id: string | null;
  /** Its label where the interface has no name for the id. */
  readonly label?: string;
  /** Among the values of a node that could be its status, the lowest rank is; absent: never. */
  readonly rank?: number;
  /** The node beside the endpoint's own that shows it. */
  readonly part?: number;
  /** The kind of a node with this status, when its device class does not tell it. */
  readonly category?: number;
  readonly speaks?: Speaks;
  /** The value to write for a number of its editor; absent: the number itself. */
  readonly write?: (written: number) => unknown;
  /** For diagnosis; clients do not show it unless requested. */
  readonly hide?: boolean;
};

type Row = {
  readonly cc: number;
  readonly property?: string;
  readonly show: (value: ValueView, endpoint: EndpointView) => Shown | null;
};

/** Ranks: what moves comes before what senses, that before what measures. */
const RANK = {
  lock: 1,
  climate: 2,
  mover: 3,
  level: 4,
  binary: 5,
  sound: 6,
  basic: 9,
  sensor: 20,
  number: 100,
  last: 1000,
} as const;

const THERMOSTAT_MODE = 67;
const FAN_MODE = 68;
const HUMIDITY = 22;
const SETPOINT_IDS: Readonly<Record<number, string>> = { 1: "CLISPH", 2: "CLISPC" };

const ROWS: readonly Row[] = [
  { cc: CC.doorLock, property: "currentMode", show: () => ({ id: null, rank: RANK.lock, kind: LOCK, category: 111 }) },
  {
    cc: CC.doorLock,
    property: "lockTimeoutConfiguration",
    show: () => ({ id: null, kind: quantity(58, 0, [0, LOCK_TIMER_MAX_SECONDS]) }),
  },
  { cc: CC.lock, property: "locked", show: () => ({ id: null, rank: RANK.lock, kind: SIMPLE_LOCK, category: 111 }) },
  { cc: CC.barrierOperator, property: "currentState", show: () => ({ id: null, rank: RANK.mover, kind: BARRIER }) },
  {
    cc: CC.barrierOperator,
    property: "signalingState",
    show: () => ({ id: null, kind: SOUNDING, write: (written) => (written === 0 ? 0 : SIGNALS) }),
  },
  { cc: CC.windowCovering, property: "currentValue", show: covering },
  { cc: CC.multilevelSwitch, property: "currentValue", show: multilevel },
  { cc: CC.binarySwitch, property: "currentValue", show: relay },
  { cc: CC.soundSwitch, property: "toneId", show: () => ({ id: null, rank: RANK.sound, kind: SOUNDING }) },
  { cc: CC.soundSwitch, property: "defaultVolume", show: () => ({ id: "SVOL", kind: PERCENT_KIND }) },
  { cc: CC.basic, property: "currentValue", show: basic },
  { cc: CC.thermostatSetpoint, property: "setpoint", show: setpoint },
  { cc: CC.thermostatMode, property: "mode", show: modes("CLIMD", THERMOSTAT_MODE) },
  { cc: CC.thermostatFanMode, property: "mode", show: modes("CLIFS", FAN_MODE) },
  {
    cc: CC.thermostatOperatingState,
    property: "state",
    show: () => ({ id: "CLIHCS", kind: namedEditor(66, "*_TSTAT_HCS") }),
  },
  {
    cc: CC.thermostatFanState,
    property: "state",
    show: () => ({ id: "CLIFRS", kind: namedEditor(80, "*_TSTAT_FAN_STATE") }),
  },
  { cc: CC.binarySensor, show: binarySensor },
  { cc: CC.multilevelSensor, show: sensor },
  { cc: CC.meter, property: "value", show: meter },
  { cc: CC.notification, show: notification },
  { cc: CC.colorSwitch, property: "currentColor", show: channel },
  { cc: CC.battery, show: battery },
];

/** null: no row knows the value. */
export function showValue(value: ValueView, endpoint: EndpointView): Shown | null {
  for (const { cc, property, show } of ROWS) {
    if (cc !== value.commandClass || (property !== undefined && property !== value.property)) continue;
    const shown = show(value, endpoint);
    if (shown) return shown;
  }
  return null;
}

type HiddenRow = { readonly cc: number; readonly properties?: readonly string[]; readonly why: string };

const HANDLES = ["insideHandlesCanOpenDoor", "outsideHandlesCanOpenDoor"];
const TARGETS = ["targetValue", "duration", "restorePrevious"];

/** Values that are no properties, and why. */
const HIDDEN: readonly HiddenRow[] = [
  { cc: CC.configuration, why: "parameters are read and written by number" },
  { cc: CC.userCode, why: "codes are secret, and slots are written by number" },
  { cc: CC.userCredential, why: "codes are secret" },
  { cc: CC.manufacturerSpecific, why: "shown as the device's type" },
  { cc: CC.version, why: "shown in the device's description" },
  { cc: CC.zwavePlusInfo, why: "shown in the device's description" },
  { cc: CC.firmwareUpdate, why: "shown in the device's description" },
  { cc: CC.nodeNaming, why: "names and places are the owner's" },
  { cc: CC.sceneActuatorConfiguration, why: "the settings of 255 scenes are no state" },
  { cc: CC.sceneControllerConfiguration, why: "the settings of 255 scenes are no state" },
  { cc: CC.sceneActivation, properties: ["dimmingDuration"], why: "a part of commands" },
  { cc: CC.binarySwitch, properties: TARGETS, why: "the target, not the present value" },
  { cc: CC.multilevelSwitch, properties: TARGETS, why: "the target, not the present value" },
  { cc: CC.basic, properties: TARGETS, why: "the target, not the present value" },
  { cc: CC.windowCovering, properties: TARGETS, why: "the target, not the present value" },
  { cc: CC.doorLock, properties: ["targetMode", "duration"], why: "the target, not the present value" },
  {
    cc: CC.doorLock,
    properties: [...HANDLES, ...HANDLES.map((name) => `${name}Configuration`)],
    why: "four handles by a maker's numbers, which say nothing by themselves",
  },
  { cc: CC.barrierOperator, properties: ["targetState"], why: "the target, not the present value" },
  {
    cc: CC.colorSwitch,
    properties: [...TARGETS, "targetColor", "hexColor"],
    why: "the target, or the channels once more",
  },
  { cc: CC.wakeUp, properties: ["controllerNodeId"], why: "the network's own business" },
  { cc: CC.protection, properties: ["exclusiveControlNodeId", "timeout"], why: "the network's own business" },
  { cc: CC.centralScene, properties: ["slowRefresh"], why: "the repetition of a held button is not a state" },
  { cc: CC.humidityControlSetpoint, properties: ["setpointScale"], why: "shown as the unit of the set-point" },
  { cc: CC.indicator, properties: ["80"], why: "it finds a device by blinking, which is BEEP" },
  { cc: CC.thermostatMode, properties: ["manufacturerData"], why: "a part of commands" },
];

export function isHidden(
  { commandClass, property, propertyKey, metadata }: ValueView,
  endpoint: EndpointView,
): boolean {
  if (!metadata.readable || metadata.secret || metadata.stateful === false) return true;
  // A thermostat's word for "there is no such set-point".
  if (commandClass === CC.thermostatSetpoint && propertyKey === 0) return true;
  // The color as a whole repeats its channels.
  if (commandClass === CC.colorSwitch && property === "currentColor" && propertyKey === undefined) return true;
  if (commandClass === CC.notification) {
    // Manufacturer-specific numbers, which newer devices send only beside the notification itself, and repetitions of
    // a state.
    const isNew = (endpoint.commandClasses.get(CC.notification) ?? 1) > 1;
    if (isNew && (property === "alarmType" || property === "alarmLevel")) return true;
    if (propertyKey === "Door state (simple)") return true;
  }
  return HIDDEN.some(({ cc, properties }) => cc === commandClass && (properties?.includes(String(property)) ?? true));
}

/** Slow device classes, whose level is the position of something that moves. */
export function isMotor({ generic, specific }: Pick<EndpointView, "generic" | "specific">): boolean {
  return generic === 0x09 || (generic === 0x11 && (specific === 0x03 || (specific >= 0x05 && specific <= 0x07)));
}

export function isFan({ generic, specific }: Pick<EndpointView, "generic" | "specific">): boolean {
  return generic === 0x11 && specific === 0x08;
}

/** Secured and unsecured as locked and not; a bolt in between is a problem, not a state. */
const LOCK: Kind = {
  editor: "*_LOCK_STS",
  uom: BOLT.uom,
  read: (value) => {
    if (typeof value !== "number") return null;
    const word = value === 0xff ? "locked" : value === 0xfe ? null : "unlocked";
    return { value: BOLT.numberOf(word), uom: BOLT.uom, prec: 0 };
  },
};
const SIMPLE_LOCK: Kind = { ...LOCK, read: (value) => LOCK.read(value === true ? 0xff : value === false ? 0 : 0xfe) };

/** The words for a barrier that is neither open nor closed nor in between. */
const BARRIER_STATES: Readonly<Record<number, number>> = { 252: 103, 253: 102, 254: 104, 255: 100 };
const BARRIER = namedEditor(
  97,
  "*_BARRIER",
  (state) => BARRIER_STATES[state] ?? (state >= 0 && state < 100 ? state : 101),
);

/** A barrier's horn or lamp works. */
const SIGNALS = 0xff;
const SOUNDING: Kind = {
  ...OFF_ON,
  read: (value) => OFF_ON.read(typeof value === "number" ? value > 0 : undefined),
};

function multilevel(_value: ValueView, endpoint: EndpointView): Shown {
  if (isMotor(endpoint)) return { id: null, rank: RANK.mover, kind: POSITION };
  return { id: null, rank: RANK.level, kind: LEVEL, speaks: "change" };
}

const SENSOR_CLASSES: ReadonlySet<number> = new Set([0x07, 0x20, 0x21, 0x31, 0xa1]);

/** A sensor that says something in the oldest of command classes is not steered by it, and says it better elsewhere. */
export function isSensor({ generic }: Pick<EndpointView, "generic">): boolean {
  return SENSOR_CLASSES.has(generic);
}

function basic(_value: ValueView, endpoint: EndpointView): Shown {
  return { id: null, rank: isSensor(endpoint) ? RANK.last : RANK.basic, kind: LEVEL };
}

/** For a power switch the relay has priority over a level, which is that of its night light. */
export function isRelay({ generic }: Pick<EndpointView, "generic">): boolean {
  return generic === 0x10;
}

function relay(_value: ValueView, endpoint: EndpointView): Shown {
  return { id: null, rank: isRelay(endpoint) ? RANK.mover : RANK.binary, kind: OFF_ON, speaks: "change" };
}

/**
 * The angle of slats is separate from the position of the blind; horizontal and vertical slats have value ids of
 * their own.
 */
const SLATS_FIRST = 10;
function covering({ propertyKey }: ValueView): Shown | null {
  if (typeof propertyKey !== "number") return null;
  const isAngle = propertyKey === SLATS_FIRST || propertyKey === SLATS_FIRST + 1 || propertyKey >= 22;
  return isAngle
    ? { id: "ANGLPOS", rank: RANK.mover + 0.5, kind: PERCENT_LEVEL }
    : { id: null, rank: RANK.mover + propertyKey / 100, kind: POSITION };
}
const PERCENT_LEVEL: Kind = { ...LEVEL, editor: "_51_0_R_0_101" };

function setpoint({ propertyKey, metadata }: ValueView): Shown | null {
  const { min, max } = metadata;
  const bounds: Bounds = min !== undefined && max !== undefined && min < max ? [Math.floor(min), Math.ceil(max)] : null;
  return degrees(SETPOINT_IDS[Number(propertyKey)] ?? null, metadata.unit, bounds);
}

function degrees(id: string | null, unit: string | undefined, bounds: Bounds = null): Shown {
  return { id, kind: quantity(uomOfUnit(unit) ?? 14, 1, bounds) };
}

type BatteryRow = readonly [property: string, id: string, label: string];

/** Facts about a battery beside its level. The need of replacement or charging is shown to everybody. */
const BATTERY: readonly BatteryRow[] = [
  ["chargingStatus", "BATCHG", "Battery Charging"],
  ["rechargeOrReplace", "BATRPL", "Battery Needs"],
];
/** How old it is, and what can be wrong with it. */
const BATTERY_DETAILS: readonly BatteryRow[] = [
  ["maximumCapacity", "BATCAP", "Battery Capacity Left"],
  ["temperature", "BATTEMP", "Battery Temperature"],
  ["disconnected", "BATDISC", "Battery Disconnected"],
  ["overheating", "BATHOT", "Battery Too Hot"],
  ["lowTemperatureStatus", "BATCOLD", "Battery Too Cold"],
  ["lowFluid", "BATFLUID", "Battery Fluid Low"],
  ["rechargeable", "BATRCH", "Battery Rechargeable"],
  ["backup", "BATBKUP", "Battery Is Backup"],
];

function battery(value: ValueView): Shown | null {
  if (value.property === "level") return { id: "BATLVL", kind: PERCENT_KIND };
  const isOf = ([property]: BatteryRow) => property === value.property;
  const detail = BATTERY_DETAILS.find(isOf);
  const row = detail ?? BATTERY.find(isOf);
  if (!row) return null;
  const { kind } =
    value.property === "temperature" ? degrees(null, value.metadata.unit) : { kind: kindOfMetadata(value.metadata) };
  return { id: row[1], label: row[2], kind, hide: detail !== undefined };
}

/** Clients send modes by these names. Both units have the numbers of Z-Wave up to here, and others beyond. */
const NAMED_MODES: Readonly<Record<string, number>> = { CLIMD: 13, CLIFS: 10 };

function modes(id: keyof typeof NAMED_MODES, uom: number): Row["show"] {
  const { names } = findUom(uom);
  const nameOf = (raw: number, text: string) => (raw <= (NAMED_MODES[id] ?? -1) ? (names.get(raw) ?? text) : text);
  return ({ metadata: { states = {} } }) => {
    const named = Object.entries(states).map(([raw, text]) => [raw, nameOf(Number(raw), text)]);
    return { id, kind: enumeration(uom, Object.fromEntries(named)) };
  };
}

/** The color channels in the order of the library's numbers, with its names. */
export const CHANNELS = [
  { id: "WARM", name: "warmWhite", label: "Warm White" },
  { id: "COLD", name: "coldWhite", label: "Cold White" },
  { id: "RED", name: "red", label: "Red" },
  { id: "GREEN", name: "green", label: "Green" },
  { id: "BLUE", name: "blue", label: "Blue" },
  { id: "AMBER", name: "amber", label: "Amber" },
  { id: "CYAN", name: "cyan", label: "Cyan" },
  { id: "PURPLE", name: "purple", label: "Purple" },
] as const;

function channel({ propertyKey }: ValueView): Shown | null {
  const row = typeof propertyKey === "number" ? CHANNELS[propertyKey] : undefined;
  return row ? { id: row.id, label: row.label, kind: quantity(100, 0, [0, 255]) } : null;
}

type BinarySensorRow = readonly [type: number, category: number, kind: Kind];
const BINARY_SENSORS: readonly BinarySensorRow[] = [
  [0x0c, 155, OFF_ON],
  [0x0a, 160, OPEN_CLOSED],
  [0x02, 156, OFF_ON],
  [0x03, 151, OFF_ON],
  [0x04, 150, OFF_ON],
  [0x05, 154, OFF_ON],
  [0x06, 159, OFF_ON],
  [0x07, 152, OFF_ON],
  [0x0d, 153, OFF_ON],
  [0x0b, 158, OFF_ON],
  [0x08, 157, OFF_ON],
  [0x09, 149, OFF_ON],
];

function binarySensor({ metadata }: ValueView): Shown {
  const at = BINARY_SENSORS.findIndex(([type]) => type === metadata.ccSpecific?.sensorType);
  const row = BINARY_SENSORS[at];
  const rank = RANK.sensor + (row ? at : BINARY_SENSORS.length);
  if (!row) return { id: null, rank, kind: OFF_ON, category: 104, speaks: "message" };
  return { id: null, rank: RANK.sensor + at, kind: row[2], category: row[1], speaks: "message" };
}

function sensor({ metadata }: ValueView): Shown | null {
  const { sensorType, scale } = metadata.ccSpecific ?? {};
  const at = SENSORS.findIndex(({ type }) => type === sensorType);
  const row = SENSORS[at];
  if (!row) return null;
  const isDiastolic = row.id === "BPSYS" && scale === 1;
  const uom = row.uoms?.[Number(scale)] ?? uomOfUnit(metadata.unit) ?? 0;
  const bounds: Bounds = uom === HUMIDITY ? [0, 100] : null;
  const id = isDiastolic ? "BPDIA" : row.id;
  return { id, rank: RANK.number + at, kind: quantity(uom, row.prec, bounds), category: 118 };
}

function meter({ metadata }: ValueView): Shown | null {
  const { meterType, scale, rateType } = metadata.ccSpecific ?? {};
  const at = METERS.findIndex((row) => row.type === meterType && row.scale === scale);
  const row = METERS[at];
  // Production has a name of its own beside consumption.
  if (!row || rateType === 2) return { id: null, part: METER_PART, kind: produced(metadata.unit), category: 143 };
  const kind = quantity(row.uom, row.prec, null, row.thousands);
  return { id: row.id, rank: RANK.number + at, part: METER_PART, kind, category: 143 };
}

function produced(unit: string | undefined): Kind {
  return quantity(uomOfUnit(unit) ?? 0, 0);
}

function notification({ property, propertyKey, metadata }: ValueView): Shown | null {
  const type = metadata.ccSpecific?.notificationType;
  if (typeof type !== "number") return null;
  const part = notificationPart(type);
  const at = NOTIFICATIONS.findIndex((row) => row.type === type && row.variable === String(propertyKey ?? property));
  const row = NOTIFICATIONS[at];
  if (row) return { id: null, rank: RANK.sensor + at, part, kind: row.kind, category: row.category, speaks: "message" };
  return { id: null, rank: RANK.number, part, kind: enumeration(25, metadata.states ?? {}) };
}
