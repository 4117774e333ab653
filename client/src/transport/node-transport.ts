/** The network of Node: kept connections, certificates of one's own, sockets with headers. */

import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { WebSocket } from "ws";
import { readBody } from "./node-body.ts";
import type {
  Socket,
  SocketEvents,
  Transport,
  TransportAnswer,
  TransportDownload,
  TransportRequest,
} from "./transport.ts";

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
  const agentOf = ({ url }: TransportRequest) => (url.startsWith("https:") ? https : http);
  return {
    socketsHaveHeaders: true,
    request: (request, signal) => exchange(request, signal, agentOf(request)),
    async download(request, signal): Promise<TransportDownload> {
      const response = await open(request, signal, agentOf(request));
      return { ...headOf(response), pieces: response };
    },
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

async function exchange(request: TransportRequest, signal: AbortSignal, agent: HttpAgent): Promise<TransportAnswer> {
  const response = await open(request, signal, agent);
  const head = headOf(response);
  return { ...head, text: await readBody(response, head.header) };
}

function headOf({ statusCode = 0, headers }: IncomingMessage): Omit<TransportAnswer, "text"> {
  return { status: statusCode, header: (name) => [headers[name] ?? []].flat()[0] ?? null };
}

/** Settles when the head of the answer is there. */
function open(
  { url, method, headers, body }: TransportRequest,
  signal: AbortSignal,
  agent: HttpAgent,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = method === "GET" ? {} : { "Content-Length": String(Buffer.byteLength(body ?? "")) };
    const send = url.startsWith("https:") ? httpsRequest : httpRequest;
    const outgoing = send(url, { method, agent, signal, headers: { ...headers, ...length } }, resolve);
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
