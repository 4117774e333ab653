/** `/api/move-in`: from a copy of another controller's home to this one's own. @see docs/interface/move-in.md */

import {
  finishMoveIn,
  heldPrograms,
  moveInSteps,
  playedNodes,
  suggestDevices,
  takeNodes,
} from "../../commands/move-in.ts";
import { isoTime } from "../../wire/times.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { type Fits, list, object, orNull, partial } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";

const MAPPED_MAX = 1000;
const text = { type: "string" } as const;
const step = object({ edit: { type: "integer" }, at: text, title: text });

const moveInData = object({
  programsWait: { type: "boolean", description: "The programs wait for POST /api/move-in/finish." },
  integrations: list(
    object({
      id: text,
      name: text,
      state: text,
      nodes: { type: "integer", description: "Nodes that it drives." },
      offers: { type: "integer", description: "Simulated nodes that it could take over." },
    }),
  ),
  played: list(
    object({
      address: text,
      name: text,
      family: { type: "integer" },
      offeredBy: list(text),
      suggestion: orNull(
        partial(
          { integration: text, address: text },
          { description: "The one device of an integration with the same name or type, for a mapping." },
        ),
      ),
    }),
    { description: "Nodes that no driver has taken over. They show the last values of the other controller." },
  ),
  steps: list(step, { description: "Edits of the move that stand, the oldest first." }),
});

const takeBody = orNull(
  partial(
    {
      map: {
        type: "object",
        description:
          "Addresses of simulated nodes, and for each the address of the device that replaces it; the first node of each device.",
        maxProperties: MAPPED_MAX,
        additionalProperties: text,
      },
      force: { type: "boolean", description: "Also where a device cannot do all that the old one did." },
    },
    { description: "Default: nodes are taken over by their own addresses." },
  ),
);

const route = apiRoute("move-in", "administer");

export const moveInRoutes: readonly Route[] = [
  route("GET /api/move-in", "Progress of a move.", (_request, services) => envelope(moveInJson(services)), {
    data: moveInData,
  }),
  route(
    "POST /api/move-in/take/:integration",
    "Lets an integration take over the nodes with the addresses of its devices, or those of a mapping.",
    take,
    { body: takeBody, data: object({ edit: { type: "integer" }, addresses: list(text) }) },
  ),
  route("POST /api/move-in/finish", "Starts the programs on this controller.", finish, { data: step }),
];

function moveInJson(services: Services): Fits<typeof moveInData> {
  const { home, integrations, drivers } = services;
  const played = playedNodes(services);
  const suggestions = suggestDevices(services);
  const playing = new Set(drivers.list().flatMap(({ name, driver }) => (driver?.simulation?.mirror ? [name] : [])));
  return {
    programsWait: heldPrograms(home) !== null,
    integrations: integrations
      .list()
      .filter(({ id }) => !playing.has(id))
      .map(({ id, name, state, nodes }) => ({
        id,
        name,
        state,
        nodes,
        offers: played.filter(({ offeredBy }) => offeredBy.includes(id)).length,
      })),
    played: played.map(({ node: { address, name, family }, offeredBy }) => {
      return { address, name, family, offeredBy, suggestion: suggestions.get(address) ?? null };
    }),
    steps: moveInSteps(home).map(({ seq, atMs, title }) => ({ edit: seq, at: isoTime(atMs), title })),
  };
}

async function take({ params, body, cause }: HttpRequest, services: Services): Promise<Reply> {
  const { id } = services.integrations.find(params.integration ?? "");
  // Fits takeBody.
  const { map, force = false } = (body ?? {}) as { readonly map?: Record<string, string>; readonly force?: boolean };
  const mapping = map ? new Map(Object.entries(map)) : null;
  return envelope(await takeNodes(services, id, { mapping, isForced: force }, cause));
}

async function finish({ cause }: HttpRequest, services: Services): Promise<Reply> {
  const { seq, atMs, title } = await finishMoveIn(services, cause);
  return envelope({ edit: seq, at: isoTime(atMs), title });
}
