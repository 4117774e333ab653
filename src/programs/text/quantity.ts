/** Numbers with their decimals and units: `21.5°C`, `60%`, `128 level`, `3 unit 25`. The decimals that are written are the precision. */

import { SYNTAX_LIMITS, type SyntaxValue } from "../../home/program-syntax.ts";
import { allUoms, UNIT_WORDS, UOM, uomOfWord } from "../../profile/uom.ts";
import { closestTo } from "../../util/closest.ts";
import type { Cursor } from "./cursor.ts";

type Decimal = { readonly value: number; readonly prec: number };

export function printDecimal({ value, prec }: Decimal): string {
  const digits = String(Math.abs(value)).padStart(prec + 1, "0");
  const sign = value < 0 ? "-" : "";
  return prec === 0 ? `${sign}${digits}` : `${sign}${digits.slice(0, -prec)}.${digits.slice(-prec)}`;
}

/** null when the next word is not a number. @throws LineProblem for a number out of range. */
export function readDecimal(cursor: Cursor): Decimal | null {
  const { at } = cursor;
  const match = cursor.take(/([+-]?)(\d+)(?:\.(\d+))?(?![\d.])/y);
  if (!match) return null;
  const [, sign, whole = "", decimals = ""] = match;
  const size = Number(whole + decimals);
  if (size > SYNTAX_LIMITS.value || decimals.length > SYNTAX_LIMITS.prec) {
    throw cursor.problem(`A number has at most 15 digits, ${SYNTAX_LIMITS.prec} of them behind the point.`, at);
  }
  return { value: sign === "-" && size !== 0 ? -size : size, prec: decimals.length };
}

/** @throws LineProblem */
export function expectDecimal(cursor: Cursor): Decimal {
  const decimal = readDecimal(cursor);
  if (!decimal) throw cursor.problem("Here a number is expected.");
  return decimal;
}

export function printQuantity(value: SyntaxValue): string {
  const { uom } = value;
  if (uom === UOM.none) return printDecimal(value);
  const symbol = SYMBOL_OF.get(uom);
  if (symbol === undefined) return `${printDecimal(value)} unit ${uom}`;
  return printDecimal(value) + (/^[%°]/.test(symbol) ? "" : " ") + symbol;
}

/** How `readUnit` reads it. */
export function printUnit(uom: number): string {
  return SYMBOL_OF.get(uom) ?? `unit ${uom}`;
}

/** null when the next word is not a number. @throws LineProblem for an unknown unit. */
export function readQuantity(cursor: Cursor): SyntaxValue | null {
  const decimal = readDecimal(cursor);
  return decimal && { ...decimal, uom: readUnit(cursor) };
}

/** Names of units whose symbol is ambiguous or missing. */
const OWN_NAMES: readonly (readonly [symbol: string, uom: number])[] = [
  ["level", UOM.level],
  ["degrees", UOM.degrees],
  ["half-degrees", UOM.halfDegrees],
];
const SYMBOL_OF: ReadonlyMap<number, string> = new Map([...uniqueSymbols(), ...swapped(OWN_NAMES)]);
/** The longest first: "dB A" before "dB". */
const UNITS = [...swapped([...SYMBOL_OF]), ...UNIT_WORDS].sort(([a], [b]) => b.length - a.length);

function uniqueSymbols(): readonly (readonly [uom: number, symbol: string])[] {
  const times = new Map<string, number>();
  for (const { symbol } of allUoms()) times.set(symbol, (times.get(symbol) ?? 0) + 1);
  return allUoms()
    .filter(({ symbol }) => symbol !== "" && times.get(symbol) === 1)
    .map(({ id, symbol }) => [id, symbol]);
}

function swapped<A, B>(pairs: readonly (readonly [A, B])[]): readonly (readonly [B, A])[] {
  return pairs.map(([a, b]) => [b, a]);
}

/** Unit 0 when nothing follows. @throws LineProblem */
export function readUnit(cursor: Cursor): number {
  if (cursor.words("unit")) return cursor.integer("the number of a unit", 0, SYNTAX_LIMITS.uom);
  const inBrackets = cursor.take(/\[[^\s\]]+\]/y)?.[0];
  const bracketed = inBrackets === undefined ? null : uomOfWord(inBrackets);
  if (bracketed !== null) return bracketed;
  if (inBrackets !== undefined) throw cursor.problem(`There is no unit "${inBrackets}".`);
  for (const [symbol, uom] of UNITS) if (cursor.take(PATTERNS.get(symbol) ?? pattern(symbol))) return uom;
  const { at } = cursor;
  // What follows may be a time for which the value has been so.
  const word = cursor.take(/(?!for\b)[^\s,()[\]']+/iy)?.[0];
  if (word !== undefined) {
    const close = closestTo(word, [...SYMBOL_OF.values(), ...UNIT_WORDS.map(([name]) => name)]);
    const suggestion = close === null ? null : `"${close}"`;
    const sentence = `There is no unit "${word}". Units without a symbol of their own are written "unit" and a number.`;
    throw cursor.problem(sentence, at, { code: "UNKNOWN_NAME", suggestion });
  }
  return UOM.none;
}

const PATTERNS = new Map(UNITS.map(([symbol]) => [symbol, pattern(symbol)]));

/** The whole symbol: "m" is not the beginning of "mm". */
function pattern(symbol: string): RegExp {
  return new RegExp(`${symbol.replace(/[$^*+?.|()[\]{}\\/]/g, "\\$&")}(?![^\\s,()[\\]'])`, "y");
}
