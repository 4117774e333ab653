/**
 * The message broker for plugins: MQTT over TLS on the loopback address, opened for the first plugin and closed after
 * the last one. A plugin logs in with the token of its present process, publishes under its own id, and receives only
 * messages for itself. An account that may administer logs in with the certificate of its session and reads what plugins
 * publish. Messages are handled in their order, and answers go directly to the connection of the request,
 * so an answer before the plugin's subscription is complete is not lost.
 *
 * A thread of its own does TLS and MQTT, so that commands and reports of other drivers do not wait for plugins.
 */

import type { Clock } from "../../util/clock.ts";
import type { Log } from "../../util/log.ts";
import type { PluginAuthority } from "../plugin-port.ts";
import { BrokerThread } from "./broker-thread.ts";
import type { BrokerEvent } from "./broker-worker.ts";
import { MessageRate } from "./message-rate.ts";
import { handleMessage } from "./plugin-topics.ts";

type BrokerLimits = {
  readonly pluginMessageBytesMax: number;
  readonly pluginMessagesPerSecond: number;
  readonly pluginsMessagesPerSecond: number;
  readonly pluginsMax: number;
  readonly pluginBrokerPort: number;
};

export type BrokerOptions = {
  readonly limits: BrokerLimits;
  readonly authority: Pick<PluginAuthority, "broker">;
  /** Whether the session may watch what plugins publish. Checked at its login and for every message. */
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
  received(kind: string, payload: string): Promise<void>;
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

type Login = {
  readonly number: number;
  readonly user: BrokerUser;
  readonly rate: MessageRate;
  /** The thread hands over several messages at once; they are handled one after the other. */
  last: Promise<void>;
};

export class PluginBroker implements Broker {
  readonly #options: BrokerOptions;
  /** By their number. */
  readonly #logins = new Map<number, Login>();
  #lastLogin = 0;
  /** Limit for all plugins together. */
  readonly #rate: MessageRate;
  /** Sessions that have logged in to watch. */
  readonly #watching = new Set<string>();
  #starting: Promise<BrokerThread> | null = null;
  #thread: BrokerThread | null = null;
  #ending: Promise<void> = Promise.resolve();

  constructor(options: BrokerOptions) {
    this.#options = options;
    this.#rate = new MessageRate(options.clock, options.limits.pluginsMessagesPerSecond);
  }

  async register(user: BrokerUser): Promise<BrokerLogin> {
    const { clock, limits } = this.#options;
    const rate = new MessageRate(clock, limits.pluginMessagesPerSecond);
    this.#lastLogin += 1;
    const login: Login = { number: this.#lastLogin, user, rate, last: Promise.resolve() };
    const { id } = user;
    const { number } = login;
    this.#logins.set(number, login);
    try {
      const { port } = await (this.#starting ?? this.#start(limits.pluginBrokerPort));
      this.#thread?.send({ kind: "register", login: number, id, token: user.token });
      return {
        host: HOST,
        port,
        get messagesPerSecond() {
          return rate.lastSecond;
        },
        send: (message) => this.#thread?.send({ kind: "send", login: number, id, text: JSON.stringify(message) }),
        release: () => this.#release(login),
      };
    } catch (error) {
      this.#logins.delete(number);
      throw error;
    }
  }

  async #release({ number, user }: Login): Promise<void> {
    if (!this.#logins.delete(number)) return;
    this.#thread?.send({ kind: "release", login: number, id: user.id });
    if (this.#logins.size > 0) return;
    const thread = this.#thread;
    this.#thread = null;
    this.#starting = null;
    if (thread) this.#ending = thread.end();
    await this.#ending;
  }

  #start(port: number): Promise<BrokerThread> {
    const { limits, authority } = this.#options;
    const { pluginsMax, pluginMessageBytesMax: messageBytesMax } = limits;
    const start = async (): Promise<BrokerThread> => {
      await this.#ending;
      const certificates = await authority.broker();
      const thread: BrokerThread = await BrokerThread.start(
        { certificates, host: HOST, port, pluginsMax, messageBytesMax },
        { event: (event) => this.#take(thread, event), ended: (reason) => this.#restart(thread, reason) },
      );
      this.#thread = thread;
      return thread;
    };
    const starting = start();
    this.#starting = starting;
    starting.catch(() => {
      this.#starting = null;
    });
    return starting;
  }

  /** On the same port, because plugins know no other. They connect again by themselves. */
  async #restart(thread: BrokerThread, reason: string): Promise<void> {
    const { log } = this.#options;
    log.error("The message broker of plugins has ended. It is started again.", { reason });
    this.#thread = null;
    for (const { user } of this.#logins.values()) user.disconnected();
    try {
      const started = await this.#start(thread.port);
      for (const { number, user } of this.#logins.values()) {
        started.send({ kind: "register", login: number, id: user.id, token: user.token });
      }
    } catch (error) {
      log.error("The message broker of plugins cannot be started.", { error });
    }
  }

  #take(thread: BrokerThread, event: BrokerEvent): void {
    const { log, mayWatch } = this.#options;
    switch (event.kind) {
      case "connected":
        this.#logins.get(event.login)?.user.connected();
        return;
      case "disconnected":
        this.#logins.get(event.login)?.user.disconnected();
        return;
      case "exceeded":
        this.#logins.get(event.login)?.user.exceeded(event.reason);
        return;
      case "received":
        this.#handle(thread, event);
        return;
      case "question": {
        const { question, sessionId } = event;
        const isAllowed = mayWatch(sessionId);
        if (isAllowed) this.#watching.add(sessionId);
        thread.send({ kind: "answer", question, mayWatch: isAllowed });
        return;
      }
      case "refused":
        log.warn("The plugin broker refused a login.", { client: event.client, attempts: event.attempts });
        return;
      case "connection-failed":
        log.debug("A connection to the plugin broker failed.", { reason: event.reason });
    }
  }

  #handle(thread: BrokerThread, { login: number, message, about, text }: BrokerEvent & { kind: "received" }): void {
    const { clock, log } = this.#options;
    const done = () => {
      if (this.#watching.size > 0) thread.send({ kind: "watching", sessionIds: this.#watchingNow() });
      thread.send({ kind: "handled", message });
    };
    const login = this.#logins.get(number);
    if (!login) {
      done();
      return;
    }
    // A plugin's own messages about its connection are ignored: the broker knows better.
    if (about !== null) login.last = login.last.then(() => handleMessage(login.user, about, text, log));
    void login.last.then(() => {
      const waitMs = Math.max(login.rate.count(), this.#rate.count());
      if (waitMs > 0) clock.setTimer(done, waitMs);
      else done();
    });
  }

  #watchingNow(): readonly string[] {
    for (const sessionId of this.#watching) {
      if (!this.#options.mayWatch(sessionId)) this.#watching.delete(sessionId);
    }
    return [...this.#watching];
  }
}
