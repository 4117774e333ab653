/**
 * The connection of an older client that has subscribed by SOAP and keeps it: events go out on it as HTTP messages. It stands where a
 * WebSocket stands for others. The client sends nothing but the end of its subscription, and perhaps answers that tell nothing.
 */

import { EventEmitter } from "node:events";
import type { Duplex } from "node:stream";
import type { Carrier } from "./connection.ts";

const OPEN = 1;
const CLOSED = 3;
const END = "Unsubscribe";

export class KeptSocket extends EventEmitter implements Carrier {
  readonly OPEN = OPEN;
  readonly #socket: Duplex;
  #tail = "";

  constructor(socket: Duplex) {
    super();
    this.#socket = socket;
    socket.on("data", (bytes: Buffer) => this.emit("message", bytes, false));
    socket.on("error", (error) => this.emit("error", error));
    socket.on("close", () => this.emit("close"));
    socket.resume();
  }

  get readyState(): number {
    return this.#socket.writable ? OPEN : CLOSED;
  }

  /** Whether the client has ended its subscription with this part of what it sends. */
  ends(text: string): boolean {
    const all = this.#tail + text;
    this.#tail = all.slice(1 - END.length);
    return all.includes(END);
  }

  /** Such clients answer no pings; one that is gone takes no bytes, and is found by that. */
  ping(): void {
    this.emit("pong");
  }

  pong(): void {}

  close(): void {
    this.#socket.end();
  }

  terminate(): void {
    this.#socket.destroy();
  }
}
