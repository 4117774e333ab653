/** Sockets that are closed on this side and wait until their clients have read the last answer. */

import type { Socket } from "node:net";

/** Milliseconds in which a client can read the last answer before its connection is cut. */
const LINGER_MS = 2000;
/** Each holds memory for what its client still sends. */
const LINGERING_MAX = 256;

export class LingeringSockets {
  readonly #max: number;
  readonly #sockets = new Set<Socket>();

  constructor(max = LINGERING_MAX) {
    this.#max = max;
  }

  /** Above the limit the oldest socket is destroyed. */
  add(socket: Socket): void {
    socket.setTimeout(LINGER_MS);
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    if (this.#sockets.size <= this.#max) return;
    for (const oldest of this.#sockets) {
      this.#sockets.delete(oldest);
      oldest.destroy();
      return;
    }
  }
}
