/** A few keep-alive connections for requests that come when they come: who finds none free waits in line. */

import { HttpsConnection, type Response, type Target } from "./https-connection.ts";

export class ConnectionPool {
  readonly #target: Target;
  readonly #all: HttpsConnection[];
  readonly #free: HttpsConnection[];
  readonly #line: ((connection: HttpsConnection) => void)[] = [];

  private constructor(target: Target, all: HttpsConnection[]) {
    this.#target = target;
    this.#all = all;
    this.#free = [...all];
  }

  static async open(target: Target, connections: number): Promise<ConnectionPool> {
    const all = Array.from({ length: connections }, () => new HttpsConnection(target));
    await Promise.all(all.map((connection) => connection.opened()));
    return new ConnectionPool(target, all);
  }

  /** @throws Error when the answer's status is not 200. */
  async request(head: string): Promise<Response> {
    const taken = this.#free.shift() ?? (await new Promise<HttpsConnection>((take) => this.#line.push(take)));
    let connection = taken;
    let response: Response;
    try {
      if (taken.isClosed) connection = await this.#replace(taken);
      response = await connection.request(head);
    } finally {
      const next = this.#line.shift();
      if (next) next(connection);
      else this.#free.push(connection);
    }
    if (response.status !== 200) throw new Error(`A request was answered with ${response.status}: ${response.head}`);
    return response;
  }

  async #replace(closed: HttpsConnection): Promise<HttpsConnection> {
    const connection = new HttpsConnection(this.#target);
    this.#all.splice(this.#all.indexOf(closed), 1, connection);
    await connection.opened();
    return connection;
  }

  close(): void {
    for (const connection of this.#all) connection.close();
  }
}
