/** `/api/nodes`: the whole tree in one document, and renaming in it. @see docs/interface/nodes.md */

import { renameThing } from "../../commands/edit-nodes.ts";
import { isWithoutDevice } from "../../home/without-device.ts";
import { treeVersion } from "../documents.ts";
import { envelope, JSON_TYPE, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, list, object } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute, PAST, VIEW } from "./api-route.ts";
import { folderJson, groupJson, nodeJson, rootGroupJson } from "./node-json.ts";
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
