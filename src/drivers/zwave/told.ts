/**
 * The nodes that were told to the house, each with the name that it was told under: a device that was removed elsewhere is
 * noticed at the next start, and a node that its owner never named may get a better name.
 */

import type { DriverStore } from "../driver.ts";

export const TOLD_KEY = "told";

export type Told = { readonly homeId: number; readonly names: Readonly<Record<string, string>> };

/** Names by address; none when the stick has another network than before: its owner may put the old one back. */
export function toldBefore(store: DriverStore, homeId: number): Map<string, string> {
  const told = store.get(TOLD_KEY);
  if (typeof told !== "object" || told === null) return new Map();
  const { homeId: before, names } = told as { readonly homeId?: unknown; readonly names?: unknown };
  if (before !== homeId || typeof names !== "object" || names === null) return new Map();
  return new Map(Object.entries(names).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
