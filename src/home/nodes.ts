/** Nodes: the devices of the home, their place in it and what they last reported. */

import type { NodeUse } from "../profile/node-uses.ts";
import type { NodeRole } from "../profile/roles-table.ts";
import type { Versions } from "./parts.ts";
import type { Property } from "./property.ts";

export const PARENT_KINDS = ["node", "group", "folder"] as const;
export type ParentKind = (typeof PARENT_KINDS)[number];
export type Parent = { readonly address: string; readonly kind: ParentKind };

/** A radio device's description of itself. `category` is the 101–197 list of docs/interface/nodes.md. */
export type DeviceType = { readonly generic: string; readonly manufacturer: string; readonly category: number };

/** Whether the device can be reached; separate from `enabled` and from its properties. */
export type LinkState = "online" | "asleep" | "unreachable" | "interviewing" | "unknown";

/** The stored fields of a node; its properties are stored separately. */
export type NodeRecord = {
  readonly address: string;
  readonly name: string;
  readonly nodeDefId: string;
  readonly family: number;
  readonly instance: number;
  /** Four dotted numbers "category.subcategory.firmware.x". */
  readonly type: string;
  readonly parent: Parent | null;
  /** Address of the device's first node; equal to `address` on that one. */
  readonly primary: string;
  readonly enabled: boolean;
  /** Why it is disabled, in its owner's words; left out while it is enabled or no reason was given. */
  readonly disabledBecause?: string;
  readonly devtype: DeviceType | null;
  /** The driver that owns the device, by its name in the registry. */
  readonly driver: string;
  /**
   * What it is for a person, by the definitions that held when its driver declared it. It is a field, so that the journal
   * alone decides which nodes a program by room and role means. Records of earlier versions do not have it.
   */
  readonly role?: NodeRole;
  /** What its owner uses it for; left out until the owner says so. */
  readonly use?: NodeUse;
};

export type Node = NodeRecord & {
  readonly properties: ReadonlyMap<string, Property>;
  readonly link: LinkState;
  /** Moves with every change of the record or a property; encoders cache fragments by it. */
  readonly version: number;
};

/** The part of the home that holds them. */
type NodesTable = Versions & {
  readonly nodes: Map<string, Node>;
  readonly hiddenNodes: Map<string, NodeRecord>;
};

export function findNode(home: NodesTable, address: string): Node | null {
  return home.nodes.get(address) ?? null;
}

/** Parent of a node in the tree: a device's further nodes hang below its first one, unless the owner put them elsewhere. */
export function treeParent(node: Pick<Node, "address" | "primary" | "parent">): Parent | null {
  if (node.parent) return node.parent;
  return node.primary === node.address ? null : { address: node.primary, kind: "node" };
}

/** Replaces or adds the record, keeping properties and link of a node that exists. */
export function putNode(home: NodesTable, record: NodeRecord): void {
  const before = home.nodes.get(record.address);
  home.nodes.set(record.address, {
    ...record,
    properties: before?.properties ?? new Map(),
    link: before?.link ?? "unknown",
    version: home.nextVersion(),
  });
  home.touch("structure", "status");
}

/** A restored node brings its last values. */
export function addNode(home: NodesTable, record: NodeRecord, properties: readonly Property[]): void {
  home.hiddenNodes.delete(record.address);
  putNode(home, record);
  for (const property of properties) putProperty(home, record.address, property);
}

export function setNodeEnabled(home: NodesTable, address: string, enabled: boolean, because: string | null): void {
  const node = home.nodes.get(address);
  if (!node) return;
  const { disabledBecause: _before, ...record } = node;
  const reason = enabled || because === null ? {} : { disabledBecause: because };
  home.nodes.set(address, { ...record, ...reason, enabled, version: home.nextVersion() });
  home.touch("structure");
}

export function patchNode(home: NodesTable, address: string, patch: Partial<Node>): void {
  const node = home.nodes.get(address);
  if (!node) return;
  home.nodes.set(address, { ...node, ...patch, version: home.nextVersion() });
  home.touch("structure");
}

/** @param isHidden its driver still knows it. */
export function dropNode(home: NodesTable, address: string, isHidden: boolean): void {
  const node = home.nodes.get(address);
  home.hiddenNodes.delete(address);
  if (isHidden && node) {
    const { properties: _properties, link: _link, version: _version, ...record } = node;
    home.hiddenNodes.set(address, record);
  }
  if (home.nodes.delete(address)) home.touch("structure", "status");
}

export function putProperty(home: NodesTable, address: string, property: Property): void {
  const node = home.nodes.get(address);
  if (!node) return;
  const properties = node.properties as Map<string, Property>;
  properties.set(property.id, property);
  (node as { version: number }).version = home.nextVersion();
  home.touch("status");
}
