/** The addresses that were told to the house, so that a device that was removed elsewhere is noticed at the next start. */

import type { DriverStore } from "../driver.ts";

export const TOLD_KEY = "told";

export type Told = { readonly homeId: number; readonly addresses: readonly string[] };

/** None when the stick has another network than before: its owner may put the old one back. */
export function toldBefore(store: DriverStore, homeId: number): readonly string[] {
  const told = store.get(TOLD_KEY);
  if (typeof told !== "object" || told === null) return [];
  const { homeId: before, addresses } = told as { readonly homeId?: unknown; readonly addresses?: unknown };
  if (before !== homeId || !Array.isArray(addresses)) return [];
  return addresses.filter((address) => typeof address === "string");
}
