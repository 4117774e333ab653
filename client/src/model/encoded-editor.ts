/**
 * Editors that are their own definition, in their id:
 *
 *     encoded = "_" uom "_" prec [ "_R_" bound "_" bound | "_S_" mask [ "_" mask ] ] [ "_N_" prefix ]
 *     bound   = ["m"] digits            m = minus; displayed units
 *     mask    = hex digits              bit i of the first = raw value i, of the second = 32 + i
 *
 * @see docs/interface/profiles.md
 */

import type { EditorDefinition, EditorRange } from "./profile.ts";

const ENCODED =
  /^_(\d{1,4})_(\d{1,2})(?:_R_(m?\d{1,12})_(m?\d{1,12})|_S_([0-9A-Fa-f]{1,8})(?:_([0-9A-Fa-f]{1,8}))?)?(?:_N_(.+))?$/;

/** Null when the id only begins like one: it is then the name of an editor. @param labels NLS keys `<prefix>-<raw value>` */
export function decodeEditorId(id: string, labels: ReadonlyMap<string, string>): EditorDefinition | null {
  const match = ENCODED.exec(id);
  if (!match) return null;
  const [, uom = "0", prec = "0", min, max, low, high, prefix] = match;
  const range: EditorRange = {
    uom: String(Number(uom)),
    prec: Number(prec),
    min: min === undefined ? null : bound(min),
    max: max === undefined ? null : bound(max),
    step: null,
    subset: low === undefined ? null : [...maskValues(low, 0), ...maskValues(high ?? "0", 32)].join(","),
    names: prefix === undefined ? new Map() : namesUnder(prefix, labels),
  };
  return { id, ranges: [range] };
}

function bound(text: string): number {
  return text.startsWith("m") ? 0 - Number(text.slice(1)) : Number(text);
}

function maskValues(hex: string, first: number): readonly number[] {
  const mask = Number.parseInt(hex, 16);
  return Array.from({ length: 32 }, (_, bit) => bit)
    .filter((bit) => ((mask >>> bit) & 1) === 1)
    .map((bit) => first + bit);
}

function namesUnder(prefix: string, labels: ReadonlyMap<string, string>): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const [key, label] of labels) {
    const suffix = key.startsWith(`${prefix}-`) ? key.slice(prefix.length + 1) : "";
    if (/^-?\d+$/.test(suffix)) names.set(Number(suffix), label);
  }
  return names;
}
