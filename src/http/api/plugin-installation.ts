/**
 * Installing and upgrading plugins, from an archive in the request or from one that the controller downloads.
 * @see docs/interface/plugins.md
 */

import { ControllerError } from "../../errors.ts";
import { PLUGINS } from "../../families.ts";
import { readAnswer, sendChecked } from "../../util/checked-request.ts";
import { ownAddresses, parseTargets } from "../../util/network-target.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { type JsonSchema, object } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";
import { findPlugin, PLUGIN_TYPE } from "./plugin-lookup.ts";
import { pluginData, pluginReply } from "./plugin-record.ts";

const ONE = "/api/plugin/:slot";
const NAME_LENGTH_MAX = 200;
/** Hosts of repositories send their archives from another address. */
const REDIRECTS_MAX = 3;

const url = { type: "string", description: "Address of a .tgz or .zip archive, https:// or http://." } as const;
const choices = {
  name: { type: "string", description: "Its name. Default: as the plugin calls itself." },
  type: { type: "string", description: "python3, node or binary, where the plugin has no server.json." },
  executable: { type: "string", description: "The file to run, where the plugin has no server.json." },
} as const satisfies Readonly<Record<string, JsonSchema>>;

type Given = { readonly [Name in keyof typeof choices]?: string };

const route = apiRoute("plugins", "administer", { data: pluginData });

export const installationRoutes: readonly Route[] = [
  route("POST /api/plugins", "Installs a plugin from a .tgz or .zip archive, and starts it.", installFile, {
    fileLimit: "pluginArchiveBytesMax",
    query: choices,
  }),
  route(
    "POST /api/plugins/download",
    "Downloads a .tgz or .zip archive, installs the plugin and starts it.",
    download,
    {
      body: object({ url }, { optional: choices, additionalProperties: false }),
    },
  ),
  route(
    `POST ${ONE}/upgrade`,
    "Upgrades it from a newer archive, and starts it.",
    (request, services) => upgrade(request, request.file, services),
    { fileLimit: "pluginArchiveBytesMax" },
  ),
  route(`POST ${ONE}/download`, "Downloads a newer archive, upgrades it and starts it.", downloadUpgrade, {
    body: object({ url }, { additionalProperties: false }),
  }),
];

function installFile(request: HttpRequest, services: Services): Promise<Reply> {
  return install(request, request.file, Object.fromEntries(request.query), services);
}

async function download(request: HttpRequest, services: Services): Promise<Reply> {
  const { url: address, ...given } = request.body as Given & { readonly url: string };
  requireFreeName(given.name, services);
  return install(request, await downloaded(address, request, services), given, services);
}

async function downloadUpgrade(request: HttpRequest, services: Services): Promise<Reply> {
  findPlugin(request, services);
  const { url: address } = request.body as { readonly url: string };
  return upgrade(request, await downloaded(address, request, services), services);
}

/** Devices of the home network are in reach, as for network resources. @throws ControllerError PLUGIN_REFUSED, TARGET_REFUSED */
async function downloaded(address: string, { signal }: HttpRequest, { config }: Services): Promise<Uint8Array> {
  const target = URL.parse(address);
  if (!target || !/^https?:$/.test(target.protocol) || target.username !== "" || target.password !== "") {
    throw refused("The address of an archive must start with https:// or http:// and contain no password.");
  }
  const rules = { targets: parseTargets(config.networkTargets), ownAddresses: ownAddresses() };
  const { host } = target;
  try {
    const answer = await sendChecked(target, { method: "GET", rules, signal, redirectsMax: REDIRECTS_MAX });
    if (answer.statusCode !== 200) {
      answer.destroy();
      throw refused(`The archive cannot be downloaded: ${host} answered with status ${answer.statusCode}.`);
    }
    const archive = await readAnswer(answer, config.pluginArchiveBytesMax);
    if (archive) return archive;
  } catch (error) {
    if (error instanceof ControllerError || signal.aborted) throw error;
    throw refused(`The archive cannot be downloaded: ${host} cannot be reached.`, error);
  }
  throw refused(`The archive is longer than ${config.pluginArchiveBytesMax} bytes (pluginArchiveBytesMax).`);
}

async function install(
  { cause }: HttpRequest,
  archive: Uint8Array,
  { name: wantedName, type: runtime, executable }: Given,
  services: Services,
): Promise<Reply> {
  const { pluginFolders, integrations } = services;
  requireFreeName(wantedName, services);
  const given = { runtime: runtime ?? null, executable: executable ?? null };
  const { folder, name, keep } = await pluginFolders.unpack(archive, given);
  try {
    const called = (wantedName ?? name ?? folder).slice(0, NAME_LENGTH_MAX);
    requireFreeName(called, services);
    // Another installation must not take the same slot, so nothing may wait between this line and the addition.
    const settings = {
      slot: freeSlot(services),
      folder,
      ...(runtime === undefined ? {} : { runtime }),
      ...(executable === undefined ? {} : { executable }),
    };
    const added = await integrations.add({ type: PLUGIN_TYPE, id: null, name: called, settings, enabled: true }, cause);
    await keep();
    return pluginReply(added.id, services);
  } catch (error) {
    await pluginFolders.remove(folder);
    throw error;
  }
}

function requireFreeName(name: string | undefined, { integrations }: Services): void {
  if (name === undefined || !integrations.list().some((each) => each.type === PLUGIN_TYPE && each.name === name))
    return;
  throw new ControllerError(
    "CONFLICT",
    `There is a plugin "${name}" already. Choose another name, or upgrade that plugin.`,
  );
}

/** The lowest that no plugin and no node has. */
function freeSlot({ integrations, home }: Services): number {
  const taken = new Set<unknown>(integrations.list().map(({ settings }) => settings.slot));
  for (const { family, instance } of home.nodes.values()) if (family === PLUGINS.id) taken.add(instance);
  let slot = 1;
  while (taken.has(slot)) slot += 1;
  return slot;
}

async function upgrade(request: HttpRequest, archive: Uint8Array, services: Services): Promise<Reply> {
  const { integrations, pluginFolders } = services;
  const { id, settings } = findPlugin(request, services);
  const { folder, runtime = null, executable = null } = settings;
  const given = { runtime: textOrNull(runtime), executable: textOrNull(executable) };
  await integrations.whileStopped(id, () => pluginFolders.replace(String(folder), archive, given));
  return pluginReply(id, services);
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function refused(sentence: string, cause?: unknown): ControllerError {
  return new ControllerError("PLUGIN_REFUSED", { sentence, cause });
}
