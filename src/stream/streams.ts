/**
 * THE WINDOW: what the rest of the controller sees of the event streams. The door authenticates an upgrade and hands its
 * socket over; from then on the socket belongs to this room.
 *
 * @see docs/interface/events.md
 */

import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Accounts } from "../auth/account-book.ts";
import type { Auth } from "../auth/auth.ts";
import type { Principal } from "../auth/principal.ts";
import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import type { ChangeFeed } from "../home/change-feed.ts";
import type { Home } from "../home/home.ts";
import type { Profile } from "../profile/profile.ts";
import type { Clock } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import { STATUS_CODES } from "../util/node-http.ts";
import { sourceNetwork } from "../util/source-network.ts";
import { escapeXml, XML_PROLOG } from "../util/xml.ts";
import { createZone, type Zone } from "../util/zone.ts";
import { CLOSE, Connection } from "./connection.ts";
import type { Surface } from "./event-body.ts";
import type { Framing } from "./event-bytes.ts";
import { Hub } from "./hub.ts";
import { KeptSocket } from "./kept-socket.ts";
import { LoginWait } from "./login.ts";
import { soapMessage } from "./soap-message.ts";

/** An upgrade request whose credentials and origin have been checked. */
type StreamUpgrade = {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** The bytes after the request's head. */
  readonly head: Buffer;
  readonly surface: Surface;
  /** null: no credentials were shown; the `api` surface then waits for a login message, `rest` refuses. */
  readonly principal: Principal | null;
  readonly listener: "portal" | "local";
  readonly remoteAddress: string;
};

/** A request to follow the events on the connection itself. */
type KeptSubscription = Pick<StreamUpgrade, "socket" | "head" | "listener" | "remoteAddress"> & {
  readonly principal: Principal;
};

/** The number of the originals for it. */
const TOO_MANY = 817;

type Subscriber = { readonly sid: number; readonly isPortal: boolean; readonly remoteAddress: string };

export type Streams = {
  /** Takes the socket over: answers 101 and streams, or answers 401 or 503 and closes it. */
  handleUpgrade(upgrade: StreamUpgrade): void;
  /** Takes the socket over: answers 200 and sends events as HTTP messages, or answers 817 and closes it. */
  follow(subscription: KeptSubscription): void;
  /** Ends a stream of the account. @returns false when it has none with this number. */
  endSubscriber(accountId: string, sid: number): boolean;
  /** The events of a request's own edits wait until its answer is written. */
  readonly edits: { begin(requestId: string): void; answered(requestId: string): void };
  /** Publishes a line for people, `_7`. @param line called only while there are clients; null: nothing to publish. */
  say(line: () => string | null, atMs: number): void;
  /** The present clients of the streams. */
  subscribers(): readonly Subscriber[];
  /** Closes every stream (1001) and refuses further ones. */
  stop(): void;
};

type StreamPorts = {
  readonly config: Config;
  readonly home: Home;
  readonly feed: ChangeFeed;
  readonly profile: Profile;
  readonly auth: Pick<Auth, "verifyAccessToken" | "onSessionsEnded"> & {
    readonly accounts: Pick<Accounts, "onRevoked">;
  };
  readonly clock: Clock;
  readonly log: Log;
};

/** Clients send a login or nothing, so no message needs many fragments. */
const FRAGMENTS_MAX = 64;
/** Share of one address in the connections that wait for their login. */
const ADDRESS_SHARE = 1 / 4;
const ADDRESS_WAITING_MIN = 8;

