/**
 * What the entities of each domain of Home Assistant become, in the words that Zigbee2MQTT has for the same things: from there the table
 * of exposes leads to properties and commands.
 *
 * @see docs/home-assistant.md
 */

import { ownMember } from "../../util/foreign-value.ts";
import { HVAC_ACTIONS, MEASURED, SENSED_AS, TEXT_CLASSES } from "../exposed/device-classes.ts";
import { asNumber, type Expose, expose, type Plain } from "../exposed/expose.ts";
import type { Message } from "../exposed/feature.ts";
import {
  type Attributes,
  type Entity,
  type EntityState,
  isKnown,
  listOf,
  numberOf,
  supports,
  textOf,
} from "./entity.ts";

/** A service and its data, for one entity. */
type Call = { readonly domain: string; readonly service: string; readonly data: Message };

export type Made = {
  readonly expose: Expose;
  /** What a state says, by the properties of the expose; what it does not say is left out. */
  read(state: EntityState): Message;
  /** null: it does not take this. */
  call(message: Message, state: EntityState): Call | null;
  /** Locks, doors, what makes noise and what may do any of this: taken only when the owner wants it. */
  readonly isSecured?: boolean;
  /** A movement that begins with the command's own context is what was wanted. */
  readonly moves?: boolean;
};

type Given = { readonly entity: Entity; readonly state: EntityState; readonly unit: string };
type Row = (given: Given) => Made | null;

const READ = 1;
const SET = 2;
const BOTH = READ + SET;
const STEPS = 254;
const BYTE = 255;
const [GARAGE, VALVE, SIREN, OUTLET] = [184, 123, 137, 120];
const [OPEN, POSITION, STOP] = [1, 4, 8];
const [RANGE, TARGET] = [2, 1];
const SPEED = 1;

const DOMAINS: Readonly<Record<string, Row>> = {
  light,
  switch: (given) => onOff(given, textOf(given.state.attributes, "device_class") === "outlet" ? OUTLET : null),
  input_boolean: (given) => onOff(given, null),
  siren: (given) => ({ ...onOff(given, SIREN), isSecured: true }),
  fan,
  cover,
  lock,
  valve,
  climate,
  sensor,
  binary_sensor: binarySensor,
  person: tracker,
  device_tracker: tracker,
  event,
  number: (given) => numeric(given),
  input_number: (given) => numeric(given),
  select: (given) => choice(given),
  input_select: (given) => choice(given),
  button: (given) => press(given, "press"),
  input_button: (given) => press(given, "press"),
  scene: (given) => press(given, "turn_on"),
  // Nothing says what it does.
  script: (given) => ({ ...press(given, "turn_on"), isSecured: true }),
};

export const DOMAIN_NAMES: readonly string[] = Object.keys(DOMAINS);

/** Whether it is at home is the status of a node of its own, whatever else its device has. */
export const TRACKERS: readonly string[] = ["person", "device_tracker"];

/** @param unit of temperatures in this Home Assistant: °C or °F. @returns null: it is not shown */
export function madeOf(entity: Entity, state: EntityState, unit: string): Made | null {
  const isMeasured = entity.domain === "sensor" && textOf(state.attributes, "device_class") !== "";
  // Every tracker counts as diagnosis there.
  if (entity.isInternal && !isMeasured && !TRACKERS.includes(entity.domain)) return null;
  return ownMember(DOMAINS, entity.domain)?.({ entity, state, unit }) ?? null;
}

const keyOf = ({ entity }: Given, part: string) => `${entity.key}/${part}`;
const labelOf = ({ state, entity }: Given) => textOf(state.attributes, "friendly_name") || entity.name;

function caller({ entity: { domain } }: Given) {
  return (service: string, data: Message = {}): Call => ({ domain, service, data });
}

function onOff(given: Given, nodeCategory: number | null): Made {
  const key = keyOf(given, "state");
  const call = caller(given);
  const state = expose({ type: "binary", name: "state", property: key, access: BOTH });
  return {
    expose: expose({ type: "switch", label: labelOf(given), nodeCategory, features: [state] }),
    read: ({ state: word }) => stateMessage(key, word, "on", "off"),
    call: (message) => (key in message ? call(message[key] ? "turn_on" : "turn_off") : null),
  };
}

