/** Values as plugins write them: decimal texts, numbers, and words where there is no value. */

import type { Quantity } from "../command.ts";

/** More decimals than a float shows by accident are none that anybody meant. */
const DECIMALS_MAX = 6;

type ReportedValue = { readonly value: number | null; readonly prec: number; readonly text: string | null };

/**
 * `"21.50"` is 2150 with two decimals, as written. A text that is not a number is no value; it is stored as the text,
 * except `None` and the empty text, by which plugins report that a value is missing.
 */
export function reportedValue(given: unknown): ReportedValue {
  const text = typeof given === "boolean" ? String(Number(given)) : String(given ?? "").trim();
  if (text === "" || text === "None" || text === "null") return { value: null, prec: 0, text: null };
  const written = decimals(text);
  if (written === null) return { value: null, prec: 0, text };
  const value = Number(written.replace(".", ""));
  if (!Number.isSafeInteger(value)) return { value: null, prec: 0, text };
  return { value: value + 0, prec: written.length - 1 - written.lastIndexOf("."), text: null };
}

/** The number with a decimal point and at most so many decimals, or null. */
function decimals(text: string): string | null {
  const [, whole, fraction = ""] = /^([+-]?\d{1,15})(?:\.(\d*))?$/.exec(text) ?? [];
  if (whole !== undefined && fraction.length <= DECIMALS_MAX) return `${whole}.${fraction}`;
  const number = Number(text);
  if (!/^[+-]?(?:\d|\.\d)/.test(text) || !Number.isFinite(number)) return null;
  const [, rounded, rest = ""] = /^(-?\d+)(?:\.(\d*?)0*)?$/.exec(number.toFixed(DECIMALS_MAX)) ?? [];
  return rounded === undefined ? null : `${rounded}.${rest}`;
}

/** A unit as a number or a text; 0 where it is none. */
export function reportedUom(given: unknown): number {
  const uom = Number(given);
  return Number.isInteger(uom) && uom >= 0 && uom <= 65_535 ? uom : 0;
}

/** A value as plugins read it. */
export function writtenValue({ value, prec }: Pick<Quantity, "value" | "prec">): string {
  return (value / 10 ** prec).toFixed(prec);
}
