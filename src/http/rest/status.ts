/** `/rest/status`: what every node last reported; and one node's properties. @see docs/interface/status.md */

import { ControllerError } from "../../errors.ts";
import type { Node } from "../../home/nodes.ts";
import type { Property } from "../../home/property.ts";
import type { Profile } from "../../profile/profile.ts";
import { escapeXml } from "../../util/xml.ts";
import { propertyElement } from "../../wire/xml-tree.ts";
import { treeVersion } from "../documents.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { listedNodes } from "./padding.ts";
import { xmlDocument, xmlReply } from "./rest-reply.ts";

/** Nodes only: a folder or a group in this list ends some clients. */
export function getStatus(_request: HttpRequest, services: Services): Reply {
  const { profile, documents } = services;
  return xmlDocument(services, "/rest/status", treeVersion(services), () => {
    const pieces = documents.nodePieces("/rest/status", services, listedNodes(services), (node) =>
      statusElement(profile, node),
    );
    return `<nodes>${pieces.join("")}</nodes>`;
  });
}

/** `/rest/status/{address}` and `/rest/nodes/{address}/status`. */
export function getNodeStatus(request: HttpRequest, { home, profile }: Services): Reply {
  return xmlReply(propertiesElement(profile, existingNode(request, home.nodes)));
}

/** `/rest/nodes/{address}/{property}`, with or without `get`. */
export function getProperty(request: HttpRequest, { home, profile }: Services): Reply {
  const node = existingNode(request, home.nodes);
  const property = withHealth(node).find(({ id }) => id === request.params.property);
  if (!property) throw new ControllerError("PROPERTY_NOT_FOUND");
  return xmlReply(`<properties>${propertyElement(profile, node, property)}</properties>`);
}

/** All properties of one node, `ST` and `ERR` always among them: clients judge a device by these two. */
export function propertiesElement(profile: Profile, node: Node): string {
  const elements = withHealth(node).map((property) => propertyElement(profile, node, property));
  return `<properties>${elements.join("")}</properties>`;
}

function existingNode(request: HttpRequest, nodes: ReadonlyMap<string, Node>): Node {
  const node = nodes.get(request.params.address ?? "");
  if (!node) throw new ControllerError("NODE_NOT_FOUND");
  return node;
}

function statusElement(profile: Profile, node: Node): string {
  const elements = sorted(node.properties.values()).map((property) => propertyElement(profile, node, property));
  return `<node id="${escapeXml(node.address)}">${elements.join("")}</node>`;
}

function withHealth(node: Node): readonly Property[] {
  const known = [...node.properties.values()];
  if (!node.properties.has("ST")) known.push(emptyProperty("ST", null));
  if (!node.properties.has("ERR")) known.push(emptyProperty("ERR", node.link === "unreachable" ? 1 : 0));
  return sorted(known);
}

function emptyProperty(id: string, value: number | null): Property {
  return { id, value, uom: 0, prec: 0, text: null, changedAtMs: 0 };
}

function sorted(properties: Iterable<Property>): readonly Property[] {
  return [...properties].sort((a, b) => (a.id < b.id ? -1 : 1));
}
