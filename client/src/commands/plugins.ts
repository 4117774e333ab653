/** Work on plugin servers, in portal mode. @see docs/interface/plugins.md */

import type { Plugin, Plugins } from "../model/plugins.ts";
import type { Routes } from "../model/routes.ts";
import type { Session } from "../transport/session.ts";
import { portalRequest } from "./portal-request.ts";
import { secretsIn } from "./secrets.ts";

export function createPlugins(session: Session): Plugins {
  const request = portalRequest(session, "Work on plugins");
  return {
    list: async () => (await request("GET /api/plugins", {})).map(pluginOf),
    get: async (slot) => pluginOf(await request("GET /api/plugin/:slot", { slot })),
    install: async (file, wanted = {}) => pluginOf(await request("POST /api/plugins", {}, { file, query: wanted })),
    installFrom: async (url, wanted = {}) =>
      pluginOf(await request("POST /api/plugins/download", {}, { body: { url, ...wanted } })),
    upgradeFrom: async (slot, url) =>
      pluginOf(await request("POST /api/plugin/:slot/download", { slot }, { body: { url } })),
    upgrade: async (slot, file) => pluginOf(await request("POST /api/plugin/:slot/upgrade", { slot }, { file })),
    start: async (slot) => pluginOf(await request("POST /api/plugin/:slot/start", { slot })),
    stop: async (slot) => pluginOf(await request("POST /api/plugin/:slot/stop", { slot })),
    restart: async (slot) => pluginOf(await request("POST /api/plugin/:slot/restart", { slot })),
    remove: async (slot) => void (await request("DELETE /api/plugin/:slot", { slot })),
    log: async (slot) => (await request("GET /api/plugin/:slot/log", { slot })).text,
    settings: (slot) => request("GET /api/plugin/:slot/config", { slot }),
    change: (slot, body) =>
      request("POST /api/plugin/:slot/config", { slot }, { body, secrets: secretsIn(body.parameters) }),
    dismissNotice: (slot, key) => request("DELETE /api/plugin/:slot/notice/:key", { slot, key }),
    store: async (slot, key, value) =>
      void (await request(
        "POST /api/plugin/:slot/custom/:key",
        { slot, key },
        { body: { value }, secrets: secretsIn(value) },
      )),
    signIn: (slot, origin) => request("POST /api/plugin/:slot/oauth/start", { slot }, { body: { origin } }),
    discover: async (slot) => void (await request("POST /api/plugin/:slot/discover", { slot })),
  };
}

function pluginOf({ profileNum: slot, ...plugin }: Routes["GET /api/plugin/:slot"]["data"]): Plugin {
  return { ...plugin, slot };
}
