/** Values of templates: how they are read, compared, filtered and written, as Python does it. */

import { foreignText } from "../../../util/foreign-value.ts";
import { isRecord } from "../../../util/is-record.ts";

/** A template uses something that is not supported. The message ends the sentence "Its template cannot be read: …". */
export class TemplateError extends Error {}

export type Filter = (value: unknown, ...given: readonly unknown[]) => unknown;

const TEXT_MAX = 4096;

export const FILTERS: Readonly<Record<string, Filter>> = {
  int: (value, otherwise, base = 10) => {
    const number = base === 10 ? readNumber(value) : wholeNumber(value, numberOf(base));
    return number === null ? otherwise : Math.trunc(number);
  },
  float: (value, otherwise) => readNumber(value) ?? otherwise,
  round: (value, digits = 0) => {
    const [number, factor] = [readNumber(value), 10 ** Math.max(-10, Math.min(10, numberOf(digits)))];
    return number === null ? undefined : Math.round(number * factor) / factor;
  },
  abs: (value) => {
    const number = readNumber(value);
    return number === null ? undefined : Math.abs(number);
  },
  format: (value, ...given) => (value === undefined ? undefined : formatted(textOfValue(value), given)),
  replace: (value, from, to) => METHODS.replace?.(value, from, to),
  split: (value, by) => METHODS.split?.(value, by),
  lower: (value) => (value === undefined ? undefined : textOfValue(value).toLowerCase()),
  upper: (value) => (value === undefined ? undefined : textOfValue(value).toUpperCase()),
  trim: (value) => (value === undefined ? undefined : textOfValue(value).trim()),
  string: (value) => (value === undefined ? undefined : textOfValue(value)),
  default: (value, otherwise = "") => value ?? otherwise,
  d: (value, otherwise = "") => value ?? otherwise,
  is_defined: (value) => value,
  tojson: (value) => (value === undefined ? undefined : jsonOf(value)),
  to_json: (value) => (value === undefined ? undefined : jsonOf(value)),
  bool: (value, otherwise) => {
    const word = value === undefined ? "" : textOfValue(value).toLowerCase();
    if (["true", "yes", "on", "enable", "1"].includes(word)) return true;
    return ["false", "no", "off", "disable", "0"].includes(word) ? false : otherwise;
  },
};

/** Filters that are functions too. */
export const FUNCTIONS: ReadonlySet<string> = new Set(["int", "float"]);

/** Names of the parameters of filters, by their places. */
export const NAMED: Readonly<Record<string, readonly string[]>> = {
  int: ["default", "base"],
  float: ["default"],
  round: ["precision"],
  default: ["default_value"],
};

/** Of texts. */
export const METHODS: Readonly<Record<string, Filter>> = {
  lower: (value) => FILTERS.lower?.(value),
  upper: (value) => FILTERS.upper?.(value),
  strip: (value) => FILTERS.trim?.(value),
  split: (value, by) => {
    if (value === undefined) return undefined;
    const text = textOfValue(value);
    return by === undefined ? text.trim().split(/\s+/) : text.split(textOfValue(by));
  },
  replace: (value, from = "", to = "") =>
    value === undefined
      ? undefined
      : textOfValue(value)
          .replaceAll(textOfValue(from), () => textOfValue(to))
          .slice(0, TEXT_MAX),
};

/** In hexadecimal, with or without the prefix that names it, and in other bases. */
function wholeNumber(value: unknown, base: number): number | null {
  if (typeof value !== "string" || !Number.isInteger(base) || base < 2 || base > 36) return readNumber(value);
  const text = value.trim().toLowerCase();
  const digits = base === 16 ? text.replace(/^0x/, "") : text;
  const number = Number.parseInt(digits, base);
  return /^[0-9a-z]{1,12}$/.test(digits) && number.toString(base) === digits.replace(/^0+(?=.)/, "") ? number : null;
}

const PLACES = /%(0?)(\d{0,2})(?:\.(\d))?([dfsxX%])/g;

