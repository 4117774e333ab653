/**
 * The editable parts of the home: for every kind of thing its fields, and the changes from one record to another. To
 * make a new kind editable, add a member to `Things` and a row here.
 */

import { isDeepStrictEqual } from "node:util";
import type { Change } from "./change.ts";
import type { EditedNode, ThingEdit, ThingKind, Things } from "./edit.ts";
import type { Home } from "./home.ts";
import type { Node, NodeRecord, Parent, ParentKind } from "./nodes.ts";
import type { ProgramEntry } from "./programs.ts";
import type { VariableType } from "./variables.ts";

type Row<K extends ThingKind> = {
  /** The kind of thing in a person's words. */
  readonly word: string;
  /** The fields that an owner edits. Other members follow from runs, reports or the thing's identity. */
  readonly fields: readonly string[];
  find(home: Home, key: string): Things[K] | null;
  name(record: Things[K]): string;
  added(record: Things[K]): readonly Change[];
  removed(record: Things[K]): readonly Change[];
  /** @param differs whether a field is another one than before. */
  changed(record: Things[K], differs: (field: keyof Things[K]) => boolean): readonly (Change | false)[];
};

/** The fields that a node's driver reports about the device. */
const DEVICE_FIELDS = ["nodeDefId", "family", "instance", "type", "primary", "devtype"];

const EDITABLE: { readonly [K in ThingKind]: Row<K> } = {
  controller: {
    word: "controller",
    fields: ["name", "timeZone", "latitude", "longitude", "elevationM", "units", "tariff"],
    find: ({ controller }) => controller,
    name: ({ name }) => name,
    added: (controller) => [{ type: "controller-changed", controller }],
    removed: () => [],
    changed: (controller) => [{ type: "controller-changed", controller }],
  },
  folder: {
    word: "folder",
    fields: ["name", "parent"],
    find: ({ folders }, key) => folders.get(key) ?? null,
    name: ({ name }) => name,
    added: (folder) => [{ type: "folder-added", folder }],
    removed: ({ address }) => [{ type: "folder-removed", address }],
    changed: ({ address, name, parent }, differs) => [
      differs("name") && { type: "folder-renamed", address, name },
      differs("parent") && movedTo("folder", address, parent),
    ],
  },
  group: {
    word: "scene",
    fields: ["name", "parent", "members", "blocks"],
    find: ({ groups }, key) => groups.get(key) ?? null,
    name: ({ name }) => name,
    added: (group) => [{ type: "group-added", group }],
    removed: ({ address }) => [{ type: "group-removed", address }],
    changed: (group, differs) => [
      differs("name") && { type: "group-renamed", address: group.address, name: group.name },
      differs("parent") && movedTo("group", group.address, group.parent),
      (differs("members") || differs("blocks")) && { type: "group-links-changed", group },
    ],
  },
  node: {
    word: "node",
    fields: ["name", "parent", "enabled", "disabledBecause", "use", "driver", ...DEVICE_FIELDS],
    find: ({ nodes }, key) => nodeRecord(nodes.get(key) ?? null),
    name: ({ name }) => name,
    added: ({ properties = [], ...node }) => [{ type: "node-added", node, properties }],
    removed: ({ address }) => [{ type: "node-removed", address, isHidden: true }],
    changed: ({ properties: _properties, ...node }, differs) => [
      // Another driver takes the device over, or its owner says what it is used for.
      (differs("driver") || differs("use")) && { type: "node-revised", node },
      ...changedByOwner(node, differs),
    ],
  },
  program: {
    word: "program",
    fields: ["kind", "name", "parentId", "comment", "enabled", "runAtStartup", "tree", "conditions"],
    find: ({ programs }, key) => programs.get(Number(key)) ?? null,
    name: ({ name }) => name,
    added: (program) => [{ type: "program-added", program }],
    removed: ({ id }) => [{ type: "program-removed", id }],
    changed: (program) => [{ type: "program-changed", program }],
  },
  variable: {
    word: "variable",
    fields: ["name", "init", "prec", "valueNames"],
    find: ({ variables }, key) => variables[Number(key[0]) as VariableType]?.get(Number(key.slice(2))) ?? null,
    name: ({ name }) => name,
    added: (variable) => [{ type: "variable-added", variable }],
    removed: ({ type, id }) => [{ type: "variable-removed", variableType: type, id }],
    changed: ({ type: variableType, id, name, prec, init, valueNames = {} }, differs) => [
      differs("name") && { type: "variable-renamed", variableType, id, name },
      differs("prec") && { type: "variable-precision-changed", variableType, id, prec },
      differs("valueNames") && { type: "variable-values-named", variableType, id, valueNames },
      differs("init") && { type: "variable-init-written", variableType, id, init },
    ],
  },
  resource: {
    word: "network resource",
    fields: ["name", "protocol", "host", "port", "method", "path", "headers", "body", "timeoutMs"],
    find: ({ networkResources }, key) => networkResources.get(Number(key)) ?? null,
    name: ({ name }) => name,
    added: (resource) => [{ type: "network-resource-put", resource }],
    removed: ({ id }) => [{ type: "network-resource-removed", id }],
    changed: (resource) => [{ type: "network-resource-put", resource }],
  },
};

