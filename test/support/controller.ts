/**
 * A whole controller for flow tests: the real service with its real store, listeners and streams in this process, a clock
 * that moves only when the test moves it, and clients of both listeners.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, parseConfig } from "../../src/config.ts";
import type { Services } from "../../src/http/services.ts";
import { type Controller, startController } from "../../src/main.ts";
import type { Log, LogFields } from "../../src/util/log.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { checkReplies, expectFittingReplies } from "./checked-replies.ts";
import { type FrameStream, openFrameStream } from "./frame-stream.ts";
import { createHttpsClient, type HttpsClient } from "./https-client.ts";

/** 14:00 of a Saturday in Berlin. */
export const START_MS = Date.UTC(2026, 4, 2, 12);
export const OWNER = { username: "owner@example.org", password: "a quiet Sunday morning" } as const;
export const LOCAL = { username: "admin", password: "tea with the neighbours" } as const;

type LogLine = { readonly level: string; readonly message: string; readonly fields: LogFields };

export type Tokens = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly ssl: Readonly<Record<string, string>>;
};

export type TestOptions = {
  /** Default: one at `START_MS`. */
  readonly clock?: VirtualClock;
  readonly seed?: number;
  /** A data directory that outlives the controller. Default: one of its own, removed in the end. */
  readonly data?: string;
  /** A twin that follows its original. */
  readonly isMirror?: boolean;
  /** Called where the service would start the controller again. */
  readonly restart?: () => void;
  /** Of the machine; null: not known. Default: the machine's. */
  readonly bootId?: string | null;
  /** Whether the clock follows a time server. Default: unknown. */
  readonly readClockSync?: () => Promise<boolean | null>;
  /** Default: a start is over when its radios are up or have failed. */
  readonly awaitsRadios?: boolean;
};

type SubscribeOptions = {
  /** Default: the portal, or the local door for the XML stream before `login()`. */
  readonly listener?: "portal" | "local";
  /** Replace the credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
};

const DEFAULTS: Partial<Config> = {
  demo: true,
  still: true,
  // Their nodes would be in every home of the tests.
  alerts: false,
  timeZone: "Europe/Berlin",
  portalPort: 0,
  // Tests may run as root on a machine without bubblewrap.
  pluginAsRoot: true,
  localPort: 0,
  // Waiting to share a commit would never end on a fixed clock.
  commitIntervalMs: 0,
  // The memory is that of the process, which runs all tests of many files.
  memoryBytesHigh: 2 ** 40,
  // A program's action shows in the turn in which it decides, independent of the disk.
  programStartWaitMs: 0,
};

/** `data`, both ports and what the defaults name may be set too. @throws ControllerError when it cannot start. */
export async function startTestController(
  settings: Partial<Config> = {},
  options: TestOptions = {},
): Promise<TestController> {
  const { clock = new VirtualClock(START_MS), seed = 1, data, isMirror = false, awaitsRadios = true } = options;
  checkReplies();
  const directory = data ?? (await mkdtemp(join(tmpdir(), "domovoi-flow-")));
  const lines: LogLine[] = [];
  const world = {
    clock,
    isMirror,
    ...(options.restart && { restart: options.restart }),
    ...(options.bootId !== undefined && { bootId: options.bootId }),
    ...(options.readClockSync && { readClockSync: options.readClockSync }),
    randomness: seededRandomness(seed),
    log: recordingLog(lines),
    firstAccounts: {
      ownerEmail: OWNER.username,
      ownerPassword: OWNER.password,
      localUser: LOCAL.username,
      localPassword: LOCAL.password,
    },
  };
  const start = async (changes: Partial<Config> = {}) => {
    const config = parseConfig({ ...DEFAULTS, ...settings, ...changes, data: directory });
    const controller = await startController(config, world);
    if (awaitsRadios) await controller.radiosStarted;
    return controller;
  };
  const keepsData = data !== undefined;
  try {
    return new TestController({ start, first: await start(), clock, directory, lines, keepsData });
  } catch (error) {
    if (!keepsData) await rm(directory, { recursive: true });
    throw error;
  }
}

type Parts = {
  readonly start: (changes?: Partial<Config>) => Promise<Controller>;
  readonly first: Controller;
  readonly clock: VirtualClock;
  readonly directory: string;
  readonly lines: readonly LogLine[];
  readonly keepsData: boolean;
};

export class TestController implements AsyncDisposable {
  readonly clock: VirtualClock;
  readonly data: string;
  /** The log, secrets included. */
  readonly lines: readonly LogLine[];
  /** With the bearer token, once `login()` was called. */
  readonly portal: HttpsClient;
  /** With basic credentials. */
  readonly local: HttpsClient;
  readonly #start: (changes?: Partial<Config>) => Promise<Controller>;
  readonly #keepsData: boolean;
  #running: Controller;
  #isStopped = false;
  #tokens: Tokens | null = null;

  constructor({ start, first, clock, directory, lines, keepsData }: Parts) {
    this.clock = clock;
    this.data = directory;
    this.lines = lines;
    this.portal = createHttpsClient(
      () => this.#running.portalUrl,
      () => this.bearer(),
    );
    this.local = createHttpsClient(
      () => this.#running.localUrl,
      () => this.basic(),
    );
    this.#start = start;
    this.#keepsData = keepsData;
    this.#running = first;
  }

  get controller(): Controller {
    return this.#running;
  }

  get services(): Services {
    return this.#running.services;
  }

  async login(): Promise<Tokens> {
    const answer = await this.portal.post("/api/login", OWNER);
    if (answer.status !== 200) throw new Error(`The login was answered ${answer.status}: ${answer.text}`);
    this.#tokens = answer.json<{ data: Tokens }>().data;
    return this.#tokens;
  }

  /** The header of the portal session; nothing before `login()`. */
  bearer(): Readonly<Record<string, string>> {
    return this.#tokens ? { Authorization: `Bearer ${this.#tokens.accessToken}` } : {};
  }

  basic(): Readonly<Record<string, string>> {
    return { Authorization: `Basic ${Buffer.from(`${LOCAL.username}:${LOCAL.password}`).toString("base64")}` };
  }

  subscribe(surface: "rest" | "api", options: SubscribeOptions = {}): Promise<FrameStream> {
    const listener = options.listener ?? (surface === "api" || this.#tokens ? "portal" : "local");
    const path = surface === "rest" ? "/rest/subscribe" : "/api/events/subscribe";
    const headers = options.headers ?? (listener === "portal" ? this.bearer() : this.basic());
    const url = `${this[listener].url.replace("https", "wss")}${path}`;
    return openFrameStream(url, { headers, protocols: options.protocols ?? [] });
  }

  /** Ends the controller and keeps its data. */
  async stop(): Promise<void> {
    this.portal.close();
    this.local.close();
    if (!this.#isStopped) await this.#running.stop();
    this.#isStopped = true;
    expectFittingReplies();
  }

  /** Ends the controller and starts it again on its data, with other settings if wished; the ports are others. */
  async restart(changes: Partial<Config> = {}): Promise<void> {
    await this.stop();
    this.#running = await this.#start(changes);
    this.#isStopped = false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    if (!this.#keepsData) await rm(this.data, { recursive: true, force: true });
  }
}

function recordingLog(lines: LogLine[], bound: LogFields = {}): Log {
  const line =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push({ level, message, fields: { ...bound, ...fields } });
  return {
    debug: line("debug"),
    info: line("info"),
    warn: line("warn"),
    error: line("error"),
    child: (fields) => recordingLog(lines, { ...bound, ...fields }),
  };
}
