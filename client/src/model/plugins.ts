/** Plugin servers as the controller reports them, and what can be done with them. */

import type { PluginSettings, Routes } from "./routes.ts";

export type { PluginSettings } from "./routes.ts";

export type Plugin = Omit<Routes["GET /api/plugin/:slot"]["data"], "profileNum"> & { readonly slot: number };
/** Rights of a plugin's own account at the REST interface. */
export type PluginAccess = PluginSettings["access"];

export type NewPlugin = {
  readonly name?: string;
  /** `python3`, `node` or `binary`, where the plugin has no server.json. */
  readonly type?: string;
  readonly executable?: string;
};

/** The page of the service that the owner opens, and the address to which it returns. */
export type PluginSignIn = Routes["POST /api/plugin/:slot/oauth/start"]["data"];

export type PluginSettingsChange = Routes["POST /api/plugin/:slot/config"]["body"];

/** Plugin servers; in portal mode, for owners. A plugin is named by its slot, its id or its name. */
export type Plugins = {
  list(): Promise<readonly Plugin[]>;
  get(plugin: string): Promise<Plugin>;
  /** @param archive a .tgz or .zip. Resolves before its requirements are installed: `state` and `reason` say how far it is. */
  install(archive: Uint8Array<ArrayBuffer>, wanted?: NewPlugin): Promise<Plugin>;
  /** @param url of a .tgz or .zip, which the controller downloads */
  installFrom(url: string, wanted?: NewPlugin): Promise<Plugin>;
  /** Puts a newer archive in the place of its files; what it stored stays. */
  upgrade(plugin: string, archive: Uint8Array<ArrayBuffer>): Promise<Plugin>;
  upgradeFrom(plugin: string, url: string): Promise<Plugin>;
  start(plugin: string): Promise<Plugin>;
  stop(plugin: string): Promise<Plugin>;
  restart(plugin: string): Promise<Plugin>;
  /** Removes the plugin with its nodes, its files and its stored data. */
  remove(plugin: string): Promise<void>;
  /** The latest lines that it wrote. */
  log(plugin: string): Promise<string>;
  settings(plugin: string): Promise<PluginSettings>;
  change(plugin: string, change: PluginSettingsChange): Promise<PluginSettings>;
  dismissNotice(plugin: string, key: string): Promise<PluginSettings>;
  /** Stores a value under a key of the plugin, which gets the change at once. */
  store(plugin: string, key: string, value: object): Promise<void>;
  /**
   * Begins a sign-in at the plugin's service.
   * @param origin under which the owner's browser reaches the portal
   */
  signIn(plugin: string, origin: string): Promise<PluginSignIn>;
  /** Asks it to look for devices. */
  discover(plugin: string): Promise<void>;
};