/** As `%` of Python, with the places that announcers use. */
function formatted(text: string, given: readonly unknown[]): string | undefined {
  let at = 0;
  let isKnown = true;
  const made = text.replace(PLACES, (_place, zero: string, width: string, digits: string | undefined, kind: string) => {
    if (kind === "%") return "%";
    const value = given[at];
    at += 1;
    const number = numberOf(value);
    if (value === undefined || (kind !== "s" && Number.isNaN(number))) isKnown = false;
    return placed(kind, value, digits === undefined ? 6 : Number(digits)).padStart(Number(width), zero || " ");
  });
  return isKnown ? made.slice(0, TEXT_MAX) : undefined;
}

function placed(kind: string, value: unknown, digits: number): string {
  const number = numberOf(value);
  if (kind === "s") return textOfValue(value);
  if (kind === "f") return number.toFixed(digits);
  const whole = Math.trunc(number).toString(kind === "d" ? 10 : 16);
  return kind === "X" ? whole.toUpperCase() : whole;
}

/** Own members only: an entry of a list by its integer place, one of an object by its name. */
export function memberOf(value: unknown, key: unknown): unknown {
  if (value instanceof Map) return value.get(key);
  if (Array.isArray(value) || typeof value === "string") {
    return typeof key === "number" && Number.isInteger(key) ? value.at(key) : undefined;
  }
  return isRecord(value) && typeof key === "string" && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === "boolean" && typeof b === "number") return Number(a) === b;
  if (typeof a === "number" && typeof b === "boolean") return a === Number(b);
  return a === b || (a === undefined && b === null);
}

export function isIn(value: unknown, whole: unknown): boolean {
  if (typeof whole === "string") return typeof value === "string" && value.length <= TEXT_MAX && whole.includes(value);
  if (Array.isArray(whole)) return whole.some((each) => isSame(each, value));
  if (whole instanceof Map) return whole.has(value);
  return isRecord(whole) && typeof value === "string" && Object.hasOwn(whole, value);
}

/** NaN: it is none. */
export function numberOf(value: unknown): number {
  return readNumber(value) ?? Number.NaN;
}

function readNumber(value: unknown): number | null {
  if (typeof value === "boolean") return Number(value);
  if (typeof value === "string" && value.trim() !== "") {
    const number = Number(value.slice(0, 100));
    return Number.isFinite(number) ? number : null;
  }
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** As Python writes it. */
export function textOfValue(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  return typeof value === "object" ? jsonOf(value) : foreignText(value, TEXT_MAX);
}

/** Its beginning: a template may ask for a long message many times. */
function jsonOf(value: unknown): string {
  let text = "";
  for (const piece of jsonPieces(value)) {
    text += piece;
    if (text.length > TEXT_MAX) return text.slice(0, TEXT_MAX);
  }
  return text;
}

function* jsonPieces(value: unknown): Generator<string, void, void> {
  if (typeof value === "string") yield JSON.stringify(value.slice(0, TEXT_MAX));
  else if (typeof value === "number") yield Number.isFinite(value) ? String(value) : "null";
  else if (typeof value === "boolean") yield String(value);
  else if (Array.isArray(value)) yield* joined("[", value, "]", jsonPieces);
  else if (value instanceof Map) yield* joined("{", value, "}", memberPieces);
  else if (isRecord(value)) yield* joined("{", membersOf(value), "}", memberPieces);
  else yield "null";
}

function* membersOf(value: Readonly<Record<string, unknown>>): Generator<readonly [unknown, unknown], void, void> {
  for (const key in value) if (Object.hasOwn(value, key)) yield [key, value[key]];
}

function* memberPieces([key, value]: readonly [unknown, unknown]): Generator<string, void, void> {
  yield `${JSON.stringify(textOfValue(key))}:`;
  yield* jsonPieces(value);
}

function* joined<T>(
  open: string,
  items: Iterable<T>,
  close: string,
  piecesOf: (item: T) => Iterable<string>,
): Generator<string, void, void> {
  yield open;
  let isFirst = true;
  for (const item of items) {
    if (!isFirst) yield ",";
    isFirst = false;
    yield* piecesOf(item);
  }
  yield close;
}
