/**
 * The tables of the Matter bridge: which device type a role has, which attributes its values are, and which commands of the node a
 * command of an ecosystem is.
 *
 * @see docs/matter.md
 */

import type { GivenCommand } from "../../profile/command-resolver.ts";
import type { CommandWord } from "../../profile/command-words.ts";
import type { NodeRole } from "../../profile/roles-table.ts";
import { isActive, isLevel, type StatusWord, wordOfValue } from "../../profile/status-words.ts";
import { UOM } from "../../profile/uom.ts";
import type { NodeFacts } from "../node-facts.ts";
import type { Attributes, ClusterFeature, DeviceCommand, DeviceKind } from "./bridge-messages.ts";
import { levelValue, matterLevel, percentOf, percentValue } from "./levels.ts";
import {
  degreesOf,
  fixedOf,
  hundredthsOf,
  type Limits,
  ownMode,
  systemMode,
  thermostatFeatures,
  withinLimits,
} from "./thermostat.ts";

/** A node as far as its device depends on it. */
export type Facts = Pick<NodeFacts, "accepts" | "takesValue" | "commandFor" | "reports" | "role" | "value" | "uom"> & {
  /** Limits of a set-point, in hundredths of °C. */
  limits(command: string): Limits;
};

type Kind = {
  features?(facts: Facts): readonly ClusterFeature[];
  fixed?(facts: Facts): Attributes;
  /** Attributes that are not known are left out and keep their value. */
  state(facts: Facts): Attributes;
  /** null: the device has no such command. */
  command?(facts: Facts, command: DeviceCommand): readonly GivenCommand[] | null;
};

const send = (command: string, value?: number, uom: number = UOM.none): readonly GivenCommand[] => {
  if (value === undefined) return [{ command, parameters: [] }];
  const isWhole = Number.isInteger(value);
  return [
    { command, parameters: [{ id: "", value: isWhole ? value : Math.round(value * 10), uom, prec: isWhole ? 0 : 1 }] },
  ];
};

const switched = (_facts: Facts, { kind }: DeviceCommand) =>
  kind === "on" ? send("DON") : kind === "off" ? send("DOF") : null;

/** null while the state is not known. */
const active = (facts: Facts) => isActive(facts.role, facts.uom("ST"), facts.value("ST"));

const isOn = (facts: Facts): Attributes => {
  const onOff = active(facts);
  return onOff === null ? {} : { onOff: { onOff } };
};

const sendFor = (facts: Facts, word: CommandWord): readonly GivenCommand[] | null => {
  const found = facts.commandFor(word);
  return found && send(found.command, found.parameter ?? undefined);
};

/** A status of two states as an attribute. */
const told =
  (
    behavior: string,
    attribute: string,
    of: (isActive: boolean) => boolean | number | Readonly<Record<string, boolean>>,
  ) =>
  (facts: Facts): Attributes => {
    const is = active(facts);
    return is === null ? {} : { [behavior]: { [attribute]: of(is) } };
  };

const FADES: Readonly<Record<string, string>> = { "fade-up": "FDUP", "fade-down": "FDDOWN", "fade-stop": "FDSTOP" };
const ALARM = { normal: 0, critical: 2 } as const;
const FAN = { off: 0, low: 1, medium: 2, high: 3 } as const;
const FAN_SEQUENCE = { offLowMediumHigh: 0, offHigh: 5 } as const;
const LOCK_STATES: Readonly<Partial<Record<StatusWord, number>>> = { jammed: 0, locked: 1, unlocked: 2 };
const MEASURED = { temperature: "CLITEMP", humidity: "CLIHUM", light: "LUMIN" } as const;

/** The status, or where the status is something else the property of that name. */
const measured = (facts: Facts, property: string, isUnit: (uom: number) => boolean) =>
  isUnit(facts.uom("ST")) ? "ST" : facts.reports(property) && isUnit(facts.uom(property)) ? property : null;

const isDegrees = (uom: number) => uom === UOM.celsius || uom === UOM.fahrenheit;
const isHumidity = (uom: number) => uom === 21 || uom === 22;
const isLux = (uom: number) => uom === 36;

const temperatureOf = (facts: Facts): number | null => {
  const property = measured(facts, MEASURED.temperature, isDegrees);
  return property === null ? null : hundredthsOf(facts.value(property), facts.uom(property));
};

const hasPosition = (facts: Facts) => isLevel(facts.uom("ST")) && facts.takesValue("DON");

