/** Services of an automation as statements. One that does not exist here is left out, and its line says so. */

import type { Action, ProgramControl } from "../../../home/program-syntax.ts";
import { type Message, message } from "../../../messages.ts";
import { ownMember } from "../../../util/foreign-value.ts";
import { isRecord } from "../../../util/is-record.ts";
import { sceneAddress } from "../../home-source.ts";
import { deviceService } from "./device-words.ts";
import { type Command, commandsFor, type KnownEntity, numberIs, stateIs, type Wanted } from "./entity-words.ts";
import type { Context } from "./lines.ts";
import { clean, type Fields, fieldsOf, numberIn, textIn, wordsIn } from "./read.ts";
import { textWithValues } from "./template.ts";

type Call = { readonly domain: string; readonly service: string; readonly data: Fields; readonly target: Fields };

const BYTE = 255;
const MIRED = 1_000_000;
const TARGETS = ["device_id", "area_id", "floor_id", "label_id"] as const;
/** Data that is about the call, not about the device. */
const NO_DATA: readonly string[] = ["entity_id", ...TARGETS];
const TARGETS_MAX = 200;
const TEXT_MAX = 800;
/** States that services lead to. "": what their data says. */
const LEADS_TO: Readonly<Record<string, string>> = {
  ...{ turn_on: "on", turn_off: "off", lock: "locked", unlock: "unlocked" },
  ...{ open_cover: "open", close_cover: "closed", open_valve: "open", close_valve: "closed" },
  ...{ set_cover_position: "", set_percentage: "", set_temperature: "", set_hvac_mode: "", set_fan_mode: "" },
  ...{ set_preset_mode: "", set_value: "", select_option: "" },
};
/** Data that is the state itself. */
const STATES = ["hvac_mode", "option", "value"] as const;
const PRESSED: readonly string[] = ["button", "input_button", "scene", "script"];

/** A program that turns on what is off, and off what is on. */
type Toggle = (on: Command, off: Command, isOn: NonNullable<ReturnType<typeof stateIs>>) => Action;

/** Statements of one action that waits for nothing. */
export function readService(context: Context, raw: unknown, at: string, toggle: Toggle): readonly Action[] {
  const fields = fieldsOf(raw);
  const call = callIn(deviceService(context.known, fields) ?? fields);
  if (!call) {
    const name = textIn(fields, "action", "service", "type") || Object.keys(fields)[0] || "?";
    return leaveOut(context, at, message("wayIn.otherAction", { kind: clean(name).slice(0, 60) }));
  }
  const actions = callActions(context, call, at, toggle);
  context.lines.becomes(at, { actions });
  return actions;
}

function leaveOut({ lines }: Context, at: string, why: Message): readonly Action[] {
  lines.note(at, "out", why);
  return [];
}

/** null: it is no service. */
function callIn(fields: Fields): Call | null {
  const scene = textIn(fields, "scene");
  if (scene !== "") return { domain: "scene", service: "turn_on", data: {}, target: { entity_id: scene } };
  const [domain = "", service = ""] = textIn(fields, "action", "service").split(".");
  if (domain === "" || service === "") return null;
  const data = fieldsOf(fields.data ?? fields.service_data);
  const target = { ...data, entity_id: data.entity_id ?? fields.entity_id, ...fieldsOf(fields.target) };
  return { domain, service, data, target };
}

function callActions(context: Context, call: Call, at: string, toggle: Toggle): readonly Action[] {
  const { domain, service, data } = call;
  const { lines, known } = context;
  if (domain === "notify" || (domain === "persistent_notification" && service === "create"))
    return notification(context, call, at);
  if (domain === "script") return scripts(context, call, at);
  if (Object.values(data).some(isTemplate)) return leaveOut(context, at, message("wayIn.template"));
  const entities = targets(context, call, at);
  if (entities.length === 0) return leaveOut(context, at, message("wayIn.noTarget"));
  const missing: Message[] = [];
  const actions = entities.flatMap((entity): readonly Action[] => {
    const scene = domain === "scene" && service === "turn_on" ? known.sceneOf(entity) : null;
    if (scene !== null) return [{ kind: "command", node: sceneAddress(scene), command: "DON", parameters: [] }];
    const found = known.find(entity);
    const made = found && (service === "toggle" ? toggled(found, toggle) : entityActions(context, found, call, at));
    const name = `${domain}.${service}`.slice(0, 60);
    if (!made)
      missing.push(
        found ? message("wayIn.noService", { service: name, entity }) : message("wayIn.noDevice", { entity }),
      );
    return made ?? [];
  });
  // One of several that is not here leaves the others.
  for (const each of missing) lines.note(at, actions.length === 0 ? "out" : "differs", each);
  return actions;
}

