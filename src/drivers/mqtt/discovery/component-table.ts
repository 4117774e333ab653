/**
 * What each component of Home Assistant's discovery becomes, with its device classes and units, in the words that Zigbee2MQTT has for the
 * same things: from there the table of exposes leads to properties and commands.
 *
 * @see docs/announced-devices.md
 */

import { ownMember } from "../../../util/foreign-value.ts";
import { HVAC_ACTIONS, MEASURED, SENSED_AS, TEXT_CLASSES } from "../../exposed/device-classes.ts";
import { asNumber, type Expose, expose, type Plain } from "../../exposed/expose.ts";
import type { AnnouncedEntity } from "./announcement.ts";
import { asMeasured, asState, encoder, type Made, output, type Publication, requiredOutput, source } from "./entity.ts";
import { type EntityConfig, Refusal } from "./entity-config.ts";
import { light } from "./light.ts";

type Row = (config: EntityConfig, given: Given) => Made | null;
/** `property` names a value of the entity among all values of its device. */
type Given = { readonly label: string; readonly property: (part: string) => string };

const GARAGE = 184;
const VALVE = 123;
const SIREN = 137;
const OUTLET = 120;

const COMPONENTS: Readonly<Record<string, Row>> = {
  switch: (config, given) => onOff(config, given, config.text("device_class") === "outlet" ? OUTLET : null),
  siren: (config, given) => onOff(config, given, SIREN),
  valve,
  light: (config, given) => light(config, given),
  cover,
  lock,
  climate,
  fan,
  sensor,
  binary_sensor: binarySensor,
  device_tracker: tracker,
  number,
  select,
  button: (config, given) => press(config, given, "payload_press", "PRESS"),
  scene: (config, given) => press(config, given, "payload_on", "ON"),
  event,
  device_automation: trigger,
};

const NEEDS_NUMBERS: readonly string[] = ["sensor"];

/** null: it is for configuration or diagnosis. @throws Refusal */
export function madeOf({ id, component }: AnnouncedEntity, config: EntityConfig): Made | null {
  const row = ownMember(COMPONENTS, component);
  if (!row) throw new Refusal(`Entities of the kind ${component.slice(0, 40)} are not shown.`);
  const isInternal = ["config", "diagnostic"].includes(config.text("entity_category"));
  if (isInternal && !(NEEDS_NUMBERS.includes(component) && config.has("device_class"))) return null;
  return row(config, { label: config.text("name"), property: (part) => `${id}/${part}` });
}

const READ = 1;
const SET = 2;

function onOff(config: EntityConfig, { label, property }: Given, nodeCategory: number | null): Made {
  const send = requiredOutput(config);
  const [on, off] = [config.word("payload_on", "ON"), config.word("payload_off", "OFF")];
  const key = property("state");
  const isOn = asState(config.word("state_on", on), config.word("state_off", off));
  const state = expose({ type: "binary", name: "state", property: key, access: READ + SET });
  return {
    expose: expose({ type: "switch", label, nodeCategory, features: [state] }),
    sources: source(config.topic("state_topic"), config.template("value_template"), key, isOn),
    encode: encoder({
      [key]: (value) => send(config.payload(value ? "payload_on" : "payload_off", value ? "ON" : "OFF")),
    }),
  };
}

/** A valve that is open is on. */
function valve(config: EntityConfig, { label, property }: Given): Made {
  const send = requiredOutput(config);
  if (config.isTrue("reports_position")) throw new Refusal("Valves with positions are not shown.");
  const key = property("state");
  const isOpen = asState(config.word("state_open", "open"), config.word("state_closed", "closed"));
  const state = expose({ type: "binary", name: "state", property: key, access: READ + SET });
  return {
    expose: expose({ type: "switch", label, nodeCategory: VALVE, features: [state] }),
    sources: source(config.topic("state_topic"), config.template("value_template"), key, isOpen),
    encode: encoder({
      [key]: (value) => send(config.payload(value ? "payload_open" : "payload_close", value ? "OPEN" : "CLOSE")),
    }),
  };
}

