/**
 * Connections to the broker without a login. Every process of the machine can open them, so they have few seconds and few places, and
 * the oldest one goes for a new one. Places of plugins are beside these.
 */

import type { Socket } from "node:net";

const LOGIN_MS = 5000;
/** So many in the time of a handshake would be needed to push out a plugin. */
export const WAITING_MAX = 200;

export class WaitingConnections {
  /** In the order in which they came. */
  readonly #waiting = new Map<string, Socket>();

  add(socket: Socket): void {
    const key = keyOf(socket);
    const [oldest] = this.#waiting.values();
    if (this.#waiting.size >= WAITING_MAX) oldest?.destroy();
    this.#waiting.set(key, socket);
    const timer = setTimeout(() => this.#waiting.get(key) === socket && socket.destroy(), LOGIN_MS);
    socket.once("close", () => {
      clearTimeout(timer);
      if (this.#waiting.get(key) === socket) this.#waiting.delete(key);
    });
  }

  /** It has logged in. */
  admit(key: string): void {
    this.#waiting.delete(key);
  }
}

/** The same for a connection and the TLS within it. */
export function keyOf({ remoteAddress, remotePort }: Pick<Socket, "remoteAddress" | "remotePort">): string {
  return `${remoteAddress} ${remotePort}`;
}
