/** Work on plugin servers, in portal mode. @see docs/interface/plugins.md */

import { isObject, objectsOf, readEnvelope } from "../documents/json.ts";
import { readPlugin, readPluginSettings } from "../documents/plugins.ts";
import type { Plugins } from "../model/plugins.ts";
import type { Session } from "../transport/session.ts";
import { requirePortal, write } from "./acknowledge.ts";
import { segment } from "./paths.ts";

const ALL = "/api/plugins";
const WORK = "Work on plugins";

export function createPlugins(session: Session): Plugins {
  const one = (plugin: string) => `/api/plugin/${segment(plugin)}`;
  const read = async (path: string) => {
    requirePortal(session, WORK);
    return readEnvelope(await session.get(path), path);
  };
  const send = async (method: Parameters<typeof write>[1], path: string, body?: object) => {
    requirePortal(session, WORK);
    return write(session, method, path, body, isObject(body) ? textsOf(body.parameters) : []);
  };
  const upload = async (path: string, file: Uint8Array<ArrayBuffer>) => {
    requirePortal(session, WORK);
    return readPlugin(readEnvelope(await session.send("POST", path, { file }), path));
  };
  return {
    list: async () => objectsOf(await read(ALL)).map(readPlugin),
    get: async (plugin) => readPlugin(await read(one(plugin))),
    install: (archive, wanted = {}) => upload(`${ALL}${queryOf(wanted)}`, archive),
    upgrade: (plugin, archive) => upload(`${one(plugin)}/upgrade`, archive),
    start: async (plugin) => readPlugin(await send("POST", `${one(plugin)}/start`)),
    stop: async (plugin) => readPlugin(await send("POST", `${one(plugin)}/stop`)),
    restart: async (plugin) => readPlugin(await send("POST", `${one(plugin)}/restart`)),
    remove: async (plugin) => void (await send("DELETE", one(plugin))),
    async log(plugin) {
      const data = await read(`${one(plugin)}/log`);
      return isObject(data) && typeof data.text === "string" ? data.text : "";
    },
    settings: async (plugin) => readPluginSettings(await read(`${one(plugin)}/config`)),
    change: async (plugin, change) => readPluginSettings(await send("POST", `${one(plugin)}/config`, change)),
    dismissNotice: async (plugin, key) =>
      readPluginSettings(await send("DELETE", `${one(plugin)}/notice/${segment(key)}`)),
    discover: async (plugin) => void (await send("POST", `${one(plugin)}/discover`)),
  };
}

function queryOf(wanted: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(wanted).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}

/** A parameter may be a password. */
function textsOf(parameters: unknown): readonly string[] {
  if (!isObject(parameters)) return [];
  return Object.values(parameters).filter((value) => typeof value === "string" && value.length >= 4) as string[];
}