const MOVES: readonly string[] = ["OPEN", "CLOSE"];

/** Doors of garages move too, and are secured. */
function cover(config: EntityConfig, { label, property }: Given): Made {
  const [state, position] = [property("state"), property("position")];
  const send = output(config, "command_topic", "command_template");
  const sendPosition = output(config, "set_position_topic", "set_position_template");
  if (!send && !sendPosition) throw new Refusal("It takes no commands.");
  const positionTopic = config.topic("position_topic");
  const [closed, open] = [config.number("position_closed") ?? 0, config.number("position_open") ?? 100];
  const span = open - closed || 100;
  const words = { [config.word("state_open", "open")]: "OPEN", [config.word("state_closed", "closed")]: "CLOSE" };
  const payloads: Readonly<Record<string, string>> = {
    OPEN: config.payload("payload_open", "OPEN"),
    CLOSE: config.payload("payload_close", "CLOSE"),
    STOP: config.payload("payload_stop", "STOP"),
  };
  const canStop = !config.isNone("payload_stop");
  const at = expose({ type: "numeric", name: "position", property: position, access: READ + SET, min: 0, max: 100 });
  const features = [
    expose({
      type: "enum",
      name: "state",
      property: state,
      access: READ + SET,
      values: canStop ? [...MOVES, "STOP"] : MOVES,
    }),
    ...(positionTopic === null ? [] : [at]),
  ];
  const percentOf = (text: string) => {
    const value = asNumber(text);
    return value === null ? undefined : Math.round(Math.min(1, Math.max(0, (value - closed) / span)) * 100);
  };
  const move = (percent: number) =>
    sendPosition?.(Math.round(closed + (percent * span) / 100)) ??
    send?.(String(payloads[percent > 0 ? "OPEN" : "CLOSE"]));
  return {
    expose: expose({
      type: "cover",
      label,
      nodeCategory: ["garage", "gate"].includes(config.text("device_class")) ? GARAGE : null,
      features,
    }),
    sources: [
      ...source(config.topic("state_topic"), config.template("value_template"), state, (text) =>
        ownMember(words, text),
      ),
      ...source(positionTopic, config.template("position_template"), position, percentOf),
    ],
    encode: encoder({
      [state]: (word) => send?.(String(payloads[String(word)])) ?? move(word === "OPEN" ? 100 : 0) ?? null,
      [position]: (percent) => move(Number(percent)) ?? null,
    }),
  };
}

function lock(config: EntityConfig, { label, property }: Given): Made {
  const send = requiredOutput(config);
  const [state, told] = [property("state"), property("lock_state")];
  const [topic, template] = [config.topic("state_topic"), config.template("value_template")];
  const words: Readonly<Record<string, string>> = {
    [config.word("state_locked", "LOCKED")]: "locked",
    [config.word("state_unlocked", "UNLOCKED")]: "unlocked",
    [config.word("state_jammed", "JAMMED")]: "not_fully_locked",
  };
  const features = [
    expose({ type: "binary", name: "state", property: state, access: SET, valueOn: "LOCK", valueOff: "UNLOCK" }),
    expose({ type: "enum", name: "lock_state", property: told, values: ["locked", "unlocked", "not_fully_locked"] }),
  ];
  return {
    expose: expose({ type: "lock", label, features }),
    sources: [
      ...source(topic, template, told, (text) => ownMember(words, text)),
      ...source(topic, template, state, (text) =>
        ownMember({ locked: "LOCK", unlocked: "UNLOCK" }, ownMember(words, text)),
      ),
    ],
    encode: encoder({
      [state]: (word) => send(config.payload(word === "LOCK" ? "payload_lock" : "payload_unlock", String(word))),
    }),
  };
}

/** Limits of set-points by the unit, where none are announced. */
const DEGREES: Readonly<Record<string, readonly [min: number, max: number]>> = { "°C": [7, 35], "°F": [45, 95] };

