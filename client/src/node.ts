/** The library in Node. */

import type { ConnectOptions, ControllerSession, Home } from "./api.ts";
import type { AnyHome, HomeShape } from "./model/shape.ts";
import { openHome } from "./open-home.ts";
import { openSession } from "./open-session.ts";
import { createNodeTransport, type TlsOptions } from "./transport/node-transport.ts";
import type { Transport } from "./transport/transport.ts";

export * from "./index.ts";
export type { TlsOptions };

export type NodeOptions = ConnectOptions &
  TlsOptions & {
    /** Another network, such as a simulated one. */
    readonly transport?: Transport;
  };

/**
 * Loads a home and follows it.
 * @throws ClientError when the controller cannot be reached, refuses the credentials, or answers nonsense
 */
export function connect<S extends HomeShape = AnyHome>(options: NodeOptions): Promise<Home<S>> {
  return openHome<S>(options, options.transport ?? createNodeTransport(options));
}

/**
 * Logs in and loads nothing.
 * @throws ClientError when the controller cannot be reached or refuses the credentials
 */
export function login(options: NodeOptions): Promise<ControllerSession> {
  return openSession(options, options.transport ?? createNodeTransport(options));
}
