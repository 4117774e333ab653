/** Loads a home from options and a transport, in the same way on every platform. */

import type { ConnectOptions, Home } from "./api.ts";
import { systemClock } from "./clock.ts";
import { LiveHome } from "./home.ts";
import { fetchConfig } from "./load/documents.ts";
import { loadHome } from "./load/load-home.ts";
import { silentLog } from "./log.ts";
import type { HomeShape } from "./model/shape.ts";
import { createSession } from "./open-session.ts";
import type { Transport } from "./transport/transport.ts";

/** @throws ClientError when the controller cannot be reached, refuses the credentials, or answers nonsense */
export async function openHome<S extends HomeShape>(options: ConnectOptions, transport: Transport): Promise<Home<S>> {
  const { clock = systemClock, log = silentLog, keepDocuments: keepsDocuments = false } = options;
  const session = createSession(options, transport);
  const { stream: asked = transport.socketsHaveHeaders ? "rest" : "api" } = options;
  const stream = asked === "off" ? null : { transport, clock, surface: asked };
  try {
    const config = await fetchConfig(session);
    const loaded = await loadHome(session);
    // A home knows its nodes by any text; the shape narrows what the compiler lets through.
    return new LiveHome({ session, config, loaded, log, keepsDocuments, stream }) as Home as Home<S>;
  } catch (error) {
    // A stored login outlives a controller that cannot be reached.
    if (!options.tokenStore) await session.logout();
    session.close();
    throw error;
  }
}
