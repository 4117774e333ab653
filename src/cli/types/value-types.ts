/**
 * The allowed values of an editor as a TypeScript type: every number, each label, and each number with its unit.
 * TypeScript has no number ranges, so a range is written out. A range with too many values becomes `number`, and the
 * library checks it when it is sent.
 */

import type { Editor, EditorRange } from "@domovoi/client";
import { findUom, uomName } from "../../profile/uom.ts";
import { literal } from "./source-text.ts";

/** Tenths over 250 degrees are still written out. The compiler takes far more; people who read the file do not. */
const LITERALS_MAX = 2501;

type ValueType = {
  /** A type expression. */
  readonly type: string;
  /** The allowed values, for a person. */
  readonly about: string;
};

export function inputType({ ranges }: Editor): ValueType {
  if (ranges.length === 0) return { type: "CommandValue", about: "any number" };
  const numbers = ranges.map(numberType);
  const labels = ranges.flatMap(({ names }) => [...names.values()].map(literal));
  const withUnit = ranges.map((range, at) => `{ readonly value: ${numbers[at]}; readonly uom: ${Number(range.uom)} }`);
  const bare = numbers.includes("number") ? ["number"] : numbers;
  return {
    type: [...new Set([...bare, ...labels, ...withUnit])].join(" | "),
    about: ranges.map(describeRange).join(", or "),
  };
}

/** Labels that its values can have; `number` where some have none. */
export function propertyType(editor: Editor | null): string {
  const ranges = editor?.ranges ?? [];
  const labels = ranges.flatMap(({ names }) => [...names.values()].map(literal));
  const allHaveLabels =
    ranges.length > 0 && ranges.every((range) => allowed(range)?.every((raw) => range.names.has(raw)));
  return [...new Set(allHaveLabels ? labels : ["number", ...labels])].join(" | ");
}

function numberType(range: EditorRange): string {
  const raws = allowed(range);
  if (raws === null) return "number";
  if (raws.length === 0) return "never";
  return raws.map((raw) => String(raw / 10 ** range.prec)).join(" | ");
}

/** Raw integers, ascending; null when there are more than `LITERALS_MAX`, or no bounds. */
function allowed(range: EditorRange): readonly number[] | null {
  const { subset, min, max, prec, names } = range;
  if (subset !== null) return listed(runsOf(subset, range));
  if (min !== null && max !== null) return listed([[Math.ceil(min * 10 ** prec), Math.floor(max * 10 ** prec)]]);
  return min === null && max === null && names.size > 0 ? [...names.keys()].sort((a, b) => a - b) : null;
}

type Run = readonly [first: number, last: number];

function listed(runs: readonly Run[]): readonly number[] | null {
  const size = runs.reduce((sum, [first, last]) => sum + Math.max(0, last - first + 1), 0);
  if (!(size <= LITERALS_MAX)) return null;
  const raws = runs.flatMap(([first, last]) =>
    Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at),
  );
  return [...new Set(raws)].sort((a, b) => a - b);
}

/** `0-3,5-7`, ends may be open. */
function runsOf(subset: string, { min, max, prec, names }: EditorRange): readonly Run[] {
  const lowest = min === null ? Math.min(...names.keys()) : min * 10 ** prec;
  const highest = max === null ? Math.max(...names.keys()) : max * 10 ** prec;
  return subset.split(",").flatMap((part) => {
    const [, first, dash, last] = /^(\d+)?(?:(-)(\d+)?)?$/.exec(part.trim()) ?? [];
    if (first === undefined && dash === undefined) return [];
    const low = first === undefined ? lowest : Number(first);
    return [[low, dash === undefined ? low : last === undefined ? highest : Number(last)] as const];
  });
}

function describeRange(range: EditorRange): string {
  const { min, max, subset, names, uom } = range;
  const unit = findUom(Number(uom)).suffix;
  const named = `unit ${uom}, ${uomName(Number(uom))}`;
  if (subset !== null) return names.size > 0 ? `a choice (${named})` : `${subset}${unit} (${named})`;
  if (min === null && max === null) return names.size > 0 ? `a choice (${named})` : `any number (${named})`;
  return `${min ?? "anything"} to ${max ?? "anything"}${unit} (${named})`;
}
