/** The library in browsers, and wherever there are `fetch` and `WebSocket`. */

import type { ConnectOptions, ControllerSession, Home } from "./api.ts";
import type { AnyHome, HomeShape } from "./model/shape.ts";
import { openHome } from "./open-home.ts";
import { openSession } from "./open-session.ts";
import { createFetchTransport, type FetchParts } from "./transport/fetch-transport.ts";
import type { Transport } from "./transport/transport.ts";

export * from "./index.ts";
export type { FetchParts };

export type BrowserOptions = ConnectOptions &
  Partial<FetchParts> & {
    /** Another network, such as a simulated one. */
    readonly transport?: Transport;
  };

/**
 * Loads a home and follows it.
 * @throws ClientError when the controller cannot be reached, refuses the credentials, or answers nonsense
 */
export function connect<S extends HomeShape = AnyHome>(options: BrowserOptions): Promise<Home<S>> {
  return openHome<S>(options, transportOf(options));
}

/**
 * Logs in and loads nothing.
 * @throws ClientError when the controller cannot be reached or refuses the credentials
 */
export function login(options: BrowserOptions): Promise<ControllerSession> {
  return openSession(options, transportOf(options));
}

function transportOf(options: BrowserOptions): Transport {
  // Wrapped, because a browser's fetch refuses to be called as a member of something else.
  const { fetch: ownFetch = (url, init) => fetch(url, init), WebSocket: Socket = WebSocket } = options;
  return options.transport ?? createFetchTransport({ fetch: ownFetch, WebSocket: Socket });
}
