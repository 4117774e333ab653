/** A plugin as `/api/plugins` shows it. */

import { PLUGIN_STATES } from "../../drivers/plugin-port.ts";
import type { Integration } from "../../integrations/integrations.ts";
import { envelope, type Reply } from "../reply.ts";
import { type Fits, type JsonSchema, object } from "../schema.ts";
import type { Services } from "../services.ts";
import { portOf } from "./plugin-lookup.ts";

const members = {
  id: { type: "string", description: "The id of its integration." },
  profileNum: { type: "integer", description: "Its slot." },
  nsid: { type: "string", description: "The same as `id`." },
  name: { type: "string" },
  isLocal: { type: "boolean" },
  aiSupport: { type: "boolean", description: "Whether it brings tools for assistants: never." },
  desc: { type: "null" },
  enabled: { type: "boolean", description: "Whether it runs, and starts with the controller." },
  state: { type: "string", enum: PLUGIN_STATES, description: "`running` only while the plugin is connected." },
  reason: { type: "string", description: "Why it is in this state: a sentence, or empty." },
  version: { type: "string" },
  pid: { type: ["integer", "null"] },
  home: { type: "string", description: "Its directory." },
  nodes: { type: "integer" },
  memoryMiB: { type: ["integer", "null"], description: "Memory of its processes; null while it does not run." },
  cpuPercent: {
    type: ["integer", "null"],
    description: "Processor time in percent of one processor, averaged over pluginCpuWindowMs.",
  },
  processes: { type: ["integer", "null"], description: "Number of its processes." },
  openFiles: { type: ["integer", "null"], description: "Open files and sockets of the process that has the most." },
  diskMiB: { type: ["integer", "null"], description: "Size of its directory; measured after it has written much." },
  messagesPerSecond: { type: "integer", description: "Messages that it sent in the latest full second." },
  sandboxed: {
    type: "boolean",
    description: "Whether the controller's data and processes are hidden from it.",
  },
  notices: { type: "integer", description: "Number of notices that the plugin shows." },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const pluginData = object(members, { title: "PluginRecord" });

/** The answer to a request that changed it. */
export function pluginReply(id: string, services: Services): Reply {
  return envelope(pluginJson(services.integrations.find(id), services));
}

export function pluginJson(integration: Integration, services: Services): Fits<typeof pluginData> {
  const { id, name, enabled, settings, nodes } = integration;
  const port = portOf(id, services);
  const notices = port && enabled && port.state === "running" ? Object.keys(port.settings().notices).length : 0;
  return {
    id,
    profileNum: Number(settings.slot),
    name,
    nsid: id,
    isLocal: true,
    aiSupport: false,
    desc: null,
    enabled,
    state: enabled ? (port?.state ?? (integration.state === "failed" ? "failed" : "starting")) : "stopped",
    reason: port && enabled ? port.reason : integration.reason,
    version: port?.version ?? "",
    pid: port?.pid ?? null,
    home: port?.directory ?? "",
    nodes,
    memoryMiB: port?.usage?.memoryMiB ?? null,
    cpuPercent: port?.usage?.cpuPercent ?? null,
    processes: port?.usage?.processes ?? null,
    openFiles: port?.usage?.openFiles ?? null,
    diskMiB: port?.usage?.diskMiB ?? null,
    messagesPerSecond: port?.messagesPerSecond ?? 0,
    sandboxed: port?.isSandboxed ?? false,
    notices,
  };
}
