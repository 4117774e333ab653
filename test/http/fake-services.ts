/** A house with nothing in it but accounts and a few routes: enough to try the door alone. */

import { connect, type Socket } from "node:net";
import type { Auth } from "../../src/auth/auth.ts";
import type { Principal } from "../../src/auth/principal.ts";
import { type Config, parseConfig } from "../../src/config.ts";
import { ControllerError } from "../../src/errors.ts";
import { type ListenerOptions, openListener, type RunningServer } from "../../src/http/open-listener.ts";
import type { Reply } from "../../src/http/reply.ts";
import { FairQueue, type Source } from "../../src/http/request/fair-queue.ts";
import type { StreamPort } from "../../src/http/request/listener-context.ts";
import { createRequestLimits } from "../../src/http/request/request-limits.ts";
import type { HttpRequest, Route } from "../../src/http/route.ts";
import type { Services } from "../../src/http/services.ts";
import { type Clock, systemClock } from "../../src/util/clock.ts";
import type { Log, LogFields } from "../../src/util/log.ts";
import { seededRandomness } from "../../src/util/randomness.ts";

const OWNER: Principal = { accountId: "a1", login: "owner", role: "owner", sessionId: null, view: null };
const GUEST: Principal = { accountId: "a2", login: "guest", role: "guest", sessionId: null, view: null };

/** "good" and "guest" are let in, "slow down" is throttled, "trouble" has a store that is down, the rest is refused. */
const auth: Pick<Auth, "authenticate"> = {
  async authenticate(authorization) {
    if (authorization === undefined) return null;
    if (authorization === "good") return OWNER;
    if (authorization === "guest") return GUEST;
    if (authorization === "slow down") throw new ControllerError("TOO_MANY_TRIES", { retryAfterS: 7 });
    if (authorization === "trouble") throw new ControllerError("STORE_UNAVAILABLE");
    if (authorization === "bug") throw new Error("a secret of the house");
    throw new ControllerError("TOKEN_REFUSED");
  },
};

const json = (value: unknown): Reply => ({
  status: 200,
  contentType: "application/json; charset=utf-8",
  body: JSON.stringify(value),
});
const base = { listener: "both", access: "read", changes: false, summary: "", page: "" } as const;

/** A request as received, for assertions. */
const echo = (request: HttpRequest): Reply =>
  json({
    path: request.path,
    params: request.params,
    query: [...request.query],
    body: request.body,
    rawBody: request.rawBody,
    by: request.principal?.login ?? null,
  });

export const LARGE = Buffer.alloc(320_000, "<node>ä</node>");

export const FAKE_ROUTES: readonly Route[] = [
  { ...base, method: "GET", path: "/api/config", listener: "portal", access: "public", handle: echo },
  { ...base, method: "POST", path: "/api/jwt/logout", listener: "portal", changes: true, handle: () => json(null) },
  { ...base, method: "GET", path: "/rest/echo", handle: echo },
  { ...base, method: "GET", path: "/rest/nodes/:address", handle: echo },
  {
    ...base,
    method: "GET",
    path: "/rest/nodes/:address/cmd/:command",
    changes: true,
    access: "command-node",
    handle: echo,
  },
  {
    ...base,
    method: "GET",
    path: "/rest/nodes/:address/cmd/:command/*",
    changes: true,
    access: "command-node",
    handle: echo,
  },
  {
    ...base,
    method: "GET",
    path: "/rest/vars/set/:type/:id/:value",
    changes: true,
    access: "write-variable",
    handle: echo,
  },
  {
    ...base,
    method: "POST",
    path: "/rest/put",
    changes: true,
    access: "rename",
    body: { type: "object", required: ["name"] },
    holdsProgram: true,
    handle: echo,
  },
  {
    ...base,
    method: "PUT",
    path: "/rest/put",
    changes: true,
    access: { least: "read", action: ({ body }) => (body === null ? "read" : "administer") },
    body: { type: ["object", "null"] },
    handle: echo,
  },
  {
    ...base,
    method: "GET",
    path: "/rest/umlaut",
    handle: () => ({ status: 200, contentType: "text/xml; charset=UTF-8", body: "<a>äöü😀</a>" }),
  },
  {
    ...base,
    method: "GET",
    path: "/rest/large",
    handle: () => ({ status: 200, contentType: "text/xml; charset=UTF-8", body: LARGE }),
  },
  { ...base, method: "GET", path: "/rest/bug", handle: () => Promise.reject(new Error("/home/me/secret.ts broke")) },
  { ...base, method: "GET", path: "/rest/never", handle: waitForEnd },
];

