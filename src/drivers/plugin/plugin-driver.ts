/**
 * A plugin server as a driver: its process, its conversation with the controller, and its nodes.
 *
 *     not installed → installs its requirements → starts the process → the plugin connects → ready
 *
 * A process that ends by itself is a failed driver: the registry starts it again, each time later.
 */

import { randomBytes } from "node:crypto";
import { ControllerError } from "../../errors.ts";
import { PLUGINS } from "../../families.ts";
import type { Definitions } from "../../profile/profile.ts";
import type { Timer } from "../../util/clock.ts";
import type { Driver, DriverCommand, DriverHost, Outcome } from "../driver.ts";
import type { PluginPort, PluginState } from "../plugin-port.ts";
import type { BrokerLogin, PluginBroker } from "./broker.ts";
import { type Manifest, type ManifestGiven, readManifest } from "./manifest.ts";
import { PluginData } from "./plugin-data.ts";
import { crashReason, pluginLog } from "./plugin-log.ts";
import { endOrphan, PluginProcess, residentBytes } from "./plugin-process.ts";
import { dismissNotice, setParameters, setTypedData, settingsOf } from "./plugin-settings.ts";
import { readPluginProfile } from "./profile-files.ts";
import { installRequirements, isInstalled, plainEnvironment, startCommand } from "./requirements.ts";
import { PluginSession } from "./session.ts";

export type PluginLimits = {
  readonly pluginNodesMax: number;
  readonly pluginDataBytesMax: number;
  readonly pluginStartMs: number;
  readonly pluginInstallMs: number;
  readonly pluginMemoryMaxMiB: number;
};

export type PluginOptions = {
  readonly id: string;
  readonly slot: number;
  readonly directory: string;
  readonly given: ManifestGiven;
  /** Of the controller, as documents give it. */
  readonly uuid: string;
  readonly broker: PluginBroker;
  readonly limits: PluginLimits;
};

/** Between the message that says so and SIGTERM, for a plugin that stays connected. */
const STOP_MS = 3000;
/** Shorter than a driver's start may take. */
const SETTLE_MS = 8000;
const MEMORY_CHECK_MS = 10_000;
const MIB = 1_048_576;
/** Plugins compare it as dotted numbers; below 3.4.3 they do not try definitions as JSON, which are not taken here. */
const HOST_VERSION = "3.4.2";
const INTERFACE_VERSION = "6.0.5";
const NOT_CONNECTED: Outcome = {
  kind: "failed",
  reason: "not-ready",
  detail: "The plugin is not connected.",
  retryable: true,
};

export class PluginDriver implements Driver {
  readonly name: string;
  readonly plugin: PluginPort;
  readonly #options: PluginOptions;
  #host: DriverHost | null = null;
  #manifest: Manifest | null = null;
  #session: PluginSession | null = null;
  #login: BrokerLogin | null = null;
  #process: PluginProcess | null = null;
  #secrets: readonly string[] = [];
  /** The time in which it has to connect. */
  #limit: Timer | null = null;
  #memory: Timer | null = null;
  #polls: Timer[] = [];
  #definitions: Definitions | null = null;
  #isConnected = false;
  #disconnected: (() => void) | null = null;
  /** Called when a plugin that is being started has connected or ended. */
  #moved: (() => void) | null = null;
  #installation: AbortController | null = null;
  #state: PluginState = "stopped";
  #reason = "";
  #startedAtMs = 0;

