/** The outcome of a request that was only acknowledged: a fired network resource, a parameter of a radio device. */

import { BACKLIGHT_MEMORY, familyOf, WIRED } from "../../families.ts";
import type { Change } from "../../home/change.ts";
import { escapeXml } from "../../util/xml.ts";
import { eventBody } from "./event.ts";

type ResourceFired = Extract<Change, { readonly type: "network-resource-fired" }>;
type DeviceParameter = Extract<Change, { readonly type: "device-parameter" }>;

/** "General" among a radio's dotted actions. */
const RADIO_GENERAL = 3;

/** A line of text; without the resource's own detail, which may hold what the other machine answered. */
export function resourceFiredBody(timestamp: string, { id, outcome }: ResourceFired): string {
  return eventBody({ timestamp, control: "_1", action: 3, info: `[Network resource ${id}] ${outcome}` });
}

/** The device's reply with the same members as the answer of the query path; of a wired device, what was written into its memory. */
export function deviceParameterBodies(
  timestamp: string,
  change: DeviceParameter,
  family: number | undefined,
): readonly string[] {
  const { address, number, size, value } = change;
  if (family === WIRED.id && number === BACKLIGHT_MEMORY) {
    const [at, byte] = [number.toString(16).padStart(4, "0"), value.toString(16).padStart(2, "0")].map((hex) =>
      hex.toUpperCase(),
    );
    const written = `[${address}] Memory : Write dbAddr=0x${at} [${byte}] cmd1=0x2E cmd2=0x00`;
    return [eventBody({ timestamp, control: "_7", action: 1, info: written })];
  }
  const info = `<config node="${escapeXml(address)}" paramNum="${number}" size="${size}" value="${value}" />`;
  const control = family === undefined ? undefined : familyOf(family).radio?.eventControl;
  return control === undefined ? [] : [eventBody({ timestamp, control, action: RADIO_GENERAL, info })];
}
