/**
 * An edit: one change of the configuration by a person. It holds every thing with its record before and after; the
 * changes, the journal entry and the undo follow from it. `editable.ts` defines what can be edited.
 */

import type { ControllerRecord } from "./controller.ts";
import type { Folder } from "./folders.ts";
import type { Group } from "./groups.ts";
import type { NetworkResource } from "./network-resources.ts";
import type { NodeRecord } from "./nodes.ts";
import type { ProgramEntry } from "./programs.ts";
import type { Property } from "./property.ts";
import type { Variable } from "./variables.ts";

/** `properties`: the last values of a removed node, for its restoration. */
export type EditedNode = NodeRecord & { readonly properties?: readonly Property[] };

export type Things = {
  readonly controller: ControllerRecord;
  readonly folder: Folder;
  readonly group: Group;
  readonly node: EditedNode;
  readonly program: ProgramEntry;
  readonly variable: Variable;
  readonly resource: NetworkResource;
};

export type ThingKind = keyof Things;

/** null before: it is created; null after: it is removed. */
export type ThingEdit = {
  [K in ThingKind]: {
    readonly kind: K;
    readonly key: string;
    readonly before: Things[K] | null;
    readonly after: Things[K] | null;
  };
}[ThingKind];

export type Edit = {
  /** A sentence without a period: `Rename the scene "Evening" to "Dusk"`. */
  readonly title: string;
  /** Number of the edit that this one takes back, or null. */
  readonly undoes: number | null;
  /** In the order in which they are applied. */
  readonly things: readonly ThingEdit[];
  /** Numbers of edits that are forgotten with it, because the history is full or they are too old. */
  readonly forgets: readonly number[];
};

/** Key of a thing among things of all kinds. */
export function thingKey({ kind, key }: Pick<ThingEdit, "kind" | "key">): string {
  return `${kind} ${key}`;
}