/** Words between the two, such as "opening", say nothing. */
function stateMessage(key: string, word: string, on: string, off: string): Message {
  if (word === "unknown") return { [key]: null };
  return word === on ? { [key]: true } : word === off ? { [key]: false } : {};
}

const COLORS: readonly string[] = ["hs", "rgb", "rgbw", "rgbww", "xy"];
const miredOf = (kelvin: number) => Math.round(1_000_000 / kelvin);

function light(given: Given): Made {
  const { attributes } = given.state;
  const [key, level, mired, color] = ["state", "brightness", "color_temp", "color"].map((part) =>
    keyOf(given, part),
  ) as [string, string, string, string];
  const call = caller(given);
  const modes = listOf(attributes, "supported_color_modes");
  const [coolest, warmest] = [
    numberOf(attributes, "max_color_temp_kelvin"),
    numberOf(attributes, "min_color_temp_kelvin"),
  ];
  const [min, max] = [coolest, warmest].map((kelvin) => (kelvin === null || kelvin <= 0 ? null : miredOf(kelvin))) as [
    number | null,
    number | null,
  ];
  const features = [
    expose({ type: "binary", name: "state", property: key, access: BOTH }),
    ...(modes.some((mode) => mode !== "onoff" && mode !== "unknown")
      ? [expose({ type: "numeric", name: "brightness", property: level, access: BOTH, min: 0, max: STEPS })]
      : []),
    ...(modes.includes("color_temp")
      ? [expose({ type: "numeric", name: "color_temp", property: mired, access: BOTH, min, max })]
      : []),
    ...(modes.some((mode) => COLORS.includes(mode))
      ? [expose({ type: "composite", name: "color_hs", property: color, access: BOTH })]
      : []),
  ];
  return {
    expose: expose({ type: "light", label: labelOf(given), features }),
    read({ state, attributes: now }) {
      const [brightness, kelvin] = [numberOf(now, "brightness"), numberOf(now, "color_temp_kelvin")];
      const shown = pairOf(now.hs_color);
      return {
        ...stateMessage(key, state, "on", "off"),
        // What an off lamp does not say stays as it was.
        ...(brightness === null ? {} : { [level]: (brightness * STEPS) / BYTE }),
        ...(kelvin === null || kelvin <= 0 ? {} : { [mired]: miredOf(kelvin) }),
        ...(shown ? { [color]: { hue: shown[0], saturation: shown[1] } } : {}),
      };
    },
    call(message, { attributes: now }) {
      if (message[key] === false) return call("turn_off");
      const data: Record<string, unknown> = {};
      if (level in message) data.brightness = Math.round((Number(message[level]) * BYTE) / STEPS);
      if (mired in message) {
        const wanted = Number(message[mired]);
        data.color_temp_kelvin = miredOf(Math.min(max ?? wanted, Math.max(min ?? wanted, wanted)));
      }
      const wanted = message[color];
      if (typeof wanted === "object" && wanted !== null) {
        const [hue = 0, saturation = 100] = pairOf(now.hs_color) ?? [];
        const own = wanted as Readonly<Record<string, number>>;
        data.hs_color = [own.hue ?? hue, own.saturation ?? saturation];
      }
      return call("turn_on", data);
    },
  };
}

function pairOf(value: unknown): readonly [number, number] | null {
  const [first, second] = Array.isArray(value) ? value : [];
  return typeof first === "number" && typeof second === "number" ? [first, second] : null;
}