export function createStreams(ports: StreamPorts): Streams {
  const { config, home, auth } = ports;
  const hub = new Hub({ ...ports, zone: homeZone(home) });
  const servers = { rest: webSocketServer(config, "rest"), api: webSocketServer(config, "api") };
  const room: Room = { ports, hub, waiting: new Map(), lastSid: 0 };
  let isStopped = false;
  hub.start();
  auth.onSessionsEnded((sessionIds) => hub.endSessions(sessionIds));
  // Streams that were opened with basic authentication have no session.
  auth.accounts.onRevoked((accountId) => hub.endAccount(accountId));
  return {
    handleUpgrade(upgrade) {
      const { request, socket, head, surface, principal } = upgrade;
      const hasRoom = principal ? hasPlace(config, hub.followers(), { ...upgrade, principal }) : !hub.isFull;
      if (isStopped || !hasRoom) refuseUpgrade(socket, surface, new ControllerError("TOO_MANY_SUBSCRIBERS"));
      else if (!principal && surface === "rest") refuseUpgrade(socket, surface, new ControllerError("UNAUTHENTICATED"));
      else servers[surface].handleUpgrade(request, socket, head, (ws) => open(room, upgrade, ws));
    },
    follow(subscription) {
      const { socket } = subscription;
      if (!isStopped && hasPlace(config, hub.followers(), subscription)) openKept(room, subscription);
      else socket.on("error", () => socket.destroy()).end(soapMessage(TOO_MANY));
    },
    endSubscriber: (accountId, sid) => hub.endSubscriber(accountId, sid),
    edits: { begin: (id) => hub.beginEdit(id), answered: (id) => hub.editAnswered(id) },
    say: (line, atMs) => hub.say(line, atMs),
    subscribers: () => hub.followers().map(({ sid, isPortal, remoteAddress }) => ({ sid, isPortal, remoteAddress })),
    stop() {
      isStopped = true;
      hub.stop();
      for (const connection of room.waiting.keys()) connection.close(CLOSE.goingAway, "The controller is stopping.");
    },
  };
}

type Room = {
  readonly ports: StreamPorts;
  readonly hub: Hub;
  /** Connections whose login has not come yet, each with where it comes from. */
  readonly waiting: Map<Connection, string>;
  lastSid: number;
};

function open(room: Room, upgrade: StreamUpgrade, ws: WebSocket): void {
  const { config, auth, clock } = room.ports;
  const connection = new Connection(ws, upgrade.socket, config, clock);
  let leave = () => {};
  const login = new LoginWait({ auth, clock, timeoutMs: config.streamLoginTimeoutMs }, connection, (principal) => {
    room.waiting.delete(connection);
    leave = follow(room, { ...upgrade, framing: "websocket" }, connection, principal);
  });
  connection.start({
    onMessage: (text) => login.offer(text),
    onDrain: () => room.hub.flushSoon(),
    onClosed: () => {
      login.end();
      room.waiting.delete(connection);
      leave();
    },
  });
  if (upgrade.principal) {
    login.end();
    leave = follow(room, { ...upgrade, framing: "websocket" }, connection, upgrade.principal);
  } else {
    const source = sourceNetwork(upgrade.remoteAddress);
    makeRoom(room, source);
    room.waiting.set(connection, source);
    login.start();
  }
}

function openKept(room: Room, { socket, head, ...subscription }: KeptSubscription): void {
  const { config, clock } = room.ports;
  const carrier = new KeptSocket(socket);
  const connection = new Connection(carrier, socket, config, clock);
  const onMessage = (text: string | null) => {
    if (!carrier.ends(text ?? "")) return;
    connection.write(soapMessage(200));
    connection.close(CLOSE.goingAway, "Unsubscribed.");
  };
  let leave = () => {};
  connection.start({ onMessage, onDrain: () => room.hub.flushSoon(), onClosed: () => leave() });
  leave = follow(room, { ...subscription, surface: "rest", framing: "http" }, connection, subscription.principal);
  onMessage(head.toString("latin1"));
}

/**
 * A page logs in as soon as it is connected, so the connection that waits for longest makes room: among those of the same
 * address when it has more than its share.
 */
function makeRoom({ ports, waiting }: Room, source: string): void {
  const { streamClientsMax } = ports.config;
  const ofSource = [...waiting].filter(([, other]) => other === source);
  const isGreedy = ofSource.length >= Math.max(ADDRESS_WAITING_MIN, Math.ceil(streamClientsMax * ADDRESS_SHARE));
  if (!isGreedy && waiting.size < streamClientsMax) return;
  const [longest] = (isGreedy ? ofSource[0] : [...waiting][0]) ?? [];
  if (!longest) return;
  waiting.delete(longest);
  longest.close(CLOSE.tryAgainLater, "Others wait for their login too.");
}

type Followed = Pick<StreamUpgrade, "surface" | "listener" | "remoteAddress"> & { readonly framing: Framing };

