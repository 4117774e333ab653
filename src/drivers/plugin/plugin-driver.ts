/**
 * A plugin server as a driver: its process, its conversation with the controller, and its nodes.
 *
 *     not installed → installs its requirements → starts the process → the plugin connects → ready
 *
 * A process that ends by itself is a failed driver: the registry starts it again, each time later.
 */

import { randomBytes } from "node:crypto";
import { ControllerError } from "../../errors.ts";
import type { Timer } from "../../util/clock.ts";
import { messageOf } from "../../util/message-of.ts";
import type { DriverCommand, Outcome } from "../command.ts";
import type { Driver, DriverHost } from "../driver.ts";
import type { PluginPort, PluginState } from "../plugin-port.ts";
import type { ServiceStore } from "../service.ts";
import type { Broker, BrokerLogin } from "./broker.ts";
import type { ControllerAccess } from "./controller-access.ts";
import { type Manifest, type ManifestGiven, readManifest } from "./manifest.ts";
import { MessageRate } from "./message-rate.ts";
import type { NetworkSearch } from "./network-search.ts";
import { OAuthSignIn } from "./oauth-sign-in.ts";
import { PluginData } from "./plugin-data.ts";
import { PluginDefinitions } from "./plugin-definitions.ts";
import { crashReason, pluginLog } from "./plugin-log.ts";
import type { PluginProcess } from "./plugin-process.ts";
import { type Changes, changeSettings, dismissNotice, settingsOf, storeValue } from "./plugin-settings.ts";
import { Polls } from "./polls.ts";
import { endLeftProcesses } from "./process-table.ts";
import { installRequirements, isInstalled } from "./requirements.ts";
import type { ResourceWatch, Watch } from "./resource-watch.ts";
import { PluginSession } from "./session.ts";
import { encodedInit, type StartOptions, startPlugin } from "./start-plugin.ts";
import { WebHooks } from "./web-hooks.ts";

type PluginLimits = {
  readonly pluginNodesMax: number;
  readonly pluginDataBytesMax: number;
  readonly pluginStartMs: number;
  readonly pluginInstallMs: number;
  readonly pluginMessageBytesMax: number;
  readonly pluginWebHooksPerSecond: number;
  readonly pluginWebHooksWaitingMax: number;
  readonly networkTargets: readonly string[];
};

type PluginDriverOptions = StartOptions & {
  readonly id: string;
  readonly given: ManifestGiven;
  readonly store: ServiceStore;
  /** As it is before its start; null: it cannot be read. */
  readonly manifest: Manifest | null;
  readonly broker: Broker;
  readonly access: ControllerAccess;
  readonly resources: ResourceWatch;
  readonly search: NetworkSearch;
  /** Web hooks of all plugins together. */
  readonly webHookRate: MessageRate;
  readonly limits: PluginLimits;
};

/** Between the stop message and SIGTERM, for a plugin that stays connected. */
const STOP_MS = 3000;
/** Shorter than a driver's start may take. */
const SETTLE_MS = 8000;
/** A plugin that went beyond a limit is not started again before. */
const PAUSE_MS = 60_000;
const CONNECTION = { from: "the plugin's connection" };
const NOT_YET_CONNECTED = "The plugin has not connected yet.";
const NOT_CONNECTED = {
  kind: "failed",
  reason: "not-ready",
  detail: "The plugin is not connected.",
  retryable: true,
} as const satisfies Outcome;

