/** MQTT packets say at their beginning how long they are: the connection ends before a too long one is collected in memory. */

import { Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";

import { packetReader } from "../mqtt-packets.ts";
import { keyOf } from "./waiting-connections.ts";

/** A client with this many unhandled messages or bytes is not read. */
const UNHANDLED_MAX = 10;
const UNHANDLED_BYTES_MAX = 65_536;

export class MessageTooLong extends Error {
  constructor(bytesMax: number) {
    super(`The plugin sent a message that is longer than ${bytesMax} bytes (pluginMessageBytesMax).`);
  }
}

/**
 * The connection as the broker reads it. It ends with an error at the beginning of a packet that is longer. A client need not wait for
 * the answer to its login: what it sends before is held back, because the broker would take it for one without a login.
 */
export class GuardedConnection extends Duplex {
  /** The name in the client's certificate: null without one, "" when the controller's authority has not signed it. */
  readonly certified: string | null;
  /** As its place among the connections without a login. */
  readonly key: string;
  readonly #socket: TLSSocket;
  readonly #bytesMax: number;
  readonly #packets = packetReader();
  #isAdmitted = false;
  #unhandled = 0;
  #unhandledBytes = 0;
  /** Behind the login. */
  #held: Buffer = Buffer.alloc(0);

  constructor(socket: TLSSocket, bytesMax: number) {
    super();
    this.certified = certifiedName(socket);
    this.key = keyOf(socket);
    this.#socket = socket;
    this.#bytesMax = bytesMax;
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("end", () => this.push(null));
    socket.on("error", (error) => this.destroy(error));
    socket.on("close", () => this.destroy());
  }

  /** Passes on what came behind the login. */
  admit(): void {
    this.#isAdmitted = true;
    if (this.#held.length === 0 || this.push(this.#held)) this.#socket.resume();
    this.#held = Buffer.alloc(0);
  }

  /** The broker has read a message of the client. */
  messageRead(bytes: number): void {
    this.#unhandled += 1;
    this.#unhandledBytes += bytes;
    if (!this.#mayRead) this.#socket.pause();
  }

  /** The controller has handled it. */
  messageHandled(bytes: number): void {
    this.#unhandled -= 1;
    this.#unhandledBytes -= bytes;
    this._read();
  }

  get #mayRead(): boolean {
    return this.#unhandled < UNHANDLED_MAX && this.#unhandledBytes < UNHANDLED_BYTES_MAX;
  }

  #take(chunk: Buffer): void {
    const { longest, firstEnd } = this.#packets(chunk);
    if (longest > this.#bytesMax) {
      this.destroy(new MessageTooLong(this.#bytesMax));
      return;
    }
    const passed = this.#isAdmitted ? chunk.length : firstEnd;
    this.#held = chunk.subarray(passed);
    const isWanted = passed === 0 || this.push(chunk.subarray(0, passed));
    if (!isWanted || this.#held.length > 0) this.#socket.pause();
  }

  override _read(): void {
    if (this.#held.length === 0 && this.#mayRead) this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  /** The broker writes a packet in parts. Together they are one record and one call of the system. */
  override _writev(parts: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    this.#socket.write(Buffer.concat(parts.map(({ chunk }) => chunk)), done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}

function certifiedName(socket: TLSSocket): string | null {
  const { subject } = socket.getPeerCertificate();
  if (!subject) return null;
  return socket.authorized && typeof subject.CN === "string" ? subject.CN : "";
}