/** @returns a function that ends it. */
function follow(room: Room, upgrade: Followed, connection: Connection, principal: Principal): () => void {
  if (!hasPlace(room.ports.config, room.hub.followers(), { ...upgrade, principal })) {
    connection.close(CLOSE.tryAgainLater, "Too many clients follow the event stream.");
    return () => {};
  }
  const { surface, framing, listener, remoteAddress } = upgrade;
  room.lastSid += 1;
  if (principal.view) room.ports.log.info("An account with limits follows the events.", { account: principal.login });
  const isPortal = listener === "portal";
  return room.hub.add({ sid: room.lastSid, surface, framing, principal, isPortal, remoteAddress, connection });
}

/** Reads, answers and closes by the protocol; pings are answered by the connection, which counts them. */
function webSocketServer(config: Config, surface: Surface): WebSocketServer {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    autoPong: false,
    maxPayload: config.streamMessageBytesMax,
    maxFragments: FRAGMENTS_MAX,
    handleProtocols: (offered) => (offered.has("ISYSUB") ? "ISYSUB" : false),
  });
  // Without a listener a malformed handshake is answered as text of another kind than the surface's.
  server.on("wsClientError", ({ message }, socket) => {
    refuseUpgrade(socket, surface, new ControllerError("BAD_REQUEST", `${message}.`));
  });
  return server;
}

/** The home's time zone, recomputed only when the controller was moved to another one. */
function homeZone(home: Home): () => Zone {
  let zone = createZone(home.controller.timeZone);
  return () => {
    if (zone.id !== home.controller.timeZone) zone = createZone(home.controller.timeZone);
    return zone;
  };
}

type PlaceLimits = Pick<
  Config,
  "streamClientsMax" | "streamClientsPerAccountMax" | "streamClientsPerAddressMax" | "streamPlacesForOwners"
>;

type Present = { readonly principal: Principal; readonly remoteAddress: string };

/**
 * Whether one more client may follow the streams. No account and no address takes the places of all, and some are kept for
 * owners, so that a guest, or many of them, cannot keep the owner's own page out.
 */
function hasPlace(limits: PlaceLimits, present: readonly Present[], { principal, remoteAddress }: Present): boolean {
  const { streamClientsMax, streamClientsPerAccountMax, streamClientsPerAddressMax, streamPlacesForOwners } = limits;
  // When places are few in total, accounts other than owners still get half of them.
  const reserved = principal.role === "owner" ? 0 : Math.min(streamPlacesForOwners, streamClientsMax >> 1);
  if (present.length >= streamClientsMax - reserved) return false;
  const source = sourceNetwork(remoteAddress);
  const ofAccount = present.filter((other) => other.principal.accountId === principal.accountId);
  const ofAddress = present.filter((other) => sourceNetwork(other.remoteAddress) === source);
  return ofAccount.length < streamClientsPerAccountMax && ofAddress.length < streamClientsPerAddressMax;
}

/** The version of the protocol that every client speaks, sent in answer to a malformed handshake (RFC 6455, 4.4). */
const VERSION = "Sec-WebSocket-Version: 13";

/** An upgrade that is not granted: a plain HTTP answer in the surface's own shape, then the socket ends. */
function refuseUpgrade(socket: Duplex, surface: Surface, error: ControllerError): void {
  const body = surface === "api" ? jsonBody(error) : xmlBody(error);
  const head = [
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`,
    `Content-Type: ${surface === "api" ? "application/json" : "text/xml"}; charset=UTF-8`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(error.code === "BAD_REQUEST" ? [VERSION] : []),
    ...(error.retryAfterS === null ? [] : [`Retry-After: ${error.retryAfterS}`]),
    "Connection: close",
  ];
  socket.on("error", () => socket.destroy());
  socket.once("finish", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}

function jsonBody({ message, code }: ControllerError): string {
  return JSON.stringify({ successful: false, data: null, error: message, code });
}

function xmlBody({ message, code, status }: ControllerError): string {
  const reason = `<reason code="${code}">${escapeXml(message)}</reason>`;
  return `${XML_PROLOG}<RestResponse succeeded="false"><status>${status}</status>${reason}</RestResponse>`;
}
