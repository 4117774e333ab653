/**
 * The elements of the tree in XML, as `/rest/nodes` lists them and as lifecycle frames carry them. Shared by `http/rest`
 * and `stream`; the order of children and the spacing are those that clients were written against.
 *
 * @see docs/interface/nodes.md
 */

import { FOLDERS, familyOf, GROUPS } from "../families.ts";
import type { ControllerRecord } from "../home/controller.ts";
import type { Folder } from "../home/folders.ts";
import type { Group } from "../home/groups.ts";
import { type Node, type Parent, treeParent } from "../home/nodes.ts";
import type { Property } from "../home/property.ts";
import { describeProperty } from "../profile/format.ts";
import type { Profile } from "../profile/profile.ts";
import { escapeXml } from "../util/xml.ts";
import { GROUP_FLAG, GROUP_NODEDEF, nodeFlag, parentType, ROOT_GROUP_FLAG } from "./tree.ts";

const HINT = "<hint>0.0.0.0</hint>";
const POWER_INFO =
  "<deviceClass>0</deviceClass><wattage>0</wattage><dcPeriod>0</dcPeriod><startDelay>0</startDelay><endDelay>0</endDelay>";

/** A property without a value has a blank `formatted`, unit 0 and no name. */
export function propertyElement(profile: Profile, node: Node, property: Property): string {
  const id = escapeXml(property.id);
  if (property.value === null) return `<property id="${id}" value="" formatted=" " uom="0" />`;
  const { formatted, name } = describeProperty(profile, node, property);
  const prec = property.prec === 0 ? "" : ` prec="${property.prec}"`;
  return `<property id="${id}" value="${property.value}" formatted="${escapeXml(formatted)}" uom="${property.uom}"${prec} name="${escapeXml(name)}" />`;
}

/** The `<node>` element. `inner` follows its own children: a property, or nothing in a lifecycle frame. */
export function nodeElement(node: Node, inner: string): string {
  const address = escapeXml(node.address);
  return (
    `<node flag="${nodeFlag(node)}" nodeDefId="${escapeXml(node.nodeDefId)}"><address>${address}</address>` +
    `<name>${escapeXml(node.name)}</name>${familyElement(node)}${HINT}${parentElement(treeParent(node))}` +
    `<type>${escapeXml(node.type)}</type><enabled>${node.enabled}</enabled>${POWER_INFO}` +
    `<pnode>${escapeXml(node.primary)}</pnode>${radioElements(node)}${inner}</node>`
  );
}

export function folderElement(folder: Folder): string {
  return (
    `<folder flag="0"><address>${escapeXml(folder.address)}</address><name>${escapeXml(folder.name)}</name>` +
    `<family>${FOLDERS.id}</family>${HINT}${parentElement(folder.parent)}</folder>`
  );
}

export function groupElement(group: Group): string {
  const address = escapeXml(group.address);
  const links = group.members.map(
    (member) => `<link type="${member.isController ? 16 : 0}">${escapeXml(member.address)}</link>`,
  );
  return (
    `<group flag="${GROUP_FLAG}" nodeDefId="${GROUP_NODEDEF}"><address>${address}</address><name>${escapeXml(group.name)}</name>` +
    `<family>${GROUPS.id}</family>${HINT}${parentElement(group.parent)}<deviceGroup>${group.deviceGroup}</deviceGroup>` +
    `<pnode>${address}</pnode>${membersElement(links)}</group>`
  );
}

/** The controller's own group holds every node. */
export function rootGroupElement(controller: ControllerRecord, nodes: Iterable<Node>): string {
  const links = Array.from(nodes, (node) => `<link type="0">${escapeXml(node.address)}</link>`);
  return (
    `<group flag="${ROOT_GROUP_FLAG}"><address>${controller.uuid}</address><name>${escapeXml(controller.name)}</name>` +
    `<family>${GROUPS.id}</family>${HINT}${membersElement(links)}</group>`
  );
}

function membersElement(links: readonly string[]): string {
  return links.length === 0 ? "<members />" : `<members>${links.join("")}</members>`;
}

function familyElement(node: Node): string {
  switch (familyOf(node.family).namedBy) {
    case "nothing":
      return "";
    case "number":
      return `<family>${node.family}</family>`;
    case "number and instance":
      return `<family instance="${node.instance}">${node.family}</family>`;
  }
}

function parentElement(parent: Parent | null): string {
  return parent ? `<parent type="${parentType(parent.kind)}">${escapeXml(parent.address)}</parent>` : "";
}

function radioElements(node: Node): string {
  if (!node.devtype || !familyOf(node.family).radio?.hasDeviceTypes) return "";
  const subdevice = node.address.split("_")[1] ?? "1";
  const { generic, manufacturer, category } = node.devtype;
  return (
    `<rpnode>${escapeXml(node.primary)}</rpnode><sgid>${escapeXml(subdevice)}</sgid>` +
    `<devtype><gen>${escapeXml(generic)}</gen><mfg>${escapeXml(manufacturer)}</mfg><cat>${category}</cat></devtype>`
  );
}
