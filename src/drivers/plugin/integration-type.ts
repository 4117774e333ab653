/** A plugin server as an integration. Its driver and the broker are imported when the first one is made. */

import { join } from "node:path";
import type { Config } from "../../config.ts";
import { PLUGINS } from "../../families.ts";
import type { Clock } from "../../util/clock.ts";
import type { Log } from "../../util/log.ts";
import type { IntegrationType } from "../integration-type.ts";
import type { PluginBroker } from "./broker.ts";
import { ACCESS, ControllerAccess, type ControllerPorts } from "./controller-access.ts";
import { RUNTIMES, type Runtime } from "./manifest.ts";
import { ResourceWatch } from "./resource-watch.ts";

export type PluginTypeOptions = ControllerPorts & {
  readonly config: Config;
  readonly uuid: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly tls: () => Promise<{ readonly key: string; readonly cert: string; readonly ca: string }>;
};

/** Addresses hold three digits of it. */
const SLOT_MAX = 999;

/** Where the plugins of a data directory stand. */
export function pluginRoot(data: string): string {
  return join(data, "plugins");
}

export function pluginType(options: PluginTypeOptions): IntegrationType {
  const { config, uuid } = options;
  const resources = new ResourceWatch(options.clock, config);
  let broker: Promise<PluginBroker> | null = null;
  return {
    type: "plugin",
    name: "Plugin server",
    about: "A plugin server of the Polyglot version 3 kind, installed with: domovoi plugin install",
    families: [PLUGINS.id],
    instancesMax: config.pluginsMax,
    settings: SETTINGS,
    claims: ({ slot, folder }) => [`slot ${String(slot)}`, `directory ${String(folder)}`],
    async create({ id, settings }) {
      const { PluginDriver } = await import("./plugin-driver.ts");
      broker ??= import("./broker.ts").then((module) => new module.PluginBroker({ ...options, limits: config }));
      return new PluginDriver({
        id,
        slot: Number(settings.slot),
        data: config.data,
        access: new ControllerAccess(
          options,
          Number(settings.slot),
          ACCESS.find((each) => each === settings.access) ?? "none",
        ),
        resources,
        authority: async () => (await options.tls()).ca,
        directory: join(pluginRoot(config.data), String(settings.folder)),
        given: {
          runtime: RUNTIMES.find((each): each is Runtime => each === settings.runtime) ?? null,
          executable: typeof settings.executable === "string" ? settings.executable : null,
        },
        uuid,
        broker: await broker,
        limits: config,
      });
    },
  };
}

const SETTINGS: IntegrationType["settings"] = {
  type: "object",
  required: ["slot", "folder"],
  additionalProperties: false,
  properties: {
    slot: {
      type: "integer",
      title: "Slot",
      description: "Addresses of its nodes begin with n and this number, such as n007.",
      minimum: 1,
      maximum: SLOT_MAX,
    },
    folder: {
      type: "string",
      title: "Folder",
      description: "Its directory below plugins/ in the data directory.",
      pattern: "^[a-z0-9][a-z0-9-]{0,60}$",
    },
    runtime: {
      type: "string",
      title: "Type",
      description: "What runs it; left out, server.json or the name of the executable says it.",
      enum: RUNTIMES,
    },
    access: {
      type: "string",
      title: "Access to the controller",
      description:
        "The rights of the plugin's own account at the REST interface: none, those of a guest, or those of a user. Programs and the home itself are changed by owners alone.",
      enum: ACCESS,
      default: "none",
    },
    executable: {
      type: "string",
      title: "Executable",
      description: "The file to run; left out, server.json says it, or it is the one file that starts an interface.",
      maxLength: 200,
    },
  },
};