function waitForEnd({ signal }: HttpRequest): Promise<Reply> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

type RecordedLine = { readonly level: string; readonly message: string; readonly fields: LogFields };

function recordingLog(lines: RecordedLine[]): Log {
  const line =
    (level: string) =>
    (message: string, fields: LogFields = {}) =>
      void lines.push({ level, message, fields });
  const log: Log = {
    debug: line("debug"),
    info: line("info"),
    warn: line("warn"),
    error: line("error"),
    child: () => log,
  };
  return log;
}

export type FakeListener = RunningServer & {
  readonly port: number;
  readonly lines: readonly RecordedLine[];
  [Symbol.asyncDispose](): Promise<void>;
};

export type FakeOptions = Partial<Pick<ListenerOptions, "listener" | "routes" | "tls" | "port" | "host">> & {
  readonly config?: Partial<Config>;
  readonly clock?: Clock;
  readonly streams?: StreamPort;
  readonly extra?: Partial<Services>;
  /** Told whose work it is whenever something waits for its turn. */
  readonly onTurn?: (source: Source) => void;
};

class WatchedQueue extends FairQueue {
  readonly #onTurn: (source: Source) => void;

  constructor(onTurn: (source: Source) => void) {
    super();
    this.#onTurn = onTurn;
  }

  override run(source: Source, task: () => void): void {
    this.#onTurn(source);
    super.run(source, task);
  }
}

const noStreams: StreamPort = { follow: () => {}, handleUpgrade: ({ socket }) => void socket.destroy() };

export async function openFakeListener(options: FakeOptions = {}): Promise<FakeListener> {
  const lines: RecordedLine[] = [];
  const used = {
    config: parseConfig({ ...options.config }),
    auth,
    clock: options.clock ?? systemClock,
    randomness: seededRandomness(1),
    log: recordingLog(lines),
    ...options.extra,
  };
  const server = await openListener({
    services: used as unknown as Services, // The door and these routes use nothing else of a house.
    streams: options.streams ?? noStreams,
    limits: {
      ...createRequestLimits(used.config, used.clock),
      ...(options.onTurn && { turns: new WatchedQueue(options.onTurn) }),
    },
    routes: options.routes ?? FAKE_ROUTES,
    listener: options.listener ?? "portal",
    host: options.host ?? "127.0.0.1",
    port: options.port ?? 0,
    tls: options.tls ?? null,
  });
  return { ...server, lines, port: Number(new URL(server.url).port), [Symbol.asyncDispose]: () => server.stop() };
}

/** Everything the server says until it closes the connection, or until the text holds `until`. */
export function readUntil(socket: Socket, until?: string | RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const done = () => {
      socket.off("data", onData);
      resolve(text);
    };
    const onData = (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (until !== undefined && text.search(until) >= 0) done();
    };
    socket.on("data", onData).once("close", done);
    socket.once("error", (error: NodeJS.ErrnoException) => (error.code === "ECONNRESET" ? done() : reject(error)));
  });
}

/** Sends the bytes on a connection of their own and returns the whole answer. The request should end the connection. */
export async function exchangeRaw(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  return readUntil(socket);
}

/** A head with the usual lines; the connection ends with the answer. */
export function head(line: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = { Host: "localhost", Authorization: "good", Connection: "close", ...headers };
  return `${line} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
}

export function bodyOf(answer: string): string {
  return Buffer.from(answer.slice(answer.indexOf("\r\n\r\n") + 4), "latin1").toString("utf8");
}

/** GET with good credentials. */
export async function get(
  context: FakeListener,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: string; raw: string }> {
  const raw = await exchangeRaw(context.port, head(`GET ${path}`, headers));
  return { status: statusOf(raw), body: bodyOf(raw), raw };
}
