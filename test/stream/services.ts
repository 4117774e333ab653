/** A home with its streams behind a bare HTTP server: what the tests of this folder talk to. */

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { type ClientOptions, WebSocket } from "ws";
import type { Principal } from "../../src/auth/principal.ts";
import { parseConfig } from "../../src/config.ts";
import { ControllerError } from "../../src/errors.ts";
import { SYSTEM_CAUSE } from "../../src/home/cause.ts";
import type { Change } from "../../src/home/change.ts";
import { ChangeFeed } from "../../src/home/change-feed.ts";
import { Home } from "../../src/home/home.ts";
import type { NodeRecord } from "../../src/home/nodes.ts";
import type { Property } from "../../src/home/property.ts";
import { declareBuiltinProfile } from "../../src/profile/builtin/builtin.ts";
import { Profile } from "../../src/profile/profile.ts";
import { createStreams, type Streams } from "../../src/stream/streams.ts";
import { createLog } from "../../src/util/log.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";

export const START_MS = Date.UTC(2031, 1, 3, 11, 5, 6, 123);
export const CONTROLLER = {
  uuid: "02:00:00:00:00:01",
  name: "Casa",
  timeZone: "America/Denver",
  latitude: 39,
  longitude: -105,
  batchMode: false,
  batteryWrites: true,
};

export function nodeRecord(address: string, patch: Partial<NodeRecord> = {}): NodeRecord {
  return {
    address,
    name: `Node ${address}`,
    nodeDefId: "DimmerLampSwitch_ADV",
    family: 1,
    instance: 1,
    type: "1.32.69.0",
    parent: null,
    primary: address,
    enabled: true,
    devtype: null,
    driver: "virtual",
    ...patch,
  };
}

export function level(value: number | null, patch: Partial<Property> = {}): Property {
  return { id: "ST", value, uom: 100, prec: 0, text: null, changedAtMs: START_MS, ...patch };
}

export type Ground = {
  readonly clock: VirtualClock;
  readonly home: Home;
  readonly feed: ChangeFeed;
  readonly profile: Profile;
  commit(change: Change): void;
};

/** A home without streams. */
export function createGround(): Ground {
  const clock = new VirtualClock(START_MS);
  const home = new Home(CONTROLLER);
  const feed = new ChangeFeed(home, clock, 0);
  const profile = new Profile();
  declareBuiltinProfile(profile);
  return { clock, home, feed, profile, commit: (change) => void feed.commit(change, SYSTEM_CAUSE) };
}

export const OWNER: Principal = {
  accountId: "1",
  login: "owner@example.org",
  role: "owner",
  sessionId: "session-1",
  view: null,
};

export type StreamServices = Ground & {
  readonly streams: Streams;
  readonly url: string;
  endSessions(ids: readonly string[]): void;
  /** Ends the check of every "slow" token. */
  endChecks(): void;
  /** The server's side of every upgraded connection, in order. */
  readonly sockets: readonly Socket[];
  follow(path?: string, options?: ClientOptions): Reader;
  close(): Promise<void>;
};

const GUEST: Principal = {
  accountId: "2",
  login: "guest@example.org",
  role: "guest",
  sessionId: "session-2",
  view: null,
};
const USER: Principal = { accountId: "3", login: "user@example.org", role: "user", sessionId: "session-3", view: null };
const KNOWN: Readonly<Record<string, Principal>> = { good: OWNER, guest: GUEST, user: USER };

