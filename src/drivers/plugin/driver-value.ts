/** Values as plugins write them: decimal texts, numbers and booleans. */

import { foreignNumber } from "../../util/foreign-value.ts";
import type { Quantity } from "../command.ts";

/** More decimals than a float shows by accident are none that anybody meant. */
const DECIMALS_MAX = 6;

type ReportedValue = { readonly value: number; readonly prec: number };

/**
 * `"21.50"` is 2150 with two decimals, as written; `True` and `False` of Python and JSON are 1 and 0.
 * @returns null for everything else, such as words, the empty text, `21,5` or a number too large to be exact.
 */
export function reportedValue(given: unknown): ReportedValue | null {
  if (typeof given !== "string" && typeof given !== "number" && typeof given !== "boolean") return null;
  const text = String(given).trim();
  if (/^(?:true|false)$/i.test(text)) return { value: text.toLowerCase() === "true" ? 1 : 0, prec: 0 };
  const written = decimals(text);
  if (written === null) return null;
  const value = Number(written.replace(".", ""));
  return Number.isSafeInteger(value) ? { value: value + 0, prec: written.length - 1 - written.lastIndexOf(".") } : null;
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
  const uom = foreignNumber(given);
  return Number.isInteger(uom) && uom >= 0 && uom <= 65_535 ? uom : 0;
}

/** A value as plugins read it. */
export function writtenValue({ value, prec }: Pick<Quantity, "value" | "prec">): string {
  return (value / 10 ** prec).toFixed(prec);
}
