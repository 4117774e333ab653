/**
 * The connections of a listener, each with the request that is under way on it. Node reports the end of a response only
 * when its turn to be written has come, so sockets are watched too.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Source } from "./fair-queue.ts";
import { LingeringSockets } from "./lingering-sockets.ts";
import type { RequestLimits } from "./request-limits.ts";
import type { RequestRun } from "./request-run.ts";
import { SequentialInput } from "./sequential-input.ts";

type Connection = {
  readonly input: SequentialInput;
  readonly remoteAddress: string;
  source: Source;
  run: RequestRun | null;
};

export class Connections {
  readonly #limits: Pick<RequestLimits, "turns" | "known">;
  readonly #open = new WeakMap<Socket, Connection>();
  readonly #lingering = new LingeringSockets();
  #underWay = 0;
  #onIdle: (() => void) | null = null;

  constructor(limits: Pick<RequestLimits, "turns" | "known">) {
    this.#limits = limits;
  }

  /** After this call requests of this socket are parsed one at a time. */
  add(socket: Socket): void {
    const { turns, known } = this.#limits;
    const remoteAddress = socket.remoteAddress ?? "";
    const input = new SequentialInput(socket, (begin) => turns.run(connection.source, begin), this.#lingering);
    const connection: Connection = { input, remoteAddress, source: known.sourceOf(remoteAddress), run: null };
    this.#open.set(socket, connection);
    socket.once("close", () => this.#end(connection));
  }

  begin(run: RequestRun, request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(request.socket);
    if (!connection?.input.begin(request)) return void request.socket.destroy();
    connection.run = run;
    this.#underWay += 1;
    response.once("close", () => {
      this.#end(connection);
      connection.input.answered();
    });
    void run.run(() => this.release(request.socket));
  }

  /** Releases the socket to another protocol. @returns the bytes after the last request. */
  release(socket: Socket): Buffer {
    return this.#open.get(socket)?.input.release() ?? Buffer.alloc(0);
  }

  /** Ends a connection whose client broke the protocol. */
  hangUp(socket: Socket): void {
    this.#open.get(socket)?.input.hangUp();
  }

  /** Settles when nothing is under way. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#underWay === 0) resolve();
      else this.#onIdle = resolve;
    });
  }

  #end(connection: Connection): void {
    const { run } = connection;
    if (!run) return;
    connection.run = null;
    run.end();
    const { source } = run;
    if (source.id !== connection.source.id) this.#limits.known.note(connection.remoteAddress, source);
    connection.source = source;
    this.#underWay -= 1;
    if (this.#underWay === 0) this.#onIdle?.();
  }
}