export class PluginDriver implements Driver {
  readonly name: string;
  readonly plugin: PluginPort;
  readonly #options: PluginDriverOptions;
  #host: DriverHost | null = null;
  #manifest: Manifest | null = null;
  #session: PluginSession | null = null;
  #webHooks: WebHooks | null = null;
  #signIn: OAuthSignIn | null = null;
  #login: BrokerLogin | null = null;
  #process: PluginProcess | null = null;
  /** The latest process, also after its end: its output is part of the log. */
  #printing: PluginProcess | null = null;
  /** The end of the process before. */
  #ending: Promise<void> = Promise.resolve();
  #secrets: readonly string[] = [];
  /** The time in which it has to connect. */
  #limit: Timer | null = null;
  #watch: Watch | null = null;
  #isSandboxed = false;
  #polls: Polls | null = null;
  #definitions: PluginDefinitions | null = null;
  #isConnected = false;
  #disconnected: (() => void) | null = null;
  /** Called when a plugin that is being started has connected or ended. */
  #moved: (() => void) | null = null;
  /** The installation, or the restart at the plugin's request, that is under way. A stop aborts it. */
  #preparation: AbortController | null = null;
  /** The start of its process that is under way. A stop waits for it, so that it ends the process and nothing is written after it. */
  #starting: Promise<void> = Promise.resolve();
  #state: PluginState = "stopped";
  #reason = "";
  #startedAtMs = 0;
  /** Until when it is not started, and why. */
  #pause: { readonly untilMs: number; readonly reason: string } | null = null;

  constructor(options: PluginDriverOptions) {
    this.name = options.id;
    this.#options = options;
    this.#manifest = options.manifest;
    this.plugin = this.#port();
  }

  /** Its nodes are shown with their last values while it starts. */
  restore(host: DriverHost): void {
    this.#host = host;
    this.#setState("starting", "");
  }

  async start(host: DriverHost, signal: AbortSignal): Promise<void> {
    const { directory, given, limits } = this.#options;
    this.#host = host;
    if (this.#pause && host.clock.elapsed() < this.#pause.untilMs) {
      this.#setState("failed", this.#pause.reason);
      throw new Error(this.#pause.reason);
    }
    this.#setState("starting", "");
    try {
      this.#manifest = await readManifest(directory, given);
    } catch (error) {
      this.#setState("failed", messageOf(error));
      throw error;
    }
    const data = this.#storedData();
    const { slot } = this.#options;
    this.#definitions ??= new PluginDefinitions({ directory, slot, host, bytesMax: limits.pluginMessageBytesMax });
    this.#session = this.#makeSession(host, data, this.#manifest, this.#definitions);
    await this.#definitions.load(false);
    this.#session.showNodes();
    await this.#ending;
    await endLeftProcesses(directory);
    const isReady = await isInstalled(directory);
    signal.throwIfAborted();
    if (!isReady) {
      this.#starting = this.#install(host, this.#manifest);
      return;
    }
    this.#starting = this.#launch();
    await this.#starting.catch((error: unknown) => {
      this.#fail("failed", messageOf(error));
      throw error;
    });
    await this.#settled();
    if (this.#state === "starting") host.status("degraded", NOT_YET_CONNECTED);
  }