/** Its speed in percent is what a lamp's brightness is. */
function fan(given: Given): Made {
  const base = onOff(given, null);
  if (!supports(given.state.attributes, SPEED)) return { ...base, expose: { ...base.expose, type: "fan" } };
  const key = keyOf(given, "percentage");
  const call = caller(given);
  const speed = expose({ type: "numeric", name: "brightness", property: key, access: BOTH, min: 0, max: STEPS });
  return {
    expose: { ...base.expose, type: "fan", features: [...base.expose.features, speed] },
    read(state) {
      const percentage = numberOf(state.attributes, "percentage");
      return { ...base.read(state), ...(percentage === null ? {} : { [key]: (percentage * STEPS) / 100 }) };
    },
    call(message, state) {
      if (!(key in message)) return base.call(message, state);
      return call("set_percentage", { percentage: Math.round((Number(message[key]) * 100) / STEPS) });
    },
  };
}

const SECURED_COVERS: readonly string[] = ["garage", "gate", "door"];

function cover(given: Given): Made {
  const { attributes } = given.state;
  const [state, position] = [keyOf(given, "state"), keyOf(given, "position")];
  const call = caller(given);
  const isSecured = SECURED_COVERS.includes(textOf(attributes, "device_class"));
  const hasPosition = supports(attributes, POSITION);
  const values = ["OPEN", "CLOSE", ...(supports(attributes, STOP) ? ["STOP"] : [])];
  const features = [
    expose({ type: "enum", name: "state", property: state, access: BOTH, values }),
    ...(hasPosition
      ? [expose({ type: "numeric", name: "position", property: position, access: BOTH, min: 0, max: 100 })]
      : []),
  ];
  const services: Readonly<Record<string, string>> = { OPEN: "open_cover", CLOSE: "close_cover", STOP: "stop_cover" };
  return {
    expose: expose({ type: "cover", label: labelOf(given), nodeCategory: isSecured ? GARAGE : null, features }),
    isSecured,
    moves: true,
    read({ state: word, attributes: now }) {
      const at = numberOf(now, "current_position");
      return {
        ...(word === "open" ? { [state]: "OPEN" } : word === "closed" ? { [state]: "CLOSE" } : {}),
        ...(at === null ? (hasPosition && word === "unknown" ? { [position]: null } : {}) : { [position]: at }),
      };
    },
    call(message) {
      if (position in message) return call("set_cover_position", { position: Math.round(Number(message[position])) });
      const service = ownMember(services, message[state]);
      if (service === "open_cover" && !supports(attributes, OPEN)) return null;
      return service === undefined ? null : call(service);
    },
  };
}

/** What is unlatched is not locked. */
const BOLTS: Readonly<Record<string, string>> = {
  locked: "locked",
  unlocked: "unlocked",
  open: "unlocked",
  jammed: "not_fully_locked",
};

function lock(given: Given): Made {
  const [state, told] = [keyOf(given, "state"), keyOf(given, "lock_state")];
  const call = caller(given);
  const features = [
    expose({ type: "binary", name: "state", property: state, access: SET, valueOn: "LOCK", valueOff: "UNLOCK" }),
    expose({ type: "enum", name: "lock_state", property: told, values: ["locked", "unlocked", "not_fully_locked"] }),
  ];
  return {
    expose: expose({ type: "lock", label: labelOf(given), features }),
    isSecured: true,
    read({ state: word }) {
      if (word === "unknown") return { [told]: null };
      const bolt = ownMember(BOLTS, word);
      if (bolt === undefined) return {};
      const wanted = ownMember({ locked: "LOCK", unlocked: "UNLOCK" }, bolt);
      return { [told]: bolt, ...(wanted === undefined ? {} : { [state]: wanted }) };
    },
    call: (message) => (state in message ? call(message[state] === "LOCK" ? "lock" : "unlock") : null),
  };
}

/** A valve that is open is on. */
function valve(given: Given): Made {
  const key = keyOf(given, "state");
  const call = caller(given);
  const state = expose({ type: "binary", name: "state", property: key, access: BOTH });
  return {
    expose: expose({ type: "switch", label: labelOf(given), nodeCategory: VALVE, features: [state] }),
    moves: true,
    read: ({ state: word }) => stateMessage(key, word, "open", "closed"),
    call: (message) => (key in message ? call(message[key] ? "open_valve" : "close_valve") : null),
  };
}

type SetPoint = { readonly name: string; readonly key: string; readonly attribute: string };

