/**
 * An axis: a quantity that conditions compare, with all integers that its value can be. A property or a variable is
 * on its axis as its raw value in one unit and precision; a program's status as 0 or 1; the trigger of the evaluation
 * as the number of the event; the time as a second of the calendar.
 */

import type { Comparison, SyntaxValue } from "../../../home/program-syntax.ts";
import type { MessageValue } from "../../../messages.ts";
import { convertTemperature, convertUnit, DEGREES_PREC } from "../../../profile/convert-unit.ts";
import { isUnknown, UNKNOWN } from "../../../profile/status-words.ts";
import { UOM } from "../../../profile/uom.ts";
import { EVERYTHING, intersect, type NumberSet, numbersBetween, without } from "./number-set.ts";

export type Axis = {
  readonly key: string;
  /** How a sentence calls it. */
  readonly name: MessageValue;
  readonly domain: NumberSet;
  /** Unit in which its values stand; null = none, or not known. */
  readonly uom: number | null;
  /** Decimal places: displayed = value / 10^prec. */
  readonly prec: number;
  /** Steps between usually reported values, 1 and up; finer values exist between them. */
  readonly step: number;
  /** Id of the property of the axis. */
  readonly property: { readonly node: string; readonly id: string } | null;
  /** An axis of −1, 0, 1 for the comparison of two others. */
  readonly order: { readonly left: Axis; readonly right: Axis } | null;
};

/** The position of a value on an axis; `first` is greater than `last` for a value between two integers. */
type AxisSpan = { readonly first: number; readonly last: number };

/** Compares like conditions do: null when the value is in a unit that the axis does not know. */
export function placeOf(axis: Axis, { value, prec, uom }: SyntaxValue): AxisSpan | null {
  const displayed = value / 10 ** prec;
  if (uom === UOM.none || axis.uom === null || uom === axis.uom) return exactly(rescaled(value, prec, axis.prec));
  if (uom === UOM.percent && axis.uom === UOM.level) return levelsShownAs(displayed);
  const degrees = convertTemperature(displayed, uom, axis.uom);
  if (degrees !== null) return exactly(rescaled(Math.round(degrees * 10 ** DEGREES_PREC), DEGREES_PREC, axis.prec));
  if (uom !== UOM.level || axis.uom !== UOM.percent) return null;
  return exactly((convertUnit(displayed, uom, UOM.percent) ?? 0) * 10 ** axis.prec);
}

/** The bytes of wired devices that people see as this percentage; none of a fraction. */
function levelsShownAs(percent: number): AxisSpan {
  const first = Math.ceil((Math.ceil(percent) - 0.5) * LEVELS_PER_PERCENT);
  const last = Math.ceil((Math.floor(percent) + 0.5) * LEVELS_PER_PERCENT) - 1;
  return { first, last };
}

/** Where the comparison with that place holds, within the axis. "Unknown" is unlike every other place. */
export function whereHolds(axis: Axis, comparison: Comparison, { first, last }: AxisSpan): NumberSet {
  const unknown = valueOn(axis, UNKNOWN);
  const isApart = axis.uom !== null && isUnknown(axis.uom, UNKNOWN) && first !== unknown;
  const holds = wherePlain(comparison, first, last);
  return intersect(axis.domain, isApart ? without(holds, numbersBetween(unknown, unknown)) : holds);
}

/** The nearest value on the axis to a displayed value. */
export function valueOn(axis: Axis, displayed: number): number {
  return Math.round(displayed * 10 ** axis.prec);
}

/** A raw number of one precision in another; between two values where the other is coarser. */
export function rescaled(value: number, from: number, to: number): number {
  return to >= from ? value * 10 ** (to - from) : value / 10 ** (from - to);
}

const LEVELS_PER_PERCENT = 2.55;

function wherePlain(comparison: Comparison, first: number, last: number): NumberSet {
  switch (comparison) {
    case "GT":
      return numbersBetween(last + 1, Number.POSITIVE_INFINITY);
    case "GE":
      return numbersBetween(first, Number.POSITIVE_INFINITY);
    case "LT":
      return numbersBetween(Number.NEGATIVE_INFINITY, first - 1);
    case "LE":
      return numbersBetween(Number.NEGATIVE_INFINITY, last);
    case "IS":
      return numbersBetween(first, last);
    case "ISNOT":
      return without(EVERYTHING, numbersBetween(first, last));
  }
}

function exactly(value: number): AxisSpan {
  return { first: Math.ceil(value), last: Math.floor(value) };
}
