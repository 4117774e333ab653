/** The network of Node: kept connections, certificates of one's own, sockets with headers. */

import type { Agent, IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { createSecureContext } from "node:tls";
import type { WebSocket } from "ws";
import { readBody } from "./read-body.ts";
import type {
  Socket,
  SocketEvents,
  Transport,
  TransportAnswer,
  TransportDownload,
  TransportRequest,
} from "./transport.ts";

// An import of node:http loads the parts of it that implement fetch, which take 50 ms and are not used here.
const { Agent: HttpAgent, request: httpRequest } = process.getBuiltinModule("node:http");

export type TlsOptions = {
  /** Certificates to trust, PEM. Default: those of Node. */
  readonly ca?: string | Uint8Array;
  /** Looks at no certificate. Whoever is in between then reads everything, passwords too. */
  readonly insecure?: boolean;
  /** Finds the addresses of names. Default: the system's name service. */
  readonly lookup?: LookupFunction;
};

const CONNECTIONS_MAX = 16;
const MESSAGE_BYTES_MAX = 16 * 1024 * 1024;

export function createNodeTransport({ ca, insecure = false, lookup }: TlsOptions): Transport {
  const tls = {
    rejectUnauthorized: !insecure,
    // Made once: a connection makes its own otherwise, and reads the certificates again.
    ...(ca !== undefined && {
      secureContext: createSecureContext({ ca: typeof ca === "string" ? ca : Buffer.from(ca) }),
    }),
  };
  const names = lookup === undefined ? {} : { lookup };
  const kept = { keepAlive: true, maxSockets: CONNECTIONS_MAX, ...names };
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
      const options = { headers, perMessageDeflate: false, maxPayload: MESSAGE_BYTES_MAX, ...tls, ...names };
      return openSocket(async () => new (await import("ws")).WebSocket(url, options), events);
    },
    close() {
      https.destroy();
      http.destroy();
    },
  };
}

async function exchange(request: TransportRequest, signal: AbortSignal, agent: Agent): Promise<TransportAnswer> {
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
  agent: Agent,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const length = method === "GET" ? {} : { "Content-Length": String(Buffer.byteLength(body ?? "")) };
    const send = url.startsWith("https:") ? httpsRequest : httpRequest;
    const outgoing = send(url, { method, agent, signal, headers: { ...headers, ...length } }, resolve);
    outgoing.once("error", reject).end(body ?? undefined);
  });
}

/** @param connect loads the library too, which commands without a stream do without. */
function openSocket(connect: () => Promise<WebSocket>, events: SocketEvents): Socket {
  let socket: WebSocket | null = null;
  let isOver = false;
  const end = (reason: Parameters<SocketEvents["closed"]>[0]) => {
    if (!isOver) events.closed(reason);
    isOver = true;
  };
  const fail = () => end({ status: null, code: null });
  connect().then((connecting) => {
    socket = connecting;
    follow(connecting, events, end);
    if (isOver) connecting.close();
  }, fail);
  return {
    send: (text) => socket?.send(text),
    close: () => (socket ? socket.close() : fail()),
  };
}

function follow(socket: WebSocket, events: SocketEvents, end: SocketEvents["closed"]): void {
  socket.on("open", () => events.opened());
  socket.on("message", (data, isBinary) => {
    if (!isBinary) events.message(String(data));
  });
  socket.on("unexpected-response", (outgoing, response) => {
    outgoing.destroy();
    end({ status: response.statusCode ?? null, code: null });
  });
  // An error is followed by "close", except before the connection was open.
  socket.on("error", () => {});
  socket.on("close", (code) => end({ status: null, code }));
}
