/** Automations of devices, as the page of Home Assistant makes them, in the words of those of entities. */

import type { Known } from "./lines.ts";
import { type Fields, textIn } from "./read.ts";

const STATES: readonly string[] = ["on", "off", "open", "closed", "locked", "unlocked"];
const SERVICES: Readonly<Record<string, string>> = {
  ...{ open: "open_cover", close: "close_cover", stop: "stop_cover", set_position: "set_cover_position" },
};
const ABOUT: readonly string[] = ["device_id", "domain", "type", "entity_id", "enabled", "alias", "metadata"];

/** A trigger or a condition; null: it is of a kind that says nothing of an entity's state. */
export function deviceState(known: Known, fields: Fields, member: "to" | "state"): Fields | null {
  const entity_id = known.entityOf(textIn(fields, "entity_id"));
  if (entity_id === "") return null;
  if (fields.above !== undefined || fields.below !== undefined) return { ...fields, entity_id };
  const type = textIn(fields, "type").replace(/^(?:is|turned)_/, "");
  const sensed = /^(?:no|not)_/.test(type) || type === "off" ? "off" : "on";
  const word = entity_id.startsWith("binary_sensor.") ? sensed : STATES.find((each) => each === type);
  return word === undefined ? null : { entity_id, [member]: word, from: null, for: fields.for };
}

/** An action as a service; null: it is none of a device. */
export function deviceService(known: Known, fields: Fields): Fields | null {
  const type = textIn(fields, "type");
  if (textIn(fields, "device_id") === "" || type === "") return null;
  const data = Object.fromEntries(Object.entries(fields).filter(([name]) => !ABOUT.includes(name)));
  const action = `${textIn(fields, "domain")}.${SERVICES[type] ?? type}`;
  return { action, data, target: { entity_id: known.entityOf(textIn(fields, "entity_id")) } };
}
