/** Lamps: with a topic for each value, or with one JSON message for all. Brightness has 254 steps here, as with Zigbee2MQTT. */

import { isRecord } from "../../../util/is-record.ts";
import { asNumber, type Expose, expose } from "../../exposed/expose.ts";
import type { Message } from "../../exposed/feature.ts";
import { asState, type Made, memberNumber, output, requiredOutput, source } from "./entity.ts";
import { type EntityConfig, Refusal } from "./entity-config.ts";

type Given = { readonly label: string; readonly property: (part: string) => string };
type Color = { readonly hue: number; readonly saturation: number };

const STEPS = 254;
const ACCESS = 3;

export function light(config: EntityConfig, given: Given): Made {
  const schema = config.text("schema", "basic");
  if (schema === "json") return jsonLight(config, given);
  if (schema !== "basic") throw new Refusal("Lamps of the schema template are not shown.");
  return basicLight(config, given);
}

function keysOf({ property }: Given) {
  const [state, brightness, mired, color] = ["state", "brightness", "color_temp", "color"].map(property);
  return { state: String(state), brightness: String(brightness), mired: String(mired), color: String(color) };
}

type Has = { readonly brightness: boolean; readonly mired: boolean; readonly color: boolean };

function exposed(config: EntityConfig, given: Given, has: Has): Expose {
  const keys = keysOf(given);
  const kelvin = config.isTrue("color_temp_kelvin");
  const [min, max] = kelvin
    ? [miredOf(config.number("max_kelvin") ?? 6535), miredOf(config.number("min_kelvin") ?? 2000)]
    : [config.number("min_mireds") ?? 153, config.number("max_mireds") ?? 500];
  const numeric = (name: string, property: string, more: Partial<Expose>) =>
    expose({ type: "numeric", name, property, access: ACCESS, ...more });
  const features = [
    expose({ type: "binary", name: "state", property: keys.state, access: ACCESS }),
    ...(has.brightness ? [numeric("brightness", keys.brightness, { min: 0, max: STEPS })] : []),
    ...(has.mired ? [numeric("color_temp", keys.mired, { min, max })] : []),
    ...(has.color ? [expose({ type: "composite", name: "color_hs", property: keys.color, access: ACCESS })] : []),
  ];
  return expose({ type: "light", label: given.label, features });
}

function miredOf(kelvin: number): number {
  return Math.round(1_000_000 / Math.max(1, kelvin));
}

function basicLight(config: EntityConfig, given: Given): Made {
  const keys = keysOf(given);
  const send = requiredOutput(config);
  const sendLevel = output(config, "brightness_command_topic", "brightness_command_template");
  const sendMired = output(config, "color_temp_command_topic", "color_temp_command_template");
  const sendColor = output(config, "hs_command_topic", "hs_command_template");
  const isOn = asState(config.word("payload_on", "ON"), config.word("payload_off", "OFF"));
  const scale = config.number("brightness_scale") ?? 255;
  const isKelvin = config.isTrue("color_temp_kelvin");
  const color = rememberedColor();
  /** To which it comes on again, in its own steps. */
  let lastLevel = scale;
  const level = (text: string) => {
    const value = asNumber(text);
    if (value !== null && value > 0) lastLevel = value;
    return value === null ? undefined : (value * STEPS) / scale;
  };
  const setLevel = (value: number) => {
    lastLevel = value;
    return sendLevel?.(value) ?? null;
  };
  const mired = (text: string) => {
    const value = asNumber(text);
    return value === null ? undefined : isKelvin ? miredOf(value) : value;
  };
  const hs = (text: string) => {
    const [hue, saturation] = text.split(",", 2).map(asNumber);
    return typeof hue === "number" && typeof saturation === "number" ? color.keep({ hue, saturation }) : undefined;
  };
  const template = (name: string) => config.template(`${name}_value_template`);
  const stateTemplate = config.template("state_value_template") ?? config.template("value_template");
  const onBy = config.text("on_command_type", "last");
  const encode: Made["encode"] = (message) => {
    if (message[keys.state] === false) return send(config.payload("payload_off", "OFF"));
    const { [keys.state]: _on, ...values } = message;
    const found: ReturnType<Made["encode"]>[] = Object.entries(values).map(([key, value]) => {
      if (key === keys.brightness) return setLevel(Math.round((Number(value) * scale) / STEPS));
      if (key === keys.mired) return sendMired?.(isKelvin ? miredOf(Number(value)) : Math.round(Number(value))) ?? null;
      if (key !== keys.color) return null;
      const { hue, saturation } = color.with(value);
      return sendColor?.(`${hue},${saturation}`) ?? null;
    });
    // Whatever is set turns the lamp on too: with a command before or after it, or with the brightness alone.
    if (onBy === "brightness" && !(keys.brightness in values)) found.push(setLevel(lastLevel));
    else if (onBy === "first") found.unshift(send(config.payload("payload_on", "ON")));
    else if (onBy !== "brightness") found.push(send(config.payload("payload_on", "ON")));
    return found.some((each) => each === null) ? null : found.flatMap((each) => each ?? []);
  };
  return {
    expose: exposed(config, given, {
      brightness: sendLevel !== null,
      mired: sendMired !== null,
      color: sendColor !== null,
    }),
    sources: [
      ...source(config.topic("state_topic"), stateTemplate, keys.state, isOn),
      ...source(config.topic("brightness_state_topic"), template("brightness"), keys.brightness, level),
      ...source(config.topic("color_temp_state_topic"), template("color_temp"), keys.mired, mired),
      ...source(config.topic("hs_state_topic"), template("hs"), keys.color, hs),
    ],
    encode,
  };
}

