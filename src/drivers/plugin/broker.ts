/**
 * The message broker for plugins: MQTT over TLS on the loopback address, opened for the first plugin and closed after
 * the last one. A plugin logs in with the token of its present process, publishes under its own id, and receives only
 * messages for itself. An account that may administer logs in with the certificate of its session and reads what plugins
 * publish. Messages are handled in their order, and answers go directly to the connection of the request,
 * so an answer before the plugin's subscription is complete is not lost.
 */

import type { AddressInfo, Socket } from "node:net";
import { createServer, type Server } from "node:tls";
import { Aedes, type Client } from "aedes";
import type { Clock } from "../../util/clock.ts";
import type { Log } from "../../util/log.ts";
import { isSameSecret } from "../../util/same-secret.ts";
import { type PluginAuthority, SESSION_CLIENT } from "../plugin-port.ts";
import { MessageRate } from "./message-rate.ts";
import { clientTopic, handleMessage, parseTopic } from "./plugin-topics.ts";
import { GuardedConnection, MessageTooLong } from "./guarded-connection.ts";

export type BrokerLimits = {
  readonly pluginMessageBytesMax: number;
  readonly pluginMessagesPerSecond: number;
  readonly pluginsMessagesPerSecond: number;
  readonly pluginsMax: number;
  readonly pluginBrokerPort: number;
};

export type BrokerOptions = {
  readonly limits: BrokerLimits;
  readonly authority: Pick<PluginAuthority, "broker">;
  /** Whether the session may watch what plugins publish. Asked at its login and for every message. */
  readonly mayWatch: (sessionId: string) => boolean;
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
  received(kind: string, payload: Buffer): Promise<void>;
  /** It sent what the broker does not take. @param reason a sentence */
  exceeded(reason: string): void;
};

/** The broker to which plugins connect, embedded or external. */
export type Broker = {
  /** Makes the plugin known. Resolves when the broker accepts connections: a plugin whose first try fails never tries again. */
  register(user: BrokerUser): Promise<BrokerLogin>;
};

export type BrokerLogin = {
  readonly host: string;
  readonly port: number;
  /** Messages of the plugin in the latest full second. */
  readonly messagesPerSecond: number;
  /** Dropped while the plugin is not connected. */
  send(message: object): void;
  release(): Promise<void>;
};

const HOST = "127.0.0.1";
const CONNECT_MS = 30_000;
const HEARTBEAT_MS = 60_000;
/** Connections that have not logged in yet, beside one a plugin. */
const SPARE_CONNECTIONS = 20;
const BAD_LOGIN = 4;
/** A client that takes nothing for so long is disconnected. */
const DRAIN_MS = 10_000;
const WATCHERS_MAX = 10;
/** Messages of QoS 2 that a client has not released yet. The broker holds them in memory. */
const HALF_OPEN_MAX = 20;

type Login = {
  readonly user: BrokerUser;
  client: Client | null;
  readonly rate: MessageRate;
  /** The library hands over everything that one read of the socket brought at once; it is handled one after the other. */
  last: Promise<void>;
};

export class PluginBroker implements Broker {
  readonly #options: BrokerOptions;
  readonly #logins = new Map<string, Login>();
  /** Limit for all plugins together. */
  readonly #rate: MessageRate;
  /** Sessions of accounts that watch. */
  readonly #watchers = new Map<Client, string>();
  #open: Promise<Running> | null = null;

  constructor(options: BrokerOptions) {
    this.#options = options;
    this.#rate = new MessageRate(options.clock, options.limits.pluginsMessagesPerSecond);
  }

  async register(user: BrokerUser): Promise<BrokerLogin> {
    const { clock, limits } = this.#options;
    const rate = new MessageRate(clock, limits.pluginMessagesPerSecond);
    const login: Login = { user, client: null, rate, last: Promise.resolve() };
    this.#logins.set(user.id, login);
    this.#open ??= this.#start();
    const { port } = await this.#open;
    return {
      host: HOST,
      port,
      get messagesPerSecond() {
        return rate.lastSecond;
      },
      send(message) {
        const { client } = login;
        if (!client || client.closed) return;
        const payload = Buffer.from(JSON.stringify(message));
        const packet = {
          cmd: "publish",
          qos: 0,
          dup: false,
          retain: false,
          topic: clientTopic(user.id),
          payload,
        } as const;
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
    const { limits, authority, log } = this.#options;
    // A client without a certificate logs in with its token alone: not every library of plugins can show one.
    const certificates = { ...(await authority.broker()), requestCert: true, rejectUnauthorized: false };
    // Libraries of plugins ask for TLS 1.2 exactly.
    const server = createServer({ ...certificates, minVersion: "TLSv1.2", noDelay: true }, (socket) => {
      aedes.handle(new GuardedConnection(socket, limits.pluginMessageBytesMax));
    });
    server.maxConnections = limits.pluginsMax + WATCHERS_MAX + SPARE_CONNECTIONS;
    const sockets = new Set<Socket>();
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
    server.on("tlsClientError", (error) => log.debug("A connection to the plugin broker failed.", { error }));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(limits.pluginBrokerPort, HOST, resolve);
    });
    return { aedes, server, sockets, port: (server.address() as AddressInfo).port };
  }

