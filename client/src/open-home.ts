/** From options to a home that is loaded: the same on every platform, given a transport. */

import type { ConnectOptions, Home } from "./api.ts";
import { systemClock } from "./clock.ts";
import { ClientError } from "./errors.ts";
import { LiveHome } from "./home.ts";
import { fetchConfig } from "./load/documents.ts";
import { loadHome } from "./load/load-home.ts";
import { silentLog } from "./log.ts";
import type { HomeShape } from "./model/shape.ts";
import { Session } from "./transport/session.ts";
import type { Transport } from "./transport/transport.ts";

const DEADLINE_MS = 30_000;

/** @throws ClientError when the controller cannot be reached, refuses the credentials, or answers nonsense */
export async function openHome<S extends HomeShape>(options: ConnectOptions, transport: Transport): Promise<Home<S>> {
  const { mode = "portal", user, password, deadlineMs = DEADLINE_MS } = options;
  const { clock = systemClock, log = silentLog, keepDocuments: keepsDocuments = false } = options;
  const origin = readOrigin(options.url);
  const session = new Session({ origin, mode, user, password, transport, clock, log, deadlineMs });
  const { stream: asked = transport.socketsHaveHeaders ? "rest" : "api" } = options;
  const stream = asked === "off" ? null : { transport, clock, surface: asked };
  try {
    const config = await fetchConfig(session);
    const loaded = await loadHome(session);
    // A home knows its nodes by any text; the shape narrows what the compiler lets through.
    return new LiveHome({ session, config, loaded, log, keepsDocuments, stream }) as Home as Home<S>;
  } catch (error) {
    await session.logout();
    session.close();
    throw error;
  }
}

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new ClientError("BAD_OPTIONS", "The url has to be one of https or http.");
  if (url.username !== "" || url.password !== "")
    throw new ClientError("BAD_OPTIONS", "User and password are options of their own, not parts of the url.");
  return url.origin;
}
