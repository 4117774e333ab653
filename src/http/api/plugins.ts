/** `/api/plugins` and `/api/plugin/:slot`: plugin servers. @see docs/interface/plugins.md */

import { PLUGINS } from "../../families.ts";
import type { PluginChange, PluginPort } from "../../drivers/plugin-port.ts";
import { ControllerError } from "../../errors.ts";
import type { Integration } from "../../integrations/integrations.ts";
import { envelope } from "../envelope.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { type Fits, type JsonSchema, list, object, partial } from "../schema.ts";
import type { Services } from "../services.ts";
import { webHookRoutes } from "./plugin-web-hooks.ts";
import { apiRoute } from "./api-route.ts";

const NAME_LENGTH_MAX = 200;
const ONE = "/api/plugin/:slot";
const TYPE = "plugin";
const POLL_S_MAX = 86_400;
const ACCESS = ["none", "guest", "user"] as const;
const ACCESS_TEXT = "The rights of its own account at the REST interface.";
const STATES = ["starting", "running", "stopped", "failed", "crashed"] as const;

const members = {
  id: { type: "string", description: "The id of its integration." },
  profileNum: { type: "integer", description: "Its slot." },
  name: { type: "string" },
  isLocal: { type: "boolean" },
  enabled: { type: "boolean", description: "Whether it runs, and starts with the controller." },
  state: { type: "string", enum: STATES, description: "`running` only while the plugin is connected." },
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
  messagesPerSecond: { type: "integer", description: "Messages that it sent in the latest full second." },
  sandboxed: {
    type: "boolean",
    description: "Whether the controller's data and processes are hidden from it.",
  },
  notices: { type: "integer", description: "Number of notices that the plugin shows." },
} as const satisfies Readonly<Record<string, JsonSchema>>;

const pluginData = object(members, { title: "PluginRecord" });
const settingsData = object(
  {
    parameters: { type: "object", additionalProperties: { type: "string" }, description: "Values by name." },
    typedParameters: { description: "The definition of its form, as the plugin wrote it, or null." },
    typedData: { description: "The values of the form, or null." },
    notices: {
      type: "object",
      additionalProperties: { type: "string" },
      description: "Texts by key. They may hold HTML, unchecked.",
    },
    help: { type: "string", description: "The plugin's own page about its parameters, as HTML, unchecked." },
    shortPoll: { type: "integer", description: "Seconds between two short polls." },
    longPoll: { type: "integer", description: "Seconds between two long polls." },
    logLevel: { type: "string" },
    logLevels: list({ type: "string" }, { description: "The levels that it knows." }),
    access: { type: "string", enum: ACCESS, description: ACCESS_TEXT },
    webHook: { type: ["string", "null"], description: "Path of its web address; null: it has none." },
  },
  { title: "PluginSettings" },
);
const settingsBody = partial(
  {
    parameters: {
      type: "object",
      description: "Laid over those that it has; null takes one away.",
      additionalProperties: { type: ["string", "null"] },
    },
    typedData: {
      type: ["object", "array"],
      items: { description: "A value of the form." },
      additionalProperties: { description: "A value of the form." },
      description: "Replaces what is filled in.",
    },
    shortPoll: { type: "integer", minimum: 1, maximum: POLL_S_MAX },
    longPoll: { type: "integer", minimum: 1, maximum: POLL_S_MAX },
    logLevel: { type: "string" },
    access: { type: "string", enum: ACCESS, description: `${ACCESS_TEXT} The plugin is restarted.` },
    webHook: { type: "boolean", description: "Whether it has a web address; each turning on makes a new one." },
  },
  { minProperties: 1, additionalProperties: false },
);
const storedData = object({ key: { type: "string" }, value: { description: "Null: nothing is stored." } });

const route = apiRoute("plugins", "administer");