type SetPoint = {
  readonly topic: string;
  readonly name: string;
  readonly key: string;
  readonly send: NonNullable<ReturnType<typeof output>>;
};

/** A thermostat has one set-point, or one for heating and one for cooling. */
function setPointsOf(config: EntityConfig, property: Given["property"], modes: readonly Plain[]): readonly SetPoint[] {
  const made = (topic: string, side: "heating" | "cooling"): readonly SetPoint[] => {
    const send = output(config, `${topic}_command_topic`, `${topic}_command_template`);
    return send ? [{ topic, name: `occupied_${side}_setpoint`, key: property(topic), send }] : [];
  };
  const both = [...made("temperature_low", "heating"), ...made("temperature_high", "cooling")];
  if (both.length > 0) return both;
  const coolsOnly = modes.includes("cool") && !["heat", "heat_cool", "auto"].some((mode) => modes.includes(mode));
  return made("temperature", coolsOnly ? "cooling" : "heating");
}

/** What switches it off and on, where the mode alone does not. */
function switchedMode(config: EntityConfig, modes: readonly Plain[]) {
  const sendMode = output(config, "mode_command_topic", "mode_command_template");
  const sendPower = output(config, "power_command_topic", "power_command_template");
  const wordOf = (word: string) => (word === "auto" && !modes.includes("auto") ? "heat_cool" : word);
  const isOff = (word: string) => word === "off";
  const send = (word: string): readonly Publication[] | null => {
    const power = sendPower?.(isOff(word) ? config.payload("payload_off", "OFF") : config.payload("payload_on", "ON"));
    const mode = isOff(word) && !modes.includes("off") ? [] : sendMode?.(wordOf(word));
    return power === null || mode === null ? null : [...(power ?? []), ...(mode ?? [])];
  };
  return { canOff: sendPower !== null, send: sendMode || sendPower ? send : null, hasMode: sendMode !== null };
}

function climate(config: EntityConfig, { label, property }: Given): Made {
  const unit = config.text("temperature_unit") === "F" ? "°F" : "°C";
  const [now, mode, action] = ["local_temperature", "mode", "action"].map(property) as [string, string, string];
  const sendFan = output(config, "fan_mode_command_topic", "fan_mode_command_template");
  const sendPreset = output(config, "preset_mode_command_topic", "preset_mode_command_template");
  const [fan, preset] = [property("fan_mode"), property("preset")];
  const number = (name: string, key: string, more: Partial<Expose> = {}) =>
    expose({ type: "numeric", name, property: key, unit, ...more });
  const choice = (name: string, key: string, values: readonly Plain[], access = READ + SET) =>
    expose({ type: "enum", name, property: key, label: name, values, access });
  const modes = config.has("modes") ? config.list("modes") : ["auto", "off", "cool", "heat", "dry", "fan_only"];
  const points = setPointsOf(config, property, modes);
  const power = switchedMode(config, modes);
  // "heat_cool" is what the interface calls automatic.
  const spelled = (word: string) => (word === "heat_cool" ? "auto" : word);
  const [least, most] = DEGREES[unit] ?? [7, 35];
  const bounds = { min: config.number("min_temp") ?? least, max: config.number("max_temp") ?? most };
  const on = points.length > 1 ? "auto" : points[0]?.name === "occupied_cooling_setpoint" ? "cool" : "heat";
  const told = power.hasMode ? modes.map((word) => spelled(String(word))) : [on];
  const has = (key: string) => config.topic(key) !== null;
  const features = [
    ...(has("current_temperature_topic") ? [number("local_temperature", now)] : []),
    ...points.map(({ name, key }) => number(name, key, { access: READ + SET, ...bounds })),
    ...(power.send ? [choice("system_mode", mode, [...new Set([...(power.canOff ? ["off"] : []), ...told])])] : []),
    ...(has("action_topic") ? [choice("running_state", action, ["idle", "heat", "cool", "fan_only"], READ)] : []),
    ...(sendFan
      ? [
          choice(
            "fan_mode",
            fan,
            config.has("fan_modes") ? config.list("fan_modes") : ["auto", "low", "medium", "high"],
          ),
        ]
      : []),
    ...(sendPreset ? [choice("preset", preset, ["none", ...config.list("preset_modes")])] : []),
  ];
  const asWord = (text: string) => text;
  const from = (name: string, key: string, convert: (text: string) => unknown) =>
    source(config.topic(`${name}_topic`), config.template(`${name}_template`), key, convert);
  return {
    expose: expose({ type: "climate", label, features }),
    sources: [
      ...from("current_temperature", now, asMeasured),
      ...points.flatMap(({ topic, key }) => from(`${topic}_state`, key, asMeasured)),
      ...from("mode_state", mode, spelled),
      ...from("action", action, (text) => ownMember(HVAC_ACTIONS, text)),
      ...from("fan_mode_state", fan, asWord),
      ...source(config.topic("preset_mode_state_topic"), config.template("preset_mode_value_template"), preset, asWord),
    ],
    encode: encoder({
      ...Object.fromEntries(points.map(({ key, send }) => [key, (value: unknown) => send(Number(value))])),
      [mode]: power.send && ((word) => power.send?.(String(word)) ?? null),
      [fan]: sendFan && ((word) => sendFan(String(word))),
      [preset]: sendPreset && ((word) => sendPreset(String(word))),
    }),
  };
}

