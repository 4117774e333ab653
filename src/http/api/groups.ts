/** `/api/groups`: for every scene, what each controller makes each responder do. @see docs/interface/groups.md */

import { deviceLinkState } from "../../commands/device-links.ts";
import { ControllerError } from "../../errors.ts";
import type { Group, LinkBlock, LinkParameter, SceneLink } from "../../home/groups.ts";
import { envelope, JSON_TYPE, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { type Fits, list, object } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute, VIEW } from "./api-route.ts";

const parameterData = object({
  type: { const: "val" },
  id: { type: "string", description: "OL level, RR ramp rate, … ; empty for the unnamed first parameter." },
  val: object({
    uom: { type: "integer", description: "Unit of measure." },
    prec: { type: "integer" },
    value: { type: "integer", description: "Raw; displayed = value / 10^prec." },
  }),
});

const deviceLinkData = object(
  {
    state: {
      type: "string",
      enum: ["done", "pending", "failed", "software"],
      description:
        "done: the device carries it out. pending: it is not written, or not removed, yet. failed: the device did not take the change. software: the controller carries it out.",
    },
    detail: { type: "string", description: "The reason; empty when it is done." },
  },
  { description: "Only in the answers about one scene, of the links of a controller to another node." },
);

const linkData = object(
  {
    type: { type: "string", enum: ["native", "cmd", "default", "ignore"] },
    node: { type: "string", description: "Address of the responder." },
  },
  {
    optional: {
      linkdef: { type: "string", description: "The link definition. Native links only." },
      cmd: { type: "string", description: "The command for the responder. Command links only." },
      params: list(parameterData, { description: "Parameters of the link definition or of the command." }),
      device: deviceLinkData,
    },
  },
);

const blockData = object({ id: { type: "string", description: "Address of the controller." }, links: list(linkData) });

export const groupData = object({
  id: { type: "string", description: "Address of the scene." },
  ctl: list(blockData, {
    description: "A block per controller, the scene's own block last.",
  }),
});

const groupsData = object({
  groups: list(groupData),
});

const route = apiRoute("groups", "read", VIEW);

export const groupRoutes: readonly Route[] = [
  route("GET /api/groups", "The links of every scene.", getGroups, { past: "at", data: groupsData }),
  route("GET /api/groups/links", "The links of every scene.", getGroups, { data: groupsData }),
  route("GET /api/groups/links/:group", "The links of one scene.", getGroup, { data: groupsData }),
];

function getGroups(_request: HttpRequest, { home, documents }: Services): Reply {
  return documents.serve("/api/groups", String(home.version("groups")), JSON_TYPE, () =>
    JSON.stringify({ successful: true, data: { groups: Array.from(home.groups.values(), groupLinksJson) } }),
  );
}

/** The same shape with one scene in it, and who carries out each link of its controllers. */
function getGroup({ params }: HttpRequest, services: Services): Reply {
  const group = services.home.groups.get(params.group ?? "");
  if (!group) throw new ControllerError("NODE_NOT_FOUND");
  return envelope({ groups: [sceneLinksJson(services, group)] });
}

function sceneLinksJson(services: Services, group: Group): Fits<typeof groupData> {
  const ctl = group.blocks.map((block) => ({
    id: block.controller,
    links: block.links.map((link) => {
      const device = deviceLinkState(services, group, block, link.node);
      return { ...linkJson(link), ...(device ? { device } : {}) };
    }),
  }));
  return { id: group.address, ctl };
}

export function groupLinksJson(group: Group): Fits<typeof groupData> {
  return { id: group.address, ctl: group.blocks.map(blockJson) };
}

function blockJson(block: LinkBlock): Fits<typeof blockData> {
  return { id: block.controller, links: block.links.map(linkJson) };
}

function linkJson(link: SceneLink): Fits<typeof linkData> {
  switch (link.kind) {
    case "native":
      return { type: "native", node: link.node, linkdef: link.linkdef, params: link.parameters.map(parameterJson) };
    case "cmd":
      return { type: "cmd", node: link.node, cmd: link.command, params: link.parameters.map(parameterJson) };
    case "default":
    case "ignore":
      return { type: link.kind, node: link.node };
  }
}

function parameterJson({ id, value, uom, prec }: LinkParameter): Fits<typeof parameterData> {
  return { type: "val", id, val: { uom, prec, value } };
}
