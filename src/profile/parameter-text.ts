/** The text of command parameters: numbers in path segments and in query pairs, before their meaning is known. */

import { ControllerError } from "../errors.ts";
import type { WrittenValue } from "./editor-value.ts";

export type WrittenNumber = { readonly value: number; readonly decimals: number };

/** `value` as written; `uom` null when none was given. */
export type NamedParameter = { readonly value: string; readonly uom: number | null };

/**
 * Query pairs as named parameters: `OL=128`, `OL.uom51=50`, or `OL.51=50`, as one client writes it; `.uom51=50` is the unnamed
 * first parameter.
 */
export function readNamedParameters(query: Iterable<readonly [string, string]>): ReadonlyMap<string, NamedParameter> {
  const named = new Map<string, NamedParameter>();
  for (const [key, value] of query) {
    const match = NAMED_WITH_UNIT.exec(key);
    if (match) named.set(match[1] ?? "", { value, uom: Number(match[2]) });
    else named.set(key, { value, uom: null });
  }
  return named;
}

/** One client sends its argument list as Python prints a tuple; what has no digit in it is no value and is passed over. */
export function readSegments(segments: readonly string[]): readonly WrittenNumber[] {
  return segments
    .flatMap((segment) => (segment.includes("(") ? segment.split(/[\s(),]+/) : segment.trim()))
    .filter((text) => /\d/.test(text))
    .map((text) => readNumber(`The parameter "${printable(text)}"`, text));
}

/** @throws ControllerError BAD_PARAMETER when it is not one. */
export function readUnit({ value }: WrittenNumber): number {
  if (Number.isInteger(value) && value >= 0 && value <= UOM_MAX) return value;
  throw refused(`${value} is not a unit of measure.`);
}

/** @throws ControllerError BAD_PARAMETER when the value is no number. */
export function readWritten(name: string, { value, uom }: NamedParameter): WrittenValue {
  return { ...readNumber(name, value.trim()), uom };
}

/** How a sentence calls the parameter. */
export function parameterName(id: string): string {
  return id === "" ? "The value" : `Parameter ${printable(id)}`;
}

export function refused(sentence: string): ControllerError {
  return new ControllerError("BAD_PARAMETER", { sentence });
}

const NAMED_WITH_UNIT = /^(.*)\.(?:uom)?(\d{1,4})$/;
const NUMBER = /^[+-]?(?:\d{1,15}(?:\.(\d{0,15}))?|\.(\d{1,15}))$/;
const UOM_MAX = 9999;
const NAME_LENGTH = 40;

function readNumber(name: string, text: string): WrittenNumber {
  const match = NUMBER.exec(text);
  if (!match) throw refused(`${name} is not a number.`);
  return { value: Number(text), decimals: (match[1] ?? match[2] ?? "").length };
}

/** What a client wrote may hold anything; a sentence holds plain text. */
function printable(text: string): string {
  return text.slice(0, NAME_LENGTH).replace(/[^\x20-\x7e]/g, "?");
}
