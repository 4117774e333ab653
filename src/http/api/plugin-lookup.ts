/** The plugin that the path of a request names. */

import type { PluginPort } from "../../drivers/plugin-port.ts";
import { ControllerError } from "../../errors.ts";
import type { Integration } from "../../integrations/integrations.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";

/** The type of integration of every plugin. */
export const PLUGIN_TYPE = "plugin";

/** By slot, id or name. @throws ControllerError PLUGIN_NOT_FOUND */
export function findPlugin({ params }: HttpRequest, { integrations }: Services): Integration {
  const given = params.slot ?? "";
  const plugins = integrations.list().filter(({ type }) => type === PLUGIN_TYPE);
  const found =
    plugins.find(({ settings }) => String(settings.slot) === given) ??
    plugins.find(({ id, name }) => id === given || name === given);
  if (!found) throw new ControllerError("PLUGIN_NOT_FOUND");
  return found;
}

/** Without an account, by slot alone. @throws ControllerError PLUGIN_NOT_FOUND */
export function portOfSlot(slot: string | undefined, services: Services): PluginPort {
  const plugin = services.integrations
    .list()
    .find(({ type, settings }) => type === PLUGIN_TYPE && String(settings.slot) === slot);
  const port = plugin ? portOf(plugin.id, services) : null;
  if (!port) throw new ControllerError("PLUGIN_NOT_FOUND");
  return port;
}

/** null when it could not even be made. */
export function portOf(id: string, { drivers }: Services): PluginPort | null {
  return drivers.find(id)?.plugin ?? null;
}

/** @throws ControllerError PLUGIN_NOT_FOUND; DRIVER_UNAVAILABLE when it could not even be made */
export function portOfRequest(request: HttpRequest, services: Services): PluginPort {
  return runningPort(findPlugin(request, services).id, services);
}

/** @throws ControllerError DRIVER_UNAVAILABLE */
export function runningPort(id: string, services: Services): PluginPort {
  const port = portOf(id, services);
  if (!port) throw new ControllerError("DRIVER_UNAVAILABLE");
  return port;
}
