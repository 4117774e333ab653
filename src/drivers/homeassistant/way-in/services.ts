/** Services of an automation as statements. One that does not exist here is left out, and its line says so. */

import type { Action, ProgramControl } from "../../../home/program-syntax.ts";
import { type Message, message } from "../../../messages.ts";
import { isRecord } from "../../../util/is-record.ts";
import { sceneAddress } from "../../home-source.ts";
import { findEntity } from "./conditions.ts";
import { type Command, commandsFor, type KnownEntity, numberIs, stateIs } from "./entity-words.ts";
import type { Context } from "./lines.ts";
import { clean, type Fields, fieldsOf, numberIn, textIn, wordsIn } from "./read.ts";
import { textWithValues } from "./template.ts";

type Call = { readonly domain: string; readonly service: string; readonly data: Fields; readonly target: Fields };

const BYTE = 255;
const MIRED = 1_000_000;
/** Data that is about the call, not about the device. */
const NO_DATA: readonly string[] = ["entity_id", "device_id", "area_id", "floor_id", "label_id"];
const TARGETS = ["device_id", "area_id", "floor_id", "label_id"] as const;
const TARGETS_MAX = 200;
const TEXT_MAX = 800;

/** A program that turns on what is off, and off what is on. */
export type Toggle = (
  entity: KnownEntity,
  on: Command,
  off: Command,
  isOn: NonNullable<ReturnType<typeof stateIs>>,
) => Action;

/** Statements of one action that waits for nothing. */
export function readService(context: Context, raw: unknown, at: string, toggle: Toggle): readonly Action[] {
  const call = callIn(context, fieldsOf(raw));
  const actions = call ? callActions(context, call, at, toggle) : leaveOut(context, at, raw);
  context.lines.becomes(at, { actions });
  return actions;
}

function leaveOut({ lines }: Context, at: string, raw: unknown): readonly Action[] {
  const fields = fieldsOf(raw);
  const name = textIn(fields, "action", "service", "type") || Object.keys(fields)[0] || "?";
  lines.note(at, "out", message("wayIn.otherAction", { kind: clean(name).slice(0, 60) }));
  return [];
}

/** null: it is no service. */
function callIn({ known }: Context, fields: Fields): Call | null {
  const scene = textIn(fields, "scene");
  if (scene !== "") return { domain: "scene", service: "turn_on", data: {}, target: { entity_id: scene } };
  const type = textIn(fields, "type");
  if (textIn(fields, "device_id") !== "" && type !== "") {
    const target = { entity_id: known.entityOf(textIn(fields, "entity_id")) };
    const { brightness_pct, position, option, value, hvac_mode, preset_mode } = fields;
    const data = Object.fromEntries(
      Object.entries({ brightness_pct, position, option, value, hvac_mode, preset_mode }).filter(
        ([, each]) => each !== undefined,
      ),
    );
    return { domain: textIn(fields, "domain"), service: DEVICE_ACTIONS[type] ?? type, data, target };
  }
  const [domain = "", service = ""] = textIn(fields, "action", "service").split(".");
  if (domain === "" || service === "") return null;
  const data = fieldsOf(fields.data ?? fields.service_data);
  return {
    domain,
    service,
    data,
    target: { ...data, entity_id: data.entity_id ?? fields.entity_id, ...fieldsOf(fields.target) },
  };
}

const DEVICE_ACTIONS: Readonly<Record<string, string>> = {
  ...{ open: "open_cover", close: "close_cover", stop: "stop_cover", set_position: "set_cover_position" },
};

function callActions(context: Context, call: Call, at: string, toggle: Toggle): readonly Action[] {
  const { domain, service, data } = call;
  const { lines } = context;
  if (domain === "notify" || (domain === "persistent_notification" && service === "create"))
    return notification(context, call, at);
  if (domain === "scene" && service === "turn_on") return scenes(context, call, at);
  if (domain === "script") return scripts(context, call, at);
  if (Object.values(data).some(isTemplate)) {
    lines.note(at, "out", message("wayIn.template"));
    return [];
  }
  const entities = targets(context, call, at);
  if (entities.length === 0) lines.note(at, "out", message("wayIn.noTarget"));
  const missing: Message[] = [];
  const all = entities.map((entity): readonly Action[] | null => {
    const found = context.known.find(entity);
    if (!found) missing.push(message("wayIn.noDevice", { entity }));
    const name = `${domain}.${service}`;
    const actions =
      found && (service === "toggle" ? toggled(found, toggle) : entityActions(context, found, { ...call, data }, at));
    if (found && !actions) missing.push(message("wayIn.noService", { service: name.slice(0, 60), entity }));
    return actions;
  });
  const actions = all.flatMap((each) => each ?? []);
  // One of several that is not here leaves the others.
  for (const each of missing) lines.note(at, actions.length === 0 ? "out" : "differs", each);
  return actions;
}

function isTemplate(value: unknown): boolean {
  return (
    (typeof value === "string" && (value.includes("{{") || value.includes("{%"))) ||
    (Array.isArray(value) && value.some(isTemplate))
  );
}

function targets({ known, lines }: Context, { domain, target }: Call, at: string): readonly string[] {
  const named = wordsIn(target.entity_id).map((each) => (each.includes(".") ? each : known.entityOf(each)));
  const within = TARGETS.flatMap((kind) => {
    const ids = wordsIn(target[kind]);
    if (ids.length > 0 && kind !== "device_id") lines.note(at, "differs", message("wayIn.members"));
    return ids.flatMap((id) => known.entitiesIn(kind, id));
  });
  const ofDomain = within.filter((each) =>
    domain === "homeassistant" ? known.find(each) !== null : each.startsWith(`${domain}.`),
  );
  return [...new Set([...named, ...ofDomain])].filter((each) => each !== "").slice(0, TARGETS_MAX);
}