export const pluginRoutes: readonly Route[] = [
  route("GET /api/plugins", "All plugins.", listPlugins, { data: list(pluginData) }),
  route("POST /api/plugins", "Installs a plugin from a .tgz or .zip archive, and starts it.", install, {
    fileLimit: "pluginArchiveBytesMax",
    data: pluginData,
    query: [
      { name: "name", description: "Its name. Default: as the plugin calls itself.", schema: { type: "string" } },
      {
        name: "type",
        description: "python3, node or binary, where the plugin has no server.json.",
        schema: { type: "string" },
      },
      {
        name: "executable",
        description: "The file to run, where the plugin has no server.json.",
        schema: { type: "string" },
      },
    ],
  }),
  route(`GET ${ONE}`, "One plugin.", getPlugin, { data: pluginData }),
  route(`POST ${ONE}/start`, "Starts it, now and with the controller.", start, { data: pluginData }),
  route(`POST ${ONE}/stop`, "Stops it until it is started again.", stop, { data: pluginData }),
  route(`POST ${ONE}/restart`, "Stops and starts it.", restart, { data: pluginData }),
  route(`POST ${ONE}/upgrade`, "Puts a newer archive in the place of its files, and starts it.", upgrade, {
    fileLimit: "pluginArchiveBytesMax",
    data: pluginData,
  }),
  route(`GET ${ONE}/log`, "The latest lines that it wrote, without secrets.", getLog, {
    data: object({ text: { type: "string" } }),
  }),
  route(`GET ${ONE}/config`, "Its parameters, form and notices.", getSettings, { data: settingsData }),
  route(
    `POST ${ONE}/config`,
    "Changes its parameters or fills in its form; the plugin hears of it at once.",
    setSettings,
    {
      body: settingsBody,
      data: settingsData,
    },
  ),
  route(`DELETE ${ONE}/notice/:key`, "Dismisses a notice.", dismiss, { data: settingsData }),
  route(`GET ${ONE}/custom/:key`, "The value that it stores under a key.", getStored, { data: storedData }),
  route(`POST ${ONE}/custom/:key`, "Stores a value under a key; the plugin hears of it at once.", setStored, {
    body: object({ value: { description: "Any value; null removes it." } }, { additionalProperties: false }),
    data: storedData,
  }),
  route(`POST ${ONE}/oauth`, "Sends the plugin the tokens that its vendor's service issued.", sendTokens, {
    body: object({ access_token: { type: "string" }, expires_in: { type: "number" } }),
  }),
  ...webHookRoutes,
  route(`POST ${ONE}/discover`, "Asks it to look for devices.", discover),
  route(`DELETE ${ONE}`, "Removes it with its nodes, its files and what it stored.", remove),
];

/** By slot, id or name. @throws ControllerError PLUGIN_NOT_FOUND */
function find({ params }: HttpRequest, { integrations }: Services): Integration {
  const given = params.slot ?? "";
  const plugins = integrations.list().filter(({ type }) => type === TYPE);
  const found =
    plugins.find(({ settings }) => String(settings.slot) === given) ??
    plugins.find(({ id, name }) => id === given || name === given);
  if (!found) throw new ControllerError("PLUGIN_NOT_FOUND");
  return found;
}

function portOf(id: string, { drivers }: Services): PluginPort | null {
  return drivers.list().find(({ driver }) => driver.name === id)?.driver.plugin ?? null;
}

/** @throws ControllerError DRIVER_UNAVAILABLE when it could not even be made. */
function runningPort(id: string, services: Services): PluginPort {
  const port = portOf(id, services);
  if (!port) throw new ControllerError("DRIVER_UNAVAILABLE");
  return port;
}

function pluginJson(integration: Integration, services: Services): Fits<typeof pluginData> {
  const { id, name, enabled, settings, nodes } = integration;
  const port = portOf(id, services);
  const notices = port && enabled && port.state === "running" ? Object.keys(port.settings().notices).length : 0;
  return {
    id,
    profileNum: Number(settings.slot),
    name,
    isLocal: true,
    enabled,
    state: enabled ? (port?.state ?? "failed") : "stopped",
    reason: port && enabled ? port.reason : integration.reason,
    version: port?.version ?? "",
    pid: port?.pid ?? null,
    home: port?.directory ?? "",
    nodes,
    memoryMiB: port?.usage?.memoryMiB ?? null,
    cpuPercent: port?.usage?.cpuPercent ?? null,
    messagesPerSecond: port?.messagesPerSecond ?? 0,
    sandboxed: port?.isSandboxed ?? false,
    notices,
  };
}

function one(id: string, services: Services): Reply {
  return envelope(pluginJson(services.integrations.find(id), services));
}

function listPlugins(_request: HttpRequest, services: Services): Reply {
  const plugins = services.integrations.list().filter(({ type }) => type === TYPE);
  return envelope(plugins.map((plugin) => pluginJson(plugin, services)));
}

function getPlugin(request: HttpRequest, services: Services): Reply {
  return one(find(request, services).id, services);
}

async function install({ query, file, cause }: HttpRequest, services: Services): Promise<Reply> {
  const { pluginFolders, integrations } = services;
  const slot = freeSlot(services);
  const wantedName = query.get("name");
  requireFreeName(wantedName, services);
  const given = { slot, runtime: query.get("type"), executable: query.get("executable") };
  const { folder, name } = await pluginFolders.unpack(file, given);
  try {
    const settings = {
      slot,
      folder,
      ...(given.runtime === null ? {} : { runtime: given.runtime }),
      ...(given.executable === null ? {} : { executable: given.executable }),
    };
    const called = (wantedName ?? name ?? folder).slice(0, NAME_LENGTH_MAX);
    const added = await integrations.add({ type: TYPE, id: null, name: called, settings, enabled: true }, cause);
    return one(added.id, services);
  } catch (error) {
    await pluginFolders.remove(folder);
    throw error;
  }
}

