/**
 * The thread of the embedded broker: TLS, logins, MQTT and the topics that each client may use. It hands over what plugins publish, and
 * a message counts as received when the controller has handled it. A plugin with ten unhandled messages, or 64 KiB of them, is not read
 * until one is handled.
 */

import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { parentPort, workerData } from "node:worker_threads";
import { Aedes, type Client } from "aedes";
import { invariant } from "../../errors.ts";
import { isSameSecret } from "../../util/same-secret.ts";
import { lowerThreadPriority } from "../../util/thread-priority.ts";
import { CIPHERS } from "../../util/tls-ciphers.ts";
import { type KeyPair, SESSION_CLIENT } from "../plugin-port.ts";
import { GuardedConnection, MessageTooLong } from "./guarded-connection.ts";
import { clientTopic, parseTopic } from "./plugin-topics.ts";
import { WAITING_MAX, WaitingConnections } from "./waiting-connections.ts";

export type BrokerTask = {
  readonly certificates: KeyPair;
  readonly host: string;
  readonly port: number;
  readonly pluginsMax: number;
  readonly messageBytesMax: number;
};

/** From the controller. `login` is a number, because a plugin that is started again has the same id. */
export type BrokerOrder =
  | { readonly kind: "register"; readonly login: number; readonly id: string; readonly token: string }
  | { readonly kind: "release"; readonly login: number; readonly id: string }
  | { readonly kind: "send"; readonly login: number; readonly id: string; readonly text: string }
  /** Sessions that may read the messages that are handled from now on. */
  | { readonly kind: "watching"; readonly sessionIds: readonly string[] }
  | { readonly kind: "handled"; readonly message: number }
  | { readonly kind: "answer"; readonly question: number; readonly mayWatch: boolean };

/** From the thread. Its first message is the port on which it listens; each later one is a list of these. */
export type BrokerEvent =
  | { readonly kind: "connected" | "disconnected"; readonly login: number }
  /** @param about the part of the topic that says what the message is about; null: the plugin's own connection */
  | {
      readonly kind: "received";
      readonly login: number;
      readonly message: number;
      readonly about: string | null;
      readonly text: string;
    }
  | { readonly kind: "exceeded"; readonly login: number; readonly reason: string }
  /** The session wants to watch what plugins publish. */
  | { readonly kind: "question"; readonly question: number; readonly sessionId: string }
  /** @param attempts refused since the event before */
  | { readonly kind: "refused"; readonly client: string; readonly attempts: number }
  | { readonly kind: "connection-failed"; readonly reason: string };

type Done = (error?: Error | null) => void;
type Login = { readonly number: number; readonly id: string; readonly token: string; client: Client | null };

const HEARTBEAT_MS = 60_000;
const BAD_LOGIN = 4;
/** A client that takes nothing for so long is disconnected. */
const DRAIN_MS = 10_000;
const WATCHERS_MAX = 10;
/** Messages of QoS 2 that a client has not released yet. The broker holds them in memory. */
const HALF_OPEN_MAX = 20;
/** Every process of this machine can try to log in, so refused logins are counted and reported once in this time. */
const REFUSALS_MS = 10_000;
const CLIENT_CHARACTERS = 100;
const COLLECT_MS = 2;

invariant(parentPort, "The broker runs in a worker thread.");
const port = parentPort;
const task = workerData as BrokerTask;
const logins = new Map<string, Login>();
/** Messages that the controller has not handled yet. */
const held = new Map<number, () => void>();
const questions = new Map<number, (mayWatch: boolean) => void>();
/** Sessions of accounts that watch. */
const watchers = new Map<Client, string>();
let watching: ReadonlySet<string> = new Set();
const waiting = new WaitingConnections();
let lastNumber = 0;
let refused = 0;
let refusalReportedMs = Number.NEGATIVE_INFINITY;
let events: BrokerEvent[] = [];

lowerThreadPriority();
port.on("message", (orders: readonly BrokerOrder[]) => {
  for (const order of orders) obey(order);
});
await listen(await createBroker());

/** Sends events in batches, because every message wakes the event loop of the controller, and other drivers wait for it. */
function emit(event: BrokerEvent): void {
  events.push(event);
  if (events.length > 1) return;
  setTimeout(() => {
    const batch = events;
    events = [];
    port.postMessage(batch);
  }, COLLECT_MS);
}

function obey(order: BrokerOrder): void {
  switch (order.kind) {
    case "register":
      logins.set(order.id, { number: order.login, id: order.id, token: order.token, client: null });
      return;
    case "release": {
      const login = loginOf(order);
      if (login) logins.delete(login.id);
      login?.client?.close();
      return;
    }
    case "send":
      send(loginOf(order), order.text);
      return;
    case "watching":
      watching = new Set(order.sessionIds);
      return;
    case "handled": {
      const done = held.get(order.message);
      held.delete(order.message);
      done?.();
      return;
    }
    case "answer": {
      const answer = questions.get(order.question);
      questions.delete(order.question);
      answer?.(order.mayWatch);
    }
  }
}

function loginOf({ login: number, id }: { readonly login: number; readonly id: string }): Login | null {
  const login = logins.get(id);
  return login?.number === number ? login : null;
}

function send(login: Login | null, text: string): void {
  if (!login?.client || login.client.closed) return;
  const payload = Buffer.from(text);
  const packet = { cmd: "publish", qos: 0, dup: false, retain: false, topic: clientTopic(login.id), payload } as const;
  login.client.publish(packet, () => {});
}

