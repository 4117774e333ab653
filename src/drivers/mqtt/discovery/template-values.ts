/** Values of templates: how they are read, compared, filtered and written, as Python does it. */

import { foreignText } from "../../../util/foreign-value.ts";
import { isRecord } from "../../../util/is-record.ts";

/** What a template holds that is not read; the message ends the sentence "Its template cannot be read: …". */
export class TemplateError extends Error {}

export type Filter = (value: unknown, ...given: readonly unknown[]) => unknown;

const TEXT_MAX = 4096;

export const FILTERS: Readonly<Record<string, Filter>> = {
  int: (value, otherwise = 0) => {
    const number = readNumber(value);
    return number === null ? otherwise : Math.trunc(number);
  },
  float: (value, otherwise = 0) => readNumber(value) ?? otherwise,
  round: (value, digits = 0) => {
    const factor = 10 ** Math.max(-10, Math.min(10, numberOf(digits)));
    return value === undefined ? undefined : Math.round(numberOf(value) * factor) / factor;
  },
  abs: (value) => (value === undefined ? undefined : Math.abs(numberOf(value))),
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