  /** Resolves when the plugin has connected, or takes longer than a start may. @throws Error with the reason when it has ended. */
  async #settled(): Promise<void> {
    const [child, clock] = [this.#process, this.#host?.clock];
    if (!child || !clock || this.#isConnected) return;
    await new Promise<void>((resolve) => {
      this.#moved = resolve;
      clock.setTimer(resolve, SETTLE_MS);
    });
    this.#moved = null;
    if (this.#state === "crashed" || this.#state === "failed") throw new Error(this.#reason);
  }

  /** Takes longer than a start may: the start does not wait for it. */
  async #install(host: DriverHost, manifest: Manifest): Promise<void> {
    const { directory, limits } = this.#options;
    const { clock } = host;
    const preparation = new AbortController();
    const { signal } = preparation;
    this.#preparation = preparation;
    const progress = (line: string) => this.#setState("starting", `Installing its requirements: ${line}`);
    this.#setState("starting", "Installing its requirements.");
    host.status("degraded", "Its requirements are being installed.");
    try {
      const { data } = this.#options;
      const limitMs = limits.pluginInstallMs;
      await installRequirements({ directory, data, limits, manifest, clock, limitMs, signal, progress });
      signal.throwIfAborted();
      await this.#launch();
    } catch (error) {
      if (!signal.aborted) this.#fail("failed", messageOf(error));
    }
  }

  async #launch(): Promise<void> {
    const { uuid, slot, broker, limits, access } = this.#options;
    const [host, manifest, session] = [this.#host, this.#manifest, this.#session];
    if (!host || !manifest || !session) return;
    const token = randomBytes(24).toString("base64url");
    const id = `${uuid}_${slot}`;
    this.#login = await broker.register({
      id,
      token,
      connected: () => void host.guard(CONNECTION, () => this.#connected()),
      disconnected: () => void host.guard(CONNECTION, () => this.#lostConnection()),
      received: async (kind, payload) =>
        host.guard({ from: `plugin message ${kind}`, content: payload }, () => session.received(kind, payload)),
      exceeded: (reason) => void host.guard(CONNECTION, () => this.#exceeded(reason)),
    });
    const init = encodedInit(token, this.#login, manifest, this.#options);
    this.#secrets = [token, init, ...access.grant()];
    this.#startedAtMs = Date.now();
    const { process: child, isSandboxed } = await startPlugin(id, init, manifest, this.#options, host.clock);
    this.#isSandboxed = isSandboxed;
    this.#process = child;
    this.#printing = child;
    this.#setState("starting", NOT_YET_CONNECTED);
    void child.exited.then(({ code, signal }) => this.#ended(child, code, signal));
    this.#requireConnection(`It did not connect within ${limits.pluginStartMs / 1000} seconds.`);
    if (child.pid === null) return;
    this.#watch = this.#options.resources.watch({
      pid: child.pid,
      directory: this.#options.directory,
      isStarting: () => !this.#isConnected,
      exceeded: (reason) => this.#exceeded(reason),
    });
  }

  async stop(): Promise<void> {
    this.#preparation?.abort();
    this.#preparation = null;
    await this.#starting.catch(() => {});
    await this.#end();
  }

  async #end(): Promise<void> {
    this.#setState("stopped", "");
    const child = this.#process;
    this.#process = null;
    this.#clearTimers();
    if (child?.isRunning) {
      await this.#askToStop(child);
      await child.end();
    }
    this.#session?.showConnection("stopped");
    await this.#release();
  }

  async send(command: DriverCommand): Promise<Outcome> {
    if (!this.#isConnected) return NOT_CONNECTED;
    this.#session?.command(command);
    return { kind: "sent" };
  }

  async query(address: string): Promise<Outcome> {
    if (!this.#isConnected) return NOT_CONNECTED;
    this.#session?.query(address);
    return { kind: "sent" };
  }

  /** The plugin reads it with its next configuration. */

  /** A plugin ends by itself, or goes off the line and waits for its signal, or does nothing at all. */
  async #askToStop(child: PluginProcess): Promise<void> {
    const clock = this.#host?.clock;
    if (!this.#isConnected || !clock) return;
    const waited = new Promise<void>((resolve) => {
      this.#disconnected = resolve;
      clock.setTimer(resolve, STOP_MS);
    });
    this.#login?.send({ stop: {} });
    await Promise.race([waited, child.exited]);
    this.#disconnected = null;
  }

  #makeSession(host: DriverHost, data: PluginData, manifest: Manifest, definitions: PluginDefinitions): PluginSession {
    const { uuid, slot, limits, id, webHookRate } = this.#options;
    const { clock, randomness } = host;
    const send = (message: object) => this.#login?.send(message);
    const webHooks = new WebHooks({
      clock,
      data,
      rates: [new MessageRate(clock, limits.pluginWebHooksPerSecond), webHookRate],
      waitingMax: limits.pluginWebHooksWaitingMax,
      send,
    });
    this.#webHooks = webHooks;
    const { networkTargets } = limits;
    this.#signIn = new OAuthSignIn({ slot, clock, randomness, data, networkTargets, send: this.plugin.sendTokens });
    this.#polls ??= new Polls(clock, send);
    return new PluginSession({
      webHooks,
      slot,
      uuid,
      name: manifest.name ?? id,
      host,
      data,
      nodesMax: limits.pluginNodesMax,
      send,
      definitions,
      connection: () => this.#options.access.connection,
      restart: () => this.#restart(),
      stop: () => this.#fail("failed", "The plugin requested to be stopped."),
      exceeded: (reason) => this.#exceeded(reason),
      pollsChanged: () => this.#startPolls(),
      dataChanged: () => this.#isConnected && this.#host?.status("ready", ""),
      search: (wanted) => this.#options.search.find(wanted),
    });
  }

  #connected(): void {
    this.#isConnected = true;
    this.#setState("running", "");
    this.#host?.status("ready", "");
    this.#session?.setLink("online");
    this.#session?.showConnection("connected");
    this.#startPolls();
  }

  #lostConnection(): void {
    this.#isConnected = false;
    this.#disconnected?.();
    if (this.#state !== "running") return;
    const { pluginStartMs } = this.#options.limits;
    this.#requireConnection(`It lost its connection and did not connect again within ${pluginStartMs / 1000} seconds.`);
    this.#setState("starting", "The plugin has lost its connection.");
    this.#host?.status("degraded", "The plugin has lost its connection.");
  }

  /** @param reason why it has failed if it is not connected in time. */
  #requireConnection(reason: string): void {
    this.#limit?.cancel();
    const fail = () => {
      if (!this.#isConnected) this.#fail("failed", reason);
    };
    this.#limit = this.#host?.clock.setTimer(fail, this.#options.limits.pluginStartMs) ?? null;
  }

  /** Its process has ended, and not on request. */
  async #ended(child: PluginProcess, code: number | null, signal: string | null): Promise<void> {
    if (this.#process !== child) return;
    this.#process = null;
    this.#ending = child.end();
    const { directory } = this.#options;
    // Killed from outside, a process has written nothing about its end.
    const isKilled = signal === "SIGKILL" || signal === "SIGTERM";
    const words = isKilled ? "" : await crashReason(directory, child.output, this.#startedAtMs, this.#secrets);
    const how = signal === null ? `with code ${code ?? "unknown"}` : `by signal ${signal}`;
    this.#fail("crashed", `The plugin ended ${how}${words === "" ? "." : `: ${words}`}`);
  }

  /** It went beyond a limit. */
  #exceeded(reason: string): void {
    const clock = this.#host?.clock;
    if (!this.#process || !clock) return;
    this.#pause = { untilMs: clock.elapsed() + PAUSE_MS, reason };
    this.#fail("failed", reason);
  }

  #fail(state: PluginState, reason: string): void {
    const child = this.#process;
    this.#process = null;
    if (child?.isRunning) this.#ending = child.end();
    this.#clearTimers();
    this.#session?.showConnection("lost");
    this.#isConnected = false;
    void this.#release();
    this.#setState(state, reason);
    this.#host?.status("failed", reason);
  }

  /** The plugin has requested it. */
  #restart(): void {
    if (!this.#process) return;
    const preparation = new AbortController();
    this.#preparation = preparation;
    const launch = async (): Promise<void> => {
      if (preparation.signal.aborted) return;
      this.#setState("starting", "");
      await this.#launch();
    };
    this.#starting = this.#end()
      .then(launch)
      .catch((error: unknown) => this.#fail("failed", messageOf(error)));
  }

  async #release(): Promise<void> {
    const login = this.#login;
    this.#login = null;
    this.#isConnected = false;
    this.#options.access.revoke();
    await login?.release();
  }

  #startPolls(): void {
    if (this.#session && this.#isConnected) this.#polls?.start(this.#session.data);
  }

  #clearTimers(): void {
    this.#limit?.cancel();
    this.#polls?.stop();
    this.#watch?.end();
    this.#watch = null;
  }

  #setState(state: PluginState, reason: string): void {
    this.#state = state;
    this.#reason = reason;
    if (state !== "starting") this.#moved?.();
  }

