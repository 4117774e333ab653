/** `/api/plugins` and `/api/plugin/:slot`: plugin servers. @see docs/interface/plugins.md */

import { PLUGIN_ACCESS, type PluginChange } from "../../drivers/plugin-port.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { list, object, partial, textOrNull } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";
import { installationRoutes } from "./plugin-installation.ts";
import { findPlugin, PLUGIN_TYPE, portOf, portOfRequest, runningPort } from "./plugin-lookup.ts";
import { overviewRoutes } from "./plugin-overview.ts";
import { pluginData, pluginJson, pluginReply } from "./plugin-record.ts";
import { signInRoutes } from "./plugin-sign-in.ts";
import { webHookRoutes } from "./plugin-web-hooks.ts";

const ONE = "/api/plugin/:slot";
const POLL_S_MAX = 86_400;
const ACCESS_TEXT = "The rights of its own account at the REST interface.";

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
    access: { type: "string", enum: PLUGIN_ACCESS, description: ACCESS_TEXT },
    webHook: textOrNull("Path of its web address; null without one."),
    signIn: { type: "boolean", description: "Whether it has settings of a sign-in (OAuth)." },
  },
  { title: "PluginSettings" },
);
const settingsBody = partial(
  {
    parameters: {
      type: "object",
      description: "Merged into the present parameters; null removes one.",
      additionalProperties: { type: ["string", "null"] },
    },
    typedData: {
      type: ["object", "array"],
      items: { description: "A value of the form." },
      additionalProperties: { description: "A value of the form." },
      description: "Replaces the values of its form.",
    },
    shortPoll: { type: "integer", minimum: 1, maximum: POLL_S_MAX },
    longPoll: { type: "integer", minimum: 1, maximum: POLL_S_MAX },
    logLevel: { type: "string" },
    access: { type: "string", enum: PLUGIN_ACCESS, description: `${ACCESS_TEXT} The plugin is restarted.` },
    webHook: { type: "boolean", description: "Whether it has a web address; each turning on makes a new one." },
  },
  { minProperties: 1, additionalProperties: false },
);
const storedData = object({ key: { type: "string" }, value: { description: "Null: nothing is stored." } });

const route = apiRoute("plugins", "administer");

export const pluginRoutes: readonly Route[] = [
  route("GET /api/plugins", "All plugins.", listPlugins, { data: list(pluginData) }),
  route(`GET ${ONE}`, "One plugin.", getPlugin, { data: pluginData }),
  route(`POST ${ONE}/start`, "Starts it now, and whenever the controller starts.", moved("start"), {
    data: pluginData,
  }),
  route(`POST ${ONE}/stop`, "Stops it until it is started again.", moved("stop"), { data: pluginData }),
  route(`POST ${ONE}/restart`, "Stops and starts it.", moved("restart"), { data: pluginData }),
  route(`GET ${ONE}/log`, "The latest lines that it wrote, without secrets.", getLog, {
    data: object({ text: { type: "string" } }),
  }),
  route(`GET ${ONE}/config`, "Its parameters, form and notices.", getSettings, { data: settingsData }),
  route(
    `POST ${ONE}/config`,
    "Changes its parameters or the values of its form. The plugin is notified at once.",
    setSettings,
    {
      body: settingsBody,
      data: settingsData,
    },
  ),
  route(`DELETE ${ONE}/notice/:key`, "Dismisses a notice.", dismiss, { data: settingsData }),
  route(`GET ${ONE}/custom/:key`, "The value that it stores under a key.", getStored, { data: storedData }),
  route(`POST ${ONE}/custom/:key`, "Stores a value under a key. The plugin is notified at once.", setStored, {
    body: object({ value: { description: "Any value; null removes it." } }, { additionalProperties: false }),
    data: storedData,
  }),
  ...installationRoutes,
  ...["licenses", "store/prod/list/active"].map((path) =>
    route(`GET /api/plugins/${path}`, "Empty: there is no store. For clients that ask.", () => envelope([]), {
      data: list({ description: "None." }),
    }),
  ),
  ...overviewRoutes,
  ...signInRoutes,
  ...webHookRoutes,
  route(`POST ${ONE}/discover`, "Asks the plugin to discover devices.", discover),
  route(`DELETE ${ONE}`, "Removes it with its nodes, files and stored data.", remove),
];

function listPlugins(_request: HttpRequest, services: Services): Reply {
  const plugins = services.integrations.list().filter(({ type }) => type === PLUGIN_TYPE);
  return envelope(plugins.map((plugin) => pluginJson(plugin, services)));
}

function getPlugin(request: HttpRequest, services: Services): Reply {
  return pluginReply(findPlugin(request, services).id, services);
}

function moved(verb: "start" | "stop" | "restart"): Route["handle"] {
  return async (request, services) => {
    const { id } = findPlugin(request, services);
    await services.integrations[verb](id, request.cause);
    return pluginReply(id, services);
  };
}

async function getLog(request: HttpRequest, services: Services): Promise<Reply> {
  return envelope({ text: await portOfRequest(request, services).log() });
}

function getSettings(request: HttpRequest, services: Services): Reply {
  return settingsReply(findPlugin(request, services).id, services);
}

function settingsReply(id: string, services: Services): Reply {
  const { access = "none" } = services.integrations.find(id).settings;
  return envelope(settingsJson(id, String(access), services));
}

function settingsJson(id: string, access: string, services: Services): object {
  const port = runningPort(id, services);
  const { webHookKey, ...settings } = port.settings();
  const { slot } = services.integrations.find(id).settings;
  const webHook = webHookKey === null ? null : `/api/plugin/${slot}/webhook/${webHookKey}`;
  return { ...settings, access, webHook, signIn: port.stored("oauth") !== null };
}

async function setSettings(request: HttpRequest, services: Services): Promise<Reply> {
  const { id } = findPlugin(request, services);
  // The schema of the route has checked the body.
  const { access, ...change } = request.body as PluginChange & { readonly access?: string };
  await runningPort(id, services).change(change);
  if (access === undefined) return settingsReply(id, services);
  const settings = settingsJson(id, access, services);
  await services.integrations.change(id, { name: null, settings: { access }, enabled: null }, request.cause);
  return envelope(settings);
}

function getStored(request: HttpRequest, services: Services): Reply {
  const { key = "" } = request.params;
  return envelope({ key, value: portOfRequest(request, services).stored(key) });
}

async function setStored(request: HttpRequest, services: Services): Promise<Reply> {
  const port = portOfRequest(request, services);
  const { value } = request.body as { readonly value: unknown };
  await port.store(request.params.key ?? "", value);
  return getStored(request, services);
}

async function dismiss(request: HttpRequest, services: Services): Promise<Reply> {
  const { id } = findPlugin(request, services);
  await runningPort(id, services).dismissNotice(request.params.key ?? "");
  return settingsReply(id, services);
}

function discover(request: HttpRequest, services: Services): Reply {
  portOfRequest(request, services).discover();
  return envelope(null);
}

async function remove(request: HttpRequest, services: Services): Promise<Reply> {
  const { integrations, pluginFolders } = services;
  const { id, settings } = findPlugin(request, services);
  portOf(id, services)?.announceRemoval();
  await integrations.remove(id, "remove", request.cause);
  await pluginFolders.remove(String(settings.folder));
  return envelope(null);
}
