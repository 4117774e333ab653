/**
 * Whether a value of a property is what a condition compares it with. A device that says that it does not know is unlike any
 * value, and is not "is not" either; only a comparison with "unknown" itself finds it.
 */

import type { Comparison, SyntaxValue } from "../home/program-syntax.ts";
import type { Property } from "../home/property.ts";
import { convertTemperature, convertUnit, DEGREES_PREC } from "../profile/convert-unit.ts";
import { isUnknown } from "../profile/status-words.ts";
import { UOM } from "../profile/uom.ts";
import { compare, type Scaled } from "./compare.ts";

export function statusHolds({ value, prec, uom }: Property, comparison: Comparison, other: SyntaxValue): boolean {
  if (value === null) return false;
  const known = { value, prec, uom };
  if (saysUnknown(known) && !saysUnknown(other)) return false;
  const wanted = inUnitOf(known, other);
  return compare(besides(known, wanted), comparison, besides(wanted, known));
}

function saysUnknown({ value, prec, uom }: SyntaxValue): boolean {
  return isUnknown(uom, value / 10 ** prec);
}

/**
 * A level of 0 to 255 beside a percentage is the percentage that people see: 127 and 128 are both 50 %. Other units are not
 * converted, except for temperatures.
 */
function besides(value: SyntaxValue, other: SyntaxValue): Scaled {
  if (value.uom !== UOM.level || other.uom !== UOM.percent) return value;
  const percent = convertUnit(value.value / 10 ** value.prec, UOM.level, UOM.percent);
  return percent === null ? value : { value: percent, prec: 0 };
}

/** The value of a condition in the unit of the property: a thermometer may change its scale, or count half degrees. */
function inUnitOf({ uom }: SyntaxValue, value: SyntaxValue): SyntaxValue {
  const degrees = convertTemperature(value.value / 10 ** value.prec, value.uom, uom);
  if (degrees === null) return value;
  return { value: Math.round(degrees * 10 ** DEGREES_PREC), prec: DEGREES_PREC, uom };
}