  async #createBroker(): Promise<Aedes> {
    const aedes = await Aedes.createBroker({
      connectTimeout: CONNECT_MS,
      heartbeatInterval: HEARTBEAT_MS,
      drainTimeout: DRAIN_MS,
      maxInflightInbound: HALF_OPEN_MAX,
      authorizeForward: (client, packet) => (this.#mayRead(client, packet.topic) ? packet : null),
      authenticate: (client, name, password, done) => {
        if (this.#loginOf(client, name, password) || this.#watches(client)) return done(null, true);
        this.#options.log.warn("The plugin broker refused a login.", { client: client.id });
        done(Object.assign(new Error("Bad login."), { returnCode: BAD_LOGIN }), false);
      },
      authorizeSubscribe: (client, subscription, done) =>
        done(null, this.#watchers.has(client) || subscription.topic === clientTopic(client.id) ? subscription : null),
      authorizePublish: (client, packet, done) => {
        // A plugin that subscribes later would get retained messages again.
        packet.retain = false;
        this.#take(client, packet.topic, packet.payload, done);
      },
    });
    aedes.on("clientReady", (client) => {
      connectionOf(client).admit();
      const login = this.#logins.get(client.id);
      if (!login) return;
      login.client = client;
      login.user.connected();
    });
    aedes.on("clientError", (client, error) => {
      if (error instanceof MessageTooLong) this.#logins.get(client.id)?.user.exceeded(error.message);
    });
    aedes.on("clientDisconnect", (client) => {
      this.#watchers.delete(client);
      const login = this.#logins.get(client.id);
      // A plugin that reconnects replaces its own dead connection.
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

  /**
   * Plugins write their id as user name, with or without the colons of the controller's id. A certificate, where one is shown, has to be
   * the plugin's own.
   */
  #loginOf(client: Client, name: string | undefined, password: Buffer | undefined): Login | null {
    const { id } = client;
    const login = this.#logins.get(id);
    if (!login || (name !== id && name !== id.replaceAll(":", ""))) return null;
    const { certified } = connectionOf(client);
    if (certified !== null && certified !== id) return null;
    return password && isSameSecret(password, login.user.token) ? login : null;
  }

  /** The certificate of a session is its login. */
  #watches(client: Client): boolean {
    const name = connectionOf(client).certified ?? "";
    if (!name.startsWith(SESSION_CLIENT)) return false;
    const sessionId = name.slice(SESSION_CLIENT.length);
    if (this.#logins.has(client.id) || this.#watchers.size >= WATCHERS_MAX) return false;
    if (!this.#options.mayWatch(sessionId)) return false;
    this.#watchers.set(client, sessionId);
    return true;
  }

  /** A watcher reads what plugins publish, for as long as its session may. */
  #mayRead(client: Client, topic: string): boolean {
    const sessionId = this.#watchers.get(client);
    if (sessionId === undefined) return topic === clientTopic(client.id);
    return parseTopic(topic) !== null && this.#options.mayWatch(sessionId);
  }

  #take(client: Client | null, topic: string, payload: Buffer | string, done: (error?: Error | null) => void): void {
    const parsed = parseTopic(topic);
    const login = client && this.#logins.get(client.id);
    if (!login || parsed?.id !== client.id) {
      done(new Error("A plugin publishes under its own id."));
      return;
    }
    // Further messages of this plugin are left in its socket until this one is done with.
    const bytes = typeof payload === "string" ? Buffer.from(payload) : payload;
    const { kind } = parsed;
    // A plugin's own messages about its connection are ignored: the broker knows better.
    if (kind !== undefined) {
      login.last = login.last.then(() => handleMessage(login.user, kind, bytes, this.#options.log));
    }
    void login.last.finally(() => {
      const waitMs = Math.max(login.rate.count(), this.#rate.count());
      if (waitMs > 0) this.#options.clock.setTimer(() => done(), waitMs);
      else done();
    });
  }
}

type Running = {
  readonly aedes: Aedes;
  readonly server: Server;
  readonly sockets: ReadonlySet<Socket>;
  readonly port: number;
};

/** The library returns the stream that it was given. */
function connectionOf({ conn }: Client): GuardedConnection {
  return conn as GuardedConnection;
}
