/** `/api/integrations`: what connects the home with devices and services. @see docs/interface/integrations.md */

import type { IntegrationType } from "../../drivers/integration-type.ts";
import type { Integration } from "../../integrations/integrations.ts";
import { unresolvedValues } from "../../profile/fill-text.ts";
import { oneOfQuery, wholeNumber } from "../query.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import {
  bodyOf,
  type Fits,
  integer,
  type JsonSchema,
  line,
  list,
  object,
  partial,
  schemaDocument,
  textOrNull,
} from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";

/** Services answer within a second or two. */
const SEARCH_MAX_S = 10;
const NAME_LENGTH_MAX = 200;
const ID_LENGTH_MAX = 40;
const NODES = ["remove", "keep"] as const;
const ONE = "/api/integrations/:id";

const settings = {
  type: "object",
  additionalProperties: { description: "A value that fits the setting." },
  description: "Settings by name, as the type describes them. Answers leave out secrets.",
} as const;
const name = line(NAME_LENGTH_MAX);
const members = {
  id: { type: "string", description: "The type, with a number where there are several. Nodes name it." },
  type: { type: "string" },
  name,
  enabled: { type: "boolean", description: "Whether it runs, and starts with the controller." },
  state: { type: "string", enum: ["starting", "ready", "degraded", "failed", "stopped"] },
  reason: { type: "string", description: "Why it is in this state: a sentence, or empty." },
  settings,
  secrets: list({ type: "string" }, { description: "Names of the secret settings that are set." }),
  nodes: { type: "integer", description: "Number of its nodes." },
  setting: textOrNull("The setting of the controller that configures it; null: it is configured here."),
} as const satisfies Readonly<Record<string, JsonSchema>>;

const integrationData = object(members, { title: "Integration" });
const savedData = object(
  {
    ...members,
    unknownValues: list(
      { type: "string" },
      { description: "Values that the texts of a channel name, and that do not exist: `?` is sent in their place." },
    ),
  },
  { title: "SavedIntegration" },
);
const typeData = object({
  type: { type: "string" },
  name: { type: "string" },
  about: { type: "string", description: "The devices or services that it connects." },
  families: list({ type: "integer" }, { description: "Families of its nodes." }),
  instancesMax: { type: "integer" },
  notifies: { type: "boolean", description: "It is a notification channel." },
  settings: schemaDocument("JSON Schema 2020-12 of the settings. A setting with writeOnly is a secret."),
});

const typesData = list(typeData);
const foundData = list(
  object({
    type: { type: "string", description: "The type that could use it. One thing can be listed for several." },
    label: { type: "string", description: "As its maker calls it." },
    settings,
  }),
);

const addBody = object(
  { type: line(ID_LENGTH_MAX) },
  {
    optional: {
      id: {
        ...line(ID_LENGTH_MAX),
        description: "Id of a removed integration, to adopt the nodes that were kept from it.",
      },
      name,
      settings,
      enabled: { type: "boolean", description: "false: it is added and not started." },
    },
    additionalProperties: false,
  },
);

const changeBody = partial(
  {
    name,
    settings: { ...settings, description: "Merged into the present settings; null resets a setting." },
    enabled: members.enabled,
  },
  { minProperties: 1, additionalProperties: false },
);

const route = apiRoute("integrations", "administer");

export const integrationRoutes: readonly Route[] = [
  route("GET /api/integrations", "All integrations.", listIntegrations, {
    data: list(integrationData),
  }),
  route("GET /api/integrations/types", "The available types, with their settings.", listTypes, { data: typesData }),
  route("GET /api/integrations/found", "What could be added: found in this machine and its network.", listFound, {
    query: { wait: integer(0, SEARCH_MAX_S, "Seconds to search the network. Default: 0, only the machine.") },
    data: foundData,
  }),
  route(`GET ${ONE}`, "One integration.", getIntegration, { data: integrationData }),
  route("POST /api/integrations", "Adds an integration and starts it.", addIntegration, {
    body: addBody,
    data: savedData,
  }),
  route(`PATCH ${ONE}`, "Changes name or settings, starts or stops it.", changeIntegration, {
    body: changeBody,
    data: savedData,
  }),
  route(`POST ${ONE}/start`, "Starts it now, and whenever the controller starts.", moved("start"), {
    data: integrationData,
  }),
  route(`POST ${ONE}/stop`, "Stops it until it is started again.", moved("stop"), { data: integrationData }),
  route(`POST ${ONE}/restart`, "Stops and starts it.", moved("restart"), { data: integrationData }),
  route(`DELETE ${ONE}`, "Removes it, with or without its nodes.", removeIntegration, {
    query: {
      nodes: { type: "string", enum: NODES, description: "`remove` or `keep` its nodes; required where it has some." },
    },
  }),
];

function listIntegrations(_request: HttpRequest, { integrations }: Services): Reply {
  return envelope(integrations.list().map(integrationJson));
}

function listTypes(_request: HttpRequest, { integrations }: Services): Reply {
  return envelope(integrations.types().map(typeJson));
}

async function listFound({ query }: HttpRequest, { integrations }: Services): Promise<Reply> {
  const searchMs = 1000 * (wholeNumber(query, "wait", SEARCH_MAX_S) ?? 0);
  return envelope((await integrations.found(searchMs)) satisfies Fits<typeof foundData>);
}

function getIntegration({ params }: HttpRequest, { integrations }: Services): Reply {
  return envelope(integrationJson(integrations.find(integrations.idOf(params.id ?? ""))));
}

async function addIntegration(request: HttpRequest, services: Services): Promise<Reply> {
  const absent = { id: null, name: null, settings: {}, enabled: true };
  const wanted = { ...absent, ...bodyOf(request, addBody) };
  return savedReply(services, await services.integrations.add(wanted, request.cause));
}

async function changeIntegration(request: HttpRequest, services: Services): Promise<Reply> {
  const { integrations } = services;
  const patch = { name: null, settings: null, enabled: null, ...bodyOf(request, changeBody) };
  const changed = await integrations.change(integrations.idOf(request.params.id ?? ""), patch, request.cause);
  return savedReply(services, changed);
}

function savedReply(services: Services, integration: Integration): Reply {
  const isChannel = services.integrations.isChannel(integration.type);
  const texts = isChannel ? Object.values((integration.settings.contents ?? {}) as Record<string, string>) : [];
  const unknownValues = texts.flatMap((text) => unresolvedValues(services, text));
  return envelope({ ...integrationJson(integration), unknownValues });
}

function moved(verb: "start" | "stop" | "restart"): Route["handle"] {
  return async ({ params, cause }, { integrations }) =>
    envelope(integrationJson(await integrations[verb](integrations.idOf(params.id ?? ""), cause)));
}

async function removeIntegration({ params, query, cause }: HttpRequest, { integrations }: Services): Promise<Reply> {
  await integrations.remove(integrations.idOf(params.id ?? ""), oneOfQuery(query, "nodes", NODES), cause);
  return envelope(null);
}

function integrationJson({ origin: _origin, ...integration }: Integration): Fits<typeof integrationData> {
  return integration;
}

function typeJson(of: IntegrationType): Fits<typeof typeData> {
  const { type, name: title, about, families, instancesMax, notifies = false, settings: schema } = of;
  return { type, name: title, about, families, instancesMax, notifies, settings: schema };
}
