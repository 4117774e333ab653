/** Plugin servers as the controller reports them, and what can be done with them. */

export type PluginState = "starting" | "running" | "stopped" | "failed" | "crashed";

export type Plugin = {
  /** The id of its integration. */
  readonly id: string;
  readonly slot: number;
  readonly name: string;
  readonly enabled: boolean;
  /** `running` only while it is connected. */
  readonly state: PluginState;
  /** Why it is in this state: a sentence, or empty. */
  readonly reason: string;
  readonly version: string;
  readonly pid: number | null;
  /** Its directory at the controller. */
  readonly home: string;
  readonly nodes: number;
  /** Of its processes; null while it does not run. */
  readonly memoryMiB: number | null;
  /** Of one processor. */
  readonly cpuPercent: number | null;
  readonly messagesPerSecond: number;
  /** Whether the controller's data and processes are hidden from it. */
  readonly sandboxed: boolean;
  /** How many notices it shows. */
  readonly notices: number;
};

/** Rights of a plugin's own account at the REST interface. */
export type PluginAccess = "none" | "guest" | "user";

export type PluginSettings = {
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Definition of its form, and what is filled in; null where there is none. */
  readonly typedParameters: unknown;
  readonly typedData: unknown;
  /** Texts by key, written by the plugin. They may contain unsafe HTML. */
  readonly notices: Readonly<Record<string, unknown>>;
  /** The plugin's help page about its parameters, as unsafe HTML. */
  readonly help: string;
  /** Seconds between two polls. */
  readonly shortPoll: number;
  readonly longPoll: number;
  readonly logLevel: string;
  readonly logLevels: readonly string[];
  readonly access: PluginAccess;
};

export type NewPlugin = {
  readonly name?: string;
  /** `python3`, `node` or `binary`, where the plugin has no server.json. */
  readonly type?: string;
  readonly executable?: string;
};

export type PluginSettingsChange = {
  /** Laid over those that it has; null takes one away. */
  readonly parameters?: Readonly<Record<string, string | null>>;
  /** Replaces what is filled in. */
  readonly typedData?: object;
  /** Seconds. */
  readonly shortPoll?: number;
  readonly longPoll?: number;
  readonly logLevel?: string;
  /** The plugin is restarted. */
  readonly access?: PluginAccess;
};

/** Plugin servers; in portal mode, for owners. A plugin is named by its slot, its id or its name. */
export type Plugins = {
  list(): Promise<readonly Plugin[]>;
  get(plugin: string): Promise<Plugin>;
  /** @param archive a .tgz or .zip. Resolves before its requirements are installed: `state` and `reason` say how far it is. */
  install(archive: Uint8Array<ArrayBuffer>, wanted?: NewPlugin): Promise<Plugin>;
  /** Puts a newer archive in the place of its files; what it stored stays. */
  upgrade(plugin: string, archive: Uint8Array<ArrayBuffer>): Promise<Plugin>;
  start(plugin: string): Promise<Plugin>;
  stop(plugin: string): Promise<Plugin>;
  restart(plugin: string): Promise<Plugin>;
  /** With its nodes, its files and what it stored. */
  remove(plugin: string): Promise<void>;
  /** The latest lines that it wrote. */
  log(plugin: string): Promise<string>;
  settings(plugin: string): Promise<PluginSettings>;
  change(plugin: string, change: PluginSettingsChange): Promise<PluginSettings>;
  dismissNotice(plugin: string, key: string): Promise<PluginSettings>;
  /** Asks it to look for devices. */
  discover(plugin: string): Promise<void>;
};
