/**
 * Values that others wrote, read so that none of them can throw: an object may be nested deeper than the stack, and have members named
 * `toString` or `constructor`.
 */

import { attempt } from "./attempt.ts";

/** Objects and lists inside one another. The deepest messages that are known have a fifth of it. */
const DEPTH_MAX = 64;
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = ['"', "\\", "[", "]", "{", "}"].map(
  (character) => character.charCodeAt(0),
);

/** undefined: it is no JSON, or nests deeper than 64 levels. */
export function readForeignJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth += 1;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}

function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at += 1;
  }
  return text.length;
}

/** Texts as they are, numbers and words of JSON as written, objects and lists as JSON; "" for no value and for what cannot be written. */
export function foreignText(value: unknown, charsMax = Number.POSITIVE_INFINITY): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value.slice(0, charsMax);
  return (
    attempt(() => (typeof value === "object" ? (JSON.stringify(value) ?? "") : String(value)).slice(0, charsMax)) ?? ""
  );
}

/** As `Number` reads texts, numbers and booleans; NaN for everything else. */
export function foreignNumber(value: unknown): number {
  return typeof value === "object" || typeof value === "symbol" ? Number.NaN : Number(value);
}

/** A row of a table by a foreign name: never what every object inherits. */
export function ownMember<T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined {
  const key = foreignText(name);
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
