/** `/api/groups`: for every scene, what each controller makes each responder do. @see docs/interface/groups.md */

import { ControllerError } from "../../errors.ts";
import type { Group, LinkBlock, LinkParameter, SceneLink } from "../../home/groups.ts";
import { envelope, JSON_TYPE } from "../envelope.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { JsonSchema } from "../schema.ts";
import type { Services } from "../services.ts";

const parameter: JsonSchema = {
  type: "object",
  required: ["type", "id", "val"],
  properties: {
    type: { const: "val" },
    id: { type: "string", description: "OL level, RR ramp rate, … ; empty for the unnamed first parameter." },
    val: {
      type: "object",
      required: ["uom", "prec", "value"],
      properties: {
        uom: { type: "integer", description: "Unit of measure." },
        prec: { type: "integer" },
        value: { type: "integer", description: "Raw; displayed = value / 10^prec." },
      },
    },
  },
};

const link: JsonSchema = {
  type: "object",
  required: ["type", "node"],
  properties: {
    type: { type: "string", enum: ["native", "cmd", "default", "ignore"] },
    node: { type: "string", description: "Address of the responder." },
    linkdef: { type: "string", description: "Of a native link." },
    cmd: { type: "string", description: "Of a cmd link: the command that the responder is sent." },
    params: { type: "array", items: parameter, description: "Of native and cmd links." },
  },
};

export const groupsData: JsonSchema = {
  type: "object",
  required: ["groups"],
  properties: {
    groups: {
      type: "array",
      items: {
        type: "object",
        required: ["id", "ctl"],
        properties: {
          id: { type: "string", description: "Address of the scene." },
          ctl: {
            type: "array",
            description: "A block per controller, the scene's own block last.",
            items: {
              type: "object",
              required: ["id", "links"],
              properties: {
                id: { type: "string", description: "Address of the controller." },
                links: { type: "array", items: link },
              },
            },
          },
        },
      },
    },
  },
};

export function getGroups(_request: HttpRequest, { home, documents }: Services): Reply {
  return documents.serve("/api/groups", String(home.version("groups")), JSON_TYPE, () =>
    JSON.stringify({ successful: true, data: { groups: Array.from(home.groups.values(), groupLinksJson) } }),
  );
}

/** The same shape with one scene in it. */
export function getGroup({ params }: HttpRequest, { home }: Services): Reply {
  const group = home.groups.get(params.group ?? "");
  if (!group) throw new ControllerError("NODE_NOT_FOUND");
  return envelope({ groups: [groupLinksJson(group)] });
}

export function groupLinksJson(group: Group): object {
  return { id: group.address, ctl: group.blocks.map(blockJson) };
}

function blockJson(block: LinkBlock): object {
  return { id: block.controller, links: block.links.map(linkJson) };
}

function linkJson(link: SceneLink): object {
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

function parameterJson({ id, value, uom, prec }: LinkParameter): object {
  return { type: "val", id, val: { uom, prec, value } };
}
