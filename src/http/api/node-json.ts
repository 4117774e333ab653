/** Nodes, folders and groups as `/api/nodes` spells them: every scalar a string, members in the order that clients know. */

import { FOLDERS, familyOf, GROUPS } from "../../families.ts";
import type { ControllerRecord } from "../../home/controller.ts";
import type { Folder } from "../../home/folders.ts";
import type { Group } from "../../home/groups.ts";
import { type Node, type Parent, treeParent } from "../../home/nodes.ts";
import type { Property } from "../../home/property.ts";
import { describeProperty } from "../../profile/format.ts";
import type { Profile } from "../../profile/profile.ts";
import { isSecured, roleOf } from "../../profile/roles.ts";
import { mainProperty } from "../../wire/main-property.ts";
import { GROUP_FLAG, GROUP_NODEDEF, nodeFlag, parentType, ROOT_GROUP_FLAG } from "../../wire/tree.ts";

const HINT = { hint: "0.0.0.0" };
const POWER_INFO = { deviceClass: "0", wattage: "0", dcPeriod: "0", startDelay: "0", endDelay: "0" };

export function nodeJson(profile: Profile, node: Node): object {
  const main = mainProperty(node);
  return {
    flag: String(nodeFlag(node)),
    nodeDefId: node.nodeDefId,
    address: node.address,
    name: node.name,
    ...familyMember(node),
    ...HINT,
    ...parentMember(treeParent(node)),
    type: node.type,
    enabled: String(node.enabled),
    ...POWER_INFO,
    pnode: node.primary,
    property: main ? [propertyJson(profile, node, main)] : [],
    ...devtypeMember(node),
    nodeType: "node",
    role: roleOf(profile, node),
    ...(node.use !== undefined && { use: node.use }),
    linkState: node.link,
    ...(isSecured(profile, node) && { isSecured: "true" }),
  };
}

export function folderJson(folder: Folder): object {
  return {
    flag: "0",
    address: folder.address,
    name: folder.name,
    family: String(FOLDERS.id),
    ...HINT,
    ...parentMember(folder.parent),
    nodeType: "folder",
  };
}

export function groupJson(group: Group): object {
  return {
    flag: String(GROUP_FLAG),
    nodeDefId: GROUP_NODEDEF,
    address: group.address,
    name: group.name,
    family: String(GROUPS.id),
    ...HINT,
    ...parentMember(group.parent),
    deviceGroup: String(group.deviceGroup),
    pnode: group.address,
    members: { link: group.members.map((member) => ({ _: member.address, type: member.isController ? "16" : "0" })) },
    nodeType: "group",
  };
}

/** The controller's own group: its name, and every node as a member. */
export function rootGroupJson(controller: ControllerRecord, addresses: Iterable<string>): object {
  return {
    flag: String(ROOT_GROUP_FLAG),
    address: controller.uuid,
    name: controller.name,
    family: String(GROUPS.id),
    ...HINT,
    members: { link: Array.from(addresses, (address) => ({ _: address, type: "0" })) },
    nodeType: "group",
  };
}

function propertyJson(profile: Profile, node: Node, property: Property): object {
  if (property.value === null) return { id: property.id, value: "", formatted: " ", uom: "0" };
  const { formatted, name } = describeProperty(profile, node, property);
  const prec = property.prec === 0 ? {} : { prec: String(property.prec) };
  return { id: property.id, value: String(property.value), formatted, uom: String(property.uom), ...prec, name };
}

function familyMember(node: Node): object {
  switch (familyOf(node.family).namedBy) {
    case "nothing":
      return {};
    case "number":
      return { family: String(node.family) };
    case "number and instance":
      return { family: { _: String(node.family), instance: String(node.instance) } };
  }
}

function parentMember(parent: Parent | null): object {
  return parent ? { parent: { _: parent.address, type: parentType(parent.kind) } } : {};
}

function devtypeMember(node: Node): object {
  if (!node.devtype) return {};
  const { generic, manufacturer, category } = node.devtype;
  return { devtype: { gen: generic, mfg: manufacturer, cat: String(category) } };
}