function requireFreeName(name: string | null, { integrations }: Services): void {
  if (name === null || !integrations.list().some((each) => each.type === TYPE && each.name === name)) return;
  throw new ControllerError("CONFLICT", { sentence: `There is a plugin "${name}" already. Choose another name.` });
}

/** The lowest that no plugin and no node has. */
function freeSlot({ integrations, home }: Services): number {
  const taken = new Set<unknown>(integrations.list().map(({ settings }) => settings.slot));
  for (const { family, instance } of home.nodes.values()) if (family === PLUGINS.id) taken.add(instance);
  let slot = 1;
  while (taken.has(slot)) slot += 1;
  return slot;
}

async function start(request: HttpRequest, services: Services): Promise<Reply> {
  const { id } = find(request, services);
  await services.integrations.start(id, request.cause);
  return one(id, services);
}

async function stop(request: HttpRequest, services: Services): Promise<Reply> {
  const { id } = find(request, services);
  await services.integrations.stop(id, request.cause);
  return one(id, services);
}

async function restart(request: HttpRequest, services: Services): Promise<Reply> {
  const { id } = find(request, services);
  await services.integrations.restart(id, request.cause);
  return one(id, services);
}

async function upgrade(request: HttpRequest, services: Services): Promise<Reply> {
  const { integrations, pluginFolders } = services;
  const { id, settings, enabled } = find(request, services);
  const { slot, folder, runtime = null, executable = null } = settings;
  const given = { slot: Number(slot), runtime: textOrNull(runtime), executable: textOrNull(executable) };
  if (enabled) await integrations.stop(id, request.cause);
  try {
    await pluginFolders.replace(String(folder), request.file, given);
  } finally {
    if (enabled) await integrations.start(id, request.cause);
  }
  return one(id, services);
}

async function getLog(request: HttpRequest, services: Services): Promise<Reply> {
  return envelope({ text: await runningPort(find(request, services).id, services).log() });
}

function getSettings(request: HttpRequest, services: Services): Reply {
  return settingsReply(find(request, services).id, services);
}

function settingsReply(id: string, services: Services): Reply {
  const { access = "none" } = services.integrations.find(id).settings;
  return envelope(settingsJson(id, String(access), services));
}

function settingsJson(id: string, access: string, services: Services): object {
  const { webHookKey, ...settings } = runningPort(id, services).settings();
  const { slot } = services.integrations.find(id).settings;
  return { ...settings, access, webHook: webHookKey === null ? null : `/api/plugin/${slot}/webhook/${webHookKey}` };
}

async function setSettings(request: HttpRequest, services: Services): Promise<Reply> {
  const { id } = find(request, services);
  // The schema of the route has checked the body.
  const { access, ...change } = request.body as PluginChange & { readonly access?: string };
  runningPort(id, services).change(change);
  if (access === undefined) return settingsReply(id, services);
  const settings = settingsJson(id, access, services);
  await services.integrations.change(id, { name: null, settings: { access }, enabled: null }, request.cause);
  return envelope(settings);
}

function getStored(request: HttpRequest, services: Services): Reply {
  const { key = "" } = request.params;
  return envelope({ key, value: runningPort(find(request, services).id, services).stored(key) });
}

function setStored(request: HttpRequest, services: Services): Reply {
  const port = runningPort(find(request, services).id, services);
  const { value } = request.body as { readonly value: unknown };
  port.store(request.params.key ?? "", value);
  return getStored(request, services);
}

function sendTokens(request: HttpRequest, services: Services): Reply {
  runningPort(find(request, services).id, services).sendTokens(request.body as Readonly<Record<string, unknown>>);
  return envelope(null);
}

function dismiss(request: HttpRequest, services: Services): Reply {
  const { id } = find(request, services);
  runningPort(id, services).dismissNotice(request.params.key ?? "");
  return settingsReply(id, services);
}

function discover(request: HttpRequest, services: Services): Reply {
  runningPort(find(request, services).id, services).discover();
  return envelope(null);
}

async function remove(request: HttpRequest, services: Services): Promise<Reply> {
  const { integrations, pluginFolders } = services;
  const { id, settings } = find(request, services);
  portOf(id, services)?.announceRemoval();
  await integrations.remove(id, "remove", request.cause);
  await pluginFolders.remove(String(settings.folder));
  return envelope(null);
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
