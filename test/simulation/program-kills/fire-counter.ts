/** A listener on the loopback interface that counts requests by their path, over all lives of the service. */

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export class FireCounter implements AsyncDisposable {
  readonly #counts = new Map<string, number>();
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? "";
      this.#counts.set(path, this.of(path) + 1);
      response.end();
    });
  }

  static async open(): Promise<FireCounter> {
    const counter = new FireCounter();
    await new Promise<void>((resolve) => counter.#server.listen(0, "127.0.0.1", resolve));
    return counter;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port; // It listens on a port, not on a pipe.
  }

  of(path: string): number {
    return this.#counts.get(path) ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
