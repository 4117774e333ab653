/** `/api/nodes`: the whole tree in one document, and renaming in it. @see docs/interface/nodes.md */

import { renameThing } from "../../commands/edit-nodes.ts";
import { FOLDERS, familyOf, GROUPS } from "../../families.ts";
import type { ControllerRecord } from "../../home/controller.ts";
import type { Folder } from "../../home/folders.ts";
import type { Group } from "../../home/groups.ts";
import { type Node, type Parent, treeParent } from "../../home/nodes.ts";
import type { Property } from "../../home/property.ts";
import { isWithoutDevice } from "../../home/without-device.ts";
import { describeProperty } from "../../profile/format.ts";
import type { Profile } from "../../profile/profile.ts";
import { isSecured, roleOf } from "../../profile/roles.ts";
import { mainProperty } from "../../wire/main-property.ts";
import { GROUP_FLAG, GROUP_NODEDEF, nodeFlag, parentType, ROOT_GROUP_FLAG } from "../../wire/tree.ts";
import { treeVersion } from "../documents.ts";
import { envelope, JSON_TYPE, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, list, object } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute, PAST, VIEW } from "./api-route.ts";
import { nodesData } from "./tree-schema.ts";

const renameBody = object({
  name: { type: "string", minLength: 1, description: "The new name, 1 to 200 characters." },
  nodeType: { type: "string", enum: ["node", "group", "folder"] },
});

const route = apiRoute("nodes", "read");

export const nodeRoutes: readonly Route[] = [
  route("GET /api/nodes", "The tree: nodes, folders, groups.", getNodes, { ...PAST, data: nodesData }),
  route("GET /api/nodes/simulated", "Nodes of a moved-in home that have no device here yet.", getSimulated, {
    ...VIEW,
    data: list({ type: "string", description: "Address of the node." }),
  }),
  route("POST /api/nodes/:address", "Renames a node, group or folder.", renameNode, {
    access: "rename",
    body: renameBody,
  }),
];

function getNodes(_request: HttpRequest, services: Services): Reply {
  return services.documents.serve("/api/nodes", treeVersion(services), JSON_TYPE, () => encodeNodes(services));
}

function encodeNodes(services: Services): string {
  const { home, profile, documents } = services;
  const nodes = documents.nodePieces("/api/nodes", services, home.nodes.values(), (node) =>
    JSON.stringify(nodeJson(profile, node)),
  );
  const folders = Array.from(home.folders.values(), (folder) => JSON.stringify(folderJson(folder)));
  const groups = [rootGroupJson(home.controller, home.nodes.keys()), ...Array.from(home.groups.values(), groupJson)];
  return (
    `{"successful":true,"data":{"nodes":{"node":[${nodes.join(",")}],"folder":[${folders.join(",")}],` +
    `"group":[${groups.map((group) => JSON.stringify(group)).join(",")}]}}}`
  );
}

function getSimulated(_request: HttpRequest, { home }: Services): Reply {
  return envelope([...home.nodes.values()].filter((node) => isWithoutDevice(home, node)).map(({ address }) => address));
}

async function renameNode(request: HttpRequest, services: Services): Promise<Reply> {
  const body = bodyOf(request, renameBody);
  await renameThing(services, request.params.address ?? "", body.nodeType, body.name, request.cause);
  return envelope(null);
}

const HINT = { hint: "0.0.0.0" };
const POWER_INFO = { deviceClass: "0", wattage: "0", dcPeriod: "0", startDelay: "0", endDelay: "0" };

/** Nodes, folders and groups as `/api/nodes` spells them: every scalar a string, members in the order that clients know. */
function nodeJson(profile: Profile, node: Node): object {
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

function folderJson(folder: Folder): object {
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

function groupJson(group: Group): object {
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
function rootGroupJson(controller: ControllerRecord, addresses: Iterable<string>): object {
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
