/** THE DOOR: a listener of the controller with the whole table of routes. */

import { type ListenerOptions, openListener, type RunningServer } from "./open-listener.ts";
import { routes } from "./routes.ts";

export type { RunningServer };

/** @throws ControllerError BAD_VALUE naming the setting when the address or the port cannot be used. */
export function startServer(options: Omit<ListenerOptions, "routes">): Promise<RunningServer> {
  return openListener({ ...options, routes: routes });
}
