/**
 * The message broker to which plugins connect: MQTT over TLS on the loopback address, opened for the first plugin and closed
 * after the last one. A plugin logs in with the token of its present process, publishes under its own id, and hears only what
 * is sent to it. Messages are taken in the order in which they come, and answers go straight to the connection that asked: one
 * that comes before the plugin's subscription stands is not lost.
 */

import { timingSafeEqual } from "node:crypto";
import type { AddressInfo, Socket } from "node:net";
import { createServer, type Server } from "node:tls";
import { Aedes, type Client } from "aedes";
import type { Clock } from "../../util/clock.ts";
import type { Log } from "../../util/log.ts";
import { guardedConnection } from "./packet-length.ts";

export type BrokerLimits = {
  readonly pluginMessageBytesMax: number;
  readonly pluginMessagesPerSecond: number;
  readonly pluginsMax: number;
};

export type BrokerOptions = {
  readonly limits: BrokerLimits;
  /** Of the listeners; plugins do not check it. */
  readonly tls: () => Promise<{ readonly key: string; readonly cert: string }>;
  readonly clock: Clock;
  readonly log: Log;
};

/** The plugin side of a connection. */
export type BrokerUser = {
  readonly id: string;
  readonly token: string;
  connected(): void;
  disconnected(): void;
  /** @param kind the part of the topic that says what the message is about, such as `system`. */
  received(kind: string, payload: Buffer): void;
};

export type BrokerLogin = {
  readonly port: number;
  /** Dropped while the plugin is not connected. */
  send(message: object): void;
  release(): Promise<void>;
};

const HOST = "127.0.0.1";
const CONNECT_MS = 30_000;
const HEARTBEAT_MS = 60_000;
/** A burst at the start of a plugin is normal. */
const BURST_SECONDS = 4;
/** Connections that have not logged in yet, beside one a plugin. */
const SPARE_CONNECTIONS = 20;
const TOPIC = /^udi\/pg3\/(?:ns\/(system|custom|command|status|portal)|connections\/ns)\/(.+)$/;
const BAD_LOGIN = 4;

type Login = { readonly user: BrokerUser; client: Client | null; tokens: number; filledAtMs: number };

export class PluginBroker {
  readonly #options: BrokerOptions;
  readonly #logins = new Map<string, Login>();
  #open: Promise<Running> | null = null;

  constructor(options: BrokerOptions) {
    this.#options = options;
  }

  /** Makes the plugin known. Resolves when the broker accepts connections: a plugin whose first try fails never tries again. */
  async register(user: BrokerUser): Promise<BrokerLogin> {
    const login: Login = { user, client: null, tokens: 0, filledAtMs: -Infinity };
    this.#logins.set(user.id, login);
    this.#open ??= this.#start();
    const { port } = await this.#open;
    return {
      port,
      send(message) {
        const { client } = login;
        if (!client || client.closed) return;
        const payload = Buffer.from(JSON.stringify(message));
        const packet = { cmd: "publish", qos: 0, dup: false, retain: false, topic: topicOf(user.id), payload } as const;
        client.publish(packet, () => {});
      },
      release: async () => {
        if (this.#logins.get(user.id) !== login) return;
        this.#logins.delete(user.id);
        login.client?.close();
        if (this.#logins.size === 0) await this.#stop();
      },
    };
  }

  async #start(): Promise<Running> {
    const aedes = await this.#createBroker();
    const { limits, tls, log } = this.#options;
    const { key, cert } = await tls();
    // Libraries of plugins ask for TLS 1.2 exactly.
    const server = createServer({ key, cert, minVersion: "TLSv1.2" }, (socket) => {
      aedes.handle(guardedConnection(socket, limits.pluginMessageBytesMax));
    });
    server.maxConnections = limits.pluginsMax + SPARE_CONNECTIONS;
    const sockets = new Set<Socket>();
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
    server.on("tlsClientError", (error) => log.debug("A connection to the plugin broker failed.", { error }));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, HOST, resolve);
    });
    return { aedes, server, sockets, port: (server.address() as AddressInfo).port };
  }

  async #createBroker(): Promise<Aedes> {
    const aedes = await Aedes.createBroker({
      connectTimeout: CONNECT_MS,
      heartbeatInterval: HEARTBEAT_MS,
      authorizeForward: (client, packet) => (packet.topic === topicOf(client.id) ? packet : null),
      authenticate: (client, name, password, done) => {
        const login = this.#loginOf(client, name, password);
        if (login) return done(null, true);
        this.#options.log.warn("The plugin broker refused a login.", { client: client.id });
        done(Object.assign(new Error("Bad login."), { returnCode: BAD_LOGIN }), false);
      },
      authorizeSubscribe: (client, subscription, done) =>
        done(null, subscription.topic === topicOf(client.id) ? subscription : null),
      authorizePublish: (client, { topic, payload }, done) => this.#take(client, topic, payload, done),
    });
    aedes.on("clientReady", (client) => {
      const login = this.#logins.get(client.id);
      if (!login) return;
      login.client = client;
      login.user.connected();
    });
    aedes.on("clientDisconnect", (client) => {
      const login = this.#logins.get(client.id);
      // A plugin that comes back takes the place of its own dead connection.
      if (login?.client !== client) return;
      login.client = null;
      login.user.disconnected();
    });
    return aedes;
  }

  async #stop(): Promise<void> {
    const open = this.#open;
    this.#open = null;
    const running = await open;
    if (!running) return;
    const { aedes, server, sockets } = running;
    await new Promise<void>((resolve) => aedes.close(resolve));
    for (const socket of sockets) socket.destroy();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  /** Plugins write their id as user name, with or without the colons of the controller's id. */
  #loginOf({ id }: Client, name: string | undefined, password: Buffer | undefined): Login | null {
    const login = this.#logins.get(id);
    if (!login || (name !== id && name !== id.replaceAll(":", ""))) return null;
    const given = password ?? Buffer.alloc(0);
    const wanted = Buffer.from(login.user.token);
    return given.length === wanted.length && timingSafeEqual(given, wanted) ? login : null;
  }

  #take(client: Client | null, topic: string, payload: Buffer | string, done: (error?: Error | null) => void): void {
    const [, kind, id] = TOPIC.exec(topic) ?? [];
    const login = client && this.#logins.get(client.id);
    if (!login || id !== client.id) {
      done(new Error("A plugin publishes under its own id."));
      return;
    }
    // What a plugin says of its own connection, the broker knows better.
    if (kind !== undefined) login.user.received(kind, typeof payload === "string" ? Buffer.from(payload) : payload);
    const waitMs = this.#pauseOf(login);
    if (waitMs > 0) this.#options.clock.setTimer(() => done(), waitMs);
    else done();
  }

  /** How long the next message of this plugin is left in its socket, so that it stays within its rate. */
  #pauseOf(login: Login): number {
    const { pluginMessagesPerSecond: rate } = this.#options.limits;
    const nowMs = this.#options.clock.elapsed();
    const filled = login.tokens + ((nowMs - login.filledAtMs) * rate) / 1000;
    login.tokens = Math.min(filled, rate * BURST_SECONDS) - 1;
    login.filledAtMs = nowMs;
    return login.tokens >= 0 ? 0 : (-login.tokens * 1000) / rate;
  }
}

type Running = {
  readonly aedes: Aedes;
  readonly server: Server;
  readonly sockets: ReadonlySet<Socket>;
  readonly port: number;
};

function topicOf(id: string): string {
  return `udi/pg3/ns/clients/${id}`;
}
