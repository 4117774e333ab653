/** Members of a query, read strictly. */

import { badValue } from "../errors.ts";

/** null when it is not given. @throws ControllerError BAD_VALUE unless it is a whole number from 0 to `max`. */
export function wholeNumber(query: URLSearchParams, name: string, max: number): number | null {
  const text = query.get(name);
  if (text === null) return null;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw badValue(`${name} is a whole number from 0 to ${max}.`);
}

/** null when it is not given. @throws ControllerError BAD_VALUE for another value. */
export function oneOfQuery<T extends string>(query: URLSearchParams, name: string, allowed: readonly T[]): T | null {
  const text = query.get(name);
  if (text === null) return null;
  const found = allowed.find((each) => each === text);
  if (found !== undefined) return found;
  throw badValue(`${name} is one of ${allowed.join(", ")}.`);
}

/** Milliseconds; null when it is not given. @throws ControllerError BAD_VALUE unless it is a time in ISO 8601. */
export function instantInQuery(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  return text === null ? null : instantOf(text, name);
}

/** @throws ControllerError BAD_VALUE unless it is a time in ISO 8601. */
export function instantOf(text: string, name: string): number {
  const atMs = Date.parse(text);
  if (Number.isFinite(atMs)) return atMs;
  throw badValue(`${name} is a time in ISO 8601, such as 2026-05-02T12:00:00Z.`);
}
