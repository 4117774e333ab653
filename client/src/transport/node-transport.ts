/** The network of Node: kept connections, certificates of one's own, sockets with headers. */

import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { WebSocket } from "ws";
import { readBody } from "./node-body.ts";
import type { Socket, SocketEvents, Transport, TransportAnswer, TransportRequest } from "./transport.ts";

export type TlsOptions = {
  /** Certificates to trust, PEM. Default: those of Node. */
  readonly ca?: string | Uint8Array;
  /** Looks at no certificate. Whoever is in between then reads everything, passwords too. */
  readonly insecure?: boolean;
};

const CONNECTIONS_MAX = 16;
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

export function createNodeTransport({ ca, insecure = false }: TlsOptions): Transport {
  const tls = {
    rejectUnauthorized: !insecure,
    ...(ca !== undefined && { ca: typeof ca === "string" ? ca : Buffer.from(ca) }),
  };
  const kept = { keepAlive: true, maxSockets: CONNECTIONS_MAX };
  const https = new HttpsAgent({ ...kept, ...tls });
  const http = new HttpAgent(kept);
  return {
    socketsHaveHeaders: true,
    request: (request, signal) => exchange(request, signal, request.url.startsWith("https:") ? https : http),
    openSocket(url, headers, events) {
      const options = { headers, perMessageDeflate: false, maxPayload: MESSAGE_BYTES_MAX, ...tls };
      return openSocket(new WebSocket(url, options), events);
    },
    close() {
      https.destroy();
      http.destroy();
    },
  };
}

function exchange(
  { url, method, headers, body }: TransportRequest,
  signal: AbortSignal,
  agent: HttpAgent,
): Promise<TransportAnswer> {
  return new Promise((resolve, reject) => {
    const length = method === "GET" ? {} : { "Content-Length": String(Buffer.byteLength(body ?? "")) };
    const send = url.startsWith("https:") ? httpsRequest : httpRequest;
    const outgoing = send(url, { method, agent, signal, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk)).once("error", reject);
      response.once("end", () => {
        const header = (name: string) => [response.headers[name] ?? []].flat()[0] ?? null;
        const status = response.statusCode ?? 0;
        readBody(Buffer.concat(chunks), header).then((text) => resolve({ status, header, text }), reject);
      });
    });
    outgoing.once("error", reject).end(body ?? undefined);
  });
}

function openSocket(socket: WebSocket, events: SocketEvents): Socket {
  let isOver = false;
  const end = (reason: Parameters<SocketEvents["closed"]>[0]) => {
    if (!isOver) events.closed(reason);
    isOver = true;
  };
  socket.on("open", () => events.opened());
  socket.on("message", (data, isBinary) => {
    if (!isBinary) events.message(String(data));
  });
  socket.on("unexpected-response", (outgoing, response) => {
    outgoing.destroy();
    end({ status: response.statusCode ?? null, code: null });
  });
  // What went wrong is followed by "close", except before the connection stood.
  socket.on("error", () => {});
  socket.on("close", (code) => end({ status: null, code }));
  return { send: (text) => socket.send(text), close: () => socket.close() };
}
