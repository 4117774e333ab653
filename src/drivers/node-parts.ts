/**
 * What nodes are made of where the nodedef follows from what a device has: properties that are read from what the device says, spelled
 * commands, and their ids. Ids of nodedefs are hashes of these, so that a change here makes other nodedefs of the same devices.
 */

import { createHash } from "node:crypto";
import { encodeEditorId } from "../profile/encoded-editor.ts";
import type { StateShape } from "../profile/state-shapes.ts";
import { UOM } from "../profile/uom.ts";
import type { CommandParameterValue } from "./command.ts";

/** @typeParam Raw what the device says: a message, or the values of an endpoint */
export type NodeFeature<Raw> = {
  readonly id: string;
  /** Id of an encoded editor. */
  readonly editor: string;
  readonly uom: number;
  readonly prec: number;
  readonly label: string | null;
  /** Labels of values by their keys in the profile. */
  readonly names: Readonly<Record<string, string>>;
  /** The displayed value; null: none now; undefined: the device says nothing of it. */
  read(raw: Raw): number | null | undefined;
};

export type SpelledCommand = {
  readonly id: string;
  /** As in `definition-text.ts`: `DON(_51_0_R_0_100?)`. */
  readonly spelled: string;
  readonly label: string | null;
};

export type NumberShape = {
  readonly uom: number;
  readonly prec?: number;
  readonly bounds?: readonly [number, number] | null;
  readonly label?: string | null;
};

/** Longest list of values that an encoded editor names one by one. */
export const MASK_MAX = 63;
export const PERCENT = encodeEditorId({ uom: UOM.percent, prec: 0, bounds: [0, 100], values: null, prefix: null });
/** General ids that the interface knows. */
const GENERAL_IDS = 30;

/**
 * @param valueIn undefined: nothing is said of it
 * @param shown from the number of the device to the displayed value; null: none now
 */
export function numberPart<Raw>(
  id: string,
  { uom, prec = 0, bounds = null, label = null }: NumberShape,
  valueIn: (raw: Raw) => unknown,
  shown: (value: number, raw: Raw) => number | null = (value) => value,
): NodeFeature<Raw> {
  return {
    ...{ id, uom, prec, label, names: {} },
    editor: encodeEditorId({ uom, prec, bounds: wholeBounds(bounds), values: null, prefix: null }),
    read(raw) {
      const value = valueIn(raw);
      if (value === undefined) return undefined;
      return typeof value === "number" && Number.isFinite(value) ? shown(value, raw) : null;
    },
  };
}

/** @param is null: neither of both, or not known */
export function statePart<Raw>(
  id: string,
  { uom, editor, numberOf }: StateShape,
  label: string | null,
  valueIn: (raw: Raw) => unknown,
  is: (value: unknown) => boolean | null,
): NodeFeature<Raw> {
  return {
    ...{ id, editor, uom, prec: 0, label, names: {} },
    read(raw) {
      const value = valueIn(raw);
      if (value === undefined) return undefined;
      const state = is(value);
      return state === null ? null : numberOf(state);
    },
  };
}

export function spelledCommand(
  id: string,
  {
    editor = null,
    isOptional = false,
    label = null,
  }: { readonly editor?: string | null; readonly isOptional?: boolean; readonly label?: string | null },
): SpelledCommand {
  return { id, spelled: editor === null ? id : `${id}(${editor}${isOptional ? "?" : ""})`, label };
}

/** Displayed value of the first parameter; null without one. */
export function givenValue([first]: readonly CommandParameterValue[]): number | null {
  return first ? first.value / 10 ** first.prec : null;
}

/** Stands for a list, in keys of its labels. */
export function hashOf(list: unknown): string {
  return createHash("sha256").update(JSON.stringify(list)).digest("hex").slice(0, 8).toUpperCase();
}

/** The next free id for a value without one of its own, after those that have a meaning. */
export function generalIds(used: number): () => string {
  let last = used;
  return () => {
    last += 1;
    return `GV${last}`;
  };
}

/** The first with an id has it. */
export function unique<T extends { readonly id: string }>(all: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return all.filter(({ id }) => {
    const isBeyond = id.startsWith("GV") && Number(id.slice(2)) > GENERAL_IDS;
    if (seen.has(id) || isBeyond) return false;
    seen.add(id);
    return true;
  });
}

function wholeBounds(bounds: readonly [number, number] | null): readonly [number, number] | null {
  if (bounds === null) return null;
  const whole = [Math.floor(bounds[0]), Math.ceil(bounds[1])] as const;
  return whole.every((bound) => Math.abs(bound) < 1e11) ? whole : null;
}