  constructor(options: PluginOptions) {
    this.name = options.id;
    this.#options = options;
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
    this.#setState("starting", "");
    try {
      this.#manifest = await readManifest(directory, given);
    } catch (error) {
      this.#setState("failed", messageOf(error));
      throw error;
    }
    const data = new PluginData(host.store, this.#manifest, limits.pluginDataBytesMax);
    this.#session = this.#makeSession(host, data, this.#manifest);
    await this.#loadProfile();
    this.#session.showNodes();
    await endOrphan(directory);
    signal.throwIfAborted();
    if (await isInstalled(directory)) await this.#launch();
    await this.#settled();
    // The registry takes the end of this for a plugin that is ready; only then it can be told otherwise.
    setImmediate(() => void this.#goOn());
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

  /** After its start is over for the registry. */
  async #goOn(): Promise<void> {
    const { directory } = this.#options;
    if (this.#process) {
      if (!this.#isConnected) this.#host?.status("degraded", "The plugin has not connected yet.");
      return;
    }
    if (!this.#manifest || !this.#host || this.#state !== "starting") return;
    const installation = new AbortController();
    this.#installation = installation;
    const progress = (line: string) => this.#setState("starting", `Installing its requirements: ${line}`);
    progress("begins");
    this.#host.status("degraded", "Its requirements are being installed.");
    try {
      const { signal } = installation;
      const { clock } = this.#host;
      const limitMs = this.#options.limits.pluginInstallMs;
      await installRequirements({ directory, manifest: this.#manifest, clock, limitMs, signal, progress });
      signal.throwIfAborted();
      await this.#launch();
    } catch (error) {
      if (!installation.signal.aborted) this.#fail("failed", messageOf(error));
    }
  }

  async #launch(): Promise<void> {
    const { uuid, slot, broker, directory, limits } = this.#options;
    const [host, manifest, session] = [this.#host, this.#manifest, this.#session];
    if (!host || !manifest || !session) return;
    const token = randomBytes(24).toString("base64url");
    const id = `${uuid}_${slot}`;
    this.#login = await broker.register({
      id,
      token,
      connected: () => this.#connected(),
      disconnected: () => this.#lostConnection(),
      received: (kind, payload) => session.received(kind, payload),
    });
    const init = {
      uuid,
      profileNum: slot,
      logLevel: manifest.logLevel,
      token,
      mqttHost: "127.0.0.1",
      mqttPort: this.#login.port,
      secure: 1,
      pg3Version: HOST_VERSION,
      isyVersion: INTERFACE_VERSION,
      edition: "Standard",
      isPG3x: true,
    };
    const encoded = Buffer.from(JSON.stringify(init)).toString("base64");
    this.#secrets = [token, encoded];
    const { command, args } = startCommand({ directory, manifest });
    const env = { ...plainEnvironment(directory), PG3INIT: encoded };
    this.#startedAtMs = Date.now();
    const child = await PluginProcess.start(command, args, { directory, env, clock: host.clock });
    this.#process = child;
    this.#setState("starting", "The plugin has not connected yet.");
    void child.exited.then(({ code, signal }) => this.#ended(child, code, signal));
    this.#limit = host.clock.setTimer(() => {
      if (!this.#isConnected) this.#fail("failed", `It did not connect within ${limits.pluginStartMs / 1000} seconds.`);
    }, limits.pluginStartMs);
    this.#watchMemory(child);
  }

  async stop(): Promise<void> {
    this.#installation?.abort();
    this.#installation = null;
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
  setEnabled(): void {}

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

  #makeSession(host: DriverHost, data: PluginData, manifest: Manifest): PluginSession {
    const { uuid, slot, limits, id } = this.#options;
    return new PluginSession({
      slot,
      uuid,
      name: manifest.name ?? id,
      host,
      data,
      nodesMax: limits.pluginNodesMax,
      send: (message) => this.#login?.send(message),
      loadProfile: () => this.#loadProfile(),
      restart: () => void this.#restart(),
      stop: () => this.#fail("failed", "The plugin asked to be stopped."),
      pollsChanged: () => this.#startPolls(),
    });
  }

  /** Silent where nothing has changed: plugins ask for it at every start. */
  async #loadProfile(): Promise<void> {
    const { slot, directory } = this.#options;
    const host = this.#host;
    if (!host) return;
    const { definitions, problems } = await readPluginProfile(directory);
    for (const problem of problems) host.log.warn("A definition file of a plugin was passed over.", { problem });
    if (this.#definitions) host.retract(PLUGINS.id, slot);
    this.#definitions = definitions;
    host.define(PLUGINS.id, slot, definitions, false);
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
    this.#setState("starting", "The plugin has lost its connection.");
    this.#host?.status("degraded", "The plugin has lost its connection.");
  }

  /** Its process is gone, and nobody here has ended it. */
  async #ended(child: PluginProcess, code: number | null, signal: string | null): Promise<void> {
    if (this.#process !== child) return;
    this.#process = null;
    child.kill();
    const { directory } = this.#options;
    const words = await crashReason(directory, child.output, this.#startedAtMs, this.#secrets);
    const how = signal === null ? `with code ${code ?? "unknown"}` : `by ${signal}`;
    this.#fail("crashed", `The plugin ended ${how}${words === "" ? "." : `: ${words}`}`);
  }

  #fail(state: PluginState, reason: string): void {
    const child = this.#process;
    this.#process = null;
    if (child?.isRunning) void child.end();
    this.#clearTimers();
    this.#session?.showConnection("lost");
    this.#isConnected = false;
    void this.#release();
    this.#setState(state, reason);
    this.#host?.status("failed", reason);
  }

  async #restart(): Promise<void> {
    await this.stop();
    this.#setState("starting", "");
    await this.#launch();
  }

  async #release(): Promise<void> {
    const login = this.#login;
    this.#login = null;
    this.#isConnected = false;
    await login?.release();
  }

  #startPolls(): void {
    for (const timer of this.#polls) timer.cancel();
    this.#polls = [];
    const data = this.#session?.data;
    if (!data || !this.#isConnected) return;
    this.#poll(0, data.shortPollS * 1000, { shortPoll: {} });
    this.#poll(1, data.longPollS * 1000, { longPoll: {} });
  }

  #poll(at: number, ms: number, message: object): void {
    const timer = this.#host?.clock.setTimer(() => {
      this.#login?.send(message);
      this.#poll(at, ms, message);
    }, ms);
    if (timer) this.#polls[at] = timer;
  }