function isTemplate(value: unknown): boolean {
  return Array.isArray(value) ? value.some(isTemplate) : typeof value === "string" && /\{\{|\{%/.test(value);
}

function targets({ known, lines }: Context, { domain, target }: Call, at: string): readonly string[] {
  const within = TARGETS.flatMap((kind) => {
    const ids = wordsIn(target[kind]);
    if (ids.length > 0 && kind !== "device_id") lines.note(at, "differs", message("wayIn.members"));
    return ids.flatMap((id) => known.entitiesIn(kind, id));
  });
  const ofDomain = within.filter((each) =>
    domain === "homeassistant" ? known.find(each) !== null : each.startsWith(`${domain}.`),
  );
  const named = wordsIn(target.entity_id).map((each) => (each.includes(".") ? each : known.entityOf(each)));
  return [...new Set([...named, ...ofDomain])].filter((each) => each !== "").slice(0, TARGETS_MAX);
}

function toggled(found: KnownEntity, toggle: Toggle): readonly Action[] | null {
  const words = ["cover", "valve"].includes(found.domain) ? ["open", "closed"] : ["on", "off"];
  const [on, off] = words.map((state) => commandsFor(found, { state, attributes: {} }).commands[0]);
  const isOn = stateIs(found, String(words[0]));
  return on && off && isOn ? [toggle(on, off, isOn)] : null;
}

/** null: the node has no such command. */
function entityActions({ lines }: Context, found: KnownEntity, call: Call, at: string): readonly Action[] | null {
  const wanted = wantedBy(found.domain, call);
  const { commands, left } = wanted ? commandsFor(found, wanted) : { commands: [], left: [] };
  if (commands.length > 0 && left.length > 0)
    lines.note(at, "differs", message("wayIn.left", { names: clean(left.join(", ")) }));
  return commands.length === 0 ? null : commands;
}

function wantedBy(domain: string, { service, data }: Call): Wanted | null {
  if (PRESSED.includes(domain) && (service === "press" || service === "turn_on"))
    return { state: "", attributes: {}, words: { press: "Press" } };
  if (service === "stop_cover") return { state: "", attributes: {}, words: { state: "STOP" } };
  const state = ownMember(LEADS_TO, service);
  if (state === undefined) return null;
  const given = Object.entries(data).filter(
    ([name]) => !NO_DATA.includes(name) && !STATES.some((each) => each === name),
  );
  const own = STATES.map((name) => data[name]).find((each) => each !== undefined);
  return wantedState(domain, own === undefined ? state : String(own), Object.fromEntries(given));
}

/** In the words that the table of domains reads. */
export function wantedState(domain: string, state: string, given: Fields): Wanted {
  const { position, ...others } = given;
  if (domain === "light") return light(state, given);
  return { state, attributes: position === undefined ? others : { ...others, current_position: position } };
}

function light(state: string, given: Fields): Wanted {
  const { brightness_pct, kelvin, color_temp, rgb_color, ...rest } = given;
  const percent = numberIn(brightness_pct);
  const mired = numberIn(color_temp);
  const kelvins = numberIn(kelvin) ?? (mired === null ? null : Math.round(MIRED / mired));
  const color = hueOf(rgb_color);
  const attributes = {
    ...(percent === null ? {} : { brightness: Math.round((percent * BYTE) / 100) }),
    ...rest,
    ...(kelvins === null ? {} : { color_temp_kelvin: kelvins }),
    ...(color === null ? {} : { hs_color: color }),
  };
  return attributes.brightness === 0 ? { state: "off", attributes: {} } : { state, attributes };
}

/** Hue in degrees, saturation in percent. */
function hueOf(rgb: unknown): readonly [number, number] | null {
  const parts = Array.isArray(rgb) ? rgb.slice(0, 3).map(numberIn) : [];
  const [red, green, blue] = parts;
  if (typeof red !== "number" || typeof green !== "number" || typeof blue !== "number") return null;
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const span = most - least;
  if (span <= 0 || most <= 0) return [0, 0];
  const sixth =
    most === red ? (green - blue) / span : most === green ? 2 + (blue - red) / span : 4 + (red - green) / span;
  return [Math.round((sixth * 60 + 360) % 360), Math.round((span * 100) / most)];
}

/** Goes to a channel of this controller; which one is for the plan. */
function notification(context: Context, { data }: Call, at: string): readonly Action[] {
  const written = [textIn(data, "title"), textIn(data, "message")].filter((each) => each !== "").join(": ");
  const text = textWithValues(written, (entity) => {
    const found = context.known.find(entity);
    const shown = found && (numberIs(found, null, "IS", 1) ?? stateIs(found, "on"));
    return shown && `\${sys.node.${shown.status.node}.${shown.status.property}}`;
  });
  if (text === null || written === "") return leaveOut(context, at, message("wayIn.template"));
  if (isRecord(data.data)) context.lines.note(at, "differs", message("wayIn.left", { names: "data" }));
  return [{ kind: "message", channel: "", text: text.slice(0, TEXT_MAX).toWellFormed() }];
}

const SCRIPT_SERVICES: Readonly<Record<string, ProgramControl>> = { turn_on: "runthen", turn_off: "stop" };

function scripts(context: Context, call: Call, at: string): readonly Action[] {
  const { service, data } = call;
  const control = ownMember(SCRIPT_SERVICES, service);
  if (Object.keys(data).some((name) => !NO_DATA.includes(name)))
    return leaveOut(context, at, message("wayIn.scriptData"));
  return (control ? targets(context, call, at) : [`script.${service}`]).flatMap((entity): readonly Action[] => {
    const number = context.known.scriptOf(entity);
    if (number !== null) return [{ kind: "program", id: number, control: control ?? "runthen" }];
    return leaveOut(context, at, message("wayIn.noScript", { entity }));
  });
}
