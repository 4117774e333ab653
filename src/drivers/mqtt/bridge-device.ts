/**
 * A device that Zigbee2MQTT lists on `BASE/bridge/devices`, read once at the edge: what is no device, is too long or is not
 * understood is left out.
 */

import { isRecord } from "../../util/is-record.ts";
import type { Expose, ListedDevice, Plain } from "../exposed/expose.ts";
import { jsonItems } from "./json-items.ts";

const IEEE = /^0x[0-9a-f]{16}$/;
/** Only the description says it: plugs and wall switches expose the same. */
const PLUG = /\b(plug|outlet|socket)\b/i;
const OUTLET = 120;
const TEXT_MAX = 300;
const EXPOSES_MAX = 400;
const VALUES_MAX = 200;
const DEPTH_MAX = 4;

/** null: an item of the list is no device. */
export function* bridgeDevices(payload: Buffer): Iterable<ListedDevice | null> {
  for (const item of jsonItems(payload)) yield bridgeDevice(item);
}

/** null: it is no device. */
export function bridgeDevice(listed: unknown): ListedDevice | null {
  if (!isRecord(listed) || listed.type === "Coordinator" || listed.disabled === true) return null;
  const id = textOf(listed.ieee_address).toLowerCase();
  // A topic is never trimmed: a name may end in a blank.
  const topic = textOf(listed.friendly_name);
  if (!IEEE.test(id) || topic === "") return null;
  const definition = isRecord(listed.definition) ? listed.definition : {};
  const { vendor, model, description } = definition;
  const exposes = withoutRawLight(exposesOf(definition.exposes, 0));
  return {
    id,
    topic,
    model: `${textOf(vendor)} ${textOf(model)}`.trim(),
    firmware: textOf(listed.software_build_id) || null,
    isInterviewed: listed.interview_completed !== false && definition.exposes !== undefined,
    exposes: PLUG.test(textOf(description)) ? exposes.map(asOutlet) : exposes,
  };
}

/** Older devices report the number of their sensor beside the lux that it is. */
function withoutRawLight(exposes: readonly Expose[]): readonly Expose[] {
  if (!exposes.some(({ name }) => name === "illuminance_lux")) return exposes;
  return exposes.filter(({ name, unit }) => name !== "illuminance" || unit !== "");
}

/** What a plug switches is what is plugged in. */
function asOutlet(expose: Expose): Expose {
  return expose.type === "switch" ? { ...expose, nodeCategory: OUTLET } : expose;
}

function exposesOf(listed: unknown, depth: number): readonly Expose[] {
  if (depth > DEPTH_MAX) return [];
  return listOf(listed, EXPOSES_MAX).flatMap((each) => (isRecord(each) ? [exposeOf(each, depth)] : []));
}

function exposeOf(listed: Readonly<Record<string, unknown>>, depth: number): Expose {
  const name = textOf(listed.name);
  return {
    type: textOf(listed.type),
    name,
    property: textOf(listed.property) || name,
    endpoint: textOf(listed.endpoint),
    label: textOf(listed.label) || name,
    unit: textOf(listed.unit),
    access: numberOf(listed.access) ?? 0,
    min: numberOf(listed.value_min),
    max: numberOf(listed.value_max),
    step: numberOf(listed.value_step),
    valueOn: plainOf(listed.value_on) ?? true,
    valueOff: plainOf(listed.value_off) ?? false,
    values: listOf(listed.values, VALUES_MAX).flatMap((each) => plainOf(each) ?? []),
    isInternal: listed.category === "config" || listed.category === "diagnostic",
    nodeCategory: null,
    canMove: true,
    features: exposesOf(listed.features, depth + 1),
  };
}

function listOf(value: unknown, max: number): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, max) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, TEXT_MAX) : "";
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function plainOf(value: unknown): Plain | null {
  if (typeof value === "string") return value.slice(0, TEXT_MAX);
  return typeof value === "boolean" ? value : numberOf(value);
}