  #watchMemory(child: PluginProcess): void {
    const { pluginMemoryMaxMiB } = this.#options.limits;
    const check = () => void this.#checkMemory(child, pluginMemoryMaxMiB);
    this.#memory = this.#host?.clock.setTimer(check, MEMORY_CHECK_MS) ?? null;
  }

  async #checkMemory(child: PluginProcess, maxMiB: number): Promise<void> {
    const bytes = child.pid === null ? null : await residentBytes(child.pid);
    if (this.#process !== child) return;
    if (bytes !== null && bytes > maxMiB * MIB) {
      this.#fail(
        "failed",
        `The plugin took ${Math.round(bytes / MIB)} MiB of memory; it may have ${maxMiB} (pluginMemoryMaxMiB).`,
      );
    } else this.#watchMemory(child);
  }

  #clearTimers(): void {
    for (const timer of [this.#limit, this.#memory, ...this.#polls]) timer?.cancel();
    this.#polls = [];
  }

  #setState(state: PluginState, reason: string): void {
    this.#state = state;
    this.#reason = reason;
    if (state !== "starting") this.#moved?.();
  }

  #port(): PluginPort {
    const driver = this;
    const { slot, directory } = this.#options;
    const session = (): PluginSession => {
      const running = this.#session;
      if (!running) throw new ControllerError("DRIVER_UNAVAILABLE");
      return running;
    };
    const change = (key: string, value: unknown) => session().setData(key, value);
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
        return driver.#reason;
      },
      log: () => pluginLog(directory, this.#process?.output ?? "", this.#secrets),
      settings: () => settingsOf(session().data),
      setParameters: (given) => setParameters(session().data, change, given),
      setTypedData: (data) => setTypedData(change, data),
      dismissNotice: (key) => dismissNotice(session().data, change, key),
      discover: () => this.#login?.send({ discover: {} }),
      announceRemoval: () => this.#login?.send({ delete: {} }),
    };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
