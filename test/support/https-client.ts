/** A plain HTTPS client on kept connections, as programs of the field use one; and the same listener with raw bytes. */

import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import { connect, type TLSSocket } from "node:tls";

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  /** The connection was opened for this request. */
  readonly isNew: boolean;
  json<T = unknown>(): T;
};

type RequestOptions = {
  /** Replace the client's credentials too; without headers these are sent. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Source address of the connection, within 127.0.0.0/8. */
  readonly from?: string;
};

export type HttpsClient = {
  readonly url: string;
  /** `target` is sent unchanged, as far as Node allows it. */
  request(method: string, target: string, options?: RequestOptions): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** The body goes out as JSON; without one the request is empty. */
  post(path: string, body?: unknown): Promise<Answer>;
  put(path: string, body?: unknown): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** Writes the bytes on a connection of their own and returns everything received until it is closed. */
  raw(bytes: string | Buffer): Promise<string>;
  /** A connection of its own, for what no client would do. */
  socket(): Promise<TLSSocket>;
  close(): void;
};

/**
 * @param url of the listener, read for each request.
 * @param credentials the headers of a request without its own.
 */
export function createHttpsClient(url: () => string, credentials: () => Readonly<Record<string, string>>): HttpsClient {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 64 });
  const request: HttpsClient["request"] = (method, path, { headers = credentials(), body, from } = {}) =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(url());
      const via = from === undefined ? { agent } : { agent: false, localAddress: from, rejectUnauthorized: false };
      const length = body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) };
      const options = { ...via, hostname, port, path, method, headers: { ...length, ...headers } };
      const outgoing = httpsRequest(options, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk)).once("error", reject);
        response.once("end", () => resolve(answerOf(response, Buffer.concat(chunks), !outgoing.reusedSocket)));
      });
      outgoing.once("error", reject).end(body);
    });
  const send = (method: string) => (path: string, body?: unknown) => {
    if (body === undefined) return request(method, path);
    const headers = { ...credentials(), "Content-Type": "application/json" };
    return request(method, path, { headers, body: JSON.stringify(body) });
  };
  return {
    get url() {
      return url();
    },
    request,
    get: (path) => request("GET", path),
    post: send("POST"),
    put: send("PUT"),
    delete: (path) => request("DELETE", path),
    raw: (bytes) => exchangeRaw(url(), bytes),
    socket: () => openSocket(url()),
    close: () => agent.destroy(),
  };
}

function answerOf({ statusCode: status = 0, headers }: IncomingMessage, bytes: Buffer, isNew: boolean): Answer {
  const text = bytes.toString("utf8");
  return { status, headers, bytes, isNew, text, json: <T>() => JSON.parse(text) as T };
}

async function exchangeRaw(url: string, bytes: string | Buffer): Promise<string> {
  const socket = await openSocket(url);
  const answer = new Promise<string>((resolve) => {
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.once("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
  });
  socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  return answer;
}

/** Errors after the handshake are left to "close": a server that cuts a connection is what many tests are about. */
function openSocket(url: string): Promise<TLSSocket> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => resolve(socket));
    socket.on("error", reject);
  });
}
