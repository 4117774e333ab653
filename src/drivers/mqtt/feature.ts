/** What a node has: a property with its editor, read from messages, and the commands that set it. */

import { createHash } from "node:crypto";
import { encodeEditorId } from "../../profile/encoded-editor.ts";
import type { StateShape } from "../../profile/state-shapes.ts";
import { UOM } from "../../profile/uom.ts";
import type { CommandParameterValue } from "../command.ts";
import type { Plain } from "./bridge-device.ts";

/** A message of a device, or one for it: JSON by the keys of its exposes. */
export type Message = Readonly<Record<string, unknown>>;

export type Feature = {
  readonly id: string;
  /** Id of an encoded editor. */
  readonly editor: string;
  readonly uom: number;
  readonly prec: number;
  readonly label: string | null;
  /** Labels of values by their keys in the profile. */
  readonly names: Readonly<Record<string, string>>;
  /** The displayed value; null: none now; undefined: the message says nothing of it. */
  read(message: Message): number | null | undefined;
  /** Keys that are asked for with a query. */
  readonly asked: readonly string[];
};

export type NodeCommand = {
  readonly id: string;
  /** As in `definition-text.ts`: `DON(_51_0_R_0_100?)`. */
  readonly spelled: string;
  readonly label: string | null;
  /** null: the parameters do not fit. */
  message(parameters: readonly CommandParameterValue[]): Message | null;
};

/** What a row of the table makes of an expose. */
export type Part = { readonly features: readonly Feature[]; readonly commands: readonly NodeCommand[] };

const MASK_MAX = 63;

export const PERCENT = encodeEditorId({ uom: UOM.percent, prec: 0, bounds: [0, 100], values: null, prefix: null });

export function numberFeature(
  id: string,
  given: {
    readonly property: string;
    readonly uom: number;
    readonly prec?: number;
    readonly bounds?: readonly [number, number] | null;
    readonly label?: string | null;
    readonly access?: number;
    /** From the number of the message to the displayed value. Default: as it is. */
    readonly shown?: (value: number, message: Message) => number | null;
  },
): Feature {
  const { property, uom, prec = 0, bounds = null, label = null, access = 1, shown = (value) => value } = given;
  return {
    id,
    editor: encodeEditorId({ uom, prec, bounds: wholeBounds(bounds), values: null, prefix: null }),
    uom,
    prec,
    label,
    names: {},
    asked: (access & 4) === 0 ? [] : [property],
    read(message) {
      if (!Object.hasOwn(message, property)) return undefined;
      const value = message[property];
      return typeof value === "number" && Number.isFinite(value) ? shown(value, message) : null;
    },
  };
}

export function stateFeature(
  id: string,
  { uom, editor, numberOf }: StateShape,
  given: {
    readonly property: string;
    readonly is: (value: unknown) => boolean | null;
    readonly label?: string | null;
    readonly access?: number;
  },
): Feature {
  const { property, is, label = null, access = 1 } = given;
  return {
    ...{ id, editor, uom, prec: 0, label, names: {} },
    asked: (access & 4) === 0 ? [] : [property],
    read(message) {
      if (!Object.hasOwn(message, property)) return undefined;
      const state = is(message[property]);
      return state === null ? null : numberOf(state);
    },
  };
}

/** One of a list: its place in the list is the value. */
export function indexFeature(
  id: string,
  given: {
    readonly property: string;
    readonly values: readonly Plain[];
    readonly label: string | null;
    readonly access: number;
    readonly prefix: string;
  },
): Feature {
  const { property, label, access, prefix } = given;
  const values = given.values.slice(0, MASK_MAX + 1);
  const hash = createHash("sha256").update(JSON.stringify(values)).digest("hex").slice(0, 8).toUpperCase();
  const key = `${prefix}E${hash}`;
  return {
    id,
    editor: encodeEditorId({ uom: UOM.index, prec: 0, bounds: null, values: values.map((_, at) => at), prefix: key }),
    uom: UOM.index,
    prec: 0,
    label,
    names: Object.fromEntries(values.map((value, at) => [`${key}-${at}`, String(value)])),
    asked: (access & 4) === 0 ? [] : [property],
    read(message) {
      if (!Object.hasOwn(message, property)) return undefined;
      const at = values.indexOf(message[property] as Plain);
      return at < 0 ? null : at;
    },
  };
}

export function command(
  id: string,
  message: NodeCommand["message"],
  editor: string | null = null,
  more: { readonly isOptional?: boolean; readonly label?: string | null } = {},
): NodeCommand {
  const parameter = editor === null ? "" : `(${editor}${more.isOptional ? "?" : ""})`;
  return { id, spelled: `${id}${parameter}`, label: more.label ?? null, message };
}

/** Displayed value of the first parameter; null without one. */
export function given([first]: readonly CommandParameterValue[]): number | null {
  return first ? first.value / 10 ** first.prec : null;
}

function wholeBounds(bounds: readonly [number, number] | null): readonly [number, number] | null {
  if (bounds === null) return null;
  const whole = [Math.floor(bounds[0]), Math.ceil(bounds[1])] as const;
  return whole.every((bound) => Math.abs(bound) < 1e11) ? whole : null;
}