function changedByOwner(
  { address, name, parent, enabled, disabledBecause }: NodeRecord,
  differs: (field: keyof NodeRecord) => boolean,
): readonly (Change | false)[] {
  return [
    differs("name") && { type: "node-renamed", address, name },
    differs("parent") && movedTo("node", address, parent),
    (differs("enabled") || differs("disabledBecause")) && {
      type: "node-enabled",
      address,
      enabled,
      ...(disabledBecause !== undefined && { because: disabledBecause }),
    },
  ];
}

/** The row of a thing's own kind; the compiler cannot follow the pairing through the index. */
function rowOf(kind: ThingKind): Row<ThingKind> {
  return EDITABLE[kind] as unknown as Row<ThingKind>;
}

/** The record as it is now; null when there is no such thing. */
export function findThing<K extends ThingKind>(home: Home, kind: K, key: string): Things[K] | null {
  return EDITABLE[kind].find(home, key) as Things[K] | null;
}

/** `scene "Evening"`, for sentences. */
export function thingWords(kind: ThingKind, record: Things[ThingKind]): string {
  const isFolder = kind === "program" && (record as ProgramEntry).kind === "folder";
  const { word, name } = rowOf(kind);
  return `${isFolder ? "program folder" : word} "${name(record)}"`;
}

/** The changes that lead from before to after, in order; none when nothing differs that an owner edits. */
export function changesOf(thing: ThingEdit): readonly Change[] {
  const { kind, before, after } = thing;
  const row = rowOf(kind);
  if (!after) return before ? row.removed(before) : [];
  if (!before) return row.added(after);
  const differing = differingFields(kind, before, after);
  if (differing.length === 0) return [];
  return row
    .changed(after, (field) => differing.includes(field as string))
    .filter((change): change is Change => change !== false);
}

/** The editable fields that differ in `b`. */
export function differingFields<K extends ThingKind>(kind: K, a: Things[K], b: Things[K]): readonly string[] {
  return EDITABLE[kind].fields.filter((field) => !isDeepStrictEqual(memberOf(a, field), memberOf(b, field)));
}

/** As `differingFields`, without what a node's driver reports: it may learn more about a device at any time. */
export function differingOwnFields<K extends ThingKind>(kind: K, a: Things[K], b: Things[K]): readonly string[] {
  const fields = differingFields(kind, a, b);
  return kind === "node" ? fields.filter((field) => !DEVICE_FIELDS.includes(field)) : fields;
}

/** A member of a record; null where it is left out. */
export function memberOf(record: object, field: string): unknown {
  return (record as Readonly<Record<string, unknown>>)[field] ?? null;
}

function nodeRecord(node: Node | null): EditedNode | null {
  if (!node) return null;
  const { link: _link, version: _version, properties: _properties, ...record } = node;
  return record;
}

function movedTo(kind: ParentKind, address: string, parent: Parent | null): Change {
  return { type: "parent-changed", kind, address, parent };
}
