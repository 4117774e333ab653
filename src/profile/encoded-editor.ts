/**
 * Editors that are written in their own id: `_51_0_R_0_101_N_IX_LVL` is percent, no decimals, 0 to 101, with labels
 * under the NLS prefix `IX_LVL`. Radio drivers use them, so that a device's odd range needs no definition of its own.
 *
 *     encoded = "_" uom "_" prec [ "_R_" bound "_" bound | "_S_" mask [ "_" mask ] ] [ "_N_" prefix ]
 *     bound   = ["m"] digits            m = minus; displayed units
 *     mask    = 1 to 8 hex digits       bit i of the first mask = value i, of the second = value 32 + i
 */

import { invariant } from "../errors.ts";
import type { Editor, EditorRange } from "./editor.ts";

export type EncodedRange = {
  readonly uom: number;
  readonly prec: number;
  /** Whole displayed units, inclusive; null = no bounds. */
  readonly bounds: readonly [min: number, max: number] | null;
  /** The raw values 0 to 63 that are allowed; null = all. Bounds and values exclude each other. */
  readonly values: readonly number[] | null;
  /** Prefix of the NLS keys that label raw values, or null. */
  readonly prefix: string | null;
};

const PATTERN =
  /^_(\d{1,4})_(\d{1,2})(?:_R_(m?\d{1,12})_(m?\d{1,12})|_S_([0-9A-Fa-f]{1,8})(?:_([0-9A-Fa-f]{1,8}))?)?(?:_N_(.+))?$/;
const MASK_BITS = 32;

/** null when the id is not an encoded one; it then names an editor of the profile. */
export function decodeEditorId(id: string, names: ReadonlyMap<string, string>): Editor | null {
  const range = decodeRange(id);
  return range === null ? null : { id, ranges: [editorRange(range, names)] };
}

/** Decodes the parts of an encoded id, without looking up its labels. */
export function decodeRange(id: string): EncodedRange | null {
  const match = id.charCodeAt(0) === UNDERSCORE ? PATTERN.exec(id) : null;
  if (!match) return null;
  const [, uom = "", prec = "", min, max, lowMask, highMask, prefix] = match;
  return {
    uom: Number(uom),
    prec: Number(prec),
    bounds: min === undefined || max === undefined ? null : [decodeBound(min), decodeBound(max)],
    values: lowMask === undefined ? null : [...maskValues(lowMask, 0), ...maskValues(highMask ?? "0", MASK_BITS)],
    prefix: prefix ?? null,
  };
}

/** The id of such an editor: the shortest spelling, which `decodeRange` reads back. */
export function encodeEditorId(range: EncodedRange): string {
  const prefix = range.prefix === null ? "" : `_N_${range.prefix}`;
  return `_${range.uom}_${range.prec}${encodeLimits(range)}${prefix}`;
}

const UNDERSCORE = 0x5f;

function editorRange(range: EncodedRange, names: ReadonlyMap<string, string>): EditorRange {
  return {
    uom: range.uom,
    prec: range.prec,
    min: range.bounds?.[0] ?? null,
    max: range.bounds?.[1] ?? null,
    step: null,
    subset: range.values === null ? null : subsetText(range.values),
    names: range.prefix === null ? new Map() : labels(range.prefix, names),
  };
}

function encodeLimits({ bounds, values }: EncodedRange): string {
  invariant(bounds === null || values === null, "An encoded editor has bounds or a set of values, not both.");
  if (bounds !== null) return `_R_${encodeBound(bounds[0])}_${encodeBound(bounds[1])}`;
  if (values === null) return "";
  const high = encodeMask(values, MASK_BITS);
  return `_S_${encodeMask(values, 0)}${high === "00000000" ? "" : `_${high}`}`;
}

function encodeBound(bound: number): string {
  invariant(Number.isSafeInteger(bound), "The bounds of an encoded editor are integers.");
  return bound < 0 ? `m${-bound}` : String(bound);
}

function decodeBound(text: string): number {
  return text.startsWith("m") ? 0 - Number(text.slice(1)) : Number(text);
}

function encodeMask(values: readonly number[], first: number): string {
  let mask = 0;
  for (const value of values) {
    invariant(Number.isInteger(value) && value >= 0 && value < 2 * MASK_BITS, "An encoded set has values 0 to 63.");
    if (value >= first && value < first + MASK_BITS) mask |= 1 << (value - first);
  }
  return (mask >>> 0).toString(16).toUpperCase().padStart(8, "0");
}

function maskValues(hex: string, first: number): readonly number[] {
  const mask = Number.parseInt(hex, 16);
  return Array.from({ length: MASK_BITS }, (_, bit) => bit)
    .filter((bit) => ((mask >>> bit) & 1) === 1)
    .map((bit) => first + bit);
}

/** Ascending values as the interface spells them: `0-3,5`. */
function subsetText(values: readonly number[]): string {
  const runs: [first: number, last: number][] = [];
  for (const value of values) {
    const run = runs.at(-1);
    if (run && run[1] + 1 === value) run[1] = value;
    else runs.push([value, value]);
  }
  return runs.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(",");
}

function labels(prefix: string, names: ReadonlyMap<string, string>): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const [key, text] of names) {
    if (!key.startsWith(`${prefix}-`)) continue;
    const suffix = key.slice(prefix.length + 1);
    if (/^-?\d+$/.test(suffix)) found.set(Number(suffix), text);
  }
  return found;
}