/** Modes that send a color as hue and saturation, or as red, green and blue. */
const COLOR_MODES: readonly string[] = ["hs", "rgb", "rgbw", "rgbww"];

function jsonLight(config: EntityConfig, given: Given): Made {
  const keys = keysOf(given);
  const topic = config.topic("command_topic");
  if (topic === null) throw new Refusal("It takes no commands.");
  const modes = config.list("supported_color_modes").map(String);
  const scale = config.number("brightness_scale") ?? 255;
  const isKelvin = config.isTrue("color_temp_kelvin");
  const has = {
    // Every mode but on and off has a brightness, said or not.
    brightness: config.isTrue("brightness") || modes.some((mode) => mode !== "onoff"),
    mired: modes.includes("color_temp"),
    color: modes.some((mode) => COLOR_MODES.includes(mode)),
  };
  const isHs = modes.includes("hs");
  const color = rememberedColor();
  const read: Made["sources"][number]["read"] = ({ value_json: told }) => {
    if (!isRecord(told)) return {};
    const [level, temperature] = [memberNumber(told, "brightness"), memberNumber(told, "color_temp")];
    const shown = colorIn(told.color);
    return {
      ...(told.state === "ON" || told.state === "OFF" ? { [keys.state]: told.state === "ON" } : {}),
      ...(told.state === null ? { [keys.state]: null } : {}),
      ...(level === null ? {} : { [keys.brightness]: (level * STEPS) / scale }),
      ...(temperature === null ? {} : { [keys.mired]: isKelvin ? miredOf(temperature) : temperature }),
      ...(shown ? { [keys.color]: color.keep(shown) } : {}),
    };
  };
  const stateTopic = config.topic("state_topic");
  return {
    expose: exposed(config, given, has),
    sources: stateTopic === null ? [] : [{ topic: stateTopic, read }],
    encode(message) {
      const wanted: Record<string, unknown> = { state: message[keys.state] === false ? "OFF" : "ON" };
      if (keys.brightness in message)
        wanted.brightness = Math.round((Number(message[keys.brightness]) * scale) / STEPS);
      if (keys.mired in message) {
        const value = Number(message[keys.mired]);
        wanted.color_temp = isKelvin ? miredOf(value) : Math.round(value);
      }
      if (keys.color in message) {
        const { hue, saturation } = color.with(message[keys.color]);
        wanted.color = isHs ? { h: hue, s: saturation } : rgbOf(hue, saturation);
      }
      const isAll = Object.keys(message).every((key) => Object.values(keys).includes(key));
      return isAll ? [{ topic, payload: JSON.stringify(wanted), isRetained: config.isTrue("retain") }] : null;
    },
  };
}

/** A command names hue or saturation alone; lamps take both. */
function rememberedColor() {
  let last: Color = { hue: 0, saturation: 100 };
  return {
    keep: (color: Color) => (last = color),
    with: (given: unknown): Color =>
      (last = {
        hue: memberNumber(given, "hue") ?? last.hue,
        saturation: memberNumber(given, "saturation") ?? last.saturation,
      }),
  };
}

function colorIn(told: unknown): Color | null {
  const [h, s] = [memberNumber(told, "h"), memberNumber(told, "s")];
  if (h !== null && s !== null) return { hue: h, saturation: s };
  const [r, g, b] = ["r", "g", "b"].map((key) => memberNumber(told, key));
  if (typeof r !== "number" || typeof g !== "number" || typeof b !== "number") return null;
  const [max, min] = [Math.max(r, g, b), Math.min(r, g, b)];
  const span = max - min;
  if (span === 0) return { hue: 0, saturation: 0 };
  const sector = max === r ? (g - b) / span : max === g ? 2 + (b - r) / span : 4 + (r - g) / span;
  return { hue: Math.round((sector * 60 + 360) % 360), saturation: Math.round((span * 100) / max) };
}

function rgbOf(hue: number, saturation: number): Message {
  const part = (offset: number) => {
    const k = (offset + hue / 60) % 6;
    return Math.round(255 * (1 - (saturation / 100) * Math.max(0, Math.min(k, 4 - k, 1))));
  };
  return { r: part(5), g: part(3), b: part(1) };
}