/** Both ends of a range, or one: for cooling where it only cools. */
function setPointsOf(given: Given, modes: readonly string[]): readonly SetPoint[] {
  const { attributes } = given.state;
  const made = (side: "heating" | "cooling", attribute: string) => {
    return { name: `occupied_${side}_setpoint`, key: keyOf(given, attribute), attribute };
  };
  if (supports(attributes, RANGE)) return [made("heating", "target_temp_low"), made("cooling", "target_temp_high")];
  if (!supports(attributes, TARGET)) return [];
  const coolsOnly = modes.includes("cool") && !["heat", "heat_cool", "auto"].some((mode) => modes.includes(mode));
  return [made(coolsOnly ? "cooling" : "heating", "temperature")];
}

function climate(given: Given): Made {
  const { unit } = given;
  const { attributes } = given.state;
  const call = caller(given);
  const [now, mode, action] = ["local_temperature", "mode", "action"].map((part) => keyOf(given, part)) as [
    string,
    string,
    string,
  ];
  const modes = listOf(attributes, "hvac_modes");
  const points = setPointsOf(given, modes);
  // "heat_cool" is what the interface calls automatic.
  const spelled = (word: string) => (word === "heat_cool" ? "auto" : word);
  const [min, max] = [numberOf(attributes, "min_temp"), numberOf(attributes, "max_temp")];
  const number = (name: string, property: string, more: Partial<Expose> = {}) =>
    expose({ type: "numeric", name, property, unit, ...more });
  const list = (name: string, property: string, values: readonly Plain[], access = BOTH) =>
    expose({ type: "enum", name, property, label: name, values, access });
  const lists = [
    ["fan_mode", "fan_modes", "set_fan_mode"],
    ["preset_mode", "preset_modes", "set_preset_mode"],
  ] as const;
  const features = [
    number("local_temperature", now),
    ...points.map(({ name, key }) => number(name, key, { access: BOTH, min, max })),
    list("system_mode", mode, [...new Set(modes.map(spelled))]),
    ...(Object.hasOwn(attributes, "hvac_action")
      ? [list("running_state", action, ["idle", "heat", "cool", "fan_only"], READ)]
      : []),
    ...lists.flatMap(([name, values]) =>
      listOf(attributes, values).length > 0 ? [list(name, keyOf(given, name), listOf(attributes, values))] : [],
    ),
  ];
  return {
    expose: expose({ type: "climate", label: labelOf(given), features }),
    read({ state, attributes: told }) {
      const running = ownMember(HVAC_ACTIONS, textOf(told, "hvac_action"));
      const temperature = numberOf(told, "current_temperature");
      return {
        ...(temperature === null ? {} : { [now]: temperature }),
        // A thermostat that is off has no set-point, and comes back to the one that it had.
        ...Object.fromEntries(
          points.flatMap(({ key, attribute }) => {
            const value = numberOf(told, attribute);
            return value === null ? [] : [[key, value]];
          }),
        ),
        ...(state === "unknown" ? { [mode]: null } : { [mode]: spelled(state) }),
        ...(running === undefined ? {} : { [action]: running }),
        ...Object.fromEntries(lists.map(([name]) => [keyOf(given, name), textOf(told, name) || null])),
      };
    },
    call(message, { attributes: told }) {
      if (mode in message) {
        const word = String(message[mode]);
        return call("set_hvac_mode", { hvac_mode: word === "auto" && !modes.includes("auto") ? "heat_cool" : word });
      }
      for (const [name, , service] of lists) {
        if (keyOf(given, name) in message) return call(service, { [name]: message[keyOf(given, name)] });
      }
      const wanted = points.find(({ key }) => key in message);
      if (!wanted) return null;
      // Both ends are wanted at once.
      const others = points.map(({ attribute }) => [attribute, numberOf(told, attribute)]);
      return call("set_temperature", {
        ...Object.fromEntries(others),
        [wanted.attribute]: Number(message[wanted.key]),
      });
    },
  };
}

