/** One value against its editor: whether the editor takes it, in which unit and precision, and how to say what it takes. */

import { type Message, message } from "../messages.ts";
import { convertUnit, isTemperature } from "./convert-unit.ts";
import type { Editor, EditorRange } from "./editor.ts";
import { isTwoValued } from "./predicates.ts";
import { inSubset, subsetValues } from "./subset.ts";
import { findUom, UOM, uomName } from "./uom.ts";

/** displayed = value / 10^prec; `value` is an integer. Unit 0: none was given, or the editor has none. */
export type EditorValue = { readonly value: number; readonly uom: number; readonly prec: number };

export function displayedValue({ value, prec }: Pick<EditorValue, "value" | "prec">): number {
  return value / 10 ** prec;
}

/**
 * The value as the editor takes it, or null. Without a unit it is one of the first range that takes it; in a unit that
 * the editor does not have it is converted where a conversion exists. Without an editor every value is accepted as given.
 */
export function acceptValue(editor: Editor | null, given: EditorValue): EditorValue | null {
  if (!editor || editor.ranges.length === 0) return asGiven(given);
  const { uom } = given;
  const value = displayedValue(given);
  if (uom === UOM.none) return firstOf(editor.ranges, (range) => fitRange(range, value));
  const own = editor.ranges.filter((range) => range.uom === uom || range.uom === UOM.none);
  return (
    firstOf(own, (range) => fitRange(range, value)) ??
    firstOf(editor.ranges, (range) => {
      const converted = convertUnit(value, uom, range.uom);
      return converted === null ? null : fitRange(range, converted);
    })
  );
}

/**
 * A level in the raw unit of wired devices, 0 to 255, or null. Any level switches a two-valued device on, and one with
 * steps goes to the nearest step above off, as that hardware does.
 */
export function acceptRawLevel(editor: Editor | null, value: number): EditorValue | null {
  const range = editor?.ranges.find(({ uom }) => uom === UOM.percent);
  if (!range || !(value >= 0 && value <= LEVEL_MAX)) return null;
  const level = Math.round(value);
  return { value: range.subset === null || level === 0 ? level : nearestStep(range, level), uom: UOM.level, prec: 0 };
}

/** True when the editor takes values in this unit, be it by conversion. */
export function takesUnit(editor: Editor | null, uom: number): boolean {
  return editor?.ranges.some((range) => range.uom !== UOM.none && convertUnit(0, uom, range.uom) !== null) ?? false;
}

/** The allowed values in words: `0 to 100 %`, or `0 (Off), 100 (On)`. */
export function describeEditor(editor: Editor | null): Message {
  const ranges = editor?.ranges.map(describeRange) ?? [];
  const last = ranges.pop() ?? message("range.any", { unit: "" });
  return ranges.reduceRight((rest, first) => message("range.or", { first, rest }), last);
}

const LEVEL_MAX = 255;
const LISTED_VALUES_MAX = 12;
const ROUNDING_SLACK = 1e-6;
/** Units whose values are numbers of things or of list entries: a fraction of one means nothing. */
const INTEGER_UNITS = { first: 107, last: 114 };

function firstOf<T>(ranges: readonly EditorRange[], accept: (range: EditorRange) => T | null): T | null {
  for (const range of ranges) {
    const accepted = accept(range);
    if (accepted !== null) return accepted;
  }
  return null;
}

function asGiven({ value, uom, prec }: EditorValue): EditorValue | null {
  return Number.isSafeInteger(value) ? { value, uom, prec } : null;
}

function fitRange(range: EditorRange, displayed: number): EditorValue | null {
  if (range.min !== null && displayed < range.min) return null;
  if (range.max !== null && displayed > range.max) return null;
  const prec = precisionFor(range, displayed);
  const raw = rawInteger(displayed, prec);
  if (raw === null || (prec === range.prec && !inSubset(range, raw))) return null;
  if (isCounted(range) && Math.abs(raw - displayed * 10 ** prec) > ROUNDING_SLACK) return null;
  return { value: raw, uom: range.uom, prec };
}

/** Finer than the editor is rounded; only half a degree is kept, since thermostats know it where their editor does not. */
function precisionFor(range: EditorRange, displayed: number): number {
  const isHalf = !Number.isInteger(displayed) && Number.isInteger(displayed * 2);
  const keepsHalf = isHalf && range.prec === 0 && range.subset === null;
  return keepsHalf && isTemperature(range.uom) && range.uom !== UOM.halfDegrees ? 1 : range.prec;
}

function rawInteger(displayed: number, prec: number): number | null {
  const raw = Math.round(displayed * 10 ** prec);
  return Number.isSafeInteger(raw) ? raw + 0 : null;
}

function isCounted({ uom, subset }: EditorRange): boolean {
  const isInteger = uom >= INTEGER_UNITS.first && uom <= INTEGER_UNITS.last;
  return subset !== null || uom === UOM.index || isInteger || findUom(uom).names.size > 0;
}

function nearestStep(range: EditorRange, level: number): number {
  if (isTwoValued(range)) return LEVEL_MAX;
  const percent = (level * 100) / LEVEL_MAX;
  const steps = (subsetValues(range, LEVEL_MAX) ?? []).filter((step) => step > 0);
  if (steps.length === 0) return level;
  const nearest = steps.reduce((best, step) => (Math.abs(step - percent) <= Math.abs(best - percent) ? step : best));
  return convertUnit(nearest, UOM.percent, UOM.level) ?? level;
}

function describeRange(range: EditorRange): Message {
  const { uom, min, max } = range;
  const unit = uom === UOM.none ? "" : message("unit.in", { name: uomName(uom), uom });
  const values = subsetValues(range, LISTED_VALUES_MAX);
  const listed = values ? values.map((value) => labelled(range, value)).join(", ") : range.subset;
  if (listed !== null) return message("range.of", { values: listed, unit });
  if (min === null) return max === null ? message("range.any", { unit }) : message("range.atMost", { max, unit });
  return max === null ? message("range.atLeast", { min, unit }) : message("range.between", { min, max, unit });
}

function labelled({ names }: EditorRange, value: number): string {
  const label = names.get(value);
  return label === undefined ? String(value) : `${value} (${label})`;
}
