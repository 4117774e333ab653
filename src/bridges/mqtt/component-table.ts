/**
 * What each role is announced as, the way of Home Assistant: the component, where its state is read and what a command sends. Below, the
 * class and unit of a sensor for each unit of the interface.
 *
 * @see docs/announcing.md
 */

import type { CommandWord } from "../../profile/command-words.ts";
import { convertUnit } from "../../profile/convert-unit.ts";
import type { NodeRole } from "../../profile/roles-table.ts";
import { isActive, isLevel, type StatusWord, wordOfValue } from "../../profile/status-words.ts";
import { UOM } from "../../profile/uom.ts";
import type { NodeFacts } from "../node-facts.ts";

export type Component = Readonly<Record<string, unknown>>;
type Row = (facts: NodeFacts) => Component | null;

export const NO_VALUE = "None";
const STATUS = "~/ST";
const SET = "~/set";
/** Values that a status has beside zero and full. */
const CODES = [0, 100, 101, 102, 103, 104];

/** A template with the text of every value of the status; `textOf` gets what the value says. */
const spelled = <T>(
  facts: NodeFacts,
  said: (role: NodeRole, uom: number, value: number) => T,
  textOf: (is: T) => string,
) => {
  const of = (value: number) => textOf(said(facts.role, facts.uom("ST"), value));
  const others = of(1);
  const texts = CODES.map((value) => [value, of(value)] as const).filter(([, text]) => text !== others);
  const pairs = [[NO_VALUE, NO_VALUE] as const, ...texts].map(([value, text]) => `'${value}':'${text}'`);
  return `{{ {${pairs.join(",")}}.get(value, '${others}') }}`;
};

const byActive = (facts: NodeFacts, on: string, off: string) =>
  spelled(facts, isActive, (is) => (is === null ? NO_VALUE : is ? on : off));

const byWord = (facts: NodeFacts, texts: Readonly<Partial<Record<StatusWord, string>>>) =>
  spelled(facts, wordOfValue, (word) => (word && texts[word]) ?? NO_VALUE);

const onOff = (facts: NodeFacts) => byActive(facts, "ON", "OFF");

const sent = (command: string, ...parameters: readonly (number | string)[]) =>
  `{"command":"${command}"${parameters.length === 0 ? "" : `,"parameters":[${parameters.join(",")}]`}}`;
const VALUE = "{{ value }}";
/** Lamps and fans know no words of their own for their states: these are what turns them on and off. */
const turned = (facts: NodeFacts) => byActive(facts, sent("DON"), sent("DOF"));

const sentFor = (facts: NodeFacts, word: CommandWord) => {
  const found = facts.commandFor(word);
  return found && sent(found.command, ...(found.parameter === null ? [] : [found.parameter]));
};

const switched: Row = (facts) => ({
  ...{ platform: "switch", state_topic: STATUS, value_template: onOff(facts), command_topic: SET },
  ...{ payload_on: sent("DON"), payload_off: sent("DOF"), state_on: "ON", state_off: "OFF" },
});

/** Levels are in percent on the broker, also of devices that count to 255. A lamp that is on is never at 0 %. */
export function shownLevel(value: number, uom: number): number {
  return uom === UOM.level && value > 0 ? Math.max(1, convertUnit(value, uom, UOM.percent) ?? value) : value;
}

/** Commands and properties whose values are levels. */
export const LEVELS: ReadonlySet<string> = new Set(["ST", "DON", "OL"]);

const dimmed: Row = (facts) => ({
  ...{ platform: "light", state_topic: STATUS, state_value_template: turned(facts), command_topic: SET },
  ...{ payload_on: sent("DON"), payload_off: sent("DOF"), on_command_type: "brightness" },
  ...{ brightness_state_topic: STATUS, brightness_command_topic: SET, brightness_command_template: sent("DON", VALUE) },
  brightness_scale: 100,
});

const HUE = [149, 153];
const MIRED = 152;
const KELVIN = 26;
const RGB: Readonly<Record<string, string>> = { RED: "{{ red }}", GREEN: "{{ green }}", BLUE: "{{ blue }}" };
/** Hue and saturation as one value. */
export const COLOR = "color";

/** Properties of the hue and the saturation; null: the lamp has none that can be read. */
export function colorOf(facts: NodeFacts): readonly [hue: string, saturation: string] | null {
  const hue = facts.settable(HUE);
  const saturation = facts.settable([UOM.percent], "OL");
  return hue === null || saturation === null ? null : [hue, saturation];
}

/** A lamp with colors: by hue and saturation, or by a command that takes red, green and blue and cannot be read. */
const colored: Row = (facts) => {
  const color = colorOf(facts);
  const parts = facts.parameters("COLOR");
  const rgb = parts.map((id) => RGB[id] ?? 0);
  return {
    ...dimmed(facts),
    ...white(facts),
    ...(color && {
      ...{ hs_state_topic: `~/${COLOR}`, hs_command_topic: SET },
      hs_command_template: `[${sent(color[0], "{{ hue | round | int }}")},${sent(color[1], "{{ sat | round | int }}")}]`,
    }),
    ...(!color && parts.includes("RED") && { rgb_command_topic: SET, rgb_command_template: sent("COLOR", ...rgb) }),
  };
};

