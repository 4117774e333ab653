/**
 * A connection to an MQTT broker that the controller does not run: version 5, and 3.1.1 with brokers that know no other. It reconnects by
 * itself and renews its subscriptions. All messages of drivers to such a broker go through here.
 */

import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectSecured } from "node:tls";
import { type IClientOptions, MqttClient } from "mqtt";
import type { Log } from "../util/log.ts";
import { packetReader } from "./mqtt-packets.ts";

type MqttBroker = {
  /** `mqtts://HOST:PORT` */
  readonly url: string;
  readonly clientId: string;
  /** "": none. */
  readonly user: string;
  readonly password: string;
  /** Certificate and key of the client, PEM. */
  readonly key: string;
  readonly cert: string;
  /** Authority that signed the broker's certificate, PEM; "": the machine's trusted authorities. */
  readonly ca: string;
  /** Longer messages are left out by brokers of version 5. The connection to others ends at a longer packet, if it is longer than 4 MB. */
  readonly messageBytesMax: number;
  /** What the broker publishes, and keeps, when the connection ends without a word. */
  readonly will?: { readonly topic: string; readonly payload: string };
};

type MqttPorts = {
  readonly log: Log;
  received(topic: string, payload: Buffer, isRetained: boolean): void;
  /** It is up again, or for the first time. */
  connected(): void;
  disconnected(): void;
};

export type MqttConnection = {
  /** Resolves when the broker has confirmed it. */
  subscribe(topics: readonly string[]): Promise<void>;
  unsubscribe(topics: readonly string[]): Promise<void>;
  /** Dropped while there is no connection. */
  publish(topic: string, payload: string, retained?: boolean): void;
  end(): Promise<void>;
};

/** What the identities of a controller's own nodes on a broker begin with. */
export function ownIdentity(uuid: string): string {
  return `domovoi_${uuid.replace(/[^0-9A-Za-z]/g, "")}`;
}

const RECONNECT_MS = 2000;
const CONNECT_MS = 10_000;
const KEEP_ALIVE_S = 30;
const READ_AT_ONCE = 50;
/** Brokers of version 3.1.1 know no limit, and a message that they keep would end each connection. */
const CUT_BYTES_MIN = 4_194_304;
const PORTS: Readonly<Record<string, number>> = { "mqtt:": 1883, "mqtts:": 8883 };
/** By version 3.1.1 and by version 5: the broker does not speak this version. */
const VERSION_REFUSED: readonly unknown[] = [1, 132];
/** By version 3.1.1 and by version 5: wrong user or password, or not authorized. */
const LOGIN_REFUSED: readonly unknown[] = [4, 5, 134, 135];

type ConnectError = Error & { readonly code?: unknown };

/** @throws Error with a sentence for the owner when the broker cannot be reached or refuses the login. */
export async function openMqtt(broker: MqttBroker, ports: MqttPorts): Promise<MqttConnection> {
  const client = await opened(broker, ports.log, 5)
    .catch((error: ConnectError) => {
      if (VERSION_REFUSED.includes(error.code)) return opened(broker, ports.log, 4);
      throw error;
    })
    .catch((error: ConnectError) => {
      const isLogin = LOGIN_REFUSED.includes(error.code);
      const what = isLogin ? "refuses the login; check user and password" : "cannot be reached";
      throw new Error(`The broker at ${broker.url} ${what}: ${error.message}`, { cause: error });
    });
  pauseBetween(client);
  client.on("message", (topic, payload, { retain }) => ports.received(topic, payload, retain));
  client.on("connect", () => ports.connected());
  client.on("close", () => ports.disconnected());
  client.on("error", (error) => ports.log.warn("The MQTT broker refused the connection.", { url: broker.url, error }));
  return {
    async subscribe(topics) {
      await client.subscribeAsync([...topics]);
    },
    async unsubscribe(topics) {
      if (client.connected) await client.unsubscribeAsync([...topics]);
    },
    publish(topic, payload, retained = false) {
      if (client.connected) client.publish(topic, payload, { qos: 0, retain: retained });
    },
    end: () => client.endAsync(),
  };
}

/** A burst that waits in the socket would otherwise be read in one turn of the event loop. The broker waits meanwhile. */
function pauseBetween(client: MqttClient): void {
  let read = 0;
  client.handleMessage = (_packet, next) => {
    read += 1;
    if (read < READ_AT_ONCE) next();
    else {
      read = 0;
      setImmediate(next);
    }
  };
}

/** A broker that sends more than it may is not listened to any further. */
function openSocket({ url, key, cert, ca, messageBytesMax }: MqttBroker, log: Log): Socket {
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const at = { host, port: Number(port) || (PORTS[protocol] ?? 0) };
  const name = isIP(host) === 0 ? { servername: host } : {};
  const own = { ...(key !== "" && { key, cert }), ...(ca !== "" && { ca }) };
  const socket = protocol === "mqtts:" ? connectSecured({ ...at, ...name, ...own }) : connectPlain(at);
  const packets = packetReader();
  const bytesMax = Math.max(messageBytesMax, CUT_BYTES_MIN);
  socket.on("data", (chunk: Buffer) => {
    if (socket.destroyed || packets(chunk).longest <= bytesMax) return;
    log.warn("The broker sends a message that is too long. The connection is closed.", { url, bytesMax });
    socket.destroy();
  });
  return socket;
}

function opened(broker: MqttBroker, log: Log, protocolVersion: 4 | 5): Promise<MqttClient> {
  const { clientId, user, password, messageBytesMax, will } = broker;
  const options: IClientOptions = {
    protocolVersion,
    clientId,
    clean: true,
    keepalive: KEEP_ALIVE_S,
    connectTimeout: CONNECT_MS,
    reconnectPeriod: RECONNECT_MS,
    queueQoSZero: false,
    ...(user === "" ? {} : { username: user, password }),
    ...(will ? { will: { topic: will.topic, payload: Buffer.from(will.payload), qos: 1, retain: true } } : {}),
    ...(protocolVersion === 5 ? { properties: { maximumPacketSize: messageBytesMax } } : {}),
  };
  return new Promise((resolve, reject) => {
    const client = new MqttClient(() => openSocket(broker, log), options);
    const fail = (error: Error) => {
      client.end(true);
      reject(error);
    };
    const failClosed = () => fail(new Error("The connection was closed."));
    client.once("error", fail);
    client.once("close", failClosed);
    client.once("connect", () => {
      client.removeListener("error", fail);
      // From now on the library connects again by itself.
      client.removeListener("close", failClosed);
      resolve(client);
    });
  });
}
