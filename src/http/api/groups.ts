/** `/api/groups`: for every scene, what each controller makes each responder do. @see docs/interface/groups.md */

import type { Group, LinkBlock, LinkParameter, SceneLink } from "../../home/groups.ts";
import { JSON_TYPE } from "../envelope.ts";
import type { House } from "../house.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { JsonSchema } from "../schema.ts";

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
            items: { type: "object" },
          },
        },
      },
    },
  },
};

export function getGroups(_request: HttpRequest, { home, documents }: House): Reply {
  return documents.serve("/api/groups", String(home.version("groups")), JSON_TYPE, () =>
    JSON.stringify({ successful: true, data: { groups: Array.from(home.groups.values(), groupLinksJson) } }),
  );
}

function groupLinksJson(group: Group): object {
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
