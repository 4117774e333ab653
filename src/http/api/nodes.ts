/** `/api/nodes`: the whole tree in one document, and renaming in it. @see docs/interface/nodes.md */

import { rename } from "../../commands/edit-nodes.ts";
import { FragmentCache } from "../../wire/fragment-cache.ts";
import { envelope, JSON_TYPE } from "../envelope.ts";
import type { House } from "../house.ts";
import type { HttpRequest, Reply } from "../route.ts";
import type { JsonSchema } from "../schema.ts";
import { folderJson, groupJson, nodeJson, rootGroupJson } from "./node-json.ts";

const listOf = (description: string): JsonSchema => ({ type: "array", description, items: { type: "object" } });

export const nodesData: JsonSchema = {
  type: "object",
  required: ["nodes"],
  properties: {
    nodes: {
      type: "object",
      required: ["node", "folder", "group"],
      properties: { node: listOf("Devices."), folder: listOf("Folders."), group: listOf("Scenes and the root group.") },
    },
  },
};

export const renameBody: JsonSchema = {
  type: "object",
  required: ["name", "nodeType"],
  properties: {
    name: { type: "string", minLength: 1, description: "The new name, 1 to 200 characters." },
    nodeType: { type: "string", enum: ["node", "group", "folder"] },
  },
};

/** @returns a handler with its own cache of encoded nodes, so that a report encodes one node again, not all. */
export function createNodesHandler(): (request: HttpRequest, house: House) => Reply {
  const fragments = new FragmentCache<string>();
  return (_request, house) => {
    const { home, profile, documents } = house;
    const version = `${home.version("structure")}.${home.version("status")}.${profile.version}`;
    return documents.serve("/api/nodes", version, JSON_TYPE, () => encodeNodes(house, fragments));
  };
}

function encodeNodes({ home, profile }: House, fragments: FragmentCache<string>): string {
  fragments.keepOnly(home.nodes);
  const nodes = Array.from(home.nodes.values(), (node) =>
    fragments.of(node.address, node.version, () => JSON.stringify(nodeJson(profile, node))),
  );
  const folders = Array.from(home.folders.values(), (folder) => JSON.stringify(folderJson(folder)));
  const groups = [rootGroupJson(home.controller, home.nodes.keys()), ...Array.from(home.groups.values(), groupJson)];
  return (
    `{"successful":true,"data":{"nodes":{"node":[${nodes.join(",")}],"folder":[${folders.join(",")}],` +
    `"group":[${groups.map((group) => JSON.stringify(group)).join(",")}]}}}`
  );
}

type RenameBody = { readonly name: string; readonly nodeType: "node" | "group" | "folder" };

export async function renameNode(request: HttpRequest, house: House): Promise<Reply> {
  const body = request.body as RenameBody; // Fits renameBody: checked at the door.
  await rename(house, request.params.address ?? "", body.nodeType, body.name, request.cause);
  return envelope(null);
}
