/** Members of a path or a query, read strictly. */

import { ControllerError, type ErrorCode } from "../errors.ts";
import type { VariableType } from "../home/variables.ts";
import type { HttpRequest } from "./route.ts";

type Path = Pick<HttpRequest, "params">;

/** @throws ControllerError of this code unless it is a whole number. */
export function numberInPath({ params }: Path, name: string, code: ErrorCode): number {
  const text = params[name] ?? "";
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new ControllerError(code);
}

/** @throws ControllerError VARIABLE_NOT_FOUND */
export function variableTypeInPath({ params }: Path): VariableType {
  if (params.type === "1" || params.type === "2") return params.type === "1" ? 1 : 2;
  throw new ControllerError("VARIABLE_NOT_FOUND", "Variables have the type 1 (integer) or 2 (state).");
}

/** null when it is not given. @throws ControllerError BAD_VALUE unless it is a whole number from 0 to `max`. */
export function wholeNumber(query: URLSearchParams, name: string, max: number): number | null {
  const text = query.get(name);
  if (text === null) return null;
  const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= max) return value;
  throw new ControllerError("BAD_VALUE", `${name} is a whole number from 0 to ${max}.`);
}

/** null when it is not given. @throws ControllerError BAD_VALUE for another value. */
export function oneOfQuery<T extends string>(query: URLSearchParams, name: string, allowed: readonly T[]): T | null {
  const text = query.get(name);
  if (text === null) return null;
  const found = allowed.find((each) => each === text);
  if (found !== undefined) return found;
  throw new ControllerError("BAD_VALUE", `${name} is one of ${allowed.join(", ")}.`);
}

/** Milliseconds; null when it is not given. @throws ControllerError BAD_VALUE unless it is a time in ISO 8601. */
export function instant(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  return text === null ? null : instantOf(text, name);
}

/** @throws ControllerError BAD_VALUE unless it is a time in ISO 8601. */
export function instantOf(text: string, name: string): number {
  const atMs = Date.parse(text);
  if (Number.isFinite(atMs)) return atMs;
  throw new ControllerError("BAD_VALUE", `${name} is a time in ISO 8601, such as 2026-05-02T12:00:00Z.`);
}
