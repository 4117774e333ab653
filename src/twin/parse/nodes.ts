/** Reads nodes, folders and groups of the tree from either surface. XML is converted to the equivalent JSON first. */

import { WIRED } from "../../families.ts";
import type { Folder } from "../../home/folders.ts";
import type { Group, GroupMember } from "../../home/groups.ts";
import type { DeviceType, NodeRecord, Parent, ParentKind } from "../../home/nodes.ts";
import { nodeDefIdOfType } from "../../profile/builtin/wired-products-table.ts";
import { childElements, type XmlElement } from "../../util/read-xml.ts";
import { elementAsObject, objects, readObject, text, truth, whole } from "../../wire/loose.ts";
import type { Tree, TreeObject } from "../../wire/spelling/tree.ts";
import { type ReceivedProperty, receivedProperties } from "./status.ts";

export type ReceivedNode = {
  readonly node: Omit<NodeRecord, "driver">;
  readonly isFailing: boolean;
  readonly properties: readonly ReceivedProperty[];
};

/** A group without its links; these have a document of their own. */
export type ReceivedGroup = Omit<Group, "blocks">;

export type ReceivedTree = {
  readonly nodes: readonly ReceivedNode[];
  readonly folders: readonly Folder[];
  readonly groups: readonly ReceivedGroup[];
  /** The controller's own group. */
  readonly root: { readonly address: string; readonly name: string } | null;
};

const EMPTY: ReceivedTree = { nodes: [], folders: [], groups: [], root: null };
const IN_ERROR = 0x10;
const ROOT = 0x08;

export function readTree(document: Tree): ReceivedTree {
  const { data } = readObject(document);
  return treeOf(readObject(readObject(data ?? document).nodes));
}

export function readTreeXml(document: XmlElement): ReceivedTree {
  const listed = (name: string) => childElements(document, name).map(elementAsObject);
  return treeOf({ node: listed("node"), folder: listed("folder"), group: listed("group") });
}

/** All things of the first list, and those of the second that the first does not have. */
export function joinTrees(first: ReceivedTree | null, second: ReceivedTree | null): ReceivedTree {
  const [a, b] = [first ?? EMPTY, second ?? EMPTY];
  const join = <T>(of: (tree: ReceivedTree) => readonly T[], address: (thing: T) => string) => {
    const known = new Set(of(a).map(address));
    return [...of(a), ...of(b).filter((thing) => !known.has(address(thing)))];
  };
  return {
    nodes: join(
      (tree) => tree.nodes,
      ({ node }) => node.address,
    ),
    folders: join(
      (tree) => tree.folders,
      (folder) => folder.address,
    ),
    groups: join(
      (tree) => tree.groups,
      (group) => group.address,
    ),
    root: a.root ?? b.root,
  };
}

function treeOf(tree: TreeObject): ReceivedTree {
  const folders = objects(tree.folder);
  const groups = objects(tree.group);
  const [roots, scenes] = [groups.filter(isRoot), groups.filter((group) => !isRoot(group))];
  const kinds = new Map<string, ParentKind>([
    ...objects(tree.node).map((each) => [text(each.address), "node"] as const),
    ...scenes.map((each) => [text(each.address), "group"] as const),
    ...folders.map((each) => [text(each.address), "folder"] as const),
  ]);
  const addressed = (each: TreeObject) => text(each.address) !== "";
  const [root] = roots;
  return {
    nodes: objects(tree.node)
      .filter(addressed)
      .map((each) => receivedNode(each, kinds)),
    folders: folders.filter(addressed).map((each) => folder(each, kinds)),
    groups: scenes.filter(addressed).map((each) => group(each, kinds)),
    root: root ? { address: text(root.address), name: text(root.name) } : null,
  };
}

type Kinds = ReadonlyMap<string, ParentKind>;

function isRoot(group: TreeObject): boolean {
  return ((whole(group.flag) ?? 0) & ROOT) !== 0;
}

function receivedNode(each: TreeObject, kinds: Kinds): ReceivedNode {
  const address = text(each.address);
  const type = text(each.type);
  const [family, instance] = familyOf(each.family);
  const node = {
    address,
    name: text(each.name),
    nodeDefId: text(each.nodeDefId) || (family === WIRED.id ? wiredNodeDefId(address, type) : ""),
    family,
    instance,
    type,
    parent: parentOf(each.parent, kinds),
    primary: text(each.pnode) || address,
    enabled: truth(each.enabled, true),
    devtype: devtypeOf(each.devtype),
  };
  const isFailing = ((whole(each.flag) ?? 0) & IN_ERROR) !== 0;
  return { node, isFailing, properties: receivedProperties(objects(each.property)) };
}

/** Firmware before 5 knew no nodedefs: the type of a wired device says what it is. */
function wiredNodeDefId(address: string, type: string): string {
  return nodeDefIdOfType(type, address.split(" ").at(-1) ?? "") ?? "";
}

function folder(each: TreeObject, kinds: Kinds): Folder {
  return { address: text(each.address), name: text(each.name), parent: parentOf(each.parent, kinds) };
}

function group(each: TreeObject, kinds: Kinds): ReceivedGroup {
  return {
    address: text(each.address),
    name: text(each.name),
    parent: parentOf(each.parent, kinds),
    deviceGroup: whole(each.deviceGroup) ?? 0,
    members: objects(readObject(each.members).link).flatMap(member),
  };
}

const CONTROLLER_LINK = 16;

function member(link: TreeObject): readonly GroupMember[] {
  const address = text(link._);
  return address === "" ? [] : [{ address, isController: whole(link.type) === CONTROLLER_LINK }];
}

/** Absent: a wired device. A bare id: instance 1. An object: its instance, else the id once more. */
function familyOf(tree: Tree | undefined): readonly [family: number, instance: number] {
  const plain = whole(tree);
  if (plain !== null) return [plain, 1];
  const { _: id, instance } = readObject(tree);
  const family = whole(id);
  return family === null ? [1, 1] : [family, whole(instance) ?? family];
}

const PARENT_KINDS: Readonly<Record<string, ParentKind>> = { "1": "node", "2": "group", "3": "folder" };

/** An object with its kind, or a bare address. */
function parentOf(tree: Tree | undefined, kinds: Kinds): Parent | null {
  const { _: inner, type } = readObject(tree);
  const address = text(inner) || text(tree);
  if (address === "") return null;
  return { address, kind: PARENT_KINDS[text(type)] ?? kinds.get(address) ?? "folder" };
}

function devtypeOf(tree: Tree | undefined): DeviceType | null {
  if (tree === undefined || tree === null) return null;
  const { gen, mfg, cat } = readObject(tree);
  return { generic: text(gen) || "0.0.0", manufacturer: text(mfg) || "0.0.0", category: whole(cat) ?? 0 };
}
