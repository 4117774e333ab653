/**
 * Plugins at a message broker that the controller does not run, such as mosquitto. The controller and each plugin are clients of it. The
 * broker decides which topics a client reads and publishes to, by the name in the client's certificate.
 */

import { readFile } from "node:fs/promises";
import type { Clock } from "../../util/clock.ts";
import type { Log } from "../../util/log.ts";
import { messageOf } from "../../util/message-of.ts";
import { type MqttConnection, openMqtt } from "../mqtt-connection.ts";
import type { PluginAuthority } from "../plugin-port.ts";
import type { Broker, BrokerLogin, BrokerUser } from "./broker.ts";
import { MessageRate } from "./message-rate.ts";
import { clientTopic, handleMessage, parseTopic, presenceTopic, publishedTopics } from "./plugin-topics.ts";

type ExternalLimits = {
  readonly pluginMessageBytesMax: number;
  readonly pluginMessagesPerSecond: number;
  readonly pluginsMessagesPerSecond: number;
  readonly pluginBrokerUrl: string;
  readonly pluginBrokerCaFile: string;
  readonly pluginBrokerUser: string;
  readonly pluginBrokerPasswordFile: string;
};

type ExternalBrokerOptions = {
  readonly limits: ExternalLimits;
  readonly authority: Pick<PluginAuthority, "client">;
  readonly uuid: string;
  readonly clock: Clock;
  readonly log: Log;
};

type Login = {
  readonly user: BrokerUser;
  readonly rate: MessageRate;
  isConnected: boolean;
  waiting: number;
  /** Its messages are handled one after the other. */
  last: Promise<void>;
};

/** The name in the controller's own certificate. */
const CONTROLLER = "domovoi";
const MQTTS_PORT = 8883;

export class ExternalBroker implements Broker {
  readonly #options: ExternalBrokerOptions;
  readonly #logins = new Map<string, Login>();
  /** Limit for all plugins together. */
  readonly #rate: MessageRate;
  #open: Promise<MqttConnection> | null = null;

  constructor(options: ExternalBrokerOptions) {
    this.#options = options;
    this.#rate = new MessageRate(options.clock, options.limits.pluginsMessagesPerSecond);
  }

  async register(user: BrokerUser): Promise<BrokerLogin> {
    const { clock, limits } = this.#options;
    const rate = new MessageRate(clock, limits.pluginMessagesPerSecond);
    const login: Login = { user, rate, isConnected: false, waiting: 0, last: Promise.resolve() };
    const connection = await this.#connection();
    this.#logins.set(user.id, login);
    await connection.subscribe(publishedTopics(user.id));
    const { hostname, port } = new URL(limits.pluginBrokerUrl);
    return {
      host: hostname,
      port: port === "" ? MQTTS_PORT : Number(port),
      get messagesPerSecond() {
        return rate.lastSecond;
      },
      send: (message) => connection.publish(clientTopic(user.id), JSON.stringify(message)),
      release: async () => {
        if (this.#logins.get(user.id) !== login) return;
        this.#logins.delete(user.id);
        await connection.unsubscribe(publishedTopics(user.id)).catch(() => {});
        // The library's own data about its connection.
        connection.publish(presenceTopic(user.id), "", true);
        if (this.#logins.size > 0) return;
        this.#open = null;
        await connection.end();
      },
    };
  }

  #connection(): Promise<MqttConnection> {
    const open = this.#open ?? this.#connect();
    this.#open = open;
    open.catch(() => {
      if (this.#open === open) this.#open = null;
    });
    return open;
  }

  async #connect(): Promise<MqttConnection> {
    const { limits, authority, log, uuid } = this.#options;
    const { pluginBrokerUrl: url, pluginBrokerUser: user, pluginBrokerCaFile, pluginBrokerPasswordFile } = limits;
    const { key, cert } = await authority.client(CONTROLLER);
    const [ca, password] = await Promise.all([textOf(pluginBrokerCaFile), textOf(pluginBrokerPasswordFile)]);
    const clientId = `${CONTROLLER}_${uuid.replaceAll(":", "")}`;
    const messageBytesMax = limits.pluginMessageBytesMax;
    const broker = { url, clientId, user, password: password.trim(), key, cert, ca, messageBytesMax };
    const lost = new Set<Login>();
    return openMqtt(broker, {
      log,
      received: (topic, payload, isRetained) => this.#received(topic, payload, isRetained),
      disconnected: () => {
        for (const login of this.#logins.values()) {
          if (login.isConnected) lost.add(login);
          this.#setConnected(login, false);
        }
      },
      // Plugins reconnect on their own, and some send nothing when they do.
      connected: () => {
        for (const login of lost) this.#setConnected(login, true);
        lost.clear();
      },
    }).catch((cause: unknown) => {
      const words = messageOf(cause);
      throw new Error(`The message broker ${url} (pluginBrokerUrl) cannot be used: ${words}`, { cause });
    });
  }

  /** Retained messages are from an earlier connection of the plugin. */
  #received(topic: string, payload: Buffer, isRetained: boolean): void {
    const { kind, id = "" } = parseTopic(topic) ?? {};
    const login = this.#logins.get(id);
    if (!login || isRetained) return;
    const { pluginMessageBytesMax: bytesMax, pluginMessagesPerSecond: waitingMax } = this.#options.limits;
    if (payload.length > bytesMax) {
      login.user.exceeded(`The plugin sent a message that is longer than ${bytesMax} bytes (pluginMessageBytesMax).`);
      return;
    }
    if (kind === undefined) {
      this.#setConnected(login, !payload.includes('"disconnected"'));
      return;
    }
    this.#setConnected(login, true);
    login.waiting += 1;
    if (login.waiting > waitingMax) {
      login.user.exceeded(`More than ${waitingMax} messages of the plugin wait (pluginMessagesPerSecond).`);
      return;
    }
    login.last = login.last.then(() => this.#handle(login, kind, payload));
  }

  async #handle(login: Login, kind: string, payload: Buffer): Promise<void> {
    const { clock, log } = this.#options;
    const waitMs = Math.max(login.rate.count(), this.#rate.count());
    if (waitMs > 0) await new Promise<void>((resolve) => void clock.setTimer(resolve, waitMs));
    login.waiting -= 1;
    if (this.#logins.get(login.user.id) !== login) return;
    await handleMessage(login.user, kind, payload.toString(), log);
  }

  #setConnected(login: Login, isConnected: boolean): void {
    if (login.isConnected === isConnected) return;
    login.isConnected = isConnected;
    if (isConnected) login.user.connected();
    else login.user.disconnected();
  }
}

/** @param file "": none. */
async function textOf(file: string): Promise<string> {
  return file === "" ? "" : readFile(file, "utf8");
}
