/**
 * One keep-alive connection of a load generator: one request at a time; bodies are counted and discarded unless
 * requested. It needs much less processor time than Node's own client, so that the generator is not what is measured.
 */

import type { TcpSocketConnectOpts } from "node:net";
import { connect, type TLSSocket } from "node:tls";

export type Target = { readonly host: string; readonly port: number };
export type Response = {
  readonly status: number;
  readonly bytes: number;
  /** Head of the answer, as it came. */
  readonly head: string;
  /** The body; empty unless the request asked for it. */
  readonly body: Buffer;
};

type Pending = {
  readonly keep: boolean;
  resolve(response: Response): void;
  reject(error: Error): void;
};

const HEAD_END = "\r\n\r\n";

export class HttpsConnection {
  readonly #socket: TLSSocket;
  readonly #opened: Promise<void>;
  #pending: Pending | null = null;
  #isClosed = false;
  #head = "";
  /** Bytes of the body that are still to come; −1 while the head is read. */
  #left = -1;
  #bytes = 0;
  #kept: Buffer[] = [];

  /** @param localAddress one of this machine's, for a client that is to look like another machine. */
  constructor({ host, port }: Target, localAddress?: string) {
    // The options of the socket reach it, though those of TLS do not name them.
    const socketOptions: TcpSocketConnectOpts = { host, port, localAddress };
    this.#socket = connect({ ...socketOptions, rejectUnauthorized: false, ALPNProtocols: ["http/1.1"] });
    this.#socket.setNoDelay(true);
    this.#opened = new Promise((resolve, reject) => {
      this.#socket.once("secureConnect", resolve);
      this.#socket.once("error", reject);
    });
    this.#socket.on("data", (chunk) => this.#take(chunk));
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#fail(new Error("The server closed the connection.")));
  }

  /** Settles when the handshake is over. */
  opened(): Promise<void> {
    return this.#opened;
  }

  /** True once the server has closed it, as it does with connections that say nothing for long. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** @param head whole request head without its empty line, see `requestHead`. */
  request(head: string, { body = "", keep = false } = {}): Promise<Response> {
    return new Promise((resolve, reject) => {
      if (this.#pending || this.#isClosed) {
        reject(new Error("One request at a time, on an open connection."));
        return;
      }
      this.#pending = { keep, resolve, reject };
      this.#socket.write(`${head}${HEAD_END}${body}`);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const from = this.#left < 0 ? this.#takeHead(chunk) : 0;
    if (from === null) return;
    const bytes = chunk.length - from;
    this.#left -= bytes;
    if (this.#pending?.keep && bytes > 0) this.#kept.push(chunk.subarray(from));
    if (this.#left === 0) this.#finish();
  }

  /** @returns where the body begins in the chunk, or null when the head goes on. */
  #takeHead(chunk: Buffer): number | null {
    const before = this.#head.length;
    this.#head += chunk.toString("latin1");
    const end = this.#head.indexOf(HEAD_END);
    if (end < 0) return null;
    this.#head = this.#head.slice(0, end);
    this.#left = Number(/\r\ncontent-length: *(\d+)/i.exec(this.#head)?.[1] ?? 0);
    this.#bytes = this.#left;
    return end + HEAD_END.length - before;
  }

  #finish(): void {
    const pending = this.#pending;
    const head = this.#head;
    const body = Buffer.concat(this.#kept);
    this.#pending = null;
    this.#head = "";
    this.#left = -1;
    this.#kept = [];
    pending?.resolve({ status: Number(head.slice(9, 12)), bytes: this.#bytes, head, body });
  }

  #fail(error: Error): void {
    this.#isClosed = true;
    this.#pending?.reject(error);
    this.#pending = null;
  }
}

type RequestParts = {
  readonly method?: string;
  readonly path: string;
  readonly authorization?: string;
  readonly gzip?: boolean;
  readonly body?: string;
  /** The client's address, as a reverse proxy says it. */
  readonly forwardedFor?: string | undefined;
};

export function requestHead({
  method = "GET",
  path,
  authorization,
  gzip = false,
  body,
  forwardedFor,
}: RequestParts): string {
  return [
    `${method} ${path} HTTP/1.1`,
    "Host: localhost",
    ...(authorization ? [`Authorization: ${authorization}`] : []),
    ...(forwardedFor ? [`X-Forwarded-For: ${forwardedFor}`] : []),
    ...(gzip ? ["Accept-Encoding: gzip"] : []),
    ...(body === undefined ? [] : ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`]),
  ].join("\r\n");
}

/** A request on a connection of its own, its body as text. */
export async function requestOnce(target: Target, parts: RequestParts): Promise<Response> {
  const connection = new HttpsConnection(target);
  try {
    await connection.opened();
    return await connection.request(requestHead(parts), { body: parts.body ?? "", keep: true });
  } finally {
    connection.close();
  }
}

/** @param url as a server prints it when it is ready. */
export function targetOf(url: string): Target {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}
