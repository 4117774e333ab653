/**
 * One client of an event stream with as little work as possible: TLS socket, upgrade, frames passed on as positions
 * in the received bytes. It reads frames of servers (unmasked, not fragmented) and answers pings. `ws` would need
 * more of the generator's time.
 */

import { randomBytes } from "node:crypto";
import { connect, type TLSSocket } from "node:tls";
import type { Target } from "./https-connection.ts";

type SubscriberOptions = {
  readonly target: Target;
  readonly path: string;
  readonly authorization?: string;
  /** A text frame: its payload is in `bytes` from `start` to `end`. The bytes are valid until the callback returns. */
  onFrame(bytes: Buffer, start: number, end: number): void;
  onClose?(): void;
};

/** Placeholder in paths and messages for the number that a frame returns as `<val>NUMBER</val>`. */
export const NUMBER_MARK = "{NUMBER}";

const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const EMPTY = Buffer.alloc(0);

export class Subscriber {
  readonly #options: SubscriberOptions;
  readonly #socket: TLSSocket;
  #status = 0;
  #rest: Buffer = EMPTY;
  #bytes = 0;
  readonly #upgraded: Promise<void>;
  #settle: { resolve(): void; reject(error: Error): void } = { resolve() {}, reject() {} };

  constructor(options: SubscriberOptions) {
    this.#options = options;
    this.#upgraded = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    this.#upgraded.catch(() => {});
    const { host, port } = options.target;
    this.#socket = connect({ host, port, rejectUnauthorized: false });
    this.#socket.setNoDelay(true);
    this.#socket.once("secureConnect", () => this.#socket.write(upgradeRequest(options)));
    this.#socket.on("data", (chunk) => this.#take(chunk));
    this.#socket.on("error", (error) => this.#settle.reject(error));
    this.#socket.on("close", () => {
      this.#settle.reject(new Error("The server closed the connection."));
      options.onClose?.();
    });
  }

  /** Settles when the upgrade was answered; rejects unless with 101. */
  upgraded(): Promise<void> {
    return this.#upgraded;
  }

  /** Status of the answer to the upgrade, 0 before it came. */
  get status(): number {
    return this.#status;
  }

  /** Bytes of frames that came. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes nothing any more: what the server sends stays in its own buffers and the system's. */
  stall(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  send(text: string): void {
    this.#socket.write(clientFrame(TEXT, Buffer.from(text)));
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const from = this.#status === 0 ? this.#takeAnswer(bytes) : 0;
    if (from === null) this.#rest = bytes;
    else this.#takeFrames(bytes, from);
  }

  /** @returns where the frames begin, or null when the answer goes on. */
  #takeAnswer(bytes: Buffer): number | null {
    const end = bytes.indexOf("\r\n\r\n");
    if (end < 0) return null;
    this.#status = Number(bytes.toString("latin1", 9, 12));
    if (this.#status === 101) this.#settle.resolve();
    else this.#settle.reject(new Error(`The upgrade was answered with ${this.#status}.`));
    return end + 4;
  }

  #takeFrames(bytes: Buffer, from: number): void {
    let at = from;
    for (;;) {
      const length = payloadLength(bytes, at);
      if (length === null) break;
      const start = at + length.headerBytes;
      const end = start + length.payloadBytes;
      if (end > bytes.length) break;
      this.#dispatch((bytes[at] ?? 0) & 0x0f, bytes, start, end);
      at = end;
    }
    this.#bytes += at - from;
    this.#rest = at === bytes.length ? EMPTY : bytes.subarray(at);
  }

  #dispatch(opcode: number, bytes: Buffer, start: number, end: number): void {
    if (opcode === TEXT) this.#options.onFrame(bytes, start, end);
    else if (opcode === PING) this.#socket.write(clientFrame(PONG, bytes.subarray(start, end)));
    else if (opcode === CLOSE) this.#socket.end();
  }
}

function upgradeRequest({ path, authorization }: SubscriberOptions): string {
  return [
    `GET ${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Sec-WebSocket-Key: ${randomBytes(16).toString("base64")}`,
    ...(authorization ? [`Authorization: ${authorization}`] : []),
    "\r\n",
  ].join("\r\n");
}

type FrameLength = { readonly headerBytes: number; readonly payloadBytes: number };

/** null: more bytes are needed. */
function payloadLength(bytes: Buffer, at: number): FrameLength | null {
  if (at + 2 > bytes.length) return null;
  const short = (bytes[at + 1] ?? 0) & 0x7f;
  if (short < 126) return { headerBytes: 2, payloadBytes: short };
  if (short === 126) return at + 4 > bytes.length ? null : { headerBytes: 4, payloadBytes: bytes.readUInt16BE(at + 2) };
  return at + 10 > bytes.length ? null : { headerBytes: 10, payloadBytes: Number(bytes.readBigUInt64BE(at + 2)) };
}

/** Masked with zeros, which leaves the payload as it is. */
function clientFrame(opcode: number, payload: Buffer): Buffer {
  const long = payload.length > 125;
  const header = Buffer.alloc(long ? 8 : 6);
  header[0] = 0x80 | opcode;
  header[1] = 0x80 | (long ? 126 : payload.length);
  if (long) header.writeUInt16BE(payload.length, 2);
  return Buffer.concat([header, payload]);
}
