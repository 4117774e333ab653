/**
 * `/rest/ns/:slot/…`: how node servers from before plugins add nodes and report. It acts on the slot of a plugin, as if the plugin
 * had sent the message. @see docs/interface/plugins.md
 */

import type { PluginMessage, PluginPort } from "../../drivers/plugin-port.ts";
import { badValue, ControllerError } from "../../errors.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { succeeded } from "./rest-reply.ts";

type Given = { readonly address: string; readonly rest: readonly string[]; readonly query: URLSearchParams };
type Step = { readonly path: RegExp; message(given: Given): PluginMessage };

const NODE = "nodes/(?:n\\d{3}_)?([^/]+)";
const STEPS: readonly Step[] = [
  {
    path: new RegExp(`^${NODE}/add/([^/]+)$`),
    message: ({ address, rest: [nodeDefId], query }) => ({
      kind: "command",
      verb: "addnode",
      item: {
        address,
        nodeDefId,
        name: query.get("name") ?? address,
        primaryNode: (query.get("primary") ?? address).replace(/^n\d{3}_/, ""),
      },
    }),
  },
  {
    path: new RegExp(`^${NODE}/change/([^/]+)$`),
    message: ({ address, rest: [nodeDefId] }) => ({
      kind: "command",
      verb: "changenode",
      item: { address, nodeDefId },
    }),
  },
  {
    path: new RegExp(`^${NODE}/remove$`),
    message: ({ address }) => ({ kind: "command", verb: "removenode", item: { address } }),
  },
  {
    path: new RegExp(`^${NODE}/rename$`),
    message: ({ address, query }) => ({
      kind: "command",
      verb: "renamenode",
      item: { address, name: query.get("name") ?? "" },
    }),
  },
  {
    path: new RegExp(`^${NODE}/report/status/([^/]+)/([^/]+)/(\\d+)$`),
    message: ({ address, rest: [driver, value, uom] }) => ({
      kind: "status",
      verb: "set",
      item: { address, driver, value, uom },
    }),
  },
  {
    path: new RegExp(`^${NODE}/report/cmd/([^/]+)(?:/([^/]+))?(?:/\\d+)?$`),
    message: ({ address, rest: [cmd, value] }) => ({ kind: "command", verb: "command", item: { address, cmd, value } }),
  },
];

export async function reportAsNodeServer(request: HttpRequest, services: Services): Promise<Reply> {
  const path = request.params["*"] ?? "";
  const port = portOf(request.params.slot ?? "", services);
  for (const step of STEPS) {
    const [, address, ...rest] = step.path.exec(path) ?? [];
    if (address === undefined) continue;
    const refusal = await port.handle(step.message({ address, rest, query: request.query }));
    if (refusal === null) return succeeded();
    throw refusal.code === 404 ? new ControllerError("NODE_NOT_FOUND") : badValue(refusal.error);
  }
  throw new ControllerError("PATH_UNKNOWN");
}

function portOf(slot: string, { drivers }: Services): PluginPort {
  const found = drivers.list().find(({ plugin }) => String(plugin?.slot) === slot)?.plugin;
  if (!found) throw new ControllerError("PLUGIN_NOT_FOUND");
  return found;
}
