/** What a node reports, in the words of its role. */

import { type Node, type NodeEvent, type Property, turnsOn } from "@domovoi/client";
import { isTemperatureUnit, temperatureOf, toHomeUnit } from "../text/home-units.ts";
import { localName } from "../text/names.ts";
import { powerText } from "../text/power.ts";
import { temperatureText } from "../text/temperature.ts";
import { number, t } from "../text/text.ts";
import { isActive, isJammed } from "./activity.ts";
import { lookOf } from "./roles.ts";

/** Units of the interface by their numbers. */
const [PERCENT, BYTE, WATTS, KILOWATTS] = ["51", "100", "73", "30"] as const;
const LEVELS: ReadonlySet<string> = new Set([PERCENT, BYTE]);
/** Values that a row shows where the node has no status, or one that says little. */
const MAIN: Readonly<Record<string, readonly string[]>> = {
  weather: ["CLITEMP"],
  temperature: ["ST", "CLITEMP"],
  humidity: ["ST", "CLIHUM"],
  light: ["ST", "LUMIN"],
  meter: ["ST", "CPW", "PPW", "TPW"],
};
const STATUS: readonly string[] = ["ST"];
const THERMOSTAT: readonly string[] = ["ST", "CLIMD", "CLIHCS", "CLISPH", "CLISPC"];

/** Properties that the text depends on. */
function shownProperties({ role }: Node): readonly string[] {
  return role === "thermostat" ? THERMOSTAT : (MAIN[role ?? ""] ?? STATUS);
}

/** Where properties are followed. */
type Signals = { property(address: string, id: string): { readonly value: Property | null } };

/** Rendering follows what the text depends on. */
export function followState(store: Signals, node: Node): void {
  for (const id of shownProperties(node)) void store.property(node.address, id).value;
}

/** Whether it has a state, be it known or not. */
export function hasState({ properties, nodedef }: Node): boolean {
  return properties.has("ST") || nodedef?.properties.some(({ id }) => id === "ST") === true;
}

export function stateText(node: Node): string {
  if (!node.enabled) return t("node.disabled");
  if (node.role === "thermostat") return thermostatText(node);
  const id = shownProperties(node).find((some) => (node.properties.get(some)?.value ?? "") !== "") ?? "ST";
  return id === "ST" ? statusText(node) : propertyText(node, id);
}

/** Temperatures in the unit of the home, power in short; everything else in the controller's words. */
export function propertyText(node: Node, id: string): string {
  return valueText(node, node.properties.get(id)?.uom ?? "", node.value(id), node.label(id) ?? "");
}

/** A value that the node has or had, as `propertyText`. @param label in the controller's words */
function valueText(node: Node, uom: string, value: number | null, label: string): string {
  if (value === null) return localName(label);
  if (isTemperatureUnit(uom)) return temperatureText(toHomeUnit(node, uom, value), true);
  if (uom === WATTS || uom === KILOWATTS) return powerText(uom === WATTS ? value : value * 1000);
  return localName(label);
}

/** The value that an event of the node reports. */
export function eventValueText(node: Node, { property, value }: Pick<NodeEvent, "property" | "value">): string {
  const label = value ?? "";
  if (!property || property.value === null) return localName(label);
  const uom = String(property.uom);
  const { words } = lookOf(node.role);
  const active = isActive(node, { value: String(property.value), uom, prec: property.prec });
  const isWord = hasPlainWords(label) && !/[1-9]\d? ?%/.test(label);
  if (property.id === "ST" && words && active !== null && isWord) return t(words[active ? 0 : 1]);
  return valueText(node, uom, property.value / 10 ** property.prec, label);
}

/** The command of an event with its values: `Unlock`, `On 50 %`. */
export function eventCommandText(node: Node, { name, control, parameters }: NodeEvent): string {
  const [first] = parameters;
  const locks = node.role === "lock" ? turnsOn(control, first?.value ?? null) : null;
  if (locks !== null) return t(locks ? "lock.lock" : "lock.unlock");
  const values = parameters.map(({ name: label, value, uom, prec, text }) =>
    `${localName(label)} ${valueText(node, String(uom), value / 10 ** prec, text)}`.trim(),
  );
  return [localName(name), values.join(", ")].filter(Boolean).join(" ");
}

function statusText(node: Node): string {
  const status = node.properties.get("ST");
  if (!status || status.value === "") return "";
  if (isJammed(status)) return t("state.jammed");
  const { words } = lookOf(node.role);
  const active = isActive(node, status);
  const percent = LEVELS.has(status.uom) ? node.value("ST") : null;
  const isBetween = percent !== null && percent > 0 && percent < 100;
  if (words && isBetween && node.role === "cover") return t("state.openAt", { level: number(percent) });
  const label = node.label("ST") ?? "";
  if (!words || active === null || !hasPlainWords(label)) return propertyText(node, "ST");
  return isBetween ? `${number(percent)} %` : t(active ? words[0] : words[1]);
}

/** Not speeds of a fan and other words of the device's own. */
export function hasPlainWords(label: string): boolean {
  return /^(?:on|off|open|closed|locked|unlocked|[\d.]+ ?%|true|false)$/i.test(label);
}

/** `20.5° · heating to 21°` */
function thermostatText(node: Node): string {
  const now = temperatureOf(node, "ST") ?? temperatureOf(node, "CLITEMP");
  const parts = [now === null ? "" : temperatureText(now), targetText(node)];
  return parts.filter(Boolean).join(" · ");
}

/** Values of the state of heating and cooling, and of the mode, that every unit of theirs shares. */
const [HEATING, COOLING] = ["1", "2"];

function targetText(node: Node): string {
  const state = node.properties.get("CLIHCS")?.value;
  const mode = node.properties.get("CLIMD")?.value;
  const heat = temperatureOf(node, "CLISPH");
  const cool = temperatureOf(node, "CLISPC");
  if (state === HEATING && heat !== null) return t("state.heatingTo", { to: temperatureText(heat) });
  if (state === COOLING && cool !== null) return t("state.coolingTo", { to: temperatureText(cool) });
  if (mode === "0") return t("state.off");
  if (mode === HEATING && heat !== null) return t("state.heatsTo", { to: temperatureText(heat) });
  if (mode === COOLING && cool !== null) return t("state.coolsTo", { to: temperatureText(cool) });
  if (heat !== null && cool !== null)
    return t("state.between", { low: temperatureText(heat), high: temperatureText(cool) });
  return localName(node.label("CLIMD") ?? "");
}
