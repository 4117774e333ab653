/**
 * Many subscribers of one topic of an MQTT broker over TLS, and one publisher, for the same flood as the event streams
 * get. Speaks as much of MQTT 3.1.1 as this needs: CONNECT, SUBSCRIBE, PUBLISH with QoS 0.
 */

import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { pause } from "../harness/arrivals.ts";
import type { Target } from "../harness/https-connection.ts";
import { serveCalls } from "../harness/worker.ts";
import type { CountOutput } from "./subscribers.ts";

export type MqttFloodInput = {
  readonly target: Target;
  readonly clients: number;
  readonly frame: string;
  readonly frames: number;
  readonly window: number;
};

const TOPIC = Buffer.from("bench");
const CONNACK = 2;
const PUBLISH = 3;
const SUBACK = 9;
const KEEP_ALIVE_S = 120;
/** Messages of one write of the publisher. */
const BATCH = 16;

serveCalls({
  async flood({ target, clients, frame, frames, window }: MqttFloodInput): Promise<CountOutput> {
    const publisher = await Session.open(target, "publisher");
    const subscribers: Session[] = [];
    for (let index = 0; index < clients; index += 1) {
      const session = await Session.open(target, `subscriber-${index}`);
      await session.subscribe();
      subscribers.push(session);
    }
    const message = publication(Buffer.from(frame));
    const startMs = performance.now();
    let slowest = 0;
    for (let told = 0; slowest < frames; slowest = Math.min(...subscribers.map(({ messages }) => messages))) {
      const batch = Math.max(0, Math.min(BATCH, frames - told, slowest + window - told));
      if (batch > 0) publisher.write(Buffer.concat(Array.from({ length: batch }, () => message)));
      told += batch;
      await (batch > 0 ? new Promise<void>((resolve) => setImmediate(resolve)) : pause(1));
    }
    const seconds = (performance.now() - startMs) / 1000;
    const bytes = subscribers.reduce((sum, session) => sum + session.bytes, 0);
    for (const session of [...subscribers, publisher]) session.close();
    return { framesPerSecond: (frames * clients) / seconds, bytes, seconds };
  },
});

class Session {
  readonly #socket: TLSSocket;
  #rest: Buffer = Buffer.alloc(0);
  #answered: (() => void) | null = null;
  messages = 0;
  bytes = 0;

  constructor(socket: TLSSocket) {
    this.#socket = socket;
  }

  static async open({ host, port }: Target, id: string): Promise<Session> {
    const socket = connect({ host, port, rejectUnauthorized: false });
    await once(socket, "secureConnect");
    socket.setNoDelay(true);
    const session = new Session(socket);
    socket.on("data", (chunk) => session.#take(chunk));
    const name = Buffer.from(id);
    const clean = Buffer.from([0, 4, 0x4d, 0x51, 0x54, 0x54, 4, 2, 0, KEEP_ALIVE_S, 0, name.length]);
    await session.#ask(Buffer.concat([Buffer.from([0x10, clean.length + name.length]), clean, name]));
    return session;
  }

  async subscribe(): Promise<void> {
    const payload = Buffer.concat([Buffer.from([0, 1, 0, TOPIC.length]), TOPIC, Buffer.from([0])]);
    await this.#ask(Buffer.concat([Buffer.from([0x82, payload.length]), payload]));
  }

  write(bytes: Buffer): void {
    this.#socket.write(bytes);
  }

  close(): void {
    this.#socket.destroy();
  }

  #ask(packet: Buffer): Promise<void> {
    return new Promise((resolve) => {
      this.#answered = resolve;
      this.#socket.write(packet);
    });
  }

  #take(chunk: Buffer): void {
    this.bytes += chunk.length;
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let at = 0;
    for (;;) {
      const end = packetEnd(bytes, at);
      if (end === null || end > bytes.length) break;
      const type = (bytes[at] ?? 0) >> 4;
      if (type === PUBLISH) this.messages += 1;
      else if (type === CONNACK || type === SUBACK) this.#answered?.();
      at = end;
    }
    this.#rest = bytes.subarray(at);
  }
}

function publication(payload: Buffer): Buffer {
  const length = 2 + TOPIC.length + payload.length;
  const header = Buffer.from([0x30, (length & 0x7f) | 0x80, length >> 7, 0, TOPIC.length]);
  return Buffer.concat([header, TOPIC, payload]);
}

/** Where the packet ends, or null when its length has not come yet. */
function packetEnd(bytes: Buffer, at: number): number | null {
  let length = 0;
  for (let place = 0; place < 4; place += 1) {
    const byte = bytes[at + 1 + place];
    if (byte === undefined) return null;
    length += (byte & 0x7f) << (7 * place);
    if (byte < 0x80) return at + 2 + place + length;
  }
  return null;
}
