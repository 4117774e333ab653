/** An editor as a codec: between what people say and what the wire carries. */

import { ClientError } from "../errors.ts";
import type { Editor, EditorDefinition, EditorRange } from "./profile.ts";
import type { Property } from "./records.ts";
import type { CommandValue } from "./shape.ts";
import { subsetRuns, subsetSize } from "./subset.ts";

type Encoded = { readonly value: number; readonly uom: string };

const NO_UNIT = "0";
/** A percentage shown where the controller reports a byte, and the other way round. */
const PERCENT = "51";
const BYTE = "100";
const BYTE_MAX = 255;
const LISTED_MAX = 12;
const SLACK = 1e-6;

export function createEditor({ id, ranges }: EditorDefinition): Editor {
  return {
    id,
    ranges,
    units: ranges.map(({ uom }) => uom),
    encode: (value) => encode(id, ranges, value),
    decode: (raw) => decode(ranges, raw),
    describe: () => describe(ranges),
  };
}

/** Raw / 10^prec; null while there is no value, or none that is a number. */
export function displayedValue({ value, prec }: Pick<Property, "value" | "prec">): number | null {
  if (value.trim() === "") return null;
  const raw = Number(value);
  return Number.isFinite(raw) ? scaled(raw, prec) : null;
}

/** Divides, so that 7 with one place is 0.7 and not 0.7000000000000001. */
export function scaled(raw: number, prec: number): number {
  return prec >= 0 ? raw / 10 ** prec : raw * 10 ** -prec;
}

/** @throws ClientError `BAD_PARAMETER` when the editor takes no such value */
function encode(id: string, ranges: readonly EditorRange[], value: CommandValue): Encoded {
  const found = ranges.length === 0 ? asItIs(value) : firstThatTakes(ranges, value);
  if (found) return found;
  const said = typeof value === "object" ? `${value.value} in unit ${value.uom}` : JSON.stringify(value);
  throw new ClientError("BAD_PARAMETER", `${said} is not accepted (editor ${id}). Allowed: ${describe(ranges)}.`);
}

function firstThatTakes(ranges: readonly EditorRange[], value: CommandValue): Encoded | null {
  for (const range of ranges) {
    const taken = typeof value === "string" ? labelled(range, value) : numbered(range, value);
    if (taken !== null) return { value: taken, uom: range.uom };
  }
  return null;
}

/** No editor knows anything of it. */
function asItIs(value: CommandValue): Encoded | null {
  if (typeof value === "number") return Number.isFinite(value) ? { value, uom: NO_UNIT } : null;
  return typeof value === "string" ? null : { value: value.value, uom: String(value.uom) };
}

/** Labels are of raw integers; upper and lower case are one. */
function labelled(range: EditorRange, label: string): number | null {
  const wanted = label.trim().normalize("NFC").toLowerCase();
  for (const [raw, name] of range.names) {
    if (name.trim().normalize("NFC").toLowerCase() === wanted) return scaled(raw, range.prec);
  }
  return null;
}

function numbered(range: EditorRange, given: number | { readonly value: number; readonly uom: number }): number | null {
  const value = typeof given === "number" ? given : given.value;
  if (typeof given === "object" && String(given.uom) !== range.uom) return null;
  return takes(range, value) ? value : null;
}

function takes(range: EditorRange, value: number): boolean {
  if (!Number.isFinite(value)) return false;
  if (range.min !== null && value < range.min) return false;
  if (range.max !== null && value > range.max) return false;
  const runs = subsetRuns(range);
  if (runs === null) return range.min !== null || range.max !== null || range.names.size === 0 || isNamed(range, value);
  const raw = value * 10 ** range.prec;
  if (Math.abs(raw - Math.round(raw)) > SLACK) return false;
  return runs.some(([first, last]) => Math.round(raw) >= first && Math.round(raw) <= last);
}

/** Without bounds and subset, the labels say what there is. */
function isNamed({ names, prec }: EditorRange, value: number): boolean {
  const raw = value * 10 ** prec;
  return Math.abs(raw - Math.round(raw)) <= SLACK && names.has(Math.round(raw));
}

function decode(
  ranges: readonly EditorRange[],
  property: Pick<Property, "value" | "uom" | "prec">,
): ReturnType<Editor["decode"]> {
  const { uom } = property;
  const value = displayedValue(property);
  if (value === null) return { value, uom, label: null };
  const range = ranges.find((each) => each.uom === uom);
  if (range || uom !== BYTE) return { value, uom, label: labelOf(range ?? null, value) };
  const percent = ranges.find((each) => each.uom === PERCENT);
  if (!percent) return { value, uom, label: null };
  const shown = Math.round((value * 100) / BYTE_MAX);
  return { value: shown, uom: PERCENT, label: labelOf(percent, shown) };
}

function labelOf(range: EditorRange | null, value: number): string | null {
  return range?.names.get(Math.round(value * 10 ** range.prec)) ?? null;
}

function describe(ranges: readonly EditorRange[]): string {
  return ranges.length === 0 ? "a number" : ranges.map(describeRange).join(", or ");
}

function describeRange(range: EditorRange): string {
  const unit = range.uom === NO_UNIT ? "" : ` (unit ${range.uom})`;
  const size = subsetSize(range);
  if (size !== null && size <= LISTED_MAX) return `${listed(range)}${unit}`;
  if (range.subset !== null) return `${range.subset}${unit}`;
  if (range.min !== null || range.max !== null)
    return `${range.min ?? "anything"} to ${range.max ?? "anything"}${unit}`;
  return range.names.size === 0
    ? `a number${unit}`
    : `${named([...range.names.keys()].slice(0, LISTED_MAX), range)}${unit}`;
}

function listed(range: EditorRange): string {
  const runs = subsetRuns(range) ?? [];
  return named(
    runs.flatMap(([first, last]) => Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)),
    range,
  );
}

function named(values: readonly number[], { names, prec }: EditorRange): string {
  return values
    .map((raw) => (names.has(raw) ? `${scaled(raw, prec)} (${names.get(raw)})` : String(scaled(raw, prec))))
    .join(", ");
}
