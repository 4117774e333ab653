/** `/api/nodes/{address}/act`: what a person does at a simulated device. @see docs/interface/nodes.md */

import { actAtNode, actionsAtNode } from "../../commands/act-at-node.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, list, object } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute, VIEW } from "./api-route.ts";

const actBody = object(
  { control: { type: "string", minLength: 1, description: "One of the node's actions, for example DON or OPEN." } },
  {
    optional: {
      value: {
        type: "number",
        description: "Value of the action, for actions that take one, such as the slot of a typed lock code.",
      },
    },
  },
);

const actionsData = object({ actions: list({ type: "string" }) });

const route = apiRoute("nodes", "read");

export const actRoutes: readonly Route[] = [
  route("GET /api/nodes/:address/act", "The possible actions at a simulated device.", getActions, {
    ...VIEW,
    data: actionsData,
  }),
  route("POST /api/nodes/:address/act", "Acts like a person at a simulated device.", act, {
    access: "run-program",
    body: actBody,
  }),
];

function getActions({ params }: HttpRequest, services: Services): Reply {
  return envelope({ actions: actionsAtNode(services, params.address ?? "") });
}

/** Programs cannot distinguish it from a real event, so it requires the right to run them. */
function act(request: HttpRequest, services: Services): Reply {
  const { control, value = null } = bodyOf(request, actBody);
  actAtNode(services, request.params.address ?? "", control, value);
  return envelope(null);
}
