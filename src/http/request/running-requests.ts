/**
 * The requests that are under way, each until its reply is out or its client is gone. Node tells a response of its
 * socket's end only when its turn has come; pipelined ones behind it would wait for ever, so sockets are followed too.
 */

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { RequestRun } from "./request-run.ts";

export class RunningRequests {
  readonly #atOnceMax: number;
  readonly #bySocket = new WeakMap<Socket, Set<RequestRun>>();
  #count = 0;
  #onIdle: (() => void) | null = null;

  /** @param atOnceMax requests of one connection. */
  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax;
  }

  /** @returns false when its connection sent more without waiting for answers than anybody does; it is cut then. */
  begin(exchange: RequestRun, socket: Socket, response: ServerResponse): boolean {
    const mine = this.#of(socket);
    if (mine.size >= this.#atOnceMax) {
      socket.destroy();
      return false;
    }
    mine.add(exchange);
    this.#count += 1;
    response.once("close", () => this.#end(mine, exchange));
    return true;
  }

  /** Settles when nothing is under way. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#count === 0) resolve();
      else this.#onIdle = resolve;
    });
  }

  #of(socket: Socket): Set<RequestRun> {
    const known = this.#bySocket.get(socket);
    if (known) return known;
    const mine = new Set<RequestRun>();
    this.#bySocket.set(socket, mine);
    socket.once("close", () => {
      for (const exchange of mine) this.#end(mine, exchange);
    });
    return mine;
  }

  #end(mine: Set<RequestRun>, exchange: RequestRun): void {
    if (!mine.delete(exchange)) return;
    exchange.end();
    this.#count -= 1;
    if (this.#count === 0) this.#onIdle?.();
  }
}
