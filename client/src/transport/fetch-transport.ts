/** The network of a browser, or of anything with `fetch` and `WebSocket`. */

import type { Socket, SocketEvents, Transport } from "./transport.ts";

export type FetchParts = {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  readonly WebSocket: new (url: string) => WebSocket;
};

export function createFetchTransport(parts: FetchParts): Transport {
  return {
    socketsHaveHeaders: false,
    async request({ method, url, headers, body }, signal) {
      const response = await parts.fetch(url, {
        method,
        headers,
        body,
        signal,
        // The credentials are in the header; cookies and the browser's own dialogue for passwords stay out of it.
        credentials: "omit",
        cache: "no-store",
      });
      const text = await response.text();
      return { status: response.status, header: (name) => response.headers.get(name), text };
    },
    openSocket: (url, _headers, events) => openSocket(new parts.WebSocket(url), events),
    close() {},
  };
}

function openSocket(socket: WebSocket, events: SocketEvents): Socket {
  socket.addEventListener("open", () => events.opened());
  socket.addEventListener("message", ({ data }) => {
    if (typeof data === "string") events.message(data);
  });
  socket.addEventListener("close", ({ code }) => events.closed({ status: null, code }));
  return { send: (text) => socket.send(text), close: () => socket.close() };
}
