/** `/api/resources`: network resources with all their fields, and a test that shows the answer. @see docs/interface/networking.md */

import {
  changeResource,
  createResource,
  removeResource,
  requireResource,
  type WrittenResource,
} from "../../../commands/edit-resources.ts";
import { fireNetworkResource } from "../../../commands/fire-network-resource.ts";
import { isTargetAllowed, setResourceTargets } from "../../../commands/resource-targets.ts";
import { badValue, ControllerError } from "../../../errors.ts";
import type { NetworkProtocol, NetworkResource } from "../../../home/network-resources.ts";
import { unresolvedValues } from "../../../profile/fill-text.ts";
import { envelope, type Reply } from "../../reply.ts";
import type { HttpRequest, Route } from "../../route.ts";
import { bodyOf, type Fits, type JsonSchema, list, object, orNull, partial, text } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { apiRoute, VIEW } from "../api-route.ts";
import { edited, editedReply } from "./edited-reply.ts";

const HIDDEN = "(hidden)";
/** Headers that hold no secret. */
const OPEN_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "host", "user-agent"]);
const DEFAULT_PORTS: Readonly<Record<NetworkProtocol, number>> = { http: 80, https: 443, tcp: 0, udp: 0 };
const DEFAULT_TIMEOUT_MS = 10_000;

const header = object({ name: { type: "string" }, value: { type: "string" } }, { additionalProperties: false });

const url = text("http://, https://, tcp:// or udp:// with host, port, path and query.");

const shared = {
  name: { type: "string" },
  method: { type: "string", description: "HTTP only: GET (when left out), POST, PUT, DELETE, PATCH or HEAD." },
  headers: list(header, { description: `HTTP only. Values that may be secret are shown as ${HIDDEN}.` }),
  timeoutMs: { type: "integer", minimum: 1, maximum: 120_000, description: "Milliseconds; 10000 when left out." },
} as const satisfies Record<string, JsonSchema>;

const body = { type: "string", description: "The body to send. Never shown." } as const;

const resourceData = object({
  id: { type: "integer" },
  url: text("Owners see it with an ellipsis for what may be a key; for others path and query are an ellipsis."),
  bodyBytes: { type: "integer", description: "Length of the body, which is never shown." },
  allowed: {
    type: "boolean",
    description: "False: requests to its target are refused until /api/resource-targets or a setting allows it.",
  },
  ...shared,
});

const targetsData = object({ targets: list({ type: "string" }) }, { additionalProperties: false });

const resourcesData = list(resourceData);

const editedResourceData = edited(
  object({
    ...resourceData.properties,
    unknownValues: list(
      { type: "string" },
      { description: "Values in its texts that name nothing of the home; each is sent as a question mark." },
    ),
  }),
);
const removedResourceData = edited(object({ id: { type: "integer" } }));

const { name, ...others } = shared;
const resourceCreateBody = object({ name, url }, { optional: { body, ...others }, additionalProperties: false });

const resourceChangeBody = partial(
  { url, body, ...shared },
  {
    description: `Any of the members; omitted ones stay unchanged. A header with the value ${HIDDEN} keeps its present value.`,
    minProperties: 1,
    additionalProperties: false,
  },
);

const testData = object({
  outcome: { type: "string", enum: ["done", "failed"] },
  detail: { type: "string" },
  request: resourceData,
  answer: orNull(
    object({
      status: { type: ["integer", "null"] },
      contentType: { type: "string" },
      text: { type: "string", description: "The answer's body, cut after networkAnswerBytesMax bytes." },
    }),
  ),
});

const route = apiRoute("networking", "edit-home");
const READ = { ...VIEW, access: "read" } as const;

export const resourceRoutes: readonly Route[] = [
  route("GET /api/resources", "The network resources, without secrets.", listResources, {
    ...READ,
    data: resourcesData,
  }),
  route("GET /api/resources/:id", "One network resource.", getResource, { ...READ, data: resourceData }),
  route("POST /api/resources", "Creates a network resource.", addResource, {
    body: resourceCreateBody,
    data: editedResourceData,
  }),
  route("PATCH /api/resources/:id", "Changes a network resource.", patchResource, {
    body: resourceChangeBody,
    data: editedResourceData,
  }),
  route("DELETE /api/resources/:id", "Removes a network resource.", deleteResource, { data: removedResourceData }),
  route(
    "POST /api/resources/:id/test",
    "Sends the request of a network resource, and shows the answer.",
    testResource,
    { data: testData },
  ),
  route("GET /api/resource-targets", "The targets that the owner allows beyond the default.", getTargets, {
    data: targetsData,
  }),
  route(
    "PUT /api/resource-targets",
    "Allows targets: hosts, addresses or ranges, host:port for one port.",
    putTargets,
    {
      access: "administer",
      body: targetsData,
      data: targetsData,
    },
  ),
];

function getTargets(_request: HttpRequest, { home }: Services): Reply {
  return envelope({ targets: home.controller.networkTargets ?? [] });
}

async function putTargets(request: HttpRequest, services: Services): Promise<Reply> {
  await setResourceTargets(services, bodyOf(request, targetsData).targets, request.cause);
  return getTargets(request, services);
}

function listResources(request: HttpRequest, services: Services): Reply {
  const all = [...services.home.networkResources.values()].sort((a, b) => a.id - b.id);
  return envelope(all.map((each) => resourceJson(services, each, request)));
}

