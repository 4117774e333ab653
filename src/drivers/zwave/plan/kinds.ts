/**
 * The kinds of values: how a value is read as an integer, and the editor of its range. A kind is everything that the
 * tables define for a value besides its name.
 */

import { createHash } from "node:crypto";
import { encodeEditorId } from "../../../profile/encoded-editor.ts";
import { parseLabels } from "../../../profile/labels.ts";
import { OPENED, SWITCHED } from "../../../profile/state-shapes.ts";
import { UNKNOWN } from "../../../profile/status-words.ts";
import type { ValueMetadata } from "./device-view.ts";
import { levelToPercent, toDecimal } from "./exact.ts";
import { RAW_UOM, uomOfUnit } from "./unit-table.ts";

/** A value as reported: displayed = value / 10^prec; null = no value yet. */
export type Reading = {
  readonly value: number | null;
  readonly uom: number;
  readonly prec: number;
  readonly text?: string;
};

/** Labels of raw values under a prefix of the NLS. */
type Labels = { readonly prefix: string; readonly texts: ReadonlyMap<number, string> };

export type Kind = {
  /** An encoded editor, or a named one with `*` for the prefix of the radio's family. */
  readonly editor: string;
  readonly labels?: Labels;
  readonly uom: number;
  /** null = the reported value is not of this kind. */
  read(value: unknown): Reading | null;
};

const PERCENT = 51;
const INDEX = 25;
const BOOLEAN = 2;
const SECONDS = 58;
const MASK_VALUES = 64;

/** A level, with 101 for one that is not known. */
export const LEVEL: Kind = {
  editor: "_51_0_R_0_101_N_IX_LVL",
  labels: { prefix: "IX_LVL", texts: parseLabels("0 Off, 100 On, 101 Unknown") },
  uom: PERCENT,
  read: (value) => (typeof value === "number" ? whole(levelToPercent(value), PERCENT) : null),
};

/** The position of a cover: 0 closed, 100 open, 101 unknown. */
export const POSITION: Kind = {
  ...LEVEL,
  editor: "_51_0_R_0_101_N_IX_POS",
  labels: { prefix: "IX_POS", texts: parseLabels("0 Closed, 100 Open, 101 Unknown") },
};

/** Also when the device does not know. */
export const OFF_ON: Kind = {
  editor: "*_OFF_ON_UNKNOWN",
  uom: SWITCHED.uom,
  read: (value) => whole(typeof value === "boolean" ? SWITCHED.numberOf(value) : UNKNOWN, SWITCHED.uom),
};

/** A contact: the device says true when it is open. */
export const OPEN_CLOSED: Kind = {
  editor: "*_OPEN_CLOSED_UNKNOWN",
  uom: OPENED.uom,
  read: (value) => whole(typeof value === "boolean" ? OPENED.numberOf(value) : UNKNOWN, OPENED.uom),
};

/** 0 … 100 %, nothing above it. */
export const PERCENT_KIND: Kind = {
  editor: "_51_0_R_0_100",
  uom: PERCENT,
  read: (value) => (typeof value === "number" && value >= 0 && value <= 100 ? decimal(value, PERCENT, 0) : null),
};

const BOOLEAN_KIND: Kind = {
  editor: "bool",
  uom: BOOLEAN,
  read: (value) => (typeof value === "boolean" ? whole(value ? 1 : 0, BOOLEAN) : null),
};

/**
 * A number in a unit, with at least this many decimals.
 *
 * @param thousands the value counts thousands of the unit: 1 = kilo.
 */
export function quantity(uom: number, prec: number, bounds: Bounds = null, thousands: 0 | 1 = 0): Kind {
  const digits = 3 * thousands;
  return {
    editor: encodeEditorId({ uom, prec, bounds, values: null, prefix: null }),
    uom,
    read: (value) => {
      const exact = typeof value === "number" ? toDecimal(value, prec + digits) : null;
      return exact && { value: exact.value, prec: exact.prec - digits, uom };
    },
  };
}

export type Bounds = readonly [min: number, max: number] | null;

/** Whole numbers with names; the unit's own where it has some, else those that the device's description gives. */
export function enumeration(uom: number, states: Readonly<Record<number, string>>): Kind {
  const texts = new Map(Object.entries(states).map(([raw, text]): [number, string] => [Number(raw), text]));
  const raws = [...texts.keys()].sort((a, b) => a - b);
  const prefix = `ZE${shortHash(JSON.stringify(Object.entries(states)))}`;
  const isSmall = raws.every((raw) => raw >= 0 && raw < MASK_VALUES);
  const bounds = raws.length === 0 ? null : ([raws[0] ?? 0, raws.at(-1) ?? 0] as const);
  return {
    editor: encodeEditorId({
      uom,
      prec: 0,
      bounds: isSmall ? null : bounds,
      values: isSmall && raws.length > 0 ? raws : null,
      prefix,
    }),
    labels: { prefix, texts },
    uom,
    read: (value) => (typeof value === "number" ? whole(value, uom) : null),
  };
}

/** An editor of the family for a unit whose values have names of their own. */
export function namedEditor(
  uom: number,
  editor: string,
  translate: (value: number) => number | null = (raw) => raw,
): Kind {
  return { editor, uom, read: (value) => (typeof value === "number" ? whole(translate(value), uom) : null) };
}

/** A time span in seconds; "default" and "unknown" are no values. */
const DURATION: Kind = {
  editor: encodeEditorId({ uom: SECONDS, prec: 0, bounds: null, values: null, prefix: null }),
  uom: SECONDS,
  read: (value) => {
    if (typeof value !== "object" || value === null) return null;
    const { unit, value: amount } = value as { readonly unit?: unknown; readonly value?: unknown };
    if (typeof amount !== "number" || (unit !== "seconds" && unit !== "minutes")) return nothing(SECONDS);
    return decimal(unit === "minutes" ? amount * 60 : amount, SECONDS, 0);
  },
};

const TEXT_UOM = 145;

/**
 * A value without a number: reported as a text, with 0 for its number, because a property without a number has no
 * text either.
 */
const TEXT: Kind = {
  editor: "TEXT",
  uom: TEXT_UOM,
  read(value) {
    const text = value === null ? "" : asText(value);
    return text === "" ? nothing(TEXT_UOM) : { value: 0, uom: TEXT_UOM, prec: 0, text };
  },
};

/** The kind of a value that no table knows, from its description alone. */
export function kindOfMetadata({ type, unit, states, min, max }: ValueMetadata): Kind {
  if (type === "boolean") return BOOLEAN_KIND;
  if (type === "duration") return DURATION;
  if (type !== "number") return TEXT;
  // A value with a unit is a number, even when one of its values has a name, such as "default".
  if (states && Object.keys(states).length > 0 && unit === undefined) return enumeration(INDEX, states);
  const bounds = isWhole(min) && isWhole(max) && min < max ? ([min, max] as const) : null;
  return quantity(uomOfUnit(unit) ?? RAW_UOM, 0, bounds);
}

export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8).toUpperCase();
}

function isWhole(number: number | undefined): number is number {
  return Number.isSafeInteger(number);
}

function whole(value: number | null, uom: number): Reading | null {
  return Number.isSafeInteger(value) ? { value, uom, prec: 0 } : null;
}

function decimal(number: number, uom: number, least: number): Reading | null {
  const exact = toDecimal(number, least);
  return exact && { ...exact, uom };
}

function nothing(uom: number): Reading {
  return { value: null, uom, prec: 0 };
}

function asText(value: unknown): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString("hex");
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
