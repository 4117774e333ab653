/** The meters of the home: what each counts, and what it reads now. */

import type { Home, Node } from "@domovoi/client";

/** What a meter counts: by what its owner says, else by what it measures. A `load` is a part of what the home uses. */
export type MeterKind = "grid" | "solar" | "battery" | "load" | "other" | "gas" | "water";

/** `counter`: id of the property that only rises; null: it has none. */
export type Meter = { readonly node: Node; readonly kind: MeterKind; readonly counter: string | null };

/** In the order of the page. */
const KINDS: readonly MeterKind[] = ["grid", "solar", "battery", "load", "other", "water", "gas"];
const POWERS = ["CPW", "PPW", "ST"] as const;
/** Units of the interface: watts and kilowatts; kilowatt-hours and watt-hours. */
const WATTS: Readonly<Record<string, number>> = { 73: 1, 30: 1000 };
const KILOWATT_HOURS: Readonly<Record<string, number>> = { 33: 1, 119: 0.001 };
const VOLUMES: Readonly<Record<string, string>> = { 6: "ft³", 8: "m³", 35: "L", 69: "gal" };
/** Counters of gas and of water. */
const [GAS, WATER] = ["GVOL", "WVOL"];

export function metersOf(home: Home): readonly Meter[] {
  const meters = [...home.nodes].flatMap((node) => meterOf(node) ?? []);
  return meters.sort((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind));
}

function meterOf(node: Node): Meter | null {
  if (node.role !== "meter") return null;
  const ids = [...node.properties.values()].filter(({ uom }) => uom in KILOWATT_HOURS || uom in VOLUMES);
  const counter = (ids.find(({ id }) => id === "TPW") ?? ids[0])?.id ?? null;
  if (counter === null && wattsOf(node) === null) return null;
  const isVolume = (node.properties.get(counter ?? "")?.uom ?? "") in VOLUMES;
  const { use } = node;
  const counted = isVolume ? (counter === GAS || use === "gas" ? "gas" : "water") : "load";
  const isSaid = use === "grid" || use === "solar" || use === "battery" || use === "other";
  return { node, counter, kind: counter === WATER || isVolume || !isSaid ? counted : use };
}

/** What the rendering of a meter depends on. */
export function followed({ counter }: Meter): readonly string[] {
  return [...POWERS, ...(counter === null ? [] : [counter])];
}

export function wattsOf(node: Node): number | null {
  for (const id of POWERS) {
    const factor = WATTS[node.properties.get(id)?.uom ?? ""];
    const value = node.value(id);
    if (factor !== undefined && value !== null) return value * factor;
  }
  return null;
}

/** The unit in which the page says what was used, and how much of it one of the counter's is. */
export function unitOf({ node, counter }: Meter): { readonly text: string; readonly factor: number } {
  const uom = node.properties.get(counter ?? "")?.uom ?? "";
  return uom in VOLUMES ? { text: VOLUMES[uom] ?? "", factor: 1 } : { text: "kWh", factor: KILOWATT_HOURS[uom] ?? 1 };
}
