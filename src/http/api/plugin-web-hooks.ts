/**
 * `/api/plugin/:slot/webhook/:key`: the web address of a plugin. Other services have no account here; the key in the path is what they
 * know, and it opens nothing else. @see docs/interface/plugins.md
 */

import { ControllerError } from "../../errors.ts";
import { JSON_TYPE } from "../envelope.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest, Method, Route } from "../route.ts";
import type { Services } from "../services.ts";

const PATH = "/api/plugin/:slot/webhook/:key";
const TEXT_TYPE = "text/plain; charset=utf-8";

export const webHookRoutes: readonly Route[] = (["GET", "POST"] as const).flatMap((method) => [
  route(method, PATH, "Forwards the request to the plugin and does not wait for its answer.", false),
  route(method, `${PATH}/response`, "Forwards the request to the plugin and answers as the plugin does.", true),
]);

function route(method: Method, path: string, summary: string, waits: boolean): Route {
  return {
    method,
    path,
    summary,
    listener: "portal",
    access: "public",
    changes: method !== "GET",
    body: { description: "Any JSON." },
    fileType: "text/plain",
    page: "plugins",
    handle: (request, services) => forward(request, services, waits),
  };
}

/** A plugin that does not exist, one without a web address and a wrong key are answered alike. */
async function forward(request: HttpRequest, services: Services, waits: boolean): Promise<Reply> {
  const { slot, key = "" } = request.params;
  const integration = services.integrations
    .list()
    .find(({ type, settings }) => type === "plugin" && String(settings.slot) === slot);
  const port = services.drivers.list().find(({ driver }) => driver.name === integration?.id)?.driver.plugin;
  if (!port) throw new ControllerError("PLUGIN_NOT_FOUND");
  const { headers, query, body } = request;
  const { status, body: given } = await port.forward(key, { headers, query: Object.fromEntries(query), body }, waits);
  return typeof given === "string"
    ? { status, contentType: TEXT_TYPE, body: given }
    : { status, contentType: JSON_TYPE, body: JSON.stringify(given) };
}