function sensor(given: Given): Made | null {
  const { attributes } = given.state;
  const [kind, unit] = [textOf(attributes, "device_class"), textOf(attributes, "unit_of_measurement")];
  const property = keyOf(given, "value");
  const label = labelOf(given);
  const values = listOf(attributes, "options");
  if (kind === "enum" && values.length > 0) {
    return {
      expose: expose({ type: "enum", name: "value", property, label, values }),
      read: (state) => ({ [property]: isKnown(state) ? state.state : null }),
      call: () => null,
    };
  }
  const isNumber = unit !== "" || Object.hasOwn(attributes, "state_class");
  if (TEXT_CLASSES.includes(kind) || !isNumber) return null;
  const [name = "", units = []] = ownMember(MEASURED, kind) ?? [];
  return {
    expose: expose({ type: "numeric", name: units.includes(unit) ? name : "value", property, label, unit }),
    read: ({ state }) => ({ [property]: asNumber(state) }),
    call: () => null,
  };
}

function binarySensor(given: Given): Made {
  const name = ownMember(SENSED_AS, textOf(given.state.attributes, "device_class")) ?? "state";
  const property = keyOf(given, "state");
  // Zigbee calls a closed contact true.
  const [on, off] = name === "contact" ? ["off", "on"] : ["on", "off"];
  return {
    expose: expose({ type: "binary", name, property, label: labelOf(given) }),
    read: ({ state }) => stateMessage(property, state, on, off),
    call: () => null,
  };
}

/** "not_home" and the names of other zones are away. */
function tracker(given: Given): Made {
  const property = keyOf(given, "state");
  return {
    expose: expose({ type: "binary", name: "tracker", property, label: labelOf(given) }),
    read: (state) => ({ [property]: isKnown(state) ? state.state === "home" : null }),
    call: () => null,
  };
}

/** What happens is an action of the device; the driver tells it when the time of the event moves. */
function event(given: Given): Made {
  const values = listOf(given.state.attributes, "event_types");
  return {
    expose: expose({ type: "enum", name: "action", property: "action", values }),
    read: ({ attributes }) => ({ action: textOf(attributes, "event_type") }),
    call: () => null,
  };
}

function numeric(given: Given): Made {
  const { attributes } = given.state;
  const property = keyOf(given, "value");
  const call = caller(given);
  const [min, max] = [numberOf(attributes, "min") ?? 0, numberOf(attributes, "max") ?? 100];
  const unit = textOf(attributes, "unit_of_measurement");
  return {
    expose: expose({ type: "numeric", name: "value", property, label: labelOf(given), unit, access: BOTH, min, max }),
    read: ({ state }) => ({ [property]: asNumber(state) }),
    call: (message) => (property in message ? call("set_value", { value: Number(message[property]) }) : null),
  };
}

function choice(given: Given): Made {
  const property = keyOf(given, "value");
  const call = caller(given);
  const values = listOf(given.state.attributes, "options");
  return {
    expose: expose({ type: "enum", name: "value", property, label: labelOf(given), access: BOTH, values }),
    read: (state) => ({ [property]: isKnown(state) ? state.state : null }),
    call: (message) => (property in message ? call("select_option", { option: message[property] }) : null),
  };
}

/** A command with one value: it has no state. */
function press(given: Given, service: string): Made {
  const property = keyOf(given, "press");
  const call = caller(given);
  return {
    expose: expose({ type: "enum", name: "press", property, label: labelOf(given), access: SET, values: ["Press"] }),
    read: () => ({}),
    call: () => call(service),
  };
}

/** Whether an attribute that the shape of the node depends on is another one. */
export function shapeOf({ attributes }: EntityState): string {
  return JSON.stringify(SHAPING.map((name) => (Object.hasOwn(attributes, name) ? attributes[name] : null)));
}

const SHAPING: readonly (keyof Attributes & string)[] = [
  ...["supported_features", "supported_color_modes", "min_color_temp_kelvin", "max_color_temp_kelvin"],
  ...["device_class", "unit_of_measurement", "state_class", "options", "event_types"],
  ...["hvac_modes", "min_temp", "max_temp", "fan_modes", "preset_modes", "min", "max", "friendly_name"],
];
