/**
 * Addresses of Z-Wave nodes: `ZW005_1` is device 5 of the first radio, `ZY005_1` of the second. The number after the
 * underscore names the node of the device. It does not change when the device is interviewed again:
 *
 *     1              the device itself
 *     2 … 128        endpoint 1 … 127
 *     143            the meter of the device itself
 *     301 … 399      a kind of notification of it, 300 + its type
 *     401 … 499      a scene button of it, 400 + its number
 *     2143, 2305 …   the same for endpoint 1, after the endpoint's number
 */

import { familyOf } from "../../families.ts";

export type ZWaveFamily = 4 | 12;

/** Values of the setting `network`. */
export const NETWORKS: Readonly<Record<string, ZWaveFamily>> = { first: 4, second: 12 };

export function familyOfNetwork({ network }: { readonly network?: unknown }): ZWaveFamily {
  return NETWORKS[String(network)] ?? 4;
}

/** Names one node of a device; `part` is 0 for the endpoint's own node, or one of the numbers above. */
type NodePlace = { readonly nodeId: number; readonly endpoint: number; readonly part: number };

export const METER_PART = 143;

export function notificationPart(type: number): number {
  return 300 + type;
}

export function scenePart(scene: number): number {
  return 400 + scene;
}

export function formatAddress(family: ZWaveFamily, { nodeId, endpoint, part }: NodePlace): string {
  const own = endpoint + 1;
  const suffix = part === 0 ? `${own}` : endpoint === 0 ? `${part}` : `${own}${part}`;
  return `${prefixOf(family)}${String(nodeId).padStart(3, "0")}_${suffix}`;
}

/** null when no node of this radio has such an address. */
export function parseAddress(family: ZWaveFamily, address: string): NodePlace | null {
  const match = /^(Z[WY])(\d{3,5})_([1-9]\d{0,5})$/.exec(address);
  if (!match || match[1] !== prefixOf(family)) return null;
  const nodeId = Number(match[2]);
  const suffix = match[3] ?? "";
  const number = Number(suffix);
  if (number <= ENDPOINT_MAX + 1) return { nodeId, endpoint: number - 1, part: 0 };
  if (suffix.length === PART_DIGITS) return { nodeId, endpoint: 0, part: number };
  return { nodeId, endpoint: Number(suffix.slice(0, -PART_DIGITS)) - 1, part: Number(suffix.slice(-PART_DIGITS)) };
}

const ENDPOINT_MAX = 127;
const PART_DIGITS = 3;

/** `ZW` or `ZY`. */
export function prefixOf(family: ZWaveFamily): string {
  return familyOf(family).prefix ?? "";
}
