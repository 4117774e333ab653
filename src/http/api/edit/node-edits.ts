/** Writes to the tree: folders and scenes are created, things renamed, moved, disabled and removed. @see docs/interface/nodes.md */

import { renameThing, setNodeEnabled, setNodeUse, thingAt } from "../../../commands/edit-nodes.ts";
import { createScene, removeScene } from "../../../commands/edit-scenes.ts";
import { createFolder, moveThing, removeFolder, removeNode, restoreNode } from "../../../commands/edit-tree.ts";
import { programReplacement, replaceInPrograms, replacementOf, replaceNode } from "../../../commands/replace-node.ts";
import { watchMeaning } from "../../../commands/where-used.ts";
import { ControllerError } from "../../../errors.ts";
import type { Cause } from "../../../home/cause.ts";
import { PARENT_KINDS, type Parent, type ParentKind } from "../../../home/nodes.ts";
import { hexId } from "../../../home/programs.ts";
import { NODE_USES } from "../../../profile/node-uses.ts";
import type { Reply } from "../../reply.ts";
import type { HttpRequest, Route } from "../../route.ts";
import { bodyOf, type Fits, list, object, partial, textOrNull } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { apiRoute } from "../api-route.ts";
import { edited, editedReply } from "./edited-reply.ts";

const name = { type: "string", minLength: 1, description: "1 to 200 characters." } as const;
const nodeType = { type: "string", enum: PARENT_KINDS } as const;
const parentAddress = textOrNull("Where it lies; null, empty or 0 is the top of the tree.");
const parentNodeType = textOrNull("node, group or folder. Without it the address decides.");

const createNodeBody = object(
  { nodeType },
  {
    optional: { name, address: { type: "string" }, parentAddress, parentNodeType },
    description: "A folder or a scene with a name; or a node that was removed, by its address, to be added again.",
    additionalProperties: false,
  },
);

const changeNodeBody = partial(
  {
    name,
    nodeType,
    enabled: { type: "boolean" },
    reason: { type: "string", description: "Why the node is disabled, at most 200 characters." },
    parentAddress,
    parentNodeType,
    use: {
      type: ["string", "null"],
      enum: [...NODE_USES, null],
      description: "What a contact, switch or outlet is used for; null: not said. Programs by room and role read it.",
    },
  },
  {
    description: "One of: `name`; `enabled` and `use`, for nodes; `parentAddress`.",
    minProperties: 1,
    additionalProperties: false,
  },
);

const removeNodeBody = partial(
  {
    nodeType,
    family: { type: "integer", description: "Family of a node. Refused when the node has another family." },
    contents: {
      type: "string",
      enum: ["refuse", "keep", "delete"],
      description:
        "What happens to a folder that is not empty: refuse (the default), keep its contents, or delete them too.",
    },
  },
  { additionalProperties: false },
);

const meantBy = list(
  object({
    id: { type: "string", description: "Four hex digits." },
    name: { type: "string" },
    isMeant: { type: "boolean", description: "true: the program means more of these nodes now; false: fewer." },
  }),
  {
    description:
      "Programs by room and role for which the change makes a difference. Of a folder 100 nodes are looked at.",
  },
);
const editedNodeData = edited(object({ address: { type: "string" }, nodeType }));
const changedNodeData = edited(object({ address: { type: "string" }, nodeType, programs: meantBy }));

const replaceNodeBody = object(
  { by: { type: "string", description: "Address of the first node of the new device." } },
  {
    optional: {
      force: { type: "boolean", description: "Also where the new device cannot do all that the old one did." },
      programsOnly: {
        type: "boolean",
        description: "Only programs name the other node; both nodes keep their name, place and scenes.",
      },
    },
    additionalProperties: false,
  },
);

const replacedNodeData = edited(
  object(
    {
      addresses: { type: "object", additionalProperties: { type: "string" }, description: "Old address to new one." },
      misfits: list({ type: "string" }, { description: "The abilities that the new device lacks, as sentences." }),
    },
    { title: "Replacement" },
  ),
);

const dryRunQuery = {
  dryRun: { enum: ["true", "false"], description: "true: returns what would change, without changing anything." },
};

const route = apiRoute("nodes", "edit-home");

export const nodeEditRoutes: readonly Route[] = [
  route("POST /api/nodes", "Creates a folder or a scene, or adds a removed node again.", createNode, {
    body: createNodeBody,
    data: editedNodeData,
  }),
  route("PATCH /api/nodes/:address", "Renames, moves, enables or disables a node, scene or folder.", changeNode, {
    body: changeNodeBody,
    data: changedNodeData,
  }),
  route("DELETE /api/nodes/:address", "Removes a node, a scene or a folder.", deleteNode, {
    body: removeNodeBody,
    data: editedNodeData,
  }),
  route("POST /api/nodes/:address/replace", "Replaces a node with another device.", replaceDevice, {
    query: dryRunQuery,
    body: replaceNodeBody,
    data: replacedNodeData,
  }),
];

