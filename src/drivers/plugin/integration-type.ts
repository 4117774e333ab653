/** A plugin server as an integration. Its driver and the broker are imported when the first one is made. */

import { join, resolve } from "node:path";
import type { Config } from "../../config.ts";
import { PLUGINS } from "../../families.ts";
import type { Clock } from "../../util/clock.ts";
import type { Log } from "../../util/log.ts";
import type { IntegrationType } from "../integration-type.ts";
import { PLUGIN_ACCESS, type PluginAuthority } from "../plugin-port.ts";
import type { Broker, BrokerOptions } from "./broker.ts";
import { ControllerAccess, type ControllerPorts } from "./controller-access.ts";
import { RUNTIMES, type Runtime, readManifest } from "./manifest.ts";
import { MessageRate } from "./message-rate.ts";
import { NetworkSearch } from "./network-search.ts";
import { ResourceWatch } from "./resource-watch.ts";

export type PluginTypeOptions = ControllerPorts & {
  readonly config: Config;
  readonly uuid: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The authority of the listeners' certificate, PEM. */
  readonly listenerAuthority: () => Promise<string>;
  readonly authority: PluginAuthority;
  readonly mayWatch: BrokerOptions["mayWatch"];
};

/** Addresses hold three digits of it. */
const SLOT_MAX = 999;

/** The directory of all plugins. An absolute path, because each plugin runs in a working directory of its own. */
export function pluginRoot(data: string): string {
  return resolve(data, "plugins");
}

export function pluginType(options: PluginTypeOptions): IntegrationType {
  const { config, uuid } = options;
  const webHookRate = new MessageRate(options.clock, config.pluginsWebHooksPerSecond);
  const resources = new ResourceWatch(options.clock, config);
  const search = new NetworkSearch(options);
  let broker: Promise<Broker> | null = null;
  return {
    type: "plugin",
    name: "Plugin server",
    about: "A plugin server of the Polyglot version 3 kind, installed with: domovoi plugin install",
    families: [PLUGINS.id],
    instancesMax: config.pluginsMax,
    settings: SETTINGS,
    claims: ({ slot, folder }) => [`slot ${String(slot)}`, `directory ${String(folder)}`],
    async create({ id, settings, store }) {
      const { PluginDriver } = await import("./plugin-driver.ts");
      broker ??= openBroker(options);
      const directory = join(pluginRoot(config.data), String(settings.folder));
      const given = {
        runtime: RUNTIMES.find((each): each is Runtime => each === settings.runtime) ?? null,
        executable: typeof settings.executable === "string" ? settings.executable : null,
      };
      const driver = new PluginDriver({
        id,
        slot: Number(settings.slot),
        data: resolve(config.data),
        access: new ControllerAccess(
          options,
          Number(settings.slot),
          PLUGIN_ACCESS.find((each) => each === settings.access) ?? "none",
        ),
        resources,
        search,
        webHookRate,
        listenerAuthority: options.listenerAuthority,
        authority: options.authority,
        directory,
        given,
        store,
        // Its start says what is wrong with it.
        manifest: await readManifest(directory, given).catch(() => null),
        uuid,
        broker: await broker,
        limits: { ...config, pluginHiddenPaths: hiddenPaths(config) },
      });
      return { driver, plugin: driver.plugin };
    },
  };
}

/** What belongs to the controller outside of its data. */
function hiddenPaths(config: Config): readonly string[] {
  const { certificateKeyFile, metricsTokenFile, pluginBrokerPasswordFile, mqttPasswordFile } = config;
  const { backupDirectory, backupPassphraseFile } = config;
  const passwords = [certificateKeyFile, metricsTokenFile, pluginBrokerPasswordFile, mqttPasswordFile];
  const own = [...passwords, backupDirectory, backupPassphraseFile];
  return [...config.pluginHiddenPaths, ...own.filter((path) => path !== "")];
}

async function openBroker(options: PluginTypeOptions): Promise<Broker> {
  const limits = options.config;
  if (limits.pluginBrokerUrl === "") {
    const { PluginBroker } = await import("./broker.ts");
    return new PluginBroker({ ...options, limits });
  }
  const { ExternalBroker } = await import("./external-broker.ts");
  return new ExternalBroker({ ...options, limits });
}

const SETTINGS: IntegrationType["settings"] = {
  type: "object",
  required: ["slot", "folder"],
  additionalProperties: false,
  properties: {
    slot: {
      type: "integer",
      title: "Slot",
      description: "Addresses of its nodes start with n and this number, such as n007.",
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
      description: "Interpreter of the plugin. Default: from server.json or the name of the executable.",
      enum: RUNTIMES,
    },
    access: {
      type: "string",
      title: "Access to the controller",
      description:
        "The rights of the plugin's own account at the REST interface: none, or those of a guest, a user or an owner. Only an owner can change programs and the home itself.",
      enum: PLUGIN_ACCESS,
      default: "none",
    },
    executable: {
      type: "string",
      title: "Executable",
      description:
        "The file to run. Default: the one in server.json, or the only .py or .js file that creates an Interface.",
      maxLength: 200,
    },
  },
};