/** Its speed in percent is what a lamp's brightness is. */
function fan(config: EntityConfig, given: Given): Made {
  const base = onOff(config, given, null);
  const send = output(config, "percentage_command_topic", "percentage_command_template");
  if (!send) return { ...base, expose: { ...base.expose, type: "fan" } };
  const key = given.property("percentage");
  const [low, high] = [config.number("speed_range_min") ?? 1, config.number("speed_range_max") ?? 100];
  // The lowest speed is the first step above off.
  const steps = Math.max(1, high - low + 1);
  const level = (text: string) => {
    const value = asNumber(text);
    return value === null ? undefined : (Math.min(steps, Math.max(0, value - low + 1)) * 254) / steps;
  };
  const toSpeed = (value: unknown) => Math.round((Number(value) * steps) / 254) + low - 1;
  const speed = expose({ type: "numeric", name: "brightness", property: key, access: READ + SET, min: 0, max: 254 });
  return {
    expose: { ...base.expose, type: "fan", features: [...base.expose.features, speed] },
    sources: [
      ...base.sources,
      ...source(config.topic("percentage_state_topic"), config.template("percentage_value_template"), key, level),
    ],
    encode: (message) => (key in message ? send(toSpeed(message[key])) : base.encode(message)),
  };
}

function sensor(config: EntityConfig, { label, property }: Given): Made {
  const [kind, unit] = [config.text("device_class"), config.text("unit_of_measurement")];
  const topic = config.topic("state_topic");
  const template = config.template("value_template");
  const key = property("value");
  if (kind === "enum" && config.has("options")) {
    const values = config.list("options");
    return {
      expose: expose({ type: "enum", name: "value", property: key, label, values }),
      sources: source(topic, template, key, (text) => text),
      encode: () => null,
    };
  }
  if (TEXT_CLASSES.includes(kind) || (kind === "" && unit === "" && !config.has("state_class"))) {
    throw new Refusal("Its value is a text.");
  }
  const [name = "", units = []] = ownMember(MEASURED, kind) ?? [];
  const isKnown = units.includes(unit);
  return {
    expose: expose({ type: "numeric", name: isKnown ? name : "value", property: key, label, unit }),
    sources: source(topic, template, key, asMeasured),
    encode: () => null,
  };
}

function binarySensor(config: EntityConfig, { label, property }: Given): Made {
  const kind = config.text("device_class");
  const key = property("state");
  const name = ownMember(SENSED_AS, kind) ?? "state";
  const isOn = asState(config.word("payload_on", "ON"), config.word("payload_off", "OFF"));
  const read = (text: string) => {
    const value = isOn(text);
    // Zigbee calls a closed contact true.
    return value === undefined || name !== "contact" ? value : !value;
  };
  return {
    expose: expose({ type: "binary", name, property: key, label }),
    sources: source(config.topic("state_topic"), config.template("value_template"), key, read),
    encode: () => null,
  };
}

