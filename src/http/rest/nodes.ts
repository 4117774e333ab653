/** `/rest/nodes`: the tree as XML, whole, by kind, and one thing at a time. @see docs/interface/nodes.md */

import { ControllerError } from "../../errors.ts";
import { findNode, type Node } from "../../home/nodes.ts";
import type { Profile } from "../../profile/profile.ts";
import { escapeXml } from "../../util/xml.ts";
import { mainProperty } from "../../wire/main-property.ts";
import { folderElement, groupElement, nodeElement, propertyElement, rootGroupElement } from "../../wire/xml-tree.ts";
import type { House } from "../house.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import { listedFolders, listedGroups, listedNodes } from "./padding.ts";
import { xmlDocument, xmlReply } from "./rest-reply.ts";
import { propertiesElement } from "./status.ts";

/** Root, folders, nodes, groups. The query is ignored: members are always listed, because clients that ask for none need them. */
export function getNodes(_request: HttpRequest, house: House): Reply {
  return treeDocument(house, "/rest/nodes", () => {
    const root = `<root>${escapeXml(house.home.controller.name)}</root>`;
    return root + foldersText(house) + nodesText(house) + groupsText(house);
  });
}

export function getDevices(_request: HttpRequest, house: House): Reply {
  return treeDocument(house, "/rest/nodes/devices", () => nodesText(house));
}

export function getScenes(_request: HttpRequest, house: House): Reply {
  return treeDocument(house, "/rest/nodes/scenes", () => groupsText(house));
}

/** One node with all it reported, one group or one folder. */
export function getNodeInfo(request: HttpRequest, { home, profile }: House): Reply {
  const address = request.params.address ?? "";
  const node = findNode(home, address);
  const group = home.groups.get(address);
  const folder = home.folders.get(address);
  if (node) return nodeInfo(listedNode(profile, node) + propertiesElement(profile, node));
  if (group) return nodeInfo(groupElement(group));
  if (folder) return nodeInfo(folderElement(folder));
  if (address === home.controller.uuid) return nodeInfo(rootGroupElement(home.controller, home.nodes.values()));
  throw new ControllerError("NODE_NOT_FOUND");
}

/** Notes are not kept, so no node has any. */
export function getNotes(request: HttpRequest, { home }: House): Reply {
  throw new ControllerError(findNode(home, request.params.address ?? "") ? "NOTES_NOT_FOUND" : "NODE_NOT_FOUND");
}

function nodeInfo(inner: string): Reply {
  return xmlReply(`<nodeInfo>${inner}</nodeInfo>`);
}

function treeDocument(house: House, name: string, encodeInner: () => string): Reply {
  const { home, profile } = house;
  const version = `${home.version("structure")}.${home.version("status")}.${profile.version}`;
  return xmlDocument(house, name, version, () => `<nodes>${encodeInner()}</nodes>`);
}

/** A report encodes its own node again; the pieces of all others are kept. */
function nodesText(house: House): string {
  const { home, profile, documents } = house;
  const fragments = documents.fragments("/rest/nodes", profile.version);
  fragments.keepOnly(home.nodes);
  const pieces = listedNodes(house).map((node) =>
    fragments.of(node.address, node.version, () => listedNode(profile, node)),
  );
  return pieces.join("");
}

function foldersText(house: House): string {
  return structurePiece(house, "folders", () => listedFolders(house).map(folderElement).join(""));
}

function groupsText(house: House): string {
  const { home } = house;
  return structurePiece(house, "groups", () => {
    const root = rootGroupElement(home.controller, listedNodes(house));
    return root + listedGroups(house).map(groupElement).join("");
  });
}

function structurePiece({ home, documents }: House, name: string, encode: () => string): string {
  return documents.fragments("/rest/nodes structure", 0).of(name, home.version("structure"), encode);
}

function listedNode(profile: Profile, node: Node): string {
  const main = mainProperty(node);
  return nodeElement(node, main ? propertyElement(profile, node, main) : "");
}
