/** What the surfaces can do with plugins, whatever hosts them. @see docs/plugins.md */

export type PluginState = "starting" | "running" | "stopped" | "failed" | "crashed";

/** A running integration that is a plugin. */
export type PluginPort = {
  readonly slot: number;
  /** Of its process; null while there is none. */
  readonly pid: number | null;
  /** Its own directory. */
  readonly directory: string;
  /** As the plugin says it; "" before it has. */
  readonly version: string;
  readonly state: PluginState;
  /** A sentence: why it is in this state, or "". */
  readonly reason: string;
  /** The latest lines that it wrote, without secrets. */
  log(): Promise<string>;
  settings(): PluginSettings;
  /** Lays these over its parameters; null takes one away. The plugin hears of it at once. @throws ControllerError BAD_VALUE */
  setParameters(parameters: Readonly<Record<string, string | null>>): void;
  /** Replaces the data of its form. @throws ControllerError BAD_VALUE */
  setTypedData(data: unknown): void;
  dismissNotice(key: string): void;
  /** Asks it to look for devices. */
  discover(): void;
  /** Says that it is about to be removed. */
  announceRemoval(): void;
};

export type PluginSettings = {
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Definitions of its form, as the plugin wrote them, and what was filled in. */
  readonly typedParameters: unknown;
  readonly typedData: unknown;
  /** Text by key. */
  readonly notices: Readonly<Record<string, unknown>>;
  /** The plugin's help page about its parameters, as unsafe HTML. */
  readonly help: string;
};

/** The directories in which plugins stand. */
export type PluginFolders = {
  /**
   * Unpacks a .tgz or .zip into a new directory.
   * @returns the directory's name, and the plugin's own name or null.
   * @throws ControllerError PLUGIN_REFUSED
   */
  unpack(archive: Uint8Array, given: PluginGiven): Promise<{ readonly folder: string; readonly name: string | null }>;
  /**
   * Puts a newer archive in the place of a plugin's files; what plugins keep beside them stays.
   * @throws ControllerError PLUGIN_REFUSED before anything has changed
   */
  replace(folder: string, archive: Uint8Array, given: PluginGiven): Promise<void>;
  remove(folder: string): Promise<void>;
};

export type PluginGiven = {
  readonly slot: number;
  readonly runtime: string | null;
  readonly executable: string | null;
};