/** A word that is neither is the name of another place. */
function tracker(config: EntityConfig, { label, property }: Given): Made {
  const topic = config.topic("state_topic");
  if (topic === null) throw new Refusal("It only sends where it is, which is not read.");
  const key = property("state");
  const [home, reset] = [config.word("payload_home", "home"), config.word("payload_reset", "None")];
  const unknown = [reset, "unknown", "unavailable"];
  return {
    expose: expose({ type: "binary", name: "tracker", property: key, label }),
    sources: source(topic, config.template("value_template"), key, (text) =>
      unknown.includes(text) ? null : text === home,
    ),
    encode: () => null,
  };
}

function number(config: EntityConfig, { label, property }: Given): Made {
  const send = requiredOutput(config);
  const key = property("value");
  const [min, max, unit] = [config.number("min") ?? 1, config.number("max") ?? 100, config.text("unit_of_measurement")];
  return {
    expose: expose({ type: "numeric", name: "value", property: key, label, unit, access: READ + SET, min, max }),
    sources: source(config.topic("state_topic"), config.template("value_template"), key, asMeasured),
    encode: encoder({ [key]: (value) => send(Number(value)) }),
  };
}

function select(config: EntityConfig, { label, property }: Given): Made {
  const send = requiredOutput(config);
  const key = property("value");
  const values = config.list("options");
  return {
    expose: expose({ type: "enum", name: "value", property: key, label, access: READ + SET, values }),
    sources: source(config.topic("state_topic"), config.template("value_template"), key, (text) => text),
    encode: encoder({ [key]: (value) => send(String(value)) }),
  };
}

/** A command with one value: it has no state. */
function press(config: EntityConfig, { label, property }: Given, payloadKey: string, otherwise: string): Made {
  const send = requiredOutput(config);
  const key = property("press");
  return {
    expose: expose({ type: "enum", name: "press", property: key, label, access: SET, values: ["Press"] }),
    sources: [],
    encode: encoder({ [key]: () => send(config.payload(payloadKey, otherwise)) }),
  };
}

/** What happens is an action of the device. */
function event(config: EntityConfig): Made {
  const topic = config.topic("state_topic");
  const template = config.template("value_template");
  if (topic === null) throw new Refusal("It has no topic.");
  const values = config.list("event_types");
  const read: Made["sources"][number]["read"] = (scope) => {
    const text = template ? template(scope) : String(scope.value);
    const [, type] = /"event_type"\s*:\s*"([^"]{1,200})"/.exec((text ?? "").slice(0, 2000)) ?? [];
    return type !== undefined && values.includes(type) ? { action: type } : {};
  };
  return {
    expose: expose({ type: "enum", name: "action", property: "action", values }),
    sources: [{ topic, read }],
    encode: () => null,
  };
}

/** `action` is the word of remotes; others have what was pressed and how. */
function trigger(config: EntityConfig): Made {
  if (config.text("automation_type") !== "trigger") throw new Refusal("It is no trigger.");
  const topic = config.topic("topic");
  const template = config.template("value_template");
  const [type, subtype] = [config.text("type"), config.text("subtype")];
  const word = type === "action" ? subtype : `${subtype}_${type.replace(/^button_/, "")}`;
  const payload = config.has("payload") ? config.word("payload", "") : null;
  const read: Made["sources"][number]["read"] = (scope) => {
    const text = template ? template(scope) : String(scope.value);
    return text !== undefined && (payload === null || text === payload) ? { action: word } : {};
  };
  if (topic === null) throw new Refusal("It has no topic.");
  return {
    expose: expose({ type: "enum", name: "action", property: "action", values: [word] }),
    sources: [{ topic, read }],
    encode: () => null,
  };
}