/** Its color temperature in mired; lamps that count in kelvin are converted. */
const white: Row = (facts) => {
  const id = facts.settable([MIRED, KELVIN]);
  if (id === null) return {};
  const isKelvin = facts.uom(id) === KELVIN;
  const bounds = facts.bounds(id);
  const mired = (value: number) => (isKelvin ? Math.round(1_000_000 / value) : value);
  const of = "{{ (1000000 / value | float) | round | int }}";
  const [min, max] = bounds ? [mired(bounds.min), mired(bounds.max)].toSorted((a, b) => a - b) : [];
  return {
    ...{ color_temp_state_topic: `~/${id}`, color_temp_command_topic: SET },
    ...(isKelvin && {
      color_temp_value_template: `{% if value == '${NO_VALUE}' %}${NO_VALUE}{% else %}${of}{% endif %}`,
    }),
    color_temp_command_template: sent(id, isKelvin ? of : VALUE),
    ...(bounds && { min_mireds: min, max_mireds: max }),
  };
};

const whitened: Row = (facts) => ({ ...dimmed(facts), ...white(facts) });

/** Steps by their place from 1, or a level. */
const fanned: Row = (facts) => {
  const base = { platform: "fan", state_topic: STATUS, state_value_template: turned(facts), command_topic: SET };
  const isOnOff = { ...base, payload_on: sent("DON"), payload_off: sent("DOF") };
  const speeds = { percentage_state_topic: STATUS, percentage_command_topic: SET, payload_reset_percentage: NO_VALUE };
  const shown = (step: number) => shownLevel(step, facts.uom("ST"));
  const steps =
    facts
      .steps("DON")
      ?.filter((value) => value > 0)
      .map(shown) ?? null;
  if (!facts.takesValue("DON") || steps?.length === 1) return isOnOff;
  if (steps === null) {
    const level = { speed_range_max: 100, percentage_command_template: sent("DON", VALUE) };
    return { ...isOnOff, ...speeds, ...level };
  }
  const byPlace = steps.map((value, at) => `${at + 1}:${value}`).join(",");
  const byValue = steps.map((value, at) => `'${value}':${at + 1}`).join(",");
  return {
    ...{ ...isOnOff, ...speeds, speed_range_max: steps.length },
    percentage_value_template: `{{ {'0':0,${byValue}}.get(value, '${NO_VALUE}') }}`,
    percentage_command_template: sent("DON", `{{ {${byPlace}}[value] }}`),
  };
};

const moved: Row = (facts) => {
  const statusUom = facts.uom("ST");
  const [open, close, stop] = [sentFor(facts, "open"), sentFor(facts, "close"), sentFor(facts, "stop")];
  if (!open || !close) return null;
  const hasPosition = isLevel(statusUom);
  const unknown = CODES.filter((value) => wordOfValue(facts.role, statusUom, value) === null);
  const none = [NO_VALUE, ...unknown].map((value) => `'${value}':''`).join(",");
  return {
    ...{ platform: "cover", command_topic: SET, payload_open: open, payload_close: close, payload_stop: stop },
    ...(hasPosition
      ? {
          ...{ position_topic: STATUS, position_open: 100 },
          // An empty position is ignored; anything else that is no number is logged as an error.
          position_template: `{{ {${none}}.get(value, value) }}`,
        }
      : { state_topic: STATUS, value_template: byWord(facts, { open: "open", closed: "closed" }) }),
    ...(hasPosition && facts.takesValue("DON")
      ? { set_position_topic: SET, set_position_template: sent("DON", VALUE) }
      : {}),
  };
};

const locked: Row = (facts) => {
  const [lock, unlock] = [sentFor(facts, "lock"), sentFor(facts, "unlock")];
  const state = byWord(facts, { locked: "LOCKED", unlocked: "UNLOCKED", jammed: "JAMMED" });
  return lock && unlock
    ? {
        ...{ platform: "lock", state_topic: STATUS, value_template: state, command_topic: SET },
        ...{ payload_lock: lock, payload_unlock: unlock },
      }
    : null;
};

/** Numbers of the interface for modes and states of thermostats, and the words. */
const MODES: Readonly<Record<string, string>> = { 0: "off", 1: "heat", 2: "cool", 3: "auto", 6: "fan_only", 8: "dry" };
const ACTIONS: Readonly<Record<string, string>> = { 0: "idle", 1: "heating", 2: "cooling", 3: "fan" };

function pythonOf(words: Readonly<Record<string, string>>): string {
  return `{${Object.entries(words)
    .map(([number, word]) => `'${number}':'${word}'`)
    .join(",")}}`;
}

