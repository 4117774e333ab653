/** Units as Z-Wave devices and the library's descriptions spell them, as unit of measure ids. */

import { uomOfSymbol } from "../../../profile/uom.ts";

/** A raw value, without a unit of its own. */
export const RAW_UOM = 56;

/** Spellings that are not the interface's symbol of the unit. */
const SPELLINGS: ReadonlyMap<string, number> = new Map([
  ["Lux", 36],
  ["Btu/h", 3],
  ["g/m³", 21],
  // The symbol of two units: of this one, and of 40.
  ["m/s", 49],
  ["Mph", 48],
  ["cfm", 7],
  ["l", 35],
  ["gal", 69],
  ["gallon", 69],
  ["°N", 91],
  ["°S", 92],
  ["Ωm", 85],
  ["dBA", 13],
  ["µg/m³", 122],
  ["bq/m³", 123],
  ["pCi/l", 124],
  ["l/h", 130],
  ["mg/l", 140],
  ["s", 58],
  ["µs", RAW_UOM],
  ["kVAh", RAW_UOM],
  ["kVarh", RAW_UOM],
  ["kVar", RAW_UOM],
]);

/** null when there is no such unit. */
export function uomOfUnit(unit: string | undefined): number | null {
  return unit === undefined ? null : (SPELLINGS.get(unit) ?? uomOfSymbol(unit));
}
