/**
 * A whole controller for flow tests: the real service with its real store, doors and streams in this process, a clock
 * that moves only when told, and clients at both doors.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, parseConfig } from "../../src/config.ts";
import type { House } from "../../src/http/house.ts";
import { type Controller, startController } from "../../src/main.ts";
import type { Clock } from "../../src/util/clock.ts";
import type { Log, LogFields } from "../../src/util/log.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { type FrameStream, openFrameStream } from "./frame-stream.ts";
import { createHttpsClient, type HttpsClient } from "./https-client.ts";

/** 14:00 of a Saturday in Berlin. */
export const START_MS = Date.UTC(2026, 4, 2, 12);
export const OWNER = { username: "owner@example.org", password: "a quiet Sunday morning" } as const;
export const LOCAL = { username: "admin", password: "tea with the neighbours" } as const;

export type LogLine = { readonly level: string; readonly message: string; readonly fields: LogFields };

export type Tokens = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly ssl: Readonly<Record<string, string>>;
};

export type TestOptions<C extends Clock = VirtualClock> = {
  /** Default: a virtual one at `START_MS`. */
  readonly clock?: C;
  readonly seed?: number;
  /** A data directory that outlives the controller, for restarts. Default: one of its own, removed in the end. */
  readonly data?: string;
};

export type SubscribeOptions = {
  /** Default: the portal, or the local door for the XML stream before `login()`. */
  readonly listener?: "portal" | "local";
  /** Replace the credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly protocols?: readonly string[];
};

export type TestController<C extends Clock = VirtualClock> = {
  readonly controller: Controller;
  readonly house: House;
  readonly clock: C;
  readonly data: string;
  readonly lines: readonly LogLine[];
  /** With the bearer token, once `login()` was called. */
  readonly portal: HttpsClient;
  /** With basic credentials. */
  readonly local: HttpsClient;
  login(): Promise<Tokens>;
  /** The header of the portal session; nothing before `login()`. */
  bearer(): Readonly<Record<string, string>>;
  basic(): Readonly<Record<string, string>>;
  subscribe(surface: "rest" | "api", options?: SubscribeOptions): Promise<FrameStream>;
  /** Ends the controller and keeps its data. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

const DEFAULTS: Partial<Config> = {
  demo: true,
  still: true,
  timeZone: "Europe/Berlin",
  portalPort: 0,
  localPort: 0,
  // A wait for others to share a commit would never end on a clock that stands still.
  commitIntervalMs: 0,
};

export async function startTestController(settings?: Partial<Config>, options?: TestOptions): Promise<TestController>;
export async function startTestController<C extends Clock>(
  settings: Partial<Config>,
  options: TestOptions<C> & { readonly clock: C },
): Promise<TestController<C>>;
export async function startTestController(
  settings: Partial<Config> = {},
  options: TestOptions<Clock> = {},
): Promise<TestController<Clock>> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), "domovoi-flow-")));
  const clock = options.clock ?? new VirtualClock(START_MS);
  const lines: LogLine[] = [];
  const controller = await startController(parseConfig({ ...DEFAULTS, ...settings, data }), {
    clock,
    randomness: seededRandomness(options.seed ?? 1),
    log: recordingLog(lines),
    firstAccounts: {
      ownerEmail: OWNER.username,
      ownerPassword: OWNER.password,
      localUser: LOCAL.username,
      localPassword: LOCAL.password,
    },
  });
  return assemble({ controller, clock, data, lines, keepsData: options.data !== undefined });
}

type Parts = {
  readonly controller: Controller;
  readonly clock: Clock;
  readonly data: string;
  readonly lines: readonly LogLine[];
  readonly keepsData: boolean;
};

function assemble({ controller, clock, data, lines, keepsData }: Parts): TestController<Clock> {
  let tokens: Tokens | null = null;
  let isStopped = false;
  const bearer = (): Readonly<Record<string, string>> =>
    tokens ? { Authorization: `Bearer ${tokens.accessToken}` } : {};
  const basic = () => ({
    Authorization: `Basic ${Buffer.from(`${LOCAL.username}:${LOCAL.password}`).toString("base64")}`,
  });
  const portal = createHttpsClient(controller.portalUrl, bearer);
  const local = createHttpsClient(controller.localUrl, basic);
  const stop = async () => {
    portal.close();
    local.close();
    if (!isStopped) await controller.stop();
    isStopped = true;
  };
  return {
    controller,
    house: controller.house,
    clock,
    data,
    lines,
    portal,
    local,
    bearer,
    basic,
    async login() {
      const answer = await portal.post("/api/login", OWNER);
      if (answer.status !== 200) throw new Error(`The login was answered ${answer.status}: ${answer.text}`);
      tokens = answer.json<{ data: Tokens }>().data;
      return tokens;
    },
    subscribe(surface, { listener, headers, protocols = [] } = {}) {
      const door = listener ?? (surface === "api" || tokens ? "portal" : "local");
      const { url } = door === "portal" ? portal : local;
      const path = surface === "rest" ? "/rest/subscribe" : "/api/events/subscribe";
      const shown = headers ?? (door === "portal" ? bearer() : basic());
      return openFrameStream(`${url.replace("https", "wss")}${path}`, { headers: shown, protocols });
    },
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      if (!keepsData) await rm(data, { recursive: true, force: true });
    },
  };
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
