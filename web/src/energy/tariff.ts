/** What a kilowatt-hour costs, as the controller has it. @see docs/interface/place.md */

import type { Place } from "@domovoi/client";

export type Tariff = NonNullable<Place["tariff"]>;

/** @param minute of the day */
export function priceOf({ prices }: Tariff, minute: number): number | null {
  return prices.findLast(({ from }) => from <= minute)?.price ?? null;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
