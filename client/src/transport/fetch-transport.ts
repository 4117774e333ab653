/** The network of a browser, or of anything with `fetch` and `WebSocket`. */

import type { Socket, SocketEvents, Transport, TransportRequest } from "./transport.ts";

export type FetchParts = {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly WebSocket: new (url: string) => WebSocket;
};

export function createFetchTransport(parts: FetchParts): Transport {
  return {
    socketsHaveHeaders: false,
    async request(request, signal) {
      const response = await send(parts, request, signal);
      const text = await response.text();
      return { ...headOf(response), text };
    },
    async download(request, signal) {
      const response = await send(parts, request, signal);
      return { ...headOf(response), pieces: piecesOf(response) };
    },
    openSocket: (url, _headers, events) => openSocket(new parts.WebSocket(url), events),
    close() {},
  };
}

function send(parts: FetchParts, { method, url, headers, body }: TransportRequest, signal: AbortSignal) {
  return parts.fetch(url, {
    method,
    headers,
    body,
    signal,
    // The credentials are in the header; cookies and the browser's own dialogue for passwords stay out of it.
    credentials: "omit",
    cache: "no-store",
  });
}

function headOf({ status, headers }: Response) {
  return { status, header: (name: string) => headers.get(name) };
}

/** By its reader: not every browser can iterate over a stream. */
async function* piecesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    await reader.cancel().catch(() => {}); // It was through, or broke off.
  }
}

function openSocket(socket: WebSocket, events: SocketEvents): Socket {
  socket.addEventListener("open", () => events.opened());
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") events.message(data);
  });
  socket.addEventListener("close", ({ code }) => events.closed({ status: null, code }));
  return { send: (text) => socket.send(text), close: () => socket.close() };
}
