/** What a node has: a property with its editor, read from the values of an endpoint, and the commands that set it. */

import { createHash } from "node:crypto";
import { encodeEditorId } from "../../profile/encoded-editor.ts";
import { type StateShape, SWITCHED } from "../../profile/state-shapes.ts";
import { UOM } from "../../profile/uom.ts";
import type { CommandParameterValue } from "../command.ts";
import type { ClusterAction } from "./controller-messages.ts";
import type { ClusterValues, EndpointDescription } from "./peer-description.ts";

/** The present values of an endpoint, by cluster. */
export type EndpointValues = Readonly<Record<string, ClusterValues>>;

export type Feature = {
  readonly id: string;
  readonly editor: string;
  readonly uom: number;
  readonly prec: number;
  readonly label: string | null;
  /** Labels of values by their keys in the profile. */
  readonly names: Readonly<Record<string, string>>;
  /** The clusters of which it is made. */
  readonly clusters: readonly string[];
  /** The displayed value; null: none now; undefined: the device says nothing of it. */
  read(values: EndpointValues): number | null | undefined;
};

/** A sentence: why the device would not take it. */
export type Refusal = { readonly refusal: string };

type CommandInput = {
  /** Displayed value of the first parameter; null without one. */
  readonly given: number | null;
  readonly values: EndpointValues;
  /** The code that locks may require; "": none is known. */
  readonly lockCode: string;
};

export type NodeCommand = {
  readonly id: string;
  /** As in `definition-text.ts`: `DON(_51_0_R_0_100?)`. */
  readonly spelled: string;
  readonly label: string | null;
  /** null: the parameter does not fit. */
  actions(input: CommandInput): readonly ClusterAction[] | Refusal | null;
};

/** What a row of a table makes of an endpoint. */
export type Part = { readonly features: readonly Feature[]; readonly commands: readonly NodeCommand[] };

/** An endpoint as the tables see it. */
export type EndpointFacts = {
  isOfType(...types: readonly number[]): boolean;
  has(cluster: string, ...features: readonly string[]): boolean;
  value(cluster: string, attribute: string): unknown;
};

export const PERCENT = percentEditor();
const MASK_MAX = 63;

export function factsOf({ deviceTypes, clusters }: EndpointDescription): EndpointFacts {
  return {
    isOfType: (...types) => types.some((type) => deviceTypes.includes(type)),
    has: (cluster, ...features) =>
      clusters[cluster] !== undefined && features.every((each) => clusters[cluster]?.features.includes(each)),
    value: (cluster, attribute) => clusters[cluster]?.values[attribute],
  };
}

type NumberShape = {
  readonly uom: number;
  readonly prec?: number;
  readonly bounds?: readonly [number, number] | null;
  readonly label?: string | null;
  /** Further clusters that `read` looks at. */
  readonly also?: readonly string[];
};

/** @param shown from the number of the attribute to the displayed value; null: none now */
export function numberFeature(
  id: string,
  [cluster, attribute]: readonly [cluster: string, attribute: string],
  { uom, prec = 0, bounds = null, label = null, also = [] }: NumberShape,
  shown: (value: number, values: EndpointValues) => number | null = (value) => value,
): Feature {
  return {
    ...{ id, uom, prec, label, names: {}, clusters: [cluster, ...also] },
    editor: encodeEditorId({ uom, prec, bounds: wholeBounds(bounds), values: null, prefix: null }),
    read(values) {
      const value = values[cluster]?.[attribute];
      if (value === undefined) return undefined;
      return typeof value === "number" && Number.isFinite(value) ? shown(value, values) : null;
    },
  };
}

export function stateFeature(
  id: string,
  [cluster, attribute]: readonly [cluster: string, attribute: string],
  is: (value: unknown) => boolean | null,
  { uom, editor, numberOf }: StateShape = SWITCHED,
  label: string | null = null,
): Feature {
  return {
    ...{ id, editor, uom, prec: 0, label, names: {}, clusters: [cluster] },
    read(values) {
      const value = values[cluster]?.[attribute];
      if (value === undefined) return undefined;
      const state = is(value);
      return state === null ? null : numberOf(state);
    },
  };
}

/** One of a list with names: the number of the attribute is the value. */
export function namedFeature(
  id: string,
  [cluster, attribute]: readonly [cluster: string, attribute: string],
  names: ReadonlyMap<number, string>,
  label: string | null = null,
): Feature {
  const list = [...names].toSorted(([one], [other]) => one - other);
  const key = `ZME${createHash("sha256").update(JSON.stringify(list)).digest("hex").slice(0, 8).toUpperCase()}`;
  const numbers = list.map(([number]) => number);
  const isBeyond = numbers.some((number) => number > MASK_MAX);
  return {
    ...{ id, uom: UOM.index, prec: 0, label, clusters: [cluster] },
    editor: encodeEditorId({
      ...{ uom: UOM.index, prec: 0, prefix: key },
      bounds: isBeyond ? [0, Math.max(...numbers)] : null,
      values: isBeyond ? null : numbers,
    }),
    names: Object.fromEntries(list.map(([number, name]) => [`${key}-${number}`, name])),
    read(values) {
      const value = values[cluster]?.[attribute];
      if (value === undefined) return undefined;
      return typeof value === "number" && names.has(value) ? value : null;
    },
  };
}

/** A list of the interface with numbers of its own: `numbers` from the device's to ours. */
export function listedFeature(
  id: string,
  [cluster, attribute]: readonly [cluster: string, attribute: string],
  uom: number,
  numbers: ReadonlyMap<number, number>,
): Feature {
  const own = [...new Set(numbers.values())].toSorted((one, other) => one - other);
  return {
    ...{ id, uom, prec: 0, label: null, names: {}, clusters: [cluster] },
    editor: encodeEditorId({ uom, prec: 0, bounds: null, values: own, prefix: null }),
    read(values) {
      const value = values[cluster]?.[attribute];
      if (value === undefined) return undefined;
      return typeof value === "number" ? (numbers.get(value) ?? null) : null;
    },
  };
}

type CommandShape = {
  readonly editor?: string;
  readonly isOptional?: boolean;
  readonly label?: string | null;
};

export function command(
  id: string,
  actions: NodeCommand["actions"],
  { editor, isOptional = false, label = null }: CommandShape = {},
): NodeCommand {
  const parameter = editor === undefined ? "" : `(${editor}${isOptional ? "?" : ""})`;
  return { id, spelled: `${id}${parameter}`, label, actions };
}

export function invoke(
  cluster: string,
  name: string,
  fields?: Readonly<Record<string, unknown>>,
): readonly ClusterAction[] {
  return [{ kind: "invoke", cluster, command: name, ...(fields === undefined ? {} : { fields }) }];
}

export function write(cluster: string, values: ClusterValues): readonly ClusterAction[] {
  return [{ kind: "write", cluster, values }];
}

/** Displayed value of the first parameter; null without one. */
export function givenValue([first]: readonly CommandParameterValue[]): number | null {
  return first ? first.value / 10 ** first.prec : null;
}

function percentEditor(): string {
  return encodeEditorId({ uom: UOM.percent, prec: 0, bounds: [0, 100], values: null, prefix: null });
}

function wholeBounds(bounds: readonly [number, number] | null): readonly [number, number] | null {
  if (bounds === null) return null;
  const whole = [Math.floor(bounds[0]), Math.ceil(bounds[1])] as const;
  return whole.every((bound) => Math.abs(bound) < 1e11) ? whole : null;
}
