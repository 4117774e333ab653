/** Reads plugin servers and their settings. */

import type { Plugin, PluginSettings, PluginState } from "../model/plugins.ts";
import { booleanOf, isObject, numberOf, textOf } from "./json.ts";

const STATES: readonly PluginState[] = ["starting", "running", "stopped", "failed", "crashed"];

export function readPlugin(data: unknown): Plugin {
  const given = isObject(data) ? data : {};
  return {
    id: textOf(given.id),
    slot: numberOf(given.profileNum),
    name: textOf(given.name),
    enabled: booleanOf(given.enabled, false),
    state: STATES.find((known) => known === given.state) ?? "stopped",
    reason: textOf(given.reason),
    version: textOf(given.version),
    pid: typeof given.pid === "number" ? given.pid : null,
    home: textOf(given.home),
    nodes: numberOf(given.nodes),
    notices: numberOf(given.notices),
  };
}

export function readPluginSettings(data: unknown): PluginSettings {
  const { parameters, typedParameters = null, typedData = null, notices, help } = isObject(data) ? data : {};
  return {
    parameters: isObject(parameters) ? parameters : {},
    typedParameters,
    typedData,
    notices: isObject(notices) ? notices : {},
    help: textOf(help),
  };
}
