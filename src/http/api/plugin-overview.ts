/** What clients of the originals read of plugins: short lists, details, and requests to a plugin itself. @see docs/interface/plugins.md */

import { ControllerError } from "../../errors.ts";
import type { Integration } from "../../integrations/integrations.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, list, object, textOrNull } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";
import { findPlugin, PLUGIN_TYPE, portOf, portOfRequest } from "./plugin-lookup.ts";
import { pluginJson } from "./plugin-record.ts";

const ONE = "/api/plugin/:slot";
/** Slots that clients show as places for further plugins. */
const SLOTS_SHOWN = 25;
const TIMEOUT_MS = 60_000;

const noticesData = { type: "object", additionalProperties: { type: "string" }, description: "Texts by key." } as const;
const number = { type: "integer" } as const;
const flag = { type: "boolean" } as const;
const string = { type: "string" } as const;

const shortData = object({ profileNum: number, nsid: string, name: string, isLocal: flag });
const slotData = object({ profileNum: number, name: textOrNull("null: free."), owner: textOrNull("null: free.") });
const detailsData = object({
  profileNum: number,
  nsid: string,
  name: string,
  version: string,
  isLocal: flag,
  isLicensed: flag,
  shortPoll: { ...number, description: "Seconds between two short polls." },
  longPoll: { ...number, description: "Seconds between two long polls." },
  discover: { ...flag, description: "It can be asked to discover devices now." },
  authorize: { ...flag, description: "It has settings of a sign-in (OAuth)." },
  fileUpload: flag,
  isyAccess: { ...flag, description: "It has an account of its own at the REST interface." },
  aiSupport: flag,
});
const requestBody = object(
  {
    payload: {
      type: "object",
      additionalProperties: { description: "Any value." },
      description: "As the plugin expects it.",
    },
  },
  { optional: { timeout: { ...number, minimum: 1, maximum: TIMEOUT_MS, description: "Milliseconds." } } },
);

const route = apiRoute("plugins", "administer");

export const overviewRoutes: readonly Route[] = [
  route("GET /api/plugins/dashboard", "Names and slots of all plugins.", getDashboard, { data: list(shortData) }),
  route("GET /api/plugins/connections", "Slots with their plugins, and free ones.", getSlots, { data: list(slotData) }),
  route("GET /api/plugins/notices", "The notices of all plugins, by slot.", getAllNotices, {
    data: { type: "object", additionalProperties: noticesData },
  }),
  route(`GET ${ONE}/details`, "What it is and can do.", getDetails, { data: detailsData }),
  route(`GET ${ONE}/notices`, "Its notices.", getNotices, { data: noticesData }),
  route(`GET ${ONE}/prompt`, "null: plugins bring no words for assistants.", ofPlugin(null), {
    data: { type: "null" },
  }),
  route(`GET ${ONE}/tools`, "Empty: plugins bring no tools for assistants.", ofPlugin([]), {
    data: list({ description: "None." }),
  }),
  route(`GET ${ONE}/log/download`, "The latest lines that it wrote, in a zip file.", getLogFile, {
    fileType: "application/zip",
  }),
  route(`POST ${ONE}/request`, "Asks the plugin, and answers as it does.", ask, {
    body: requestBody,
    data: { description: "The plugin's answer." },
  }),
  ...["cloudlink", "token"].map((step) =>
    route(`POST ${ONE}/oauth/${step}`, "Not available: a sign-in is started with oauth/start.", unavailable),
  ),
];

function plugins({ integrations }: Services): readonly Integration[] {
  return integrations.list().filter(({ type }) => type === PLUGIN_TYPE);
}

function getDashboard(_request: HttpRequest, services: Services): Reply {
  return envelope(
    plugins(services).map((plugin) => {
      const { profileNum, nsid, name, isLocal } = pluginJson(plugin, services);
      return { profileNum, nsid, name, isLocal };
    }),
  );
}

function getSlots(_request: HttpRequest, services: Services): Reply {
  const names = new Map(plugins(services).map(({ settings, name }) => [Number(settings.slot), name]));
  const free = Array.from({ length: SLOTS_SHOWN }, (_none, at) => at + 1);
  const slots = [...new Set([...free, ...names.keys()])].sort((a, b) => a - b);
  return envelope(
    slots.map((slot) => {
      const name = names.get(slot) ?? null;
      return { profileNum: slot, name, owner: name && services.config.productName };
    }),
  );
}

function noticesOf({ id }: Integration, services: Services): object {
  return portOf(id, services)?.settings().notices ?? {};
}

function getAllNotices(_request: HttpRequest, services: Services): Reply {
  const bySlot = plugins(services).map(
    (plugin) => [String(plugin.settings.slot), noticesOf(plugin, services)] as const,
  );
  return envelope(Object.fromEntries(bySlot));
}

function getNotices(request: HttpRequest, services: Services): Reply {
  return envelope(noticesOf(findPlugin(request, services), services));
}

function getDetails(request: HttpRequest, services: Services): Reply {
  const plugin = findPlugin(request, services);
  const { profileNum, nsid, name, version, isLocal, aiSupport, state } = pluginJson(plugin, services);
  const port = portOf(plugin.id, services);
  const { shortPoll = 0, longPoll = 0 } = port?.settings() ?? {};
  return envelope({
    ...{ profileNum, nsid, name, version, isLocal, aiSupport, shortPoll, longPoll },
    isLicensed: true,
    discover: state === "running",
    authorize: (port?.stored("oauth") ?? null) !== null,
    fileUpload: false,
    isyAccess: (plugin.settings.access ?? "none") !== "none",
  });
}

/** The same for every plugin that there is. */
function ofPlugin(data: unknown): Route["handle"] {
  return (request, services) => {
    findPlugin(request, services);
    return envelope(data);
  };
}

/** Stored, not compressed: the lines are few, and compressing them would hold up the controller. */
async function getLogFile(request: HttpRequest, services: Services): Promise<Reply> {
  const [text, { zipSync }] = await Promise.all([portOfRequest(request, services).log(), import("fflate")]);
  const body = Buffer.from(zipSync({ "debug.log": Buffer.from(text) }, { level: 0 }));
  const headers = {
    "Content-Disposition": `attachment; filename="plugin-${portOfRequest(request, services).slot}.zip"`,
  };
  return { status: 200, contentType: "application/zip", body, headers };
}

async function ask(request: HttpRequest, services: Services): Promise<Reply> {
  const { payload, timeout = TIMEOUT_MS } = bodyOf(request, requestBody);
  return envelope(await portOfRequest(request, services).ask(payload, timeout));
}

function unavailable(request: HttpRequest, services: Services): Reply {
  findPlugin(request, services);
  throw new ControllerError("OPERATION_UNAVAILABLE");
}
