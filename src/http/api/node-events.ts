/** `/api/nodes/{address}/events` and `/api/events`: what happened to one node or all. @see docs/interface/nodes.md */

import { nodeEvents } from "../../history/node-events.ts";
import { hexId } from "../../home/programs.ts";
import { isoTime } from "../../wire/times.ts";
import { instantInQuery, wholeNumber } from "../query.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, QueryParameters, Route } from "../route.ts";
import { type Fits, integer, list, object, orNull, text, textOrNull, time } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";
import { inquiryOf } from "./why.ts";

const LIMIT = 50;
const LIMIT_MAX = 200;

const eventsQuery: QueryParameters = {
  limit: integer(1, LIMIT_MAX, `Number of events, the newest first. Default: ${LIMIT}.`),
  before: { type: "integer", minimum: 1, description: "Only events before the one with this `id`." },
  from: text("Only events at this time or later, ISO 8601."),
  until: text("Only events at this time or before, ISO 8601. Default: now."),
};

const allEventsQuery: QueryParameters = {
  ...eventsQuery,
  states: { enum: ["true", "false"], description: "true: without values that only measure, such as power." },
};

const eventData = object(
  {
    id: { type: "integer" },
    address: text("The node."),
    time,
    kind: { type: "string", enum: ["value", "command", "sent"], description: "`sent`: by the device itself." },
    name: text("Name of the property or the command."),
    property: orNull(
      object({
        id: { type: "string" },
        value: { type: ["integer", "null"], description: "Raw; displayed = value / 10^prec. null: unknown." },
        uom: { type: "integer" },
        prec: { type: "integer" },
      }),
      { description: "The property with its new value; null for commands." },
    ),
    control: text("Id of the property or the command."),
    parameters: list(
      object({
        name: text("Label of the parameter, or empty."),
        value: { type: "integer", description: "Raw; displayed = value / 10^prec." },
        uom: { type: "integer" },
        prec: { type: "integer" },
        text: text("In words."),
      }),
      { description: "What the command was sent with. Numbers for locks, alarms and the like are left out." },
    ),
    value: textOrNull("The new value, or the values of the command, in words; null: it has none."),
    state: {
      type: ["string", "null"],
      enum: ["accepted", "sent", "queued", "acknowledged", "confirmed", "failed", null],
      description: "State of a command to the node; else null.",
    },
    detail: text("A sentence on how the command went, or empty."),
    by: object({
      kind: { type: "string", enum: ["program", "account", "device", "controller"] },
      name: textOrNull("null where it is not known or not shown."),
      program: textOrNull("Id of the program."),
      runId: textOrNull("The run in the trace."),
    }),
  },
  { title: "NodeEvent" },
);

const eventsData = object({
  events: list(eventData),
  searchedTo: textOrNull("How far back the journal was searched; null: it is empty."),
});

const route = apiRoute("nodes", "read", { past: "always", data: eventsData });

export const nodeEventRoutes: readonly Route[] = [
  route("GET /api/nodes/:address/events", "New values and commands of a node, newest first.", getEvents, {
    query: eventsQuery,
  }),
  route("GET /api/events", "New values and commands of all nodes, newest first.", getEvents, { query: allEventsQuery }),
];

async function getEvents(request: HttpRequest, services: Services): Promise<Reply> {
  const { params, query } = request;
  const { events, sinceMs } = await nodeEvents(inquiryOf(request, services), {
    address: params.address ?? null,
    isStatesOnly: query.get("states") === "true",
    untilMs: instantInQuery(query, "until") ?? services.clock.now(),
    sinceMs: instantInQuery(query, "from"),
    before: wholeNumber(query, "before", Number.MAX_SAFE_INTEGER),
    limit: Math.max(1, wholeNumber(query, "limit", LIMIT_MAX) ?? LIMIT),
  });
  const rows = events.map(
    ({ atMs, by, ...rest }): Fits<typeof eventData> => ({
      ...rest,
      time: isoTime(atMs),
      by: { ...by, program: by.program === null ? null : hexId(by.program) },
    }),
  );
  return envelope({ events: rows, searchedTo: sinceMs === null ? null : isoTime(sinceMs) });
}