function toggled(found: KnownEntity, toggle: Toggle): readonly Action[] | null {
  const isCover = found.domain === "cover" || found.domain === "valve";
  const [on, off] = (isCover ? [`open_${found.domain}`, `close_${found.domain}`] : ["turn_on", "turn_off"]).map(
    (service) => commandsFor(found, service, {})?.commands[0],
  );
  const isOn = stateIs(found, isCover ? "open" : "on");
  return on && off && isOn ? [toggle(found, on, off, isOn)] : null;
}

function entityActions({ lines }: Context, found: KnownEntity, call: Call, at: string): readonly Action[] | null {
  const own = Object.fromEntries(Object.entries(call.data).filter(([name]) => !NO_DATA.includes(name)));
  const all = callsOf(found.domain, call.service, own).map(([service, data]) => commandsFor(found, service, data));
  const known = all.filter((each) => each !== null);
  const left = [...new Set(known.flatMap((each) => each.left))];
  if (left.length > 0) lines.note(at, "differs", message("wayIn.left", { names: clean(left.join(", ")) }));
  return known.length < all.length || known.length === 0 ? null : known.flatMap(({ commands }) => commands);
}

/** A call in the spelling of the table of domains. */
export function callsOf(
  domain: string,
  service: string,
  given: Fields,
): readonly (readonly [service: string, data: Fields])[] {
  const data = domain === "light" ? lightData(given) : given;
  if (domain === "light" && service === "turn_on" && data.brightness === 0) return [["turn_off", {}]];
  if (domain === "fan" && service === "turn_on" && data.percentage !== undefined) return [["set_percentage", data]];
  if (domain === "climate" && service === "turn_off") return [["set_hvac_mode", { hvac_mode: "off" }]];
  if (domain === "climate" && data.hvac_mode !== undefined) {
    const { hvac_mode, ...others } = data;
    const mode = ["set_hvac_mode", { hvac_mode: hvac_mode === "heat_cool" ? "auto" : hvac_mode }] as const;
    return [mode, ...(Object.keys(others).length > 0 ? [[service, others] as const] : [])];
  }
  return [[service, data]];
}

function lightData(given: Fields): Fields {
  const { brightness_pct, kelvin, color_temp, rgb_color, ...rest } = given;
  const percent = numberIn(brightness_pct);
  const kelvins =
    numberIn(kelvin) ?? (numberIn(color_temp) === null ? null : Math.round(MIRED / Number(numberIn(color_temp))));
  const color = hueOf(rgb_color);
  return {
    ...(percent === null ? {} : { brightness: Math.round((percent * BYTE) / 100) }),
    ...rest,
    ...(kelvins === null ? {} : { color_temp_kelvin: kelvins }),
    ...(color === null ? {} : { hs_color: color }),
  };
}

/** Hue in degrees, saturation in percent. */
function hueOf(rgb: unknown): readonly [number, number] | null {
  const parts = Array.isArray(rgb) ? rgb.slice(0, 3).map(numberIn) : [];
  const [red, green, blue] = parts;
  if (parts.length < 3 || typeof red !== "number" || typeof green !== "number" || typeof blue !== "number") return null;
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const span = most - least;
  if (span <= 0 || most <= 0) return [0, 0];
  const sixth =
    most === red ? (green - blue) / span : most === green ? 2 + (blue - red) / span : 4 + (red - green) / span;
  return [Math.round((sixth * 60 + 360) % 360), Math.round((span * 100) / most)];
}

/** Goes to a channel of this controller; which one is for the plan. */
function notification({ known, lines }: Context, { data }: Call, at: string): readonly Action[] {
  const written = [textIn(data, "title"), textIn(data, "message")].filter((each) => each !== "").join(": ");
  const text = textWithValues(written, (entity) => {
    const found = known.find(entity);
    const shown = found && (numberIs(found, null, "IS", 1) ?? stateIs(found, "on"));
    return shown && `\${sys.node.${shown.status.node}.${shown.status.property}}`;
  });
  if (text === null || written === "") {
    lines.note(at, "out", message("wayIn.template"));
    return [];
  }
  if (isRecord(data.data)) lines.note(at, "differs", message("wayIn.left", { names: "data" }));
  return [{ kind: "message", channel: "", text: text.slice(0, TEXT_MAX).toWellFormed() }];
}

function scenes(context: Context, call: Call, at: string): readonly Action[] {
  return targets(context, call, at).flatMap((entity): readonly Action[] => {
    const scene = context.known.sceneOf(entity);
    if (scene !== null) return [{ kind: "command", node: sceneAddress(scene), command: "DON", parameters: [] }];
    const found = findEntity(context, entity, at);
    return (found && commandsFor(found, "turn_on", {})?.commands) ?? [];
  });
}

const SCRIPT_SERVICES: Readonly<Record<string, ProgramControl>> = { turn_on: "runthen", turn_off: "stop" };

function scripts(context: Context, call: Call, at: string): readonly Action[] {
  const { known, lines } = context;
  const { service, data } = call;
  const control = Object.hasOwn(SCRIPT_SERVICES, service) ? SCRIPT_SERVICES[service] : undefined;
  const entities = control ? targets(context, call, at) : [`script.${service}`];
  const given = Object.keys(data).filter((name) => !NO_DATA.includes(name));
  if (given.length > 0) {
    lines.note(at, "out", message("wayIn.scriptData"));
    return [];
  }
  return entities.flatMap((entity): readonly Action[] => {
    const number = known.scriptOf(entity);
    if (number !== null) return [{ kind: "program", id: number, control: control ?? "runthen" }];
    lines.note(at, "out", message("wayIn.noScript", { entity }));
    return [];
  });
}