/** `authorization: good` is the owner, `guest` and `user` are others; `x-from` is the client's address; good tokens are "good" and "slow". */
export async function openStreamServices(settings: Readonly<Record<string, unknown>> = {}): Promise<StreamServices> {
  const ground = createGround();
  const listeners = new Set<(ids: readonly string[]) => void>();
  const checks: (() => void)[] = [];
  const auth = {
    verifyAccessToken: async (token: string) => {
      if (token === "slow") await new Promise<void>((resolve) => checks.push(resolve));
      if (token === "trouble") throw new ControllerError("STORE_UNAVAILABLE");
      if (token !== "good" && token !== "slow") throw new ControllerError("TOKEN_REFUSED");
      return OWNER;
    },
    onSessionsEnded: (listener: (ids: readonly string[]) => void) => {
      listeners.add(listener);
    },
    accounts: { onRevoked: () => {} },
  };
  const streams = createStreams({ ...ground, config: parseConfig(settings), auth, log: createLog("silent") });
  const sockets: Socket[] = [];
  const server = createServer();
  server.on("upgrade", (request, socket, head) => {
    // A plain HTTP server upgrades TCP sockets only.
    sockets.push(socket as Socket);
    const principal = KNOWN[request.headers.authorization ?? ""] ?? null;
    const surface = request.url === "/api/events/subscribe" ? "api" : "rest";
    const remoteAddress = String(request.headers["x-from"] ?? request.socket.remoteAddress);
    streams.handleUpgrade({ request, socket, head, surface, principal, listener: "portal", remoteAddress });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const readers: Reader[] = [];
  return {
    ...ground,
    streams,
    url,
    sockets,
    endSessions: (ids) => {
      for (const listener of listeners) listener(ids);
    },
    endChecks: () => {
      for (const end of checks.splice(0)) end();
    },
    follow(path = "/rest/subscribe", options = { headers: { authorization: "good" } }) {
      const reader = new Reader(new WebSocket(`${url}${path}`, options));
      readers.push(reader);
      return reader;
    },
    async close() {
      streams.stop();
      for (const reader of readers) reader.ws.terminate();
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

export type StreamEvent = {
  readonly seqnum: number;
  readonly sid: string;
  readonly timestamp: string;
  readonly control: string;
  readonly action: string;
  readonly uom: string | null;
  readonly prec: string | null;
  readonly node: string;
  readonly info: string;
  readonly fmtAct: string | null;
  readonly fmtName: string | null;
};

const EVENT = new RegExp(
  '^<\\?xml version="1\\.0" encoding="UTF-8"\\?><Event seqnum="(\\d+)" sid="(uuid:\\d+)" timestamp="([^"]*)">' +
    '<control>([^<]*)</control><action(?: uom="(\\d+)" prec="(\\d+)")?>([^<]*)</action><node>([^<]*)</node>' +
    "<eventInfo>(.*)</eventInfo>(?:<fmtAct>([^<]*)</fmtAct>)?(?:<fmtName>([^<]*)</fmtName>)?</Event>$",
);

/** Strict on purpose: exactly the documented children in the documented order. */
export function readEvent(xml: string): StreamEvent {
  const parts = EVENT.exec(xml);
  if (!parts) throw new Error(`Not an event: ${xml}`);
  const [, seqnum, sid = "", timestamp = "", control = "", uom, prec, action = "", node = "", info = ""] = parts;
  const [fmtAct = null, fmtName = null] = parts.slice(10);
  return {
    seqnum: Number(seqnum),
    sid,
    timestamp,
    control,
    action,
    uom: uom ?? null,
    prec: prec ?? null,
    node,
    info,
    fmtAct,
    fmtName,
  };
}

/** Collects what one client is sent. */
export class Reader {
  readonly ws: WebSocket;
  readonly messages: string[] = [];
  /** Code and reason once it is closed. */
  closed: { readonly code: number; readonly reason: string } | null = null;
  #wake: (() => void)[] = [];

  constructor(ws: WebSocket) {
    this.ws = ws;
    ws.on("error", () => {});
    ws.on("message", (data) => {
      this.messages.push(String(data));
      this.#awake();
    });
    ws.on("close", (code, reason) => {
      this.closed = { code, reason: String(reason) };
      this.#awake();
    });
  }

  /** Settles when the condition holds; the test's own time limit is the deadline. */
  async until(condition: (reader: Reader) => boolean): Promise<this> {
    while (!condition(this)) {
      if (this.closed) throw new Error(`The stream was closed: ${this.closed.code} ${this.closed.reason}`);
      await new Promise<void>((resolve) => this.#wake.push(resolve));
    }
    return this;
  }

  async untilClosed(): Promise<{ readonly code: number; readonly reason: string }> {
    while (!this.closed) await new Promise<void>((resolve) => this.#wake.push(resolve));
    return this.closed;
  }

  /** The replay ends with the first heartbeat. */
  untilReplayed(): Promise<this> {
    return this.until((reader) => reader.messages.at(-1)?.includes("<control>_0</control>") === true);
  }

  /** The event documents, of either surface; not the greeting nor other kinds of messages. */
  documents(): string[] {
    return this.messages.flatMap((message) => {
      if (message.startsWith("<?xml")) return [message];
      if (!message.startsWith("{")) return [];
      const envelope = JSON.parse(message) as { type: string; data: string };
      return envelope.type === "event" ? [envelope.data] : [];
    });
  }

  events(): StreamEvent[] {
    return this.documents().map(readEvent);
  }

  #awake(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }
}