async function createNode(request: HttpRequest, services: Services): Promise<Reply> {
  const body = bodyOf(request, createNodeBody);
  const { cause } = request;
  if (body.nodeType === "node") {
    if (body.address === undefined) throw badBody('A node is added again by its "address".');
    await restoreNode(services, body.address, cause);
    return changedReply(services, cause, "node", body.address);
  }
  if (body.name === undefined) throw badBody('A folder or a scene needs a "name".');
  const create = body.nodeType === "folder" ? createFolder : createScene;
  const made = await create(services, { name: body.name, parent: parentIn(services, body) }, cause);
  return changedReply(services, cause, body.nodeType, made.address);
}

async function changeNode(request: HttpRequest, services: Services): Promise<Reply> {
  const body = bodyOf(request, changeNodeBody);
  const { cause } = request;
  const address = request.params.address ?? "";
  const { kind } = thingAt(services.home, address, body.nodeType ?? null);
  const jobs = [body.name, body.enabled, body.parentAddress, body.use].filter((member) => member !== undefined);
  if (jobs.length !== 1)
    throw badBody('Exactly one of "name", "enabled", "use" and "parentAddress" is changed at a time.');
  const meaning = kind === "controller" ? () => [] : watchMeaning(services.home, kind, address);
  if (body.name !== undefined) await renameThing(services, address, body.nodeType ?? null, body.name, cause);
  else if (kind === "controller") throw badBody("Of the root group only the name can be changed.");
  else if (body.use !== undefined) {
    if (kind !== "node") throw badBody("Only nodes have a use.");
    await setNodeUse(services, address, body.use, cause);
  } else if (body.enabled === undefined) await moveThing(services, kind, address, parentIn(services, body), cause);
  else {
    if (kind !== "node") throw badBody("Only nodes can be enabled and disabled.");
    await setNodeEnabled(services, address, body.enabled, body.reason ?? null, cause);
  }
  const programs = meaning().map(({ program: { id, name }, isMeant }) => ({ id: hexId(id), name, isMeant }));
  return editedReply(services, cause, { address, nodeType: kind === "controller" ? "group" : kind, programs });
}

async function deleteNode(request: HttpRequest, services: Services): Promise<Reply> {
  const body = bodyOf({ body: request.body ?? {} }, removeNodeBody);
  const { cause } = request;
  const address = request.params.address ?? "";
  const { kind } = thingAt(services.home, address, body.nodeType ?? null);
  if (kind === "controller") throw badBody("The root group cannot be removed.");
  if (kind === "folder") await removeFolder(services, address, body.contents ?? "refuse", cause);
  else if (kind === "group") await removeScene(services, address, cause);
  else {
    const family = services.home.nodes.get(address)?.family;
    if (body.family !== undefined && body.family !== family) throw badBody(`The node is of family ${family}.`);
    await removeNode(services, address, cause);
  }
  return changedReply(services, cause, kind, address);
}

async function replaceDevice(request: HttpRequest, services: Services): Promise<Reply> {
  const { by, force = false, programsOnly = false } = bodyOf(request, replaceNodeBody);
  const old = request.params.address ?? "";
  const [preview, replace] = programsOnly ? [programReplacement, replaceInPrograms] : [replacementOf, replaceNode];
  const isDry = request.query.get("dryRun") === "true";
  const { addresses, misfits } = isDry
    ? preview(services, old, by)
    : await replace(services, old, by, force, request.cause);
  return editedReply(services, request.cause, { addresses: Object.fromEntries(addresses), misfits });
}

function changedReply(services: Services, cause: Cause, nodeType: ParentKind, address: string): Reply {
  return editedReply(services, cause, { address, nodeType });
}

/** @throws ControllerError NODE_NOT_FOUND; BAD_BODY */
function parentIn({ home }: Services, { parentAddress, parentNodeType }: Fits<typeof changeNodeBody>): Parent | null {
  if (!parentAddress || parentAddress === "0") return null;
  const wanted = PARENT_KINDS.find((kind) => kind === parentNodeType) ?? null;
  const { kind } = thingAt(home, parentAddress, wanted);
  if (kind === "controller") return null;
  return { kind, address: parentAddress };
}

function badBody(sentence: string): ControllerError {
  return new ControllerError("BAD_BODY", sentence);
}