const climate: Row = ({ uom, accepts, reports }) => {
  const statusUom = uom("ST");
  const isStatus = statusUom === UOM.celsius || statusUom === UOM.fahrenheit;
  const current = isStatus ? STATUS : reports("CLITEMP") ? "~/CLITEMP" : null;
  const target = (name: string, id: string) =>
    accepts(id)
      ? {
          [`${name}_state_topic`]: `~/${id}`,
          [`${name}_command_topic`]: SET,
          [`${name}_command_template`]: sent(id, VALUE),
        }
      : {};
  const hasBoth = accepts("CLISPH") && accepts("CLISPC");
  const units = ["CLISPH", "CLISPC", "ST", "CLITEMP"].map(uom);
  const unit = units.includes(UOM.fahrenheit) ? "F" : units.includes(UOM.celsius) ? "C" : null;
  const byWord = Object.fromEntries(Object.entries(MODES).map(([number, word]) => [word, number]));
  return {
    platform: "climate",
    ...(current === null ? {} : { current_temperature_topic: current }),
    // Otherwise it would have the unit of the other system.
    ...(unit === null ? {} : { temperature_unit: unit }),
    ...target(hasBoth ? "temperature_low" : "temperature", "CLISPH"),
    ...(hasBoth || !accepts("CLISPH") ? target(hasBoth ? "temperature_high" : "temperature", "CLISPC") : {}),
    ...(accepts("CLIMD")
      ? {
          modes: Object.values(MODES),
          mode_state_topic: "~/CLIMD",
          mode_state_template: `{{ ${pythonOf(MODES)}.get(value) }}`,
          mode_command_topic: SET,
          mode_command_template: sent("CLIMD", `{{ ${pythonOf(byWord)}[value] }}`),
        }
      : { modes: [] }),
    ...(reports("CLIHCS")
      ? { action_topic: "~/CLIHCS", action_template: `{{ ${pythonOf(ACTIONS)}.get(value) }}` }
      : {}),
  };
};

const sensed =
  (kind: string | null): Row =>
  (facts) => ({
    ...{ platform: "binary_sensor", state_topic: STATUS, value_template: onOff(facts) },
    ...(kind === null ? {} : { device_class: kind }),
  });

/** Without a template a siren is sent JSON of its own, and its state is read by another name. */
const sounded: Row = (facts) => ({
  ...{ ...switched(facts), platform: "siren", value_template: undefined, state_value_template: onOff(facts) },
  ...{ command_template: VALUE, support_duration: false, support_volume_set: false },
});

const as =
  (row: Row, more: Component): Row =>
  (facts) => {
    const made = row(facts);
    return made && { ...made, ...more };
  };

/** A press is an event by the control's own name. */
const pressed: Row = ({ sends }) =>
  sends.length === 0
    ? null
    : { platform: "event", state_topic: "~/event", event_types: [...sends], device_class: "button" };

/** Roles without a row have no component of their own, but the sensors of their properties. */
export const COMPONENTS: Readonly<Partial<Record<NodeRole, Row>>> = {
  dimmer: dimmed,
  "color-lamp": colored,
  "white-lamp": whitened,
  switch: switched,
  appliance: switched,
  valve: switched,
  outlet: as(switched, { device_class: "outlet" }),
  fan: fanned,
  siren: sounded,
  cover: moved,
  "garage-door": as(moved, { device_class: "garage" }),
  lock: locked,
  thermostat: climate,
  motion: sensed("motion"),
  contact: sensed("door"),
  leak: sensed("moisture"),
  "leak-dry": sensed("moisture"),
  smoke: sensed("smoke"),
  "carbon-monoxide": sensed("carbon_monoxide"),
  gas: sensed("gas"),
  heat: sensed("heat"),
  cold: sensed("cold"),
  safety: sensed("safety"),
  "binary-sensor": sensed(null),
  person: sensed("presence"),
  button: pressed,
};

/** Roles whose status is a value like any other. */
export const MEASURING: ReadonlySet<NodeRole> = new Set([
  "temperature",
  "humidity",
  "light",
  "weather",
  "meter",
  "sensor",
]);

type Measured = { readonly device_class?: string; readonly unit_of_measurement: string; readonly state_class?: string };

const measured = (kind: string, unit: string, state = "measurement"): Measured => ({
  device_class: kind,
  unit_of_measurement: unit,
  state_class: state,
});

/** By property, for units that do not say it. */
export const MEASURED_BY_ID: Readonly<Record<string, Measured>> = {
  BATLVL: measured("battery", "%"),
  CO2LVL: measured("carbon_dioxide", "ppm"),
  PM25: measured("pm25", "µg/m³"),
  PM10: measured("pm10", "µg/m³"),
  MOIST: measured("moisture", "%"),
};

export const MEASURED_BY_UOM: Readonly<Record<number, Measured>> = {
  1: measured("current", "A"),
  4: measured("temperature", "°C"),
  17: measured("temperature", "°F"),
  21: measured("humidity", "%"),
  22: measured("humidity", "%"),
  30: measured("power", "kW"),
  31: measured("pressure", "kPa"),
  33: measured("energy", "kWh", "total_increasing"),
  36: measured("illuminance", "lx"),
  41: measured("current", "mA"),
  43: measured("voltage", "mV"),
  72: measured("voltage", "V"),
  73: measured("power", "W"),
  90: measured("frequency", "Hz"),
  118: measured("pressure", "hPa"),
};
