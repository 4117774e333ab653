/** `/rest/nodes`: the tree as XML, whole, by kind, and one thing at a time. @see docs/interface/nodes.md */

import { ControllerError } from "../../errors.ts";
import { findNode, type Node } from "../../home/nodes.ts";
import type { Profile } from "../../profile/profile.ts";
import { escapeXml } from "../../util/xml.ts";
import { mainProperty } from "../../wire/main-property.ts";
import { folderElement, groupElement, nodeElement, propertyElement, rootGroupElement } from "../../wire/xml-tree.ts";
import { treeVersion } from "../documents.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest, PathOnly } from "../route.ts";
import type { Services } from "../services.ts";
import { listedFolders, listedGroups, listedNodes } from "./padding.ts";
import { xmlDocument, xmlReply } from "./rest-reply.ts";
import { propertiesElement } from "./status.ts";

/** Root, folders, nodes, groups. The query is ignored: members are always listed, because clients that ask for none need them. */
export function getNodes(_request: HttpRequest, services: Services): Reply {
  return treeDocument(services, "/rest/nodes", () => {
    const root = `<root>${escapeXml(services.home.controller.name)}</root>`;
    return root + foldersText(services) + nodesText(services) + groupsText(services);
  });
}

export function getDevices(_request: HttpRequest, services: Services): Reply {
  return treeDocument(services, "/rest/nodes/devices", () => nodesText(services));
}

export function getScenes(_request: HttpRequest, services: Services): Reply {
  return treeDocument(services, "/rest/nodes/scenes", () => groupsText(services));
}

/** One node with all it reported, one group or one folder. */
export function getNodeInfo(request: PathOnly, { home, profile }: Services): Reply {
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
export function getNotes(request: HttpRequest, { home }: Services): Reply {
  throw new ControllerError(findNode(home, request.params.address ?? "") ? "NOTES_NOT_FOUND" : "NODE_NOT_FOUND");
}

function nodeInfo(inner: string): Reply {
  return xmlReply(`<nodeInfo>${inner}</nodeInfo>`);
}

function treeDocument(services: Services, name: string, encodeInner: () => string): Reply {
  return xmlDocument(services, name, treeVersion(services), () => `<nodes>${encodeInner()}</nodes>`);
}

function nodesText(services: Services): string {
  const { profile, documents } = services;
  const encode = (node: Node) => listedNode(profile, node);
  return documents.nodePieces("/rest/nodes", services, listedNodes(services), encode).join("");
}

function foldersText(services: Services): string {
  return structurePiece(services, "folders", () => listedFolders(services).map(folderElement).join(""));
}

function groupsText(services: Services): string {
  const { home } = services;
  return structurePiece(services, "groups", () => {
    const root = rootGroupElement(home.controller, listedNodes(services));
    return root + listedGroups(services).map(groupElement).join("");
  });
}

function structurePiece({ home, documents }: Services, name: string, encode: () => string): string {
  return documents.fragments("/rest/nodes structure", 0).of(name, home.version("structure"), encode);
}

function listedNode(profile: Profile, node: Node): string {
  const main = mainProperty(node);
  return nodeElement(node, main ? propertyElement(profile, node, main) : "");
}
