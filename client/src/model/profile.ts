/** The profile: the properties of a node, its commands, and the allowed values of both. */

import type { Property } from "./records.ts";
import type { CommandValue } from "./shape.ts";

export type EditorRange = {
  /** Unit of measure, a number as text; `0` is none. */
  readonly uom: string;
  readonly prec: number;
  /** Inclusive, in displayed units; null = no bound. */
  readonly min: number | null;
  readonly max: number | null;
  readonly step: number | null;
  /** The raw integers that are allowed, as the interface spells them (`0,100`, `0-3,5-7`); null = all. */
  readonly subset: string | null;
  /** Labels of raw integers. */
  readonly names: ReadonlyMap<number, string>;
};

export type EditorDefinition = { readonly id: string; readonly ranges: readonly EditorRange[] };

export type PropertyDefinition = {
  readonly id: string;
  readonly name: string;
  readonly editor: string;
  readonly hide: boolean;
};

export type ParameterDefinition = {
  /** Empty for the one without a name. */
  readonly id: string;
  readonly name: string;
  readonly editor: string;
  readonly optional: boolean;
  /** The property that this parameter writes. */
  readonly init: string | null;
};

export type CommandDefinition = {
  readonly id: string;
  readonly name: string;
  readonly parameters: readonly ParameterDefinition[];
};

export type Nodedef = {
  readonly id: string;
  readonly family: string;
  readonly instance: string;
  readonly name: string;
  /** Key of its labels in the NLS tables; null where labels come with it. */
  readonly nls: string | null;
  readonly properties: readonly PropertyDefinition[];
  readonly sends: readonly CommandDefinition[];
  readonly accepts: readonly CommandDefinition[];
  readonly controlLinks: readonly string[];
  readonly respondLinks: readonly string[];
};

export type Linkdef = {
  readonly id: string;
  readonly name: string;
  readonly protocol: string;
  readonly parameters: readonly ParameterDefinition[];
};

export type Profile = {
  nodedef(id: string, family: string, instance: string): Nodedef | null;
  /** Looks in the family's instance, then in the common ones; an id that starts with `_` is its own definition. */
  editor(id: string, family?: string, instance?: string): Editor | null;
  readonly nodedefs: Iterable<Nodedef>;
};

/** Between what people say and what the wire carries. */
export type Editor = {
  readonly id: string;
  /** The allowed ranges, in the order in which a value is matched. */
  readonly ranges: readonly EditorRange[];
  readonly units: readonly string[];
  /** @returns the displayed value with its unit, as commands carry it. @throws ClientError `BAD_PARAMETER` */
  encode(value: CommandValue): { readonly value: number; readonly uom: string };
  /** @param raw as a property has it */
  decode(raw: Pick<Property, "value" | "uom" | "prec">): {
    readonly value: number | null;
    readonly uom: string;
    readonly label: string | null;
  };
  /** The allowed values, for a sentence: `0 to 100 (unit 51)`. */
  describe(): string;
};

/** The definitions of one family's instance. */
export type Definitions = {
  readonly family: string;
  readonly instance: string;
  readonly nodedefs: readonly Nodedef[];
  readonly editors: readonly EditorDefinition[];
  readonly linkdefs: readonly Linkdef[];
};
