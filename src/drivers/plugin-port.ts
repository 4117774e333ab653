/** The operations on plugins for the surfaces, independent of their host. @see docs/plugins.md */

/** Rights of a plugin's own account at the REST interface. */
export const PLUGIN_ACCESS = ["none", "guest", "user", "owner"] as const;
export type PluginAccess = (typeof PLUGIN_ACCESS)[number];

export const PLUGIN_STATES = ["starting", "running", "stopped", "failed", "crashed"] as const;
export type PluginState = (typeof PLUGIN_STATES)[number];

/** Present use of its processes and its directory. */
export type PluginUsage = {
  readonly memoryMiB: number;
  /** Percent of one processor. */
  readonly cpuPercent: number;
  readonly processes: number;
  /** Of the process that has the most. */
  readonly openFiles: number;
  readonly diskMiB: number;
};

/** A running integration that is a plugin. */
export type PluginPort = {
  readonly slot: number;
  /** Id of its process; null without one. */
  readonly pid: number | null;
  /** Its own directory. */
  readonly directory: string;
  /** As the plugin says it; "" before it has. */
  readonly version: string;
  readonly state: PluginState;
  /** A sentence: why it is in this state, or "". */
  readonly reason: string;
  /** null while it does not run. */
  readonly usage: PluginUsage | null;
  /** Messages that it sent in the latest full second. */
  readonly messagesPerSecond: number;
  /** Whether the controller's data and processes are hidden from it. */
  readonly isSandboxed: boolean;
  /** The latest lines that it wrote, without secrets. */
  log(): Promise<string>;
  settings(): PluginSettings;
  /** The plugin receives the change at once. Settles when it is on disk. @throws ControllerError BAD_VALUE, STORE_UNAVAILABLE */
  change(change: PluginChange): Promise<void>;
  /** The stored value of a key, as JSON if it is valid JSON; null without one. */
  stored(key: string): unknown;
  /** Stores this under a key, and sends it to the plugin. Settles as `change` does. */
  store(key: string, value: unknown): Promise<void>;
  /** Sends the plugin the tokens that its vendor's service issued. */
  sendTokens(tokens: Readonly<Record<string, unknown>>): void;
  /**
   * @param redirectUrl to which the service sends the owner's browser afterwards
   * @returns the service's page, where the owner signs in
   * @throws ControllerError BAD_VALUE when the plugin's OAuth settings are incomplete
   */
  beginSignIn(redirectUrl: string): string;
  /** Fetches the tokens and sends them to the plugin. @throws ControllerError PLUGIN_NOT_FOUND for a wrong state, BAD_VALUE */
  finishSignIn(state: string, code: string | null): Promise<void>;
  /** Settles as `change` does. */
  dismissNotice(key: string): Promise<void>;
  /** Does what a message of the plugin asks for, without one. @returns why it was refused, or null. */
  handle(message: PluginMessage): Promise<PluginRefusal | null>;
  /**
   * Forwards a request of a web service.
   * @param waits for the plugin's own answer
   * @throws ControllerError PLUGIN_NOT_FOUND for a wrong key, DRIVER_UNAVAILABLE, TOO_MANY_REQUESTS, DEVICE_TIMEOUT
   */
  forward(key: string, request: WebHookRequest, waits: boolean): Promise<WebHookAnswer>;
  /**
   * Asks it something that only its author and the asking program understand.
   * @throws ControllerError CONFLICT, DRIVER_UNAVAILABLE, NOT_SUPPORTED, DEVICE_FAILED, DEVICE_TIMEOUT, TOO_MANY_REQUESTS
   */
  ask(payload: unknown, timeoutMs: number): Promise<unknown>;
  /** Asks it to look for devices. @throws ControllerError CONFLICT, DRIVER_UNAVAILABLE */
  discover(): void;
  /** Says that it is about to be removed. */
  announceRemoval(): void;
};

/** A message about one thing. */
export type PluginMessage = {
  readonly kind: "command" | "status";
  readonly verb: string;
  readonly item: Readonly<Record<string, unknown>>;
};

export type PluginRefusal = { readonly error: string; readonly code: number };

export type PluginChange = {
  /** Laid over its parameters; null takes one away. */
  readonly parameters?: Readonly<Record<string, string | null>>;
  /** Replaces the data of its form. */
  readonly typedData?: unknown;
  readonly shortPoll?: number;
  readonly longPoll?: number;
  readonly logLevel?: string;
  /** Whether it has a web address. */
  readonly webHook?: boolean;
};

export type WebHookRequest = {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
};

/** The body is a text, or JSON. */
export type WebHookAnswer = { readonly status: number; readonly body: unknown };

export type PluginSettings = {
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Definitions of its form, as the plugin wrote them, and what was filled in. */
  readonly typedParameters: unknown;
  readonly typedData: unknown;
  /** Text by key. */
  readonly notices: Readonly<Record<string, unknown>>;
  /** The plugin's help page about its parameters, as unsafe HTML. */
  readonly help: string;
  /** Seconds. */
  readonly shortPoll: number;
  readonly longPoll: number;
  readonly logLevel: string;
  /** The levels that it knows. */
  readonly logLevels: readonly string[];
  /** The secret part of its web address; null: it has none. */
  readonly webHookKey: string | null;
};

/** The directories in which plugins stand. */
export type PluginFolders = {
  /**
   * Unpacks a .tgz or .zip into a new directory, which no other installation uses.
   * @throws ControllerError PLUGIN_REFUSED
   */
  unpack(archive: Uint8Array, given: PluginGiven): Promise<UnpackedPlugin>;
  /**
   * Puts a newer archive in the place of a plugin's files; what plugins keep beside them stays.
   * @throws ControllerError PLUGIN_REFUSED before anything has changed
   */
  replace(folder: string, archive: Uint8Array, given: PluginGiven): Promise<void>;
  remove(folder: string): Promise<void>;
  /**
   * Removes what an installation or upgrade left behind that the controller did not survive.
   * @param used directories of plugins; they stay
   */
  removeLeftovers(used: ReadonlySet<string>): Promise<void>;
};

type UnpackedPlugin = {
  readonly folder: string;
  /** The plugin's own name, or null. */
  readonly name: string | null;
  /** The directory stays after a restart of the controller. Called when the plugin is on record. */
  keep(): Promise<void>;
};

export type PluginGiven = {
  readonly runtime: string | null;
  readonly executable: string | null;
};

/** PEM, with the certificate of the authority that signed it. */
export type KeyPair = { readonly key: string; readonly cert: string; readonly ca: string };

/** Signs the certificates of the plugin broker and of its clients. */
export type PluginAuthority = {
  /** For the broker, on this machine. */
  broker(): Promise<KeyPair>;
  /** @param name as which the client logs in. */
  client(name: string): Promise<KeyPair>;
};

/** So begins the name as which the session of an account logs in at the broker; its id follows. */
export const SESSION_CLIENT = "session ";
