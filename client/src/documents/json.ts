/** Reads foreign JSON: the envelope of `/api`, and members that may be missing or of another type. */

import { ClientError } from "../errors.ts";

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `undefined` for what is no JSON; a byte order mark is passed over. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.startsWith("\ufeff") ? text.slice(1) : text);
  } catch {
    return undefined;
  }
}

/** The `data` of an answer. @throws ClientError `BAD_DOCUMENT`, or `REFUSED` when the controller says that it failed */
export function readEnvelope(text: string, path: string): unknown {
  const document = parseJson(text);
  if (!isObject(document)) throw new ClientError("BAD_DOCUMENT", `${path} was not answered with a JSON object.`);
  if (document.successful === false) {
    const sentence = textOf(document.error) || textOf(document.message) || "The controller reports a failure.";
    throw new ClientError("REFUSED", `${path}: ${sentence}`, { reason: textOf(document.code) });
  }
  return document.data ?? null;
}

/** The objects of a list; a single object counts as a list of one, anything else as an empty list. */
export function objectsOf(value: unknown): readonly Json[] {
  if (Array.isArray(value)) return value.every(isObject) ? value : value.filter(isObject);
  return isObject(value) ? [value] : [];
}

/** Texts, and numbers and booleans as texts. */
export function textOf(value: unknown, fallback = ""): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : fallback;
}

export function numberOf(value: unknown, fallback = 0): number {
  const read = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof read === "number" && Number.isFinite(read) ? read : fallback;
}

export function booleanOf(value: unknown, fallback: boolean): boolean {
  if (typeof value === "boolean") return value;
  const text = textOf(value).toLowerCase();
  return text === "true" || text === "1" ? true : text === "false" || text === "0" ? false : fallback;
}

/** Null for a missing or empty one. */
export function textOrNull(value: unknown): string | null {
  return textOf(value) || null;
}