function getResource(request: HttpRequest, services: Services): Reply {
  return envelope(resourceJson(services, requireResource(services.home, idOf(request)), request));
}

async function addResource(request: HttpRequest, services: Services): Promise<Reply> {
  const { name, url, method, headers = [], body = "", timeoutMs } = bodyOf(request, resourceCreateBody);
  const target = targetOf(url);
  const written: WrittenResource = {
    name,
    ...target,
    method: method ?? (isHttp(target.protocol) ? "GET" : ""),
    headers,
    body,
    timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
  };
  const resource = await createResource(services, written, request.cause);
  return savedReply(request, services, resource);
}

async function patchResource(request: HttpRequest, services: Services): Promise<Reply> {
  const { url, headers, ...patch } = bodyOf(request, resourceChangeBody);
  const id = idOf(request);
  const before = requireResource(services.home, id);
  const target = url === undefined ? {} : targetOf(url);
  const given = headers === undefined ? {} : { headers: headers.map((each) => withKnownValue(before, each)) };
  const resource = await changeResource(services, id, { ...patch, ...target, ...given }, request.cause);
  return savedReply(request, services, resource);
}

/** Only the account that saves the resource sees these names: they come from its texts. */
function savedReply(request: HttpRequest, services: Services, resource: NetworkResource): Reply {
  const texts = [resource.path, resource.body, ...resource.headers.map(({ value }) => value)];
  const unknownValues = texts.flatMap((each) => unresolvedValues(services, each));
  return editedReply(services, request.cause, { ...resourceJson(services, resource, request), unknownValues });
}

async function deleteResource(request: HttpRequest, services: Services): Promise<Reply> {
  const id = idOf(request);
  await removeResource(services, id, request.cause);
  return editedReply(services, request.cause, { id });
}

async function testResource(request: HttpRequest, services: Services): Promise<Reply> {
  const resource = requireResource(services.home, idOf(request));
  const { ended } = await fireNetworkResource(services, resource.id, request.cause);
  const { outcome, detail, answer } = await ended;
  return envelope({ outcome, detail, request: resourceJson(services, resource, request), answer });
}

function resourceJson(
  services: Services,
  resource: NetworkResource,
  { principal }: Pick<HttpRequest, "principal">,
): Fits<typeof resourceData> {
  const { id, name, method, headers, timeoutMs } = resource;
  return {
    id,
    name,
    url: shownUrl(resource, principal?.role === "owner"),
    method,
    headers: headers.map((each) => ({ name: each.name, value: isOpen(each.name) ? each.value : HIDDEN })),
    bodyBytes: Buffer.byteLength(resource.body),
    allowed: isTargetAllowed(services, resource),
    timeoutMs,
  };
}

function shownUrl({ protocol, host, port, path }: NetworkResource, isOwner: boolean): string {
  if (protocol === "none") return "";
  const at = port === DEFAULT_PORTS[protocol] ? host : `${host}:${port}`;
  const hidden = isOwner ? withoutKeys(path) : "/…";
  return `${protocol}://${at}${path === "/" || path === "" ? path : hidden}`;
}

/** The parts that are words: a key has digits, or is longer. Values of a query are left out whatever they are. */
function withoutKeys(path: string): string {
  const [route = "", ...query] = path.split("?");
  const names = query
    .join("?")
    .split("&")
    .map((each) => (each.includes("=") ? `${each.split("=", 1)[0]}=…` : each));
  const shown = route.split("/").map((part) => (/^[a-z._-]{0,24}$/i.test(part) ? part : "…"));
  return query.length === 0 ? shown.join("/") : `${shown.join("/")}?${names.join("&")}`;
}

function isOpen(name: string): boolean {
  return OPEN_HEADERS.has(name.toLowerCase());
}

function isHttp(protocol: NetworkResource["protocol"]): boolean {
  return protocol === "http" || protocol === "https";
}

/** @throws ControllerError BAD_VALUE */
function targetOf(text: string): Pick<WrittenResource, "protocol" | "host" | "port" | "path"> {
  const parsed = URL.parse(text);
  const protocol = (["http", "https", "tcp", "udp"] as const).find((each) => `${each}:` === parsed?.protocol);
  if (!parsed || !protocol || parsed.hostname === "") {
    throw badValue("The URL must start with http://, https://, tcp:// or udp://, followed by a host.");
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw badValue("The URL holds a name or a password. Put them into a header, such as Authorization.");
  }
  if (text.includes("…")) throw badValue("The URL was shown without its secrets. Write it in full.");
  const port = parsed.port === "" ? DEFAULT_PORTS[protocol] : Number(parsed.port);
  if (port === 0) throw badValue(`A ${protocol}:// URL needs a port.`);
  const path = isHttp(protocol) ? `${parsed.pathname}${parsed.search}` : "";
  return { protocol, host: parsed.hostname, port, path };
}

function withKnownValue({ headers }: NetworkResource, given: { readonly name: string; readonly value: string }) {
  if (given.value !== HIDDEN) return given;
  const known = headers.find(({ name }) => name.toLowerCase() === given.name.toLowerCase());
  if (!known) throw badValue(`The header ${given.name} has no stored value.`);
  return known;
}

function idOf({ params }: HttpRequest): number {
  const text = params.id ?? "";
  if (!/^\d{1,5}$/.test(text)) throw new ControllerError("RESOURCE_NOT_FOUND");
  return Number(text);
}
