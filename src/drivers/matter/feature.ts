/** What a node has: a property with its editor, read from the values of an endpoint, and the commands that set it. */

import { encodeEditorId } from "../../profile/encoded-editor.ts";
import { type StateShape, SWITCHED } from "../../profile/state-shapes.ts";
import { UOM } from "../../profile/uom.ts";
import {
  hashOf,
  MASK_MAX,
  type NodeFeature,
  type NumberShape,
  numberPart,
  type SpelledCommand,
  spelledCommand,
  statePart,
} from "../node-parts.ts";
import type { ClusterAction } from "./controller-messages.ts";
import type { ClusterValues, EndpointDescription } from "./peer-description.ts";

/** The present values of an endpoint, by cluster. */
export type EndpointValues = Readonly<Record<string, ClusterValues>>;

export type EndpointFeature = NodeFeature<EndpointValues> & {
  /** The clusters of which it is made. */
  readonly clusters: readonly string[];
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

export type EndpointCommand = SpelledCommand & {
  /** null: the parameter does not fit. */
  actions(input: CommandInput): readonly ClusterAction[] | Refusal | null;
};

/** What a row of a table makes of an endpoint. */
export type EndpointPart = {
  readonly features: readonly EndpointFeature[];
  readonly commands: readonly EndpointCommand[];
};

/** An endpoint as the tables see it. */
export type EndpointFacts = {
  isOfType(...types: readonly number[]): boolean;
  has(cluster: string, ...features: readonly string[]): boolean;
  value(cluster: string, attribute: string): unknown;
};

export function factsOf({ deviceTypes, clusters }: EndpointDescription): EndpointFacts {
  return {
    isOfType: (...types) => types.some((type) => deviceTypes.includes(type)),
    has: (cluster, ...features) =>
      clusters[cluster] !== undefined && features.every((each) => clusters[cluster]?.features.includes(each)),
    value: (cluster, attribute) => clusters[cluster]?.values[attribute],
  };
}

type Attribute = readonly [cluster: string, attribute: string];

const valueIn =
  ([cluster, attribute]: Attribute) =>
  (values: EndpointValues) =>
    values[cluster]?.[attribute];

/**
 * @param also further clusters that `read` looks at
 * @param shown from the number of the attribute to the displayed value; null: none now
 */
export function numberFeature(
  id: string,
  attribute: Attribute,
  { also = [], ...shape }: NumberShape & { readonly also?: readonly string[] },
  shown?: (value: number, values: EndpointValues) => number | null,
): EndpointFeature {
  return { ...numberPart(id, shape, valueIn(attribute), shown), clusters: [attribute[0], ...also] };
}

export function stateFeature(
  id: string,
  attribute: Attribute,
  is: (value: unknown) => boolean | null,
  shape: StateShape = SWITCHED,
  label: string | null = null,
): EndpointFeature {
  return { ...statePart(id, shape, label, valueIn(attribute), is), clusters: [attribute[0]] };
}

/** One of a list with names: the number of the attribute is the value. */
export function namedFeature(
  id: string,
  [cluster, attribute]: readonly [cluster: string, attribute: string],
  names: ReadonlyMap<number, string>,
  label: string | null = null,
): EndpointFeature {
  const list = [...names].toSorted(([one], [other]) => one - other);
  const key = `ZME${hashOf(list)}`;
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
): EndpointFeature {
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

export function command(
  id: string,
  actions: EndpointCommand["actions"],
  shape: Parameters<typeof spelledCommand>[1] = {},
): EndpointCommand {
  return { ...spelledCommand(id, shape), actions };
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