const setPoint = (facts: Facts, id: string, value: number | undefined): readonly GivenCommand[] =>
  value === undefined ? [] : send(id, degreesOf(value, facts.uom(id)), facts.uom(id));

export const KINDS: Readonly<Record<DeviceKind, Kind>> = {
  light: { state: isOn, command: switched },
  outlet: { state: isOn, command: switched },
  "dimmable-light": {
    state(facts) {
      const level = matterLevel(facts.value("ST"), facts.uom("ST"));
      return { ...isOn(facts), ...(level === null ? {} : { levelControl: { currentLevel: level } }) };
    },
    command(facts, command) {
      if (command.kind === "level") return send("DON", levelValue(command.level, facts.uom("ST")));
      const fade = FADES[command.kind];
      return fade !== undefined && facts.accepts(fade) ? send(fade) : switched(facts, command);
    },
  },
  fan: {
    fixed: (facts) => ({
      fanControl: { fanModeSequence: facts.takesValue("DON") ? FAN_SEQUENCE.offLowMediumHigh : FAN_SEQUENCE.offHigh },
    }),
    state(facts) {
      const value = facts.value("ST");
      const isTurning = active(facts);
      if (value === null || isTurning === null) return {};
      const percent = facts.takesValue("DON") ? percentOf(value, facts.uom("ST")) : isTurning ? 100 : 0;
      return { fanControl: { percentSetting: percent, percentCurrent: percent, fanMode: fanMode(percent) } };
    },
    command(facts, command) {
      if (command.kind !== "fan") return null;
      if (command.percent === 0) return send("DOF");
      return facts.takesValue("DON") ? send("DON", percentValue(command.percent, facts.uom("ST"))) : send("DON");
    },
  },
  cover: {
    features: (facts) => (hasPosition(facts) ? ["PositionAwareLift"] : []),
    state(facts) {
      const value = facts.value("ST");
      const isPosition = facts.uom("ST") === UOM.level || (value !== null && value <= 100);
      if (!hasPosition(facts) || value === null || !isPosition) return {};
      const closed = (100 - percentOf(value, facts.uom("ST"))) * 100;
      return { windowCovering: { currentPositionLiftPercent100ths: closed } };
    },
    command(facts, command) {
      const { kind } = command;
      if (kind === "open" || kind === "close" || kind === "stop") return sendFor(facts, kind);
      if (kind !== "lift" || !hasPosition(facts)) return null;
      const open = Math.round(100 - command.closed);
      return open === 0 ? sendFor(facts, "close") : send("DON", percentValue(open, facts.uom("ST")));
    },
  },
  lock: {
    state(facts) {
      const word = wordOfValue(facts.role, facts.uom("ST"), facts.value("ST"));
      return { doorLock: { lockState: (word && LOCK_STATES[word]) ?? null } };
    },
    command: (facts, { kind }) => (kind === "lock" || kind === "unlock" ? sendFor(facts, kind) : null),
  },
  thermostat: {
    features: (facts) => climateFeatures(facts) ?? [],
    fixed: (facts) => fixedOf(climateFeatures(facts) ?? [], facts.limits("CLISPH"), facts.limits("CLISPC")),
    state(facts) {
      const features = climateFeatures(facts) ?? [];
      const temperature = temperatureOf(facts);
      const heat = features.includes("Heating") ? hundredthsOf(facts.value("CLISPH"), facts.uom("CLISPH")) : null;
      const cool = features.includes("Cooling") ? hundredthsOf(facts.value("CLISPC"), facts.uom("CLISPC")) : null;
      return {
        thermostat: {
          localTemperature: temperature,
          systemMode: systemMode(facts.value("CLIMD"), features),
          ...(heat === null ? {} : { occupiedHeatingSetpoint: withinLimits(heat, facts.limits("CLISPH")) }),
          ...(cool === null ? {} : { occupiedCoolingSetpoint: withinLimits(cool, facts.limits("CLISPC")) }),
        },
      };
    },
    command(facts, command) {
      if (command.kind !== "climate") return null;
      const mode = command.mode === undefined ? undefined : ownMode(command.mode);
      if (mode === null || (mode !== undefined && !facts.accepts("CLIMD"))) return null;
      const [heat, cool] = [setPoint(facts, "CLISPH", command.heat), setPoint(facts, "CLISPC", command.cool)];
      const before = hundredthsOf(facts.value("CLISPH"), facts.uom("CLISPH"));
      // The set-point that pushes the other one goes last: a thermostat that keeps them further apart moves the other one, not this.
      const rises = command.heat !== undefined && before !== null && command.heat > before;
      return [...(mode === undefined ? [] : send("CLIMD", mode)), ...(rises ? [...cool, ...heat] : [...heat, ...cool])];
    },
  },
  occupancy: { state: told("occupancySensing", "occupancy", (occupied) => ({ occupied })) },
  // Matter says true when the contact is closed.
  contact: { state: told("booleanState", "stateValue", (isOpen) => !isOpen) },
  leak: { state: told("booleanState", "stateValue", (isWet) => isWet) },
  freeze: { state: told("booleanState", "stateValue", (isCold) => isCold) },
  smoke: { state: told("smokeCoAlarm", "smokeState", alarmOf) },
  "carbon-monoxide": { state: told("smokeCoAlarm", "coState", alarmOf) },
  temperature: {
    state(facts) {
      const value = temperatureOf(facts);
      return value === null ? {} : { temperatureMeasurement: { measuredValue: value } };
    },
  },
  humidity: {
    state(facts) {
      const property = measured(facts, MEASURED.humidity, isHumidity);
      const value = property === null ? null : facts.value(property);
      return value === null ? {} : { relativeHumidityMeasurement: { measuredValue: Math.round(value * 100) } };
    },
  },
  illuminance: {
    state(facts) {
      const property = measured(facts, MEASURED.light, isLux);
      const value = property === null ? null : facts.value(property);
      if (value === null) return {};
      const measuredValue = value < 1 ? 0 : Math.min(0xfffe, Math.round(10_000 * Math.log10(value)) + 1);
      return { illuminanceMeasurement: { measuredValue } };
    },
  },
};

