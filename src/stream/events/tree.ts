/** `_3` events of the tree: scenes with their members, and where things are put. */

import type { Change } from "../../home/change.ts";
import type { Group, GroupMember } from "../../home/groups.ts";
import type { Home } from "../../home/home.ts";
import { type Parent, type ParentKind, treeParent } from "../../home/nodes.ts";
import { GROUP_FLAG, parentType } from "../../wire/tree.ts";
import type { LastSent } from "../last-sent.ts";
import { lifecycleBody, textElement } from "./event.ts";

const CONTROLLER_LINK = 16;
const RESPONDER_LINK = 0;
/** How the wire spells "at the top of the tree". */
const NO_PARENT_TYPE = "0";

type TreeChange = Extract<Change, { readonly type: `group-${string}` | `folder-${string}` | "parent-changed" }>;

export function treeBodies(timestamp: string, change: TreeChange, home: Home, sent: LastSent): readonly string[] {
  switch (change.type) {
    case "parent-changed":
      return parentBodies(timestamp, home, change.address, change.kind);
    case "group-added":
      return groupAddedBodies(timestamp, change.group);
    case "group-removed":
      return [lifecycleBody(timestamp, "GR", change.address)];
    case "group-renamed":
      return [renamedBody(timestamp, "GN", change)];
    case "group-links-changed":
      return groupLinksBodies(timestamp, change.group, sent.members.get(change.group.address) ?? []);
    case "folder-added":
      return [lifecycleBody(timestamp, "FD", change.folder.address, textElement("newName", change.folder.name))];
    case "folder-removed":
      return [lifecycleBody(timestamp, "FR", change.address)];
    case "folder-renamed":
      return [renamedBody(timestamp, "FN", change)];
  }
}

type Renamed = { readonly address: string; readonly name: string };

export function renamedBody(timestamp: string, verb: "NN" | "GN" | "FN", { address, name }: Renamed): string {
  return lifecycleBody(timestamp, verb, address, textElement("newName", name));
}

function groupAddedBodies(timestamp: string, group: Group): readonly string[] {
  const info = textElement("groupName", group.name) + textElement("groupType", GROUP_FLAG);
  const added = lifecycleBody(timestamp, "GD", group.address, info);
  return [added, ...group.members.map((member) => joinedBody(timestamp, group, member))];
}

/** Members that left, members that joined or changed their role, and then the change of the links. */
function groupLinksBodies(timestamp: string, group: Group, before: readonly GroupMember[]): readonly string[] {
  const roles = new Map(before.map((member) => [member.address, member.isController]));
  const joined = group.members.filter((member) => roles.get(member.address) !== member.isController);
  const staying = new Set(group.members.map((member) => member.address));
  const left = before.filter((member) => !staying.has(member.address));
  return [
    ...left.map(({ address }) => lifecycleBody(timestamp, "RG", group.address, textElement("removedNode", address))),
    ...joined.map((member) => joinedBody(timestamp, group, member)),
    lifecycleBody(timestamp, "LU", group.address),
  ];
}

/** Empty when the thing is gone. */
function parentBodies(timestamp: string, home: Home, address: string, kind: ParentKind): readonly string[] {
  const parent = placeOf(home, address, kind);
  if (parent === undefined) return [];
  const info =
    textElement("node", address) +
    textElement("nodeType", parentType(kind)) +
    textElement("parent", parent?.address ?? "") +
    textElement("parentType", parent ? parentType(parent.kind) : NO_PARENT_TYPE);
  return [lifecycleBody(timestamp, "PC", address, info)];
}

function joinedBody(timestamp: string, group: Group, { address, isController }: GroupMember): string {
  const linkType = isController ? CONTROLLER_LINK : RESPONDER_LINK;
  const info = textElement("movedNode", address) + textElement("linkType", linkType);
  return lifecycleBody(timestamp, "MV", group.address, info);
}

/** undefined: there is no such thing; null: it hangs at the top. */
function placeOf(home: Home, address: string, kind: ParentKind): Parent | null | undefined {
  switch (kind) {
    case "node": {
      const node = home.nodes.get(address);
      return node && treeParent(node);
    }
    case "group":
      return home.groups.get(address)?.parent;
    case "folder":
      return home.folders.get(address)?.parent;
  }
}