async function listen(aedes: Aedes): Promise<void> {
  // A client without a certificate logs in with its token alone: not every library of plugins can show one.
  const certificates = { ...task.certificates, requestCert: true, rejectUnauthorized: false };
  // Libraries of plugins ask for TLS 1.2 exactly.
  const server = createServer({ ...certificates, minVersion: "TLSv1.2", ciphers: CIPHERS, noDelay: true }, (socket) => {
    aedes.handle(new GuardedConnection(socket, task.messageBytesMax));
  });
  server.on("connection", (socket) => waiting.add(socket));
  // A plugin that connects again has its former connection beside the new one for a moment.
  server.maxConnections = 2 * task.pluginsMax + WATCHERS_MAX + WAITING_MAX;
  server.on("tlsClientError", (error) => emit({ kind: "connection-failed", reason: error.message }));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(task.port, task.host, resolve);
  });
  port.postMessage((server.address() as AddressInfo).port);
}

async function createBroker(): Promise<Aedes> {
  const aedes = await Aedes.createBroker({
    heartbeatInterval: HEARTBEAT_MS,
    drainTimeout: DRAIN_MS,
    maxInflightInbound: HALF_OPEN_MAX,
    authorizeForward: (client, packet) => (mayRead(client, packet.topic) ? packet : null),
    authenticate: (client, name, password, done) => {
      const admit = (isAdmitted: boolean) => {
        if (isAdmitted) return done(null, true);
        reportRefusal(client);
        done(Object.assign(new Error("Bad login."), { returnCode: BAD_LOGIN }), false);
      };
      if (isPlugin(client, name, password)) admit(true);
      else askWhetherItWatches(client, admit);
    },
    authorizeSubscribe: (client, subscription, done) =>
      done(null, watchers.has(client) || subscription.topic === clientTopic(client.id) ? subscription : null),
    authorizePublish: (client, packet, done) => {
      // A plugin that subscribes later would get retained messages again.
      packet.retain = false;
      take(client, packet.topic, packet.payload, done);
    },
  });
  aedes.on("clientReady", (client) => {
    const connection = connectionOf(client);
    waiting.admit(connection.key);
    connection.admit();
    const login = logins.get(client.id);
    if (!login) return;
    login.client = client;
    emit({ kind: "connected", login: login.number });
  });
  aedes.on("clientError", (client, error) => {
    const login = logins.get(client.id);
    if (login && error instanceof MessageTooLong) {
      emit({ kind: "exceeded", login: login.number, reason: error.message });
    } else if (login) {
      emit({ kind: "connection-failed", reason: `${login.id}: ${error.message}` });
    }
  });
  aedes.on("clientDisconnect", (client) => {
    watchers.delete(client);
    const login = logins.get(client.id);
    // A plugin that reconnects replaces its own dead connection.
    if (login?.client !== client) return;
    login.client = null;
    emit({ kind: "disconnected", login: login.number });
  });
  return aedes;
}

function reportRefusal({ id }: Client): void {
  refused += 1;
  const nowMs = performance.now();
  if (nowMs - refusalReportedMs < REFUSALS_MS) return;
  emit({ kind: "refused", client: id.slice(0, CLIENT_CHARACTERS), attempts: refused });
  refused = 0;
  refusalReportedMs = nowMs;
}

/**
 * Plugins write their id as user name, with or without the colons of the controller's id. A certificate, where one is shown, has to be
 * the plugin's own.
 */
function isPlugin(client: Client, name: string | undefined, password: Buffer | undefined): boolean {
  const { id } = client;
  const login = logins.get(id);
  if (!login || (name !== id && name !== id.replaceAll(":", ""))) return false;
  const { certified } = connectionOf(client);
  if (certified !== null && certified !== id) return false;
  return password !== undefined && isSameSecret(password, login.token);
}

/** The certificate of a session is its login. */
function askWhetherItWatches(client: Client, admit: (mayWatch: boolean) => void): void {
  const name = connectionOf(client).certified ?? "";
  if (!name.startsWith(SESSION_CLIENT) || logins.has(client.id) || watchers.size >= WATCHERS_MAX) {
    admit(false);
    return;
  }
  const sessionId = name.slice(SESSION_CLIENT.length);
  lastNumber += 1;
  watchers.set(client, sessionId);
  questions.set(lastNumber, (mayWatch) => {
    if (!mayWatch || client.closed) watchers.delete(client);
    admit(mayWatch);
  });
  emit({ kind: "question", question: lastNumber, sessionId });
}

/** A watcher reads what plugins publish, for as long as its session may. */
function mayRead(client: Client, topic: string): boolean {
  const sessionId = watchers.get(client);
  if (sessionId === undefined) return topic === clientTopic(client.id);
  return parseTopic(topic) !== null && watching.has(sessionId);
}

function take(client: Client | null, topic: string, payload: Buffer | string, done: Done): void {
  const parsed = parseTopic(topic);
  const login = client && logins.get(client.id);
  if (!login || parsed?.id !== client.id) {
    done(new Error("A plugin publishes under its own id."));
    return;
  }
  lastNumber += 1;
  const connection = connectionOf(client);
  const text = payload.toString();
  const bytes = Buffer.byteLength(payload);
  connection.messageRead(bytes);
  held.set(lastNumber, () => {
    connection.messageHandled(bytes);
    done();
  });
  const about = parsed.kind ?? null;
  emit({ kind: "received", login: login.number, message: lastNumber, about, text });
}

/** The library returns the stream that it was given. */
function connectionOf({ conn }: Client): GuardedConnection {
  return conn as GuardedConnection;
}