  /** @throws ControllerError CONFLICT, DRIVER_UNAVAILABLE when it cannot be read */
  #storedData(): PluginData {
    return new PluginData(this.#options.store, this.#running(this.#manifest), this.#options.limits.pluginDataBytesMax);
  }

  /** @throws ControllerError CONFLICT when the owner has stopped it, DRIVER_UNAVAILABLE */
  #running<Part>(part: Part | null): Part {
    if (part) return part;
    if (this.#state === "stopped") throw new ControllerError("CONFLICT", "The plugin is stopped. Start it first.");
    throw unavailable();
  }

  #port(): PluginPort {
    const driver = this;
    const { slot, directory } = this.#options;
    const session = (): PluginSession => this.#running(this.#session);
    const data = (): PluginData => this.#session?.data ?? this.#storedData();
    // A plugin that does not run reads them at its next start.
    const changes = (): Changes => ({
      data: data(),
      setData: (key, value) => (this.#session ? this.#session.setData(key, value) : data().set(key, value)),
      send: (message) => this.#login?.send(message),
      pollsChanged: () => this.#startPolls(),
    });
    const saved = async (store: (changes: Changes) => void): Promise<void> => {
      const made = changes();
      store(made);
      await made.data.saved();
    };
    return {
      slot,
      directory,
      get pid() {
        return driver.#process?.pid ?? null;
      },
      get version() {
        return driver.#session?.version || (driver.#manifest?.version ?? "");
      },
      get state() {
        return driver.#state;
      },
      get reason() {
        return driver.#reason || (driver.#session?.notes.at(-1) ?? "");
      },
      get usage() {
        return driver.#watch?.usage ?? null;
      },
      get messagesPerSecond() {
        return driver.#login?.messagesPerSecond ?? 0;
      },
      get isSandboxed() {
        return driver.#isSandboxed;
      },
      log: async () => {
        const written = await pluginLog(directory, this.#printing?.output ?? "", this.#secrets);
        return [written, ...(this.#session?.notes ?? [])].filter((part) => part !== "").join("\n");
      },
      settings: () => settingsOf(data()),
      change: (change) => saved((made) => changeSettings(made, change)),
      stored: (key) => data().json(key) ?? data().get(key),
      store: (key, value) => saved((made) => storeValue(made, key, value)),
      // Libraries for Node take a text.
      sendTokens: (tokens) =>
        this.#login?.send({ oauth: this.#manifest?.runtime === "node" ? JSON.stringify(tokens) : tokens }),
      beginSignIn: (redirectUrl) => this.#running(this.#signIn).begin(redirectUrl),
      finishSignIn: async (state, code) => {
        if (!this.#signIn) throw new ControllerError("PLUGIN_NOT_FOUND");
        await this.#signIn.finish(state, code, this.#isConnected);
      },
      handle: (message) => session().handle(message),
      dismissNotice: (key) => saved((made) => dismissNotice(made, key)),
      forward: async (key, request, waits) => {
        // Only who has the key learns whether there is a plugin.
        if (!this.#webHooks) throw new ControllerError("PLUGIN_NOT_FOUND");
        return this.#webHooks.forward(key, request, { waits, isConnected: this.#isConnected });
      },
      ask: async (...asked) => this.#running(this.#isConnected ? this.#session : null).requests.ask(...asked),
      discover: () => this.#running(this.#isConnected ? this.#login : null).send({ discover: {} }),
      announceRemoval: () => this.#login?.send({ delete: {} }),
    };
  }
}

function unavailable(): ControllerError {
  return new ControllerError("DRIVER_UNAVAILABLE", NOT_CONNECTED.detail);
}