const always = (kind: DeviceKind) => (): DeviceKind => kind;
const moved = (facts: Facts): DeviceKind | null =>
  facts.commandFor("open") && facts.commandFor("close") ? "cover" : null;
const dimmed = (facts: Facts): DeviceKind =>
  facts.takesValue("DON") && (facts.uom("ST") === UOM.percent || facts.uom("ST") === UOM.level)
    ? "dimmable-light"
    : "light";
const warm = (facts: Facts): DeviceKind | null =>
  measured(facts, MEASURED.temperature, isDegrees) ? "temperature" : null;

/** Roles without a row have no device type; null: the node lacks what the device type needs. */
export const KIND_OF_ROLE: Readonly<Partial<Record<NodeRole, (facts: Facts) => DeviceKind | null>>> = {
  dimmer: dimmed,
  "color-lamp": dimmed,
  "white-lamp": dimmed,
  switch: always("light"),
  outlet: always("outlet"),
  appliance: always("outlet"),
  valve: always("outlet"),
  siren: (facts) => (facts.accepts("DON") && facts.accepts("DOF") ? "outlet" : null),
  fan: always("fan"),
  cover: moved,
  "garage-door": moved,
  lock: always("lock"),
  thermostat: (facts) => (climateFeatures(facts) ? "thermostat" : warm(facts)),
  motion: always("occupancy"),
  contact: always("contact"),
  leak: always("leak"),
  "leak-dry": always("leak"),
  cold: always("freeze"),
  smoke: always("smoke"),
  "carbon-monoxide": always("carbon-monoxide"),
  temperature: warm,
  weather: warm,
  humidity: (facts) => (measured(facts, MEASURED.humidity, isHumidity) ? "humidity" : null),
  light: (facts) => (measured(facts, MEASURED.light, isLux) ? "illuminance" : null),
};

/** Kinds that the owner can show as a contact sensor, for ecosystems that fail on them. */
export const CONTACT_INSTEAD: ReadonlySet<DeviceKind> = new Set(["leak", "freeze"]);

function climateFeatures(facts: Facts): readonly ClusterFeature[] | null {
  const accepts = (id: string) => facts.accepts(id) && isDegrees(facts.uom(id));
  return thermostatFeatures({ heats: accepts("CLISPH"), cools: accepts("CLISPC"), hasModes: facts.accepts("CLIMD") });
}

function alarmOf(isActive: boolean): number {
  return isActive ? ALARM.critical : ALARM.normal;
}

function fanMode(percent: number): number {
  if (percent === 0) return FAN.off;
  return percent <= 33 ? FAN.low : percent <= 66 ? FAN.medium : FAN.high;
}
