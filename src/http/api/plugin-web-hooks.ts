/**
 * `/api/plugin/:slot/webhook/:key`: the web address of a plugin. Other services have no account here. The key in the path gives access to
 * this address alone. @see docs/interface/plugins.md
 */

import { JSON_TYPE, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";
import { portOfSlot } from "./plugin-lookup.ts";

const PATH = "/api/plugin/:slot/webhook/:key";
const TEXT_TYPE = "text/plain; charset=utf-8";

const route = apiRoute("plugins", "public", {
  body: { description: "JSON, a form or a text." },
  acceptsForms: true,
  fileType: "text/plain",
});

export const webHookRoutes: readonly Route[] = (["GET", "POST", "PUT", "DELETE"] as const).flatMap((method) => [
  route(`${method} ${PATH}`, "Forwards the request to the plugin and does not wait for its answer.", (...args) =>
    forward(...args, false),
  ),
  route(`${method} ${PATH}/response`, "Forwards the request to the plugin and answers as the plugin does.", (...args) =>
    forward(...args, true),
  ),
]);

/** A plugin that does not exist, one without a web address and a wrong key are answered alike. */
async function forward(request: HttpRequest, services: Services, waits: boolean): Promise<Reply> {
  const { params, headers, query, body } = request;
  const given = { headers, query: Object.fromEntries(query), body };
  const { status, body: answer } = await portOfSlot(params.slot, services).forward(params.key ?? "", given, waits);
  return typeof answer === "string"
    ? { status, contentType: TEXT_TYPE, body: answer }
    : { status, contentType: JSON_TYPE, body: JSON.stringify(answer) };
}
