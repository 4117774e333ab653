/** Reads plugin servers and their settings. */

import type { Plugin, PluginAccess, PluginSettings, PluginState } from "../model/plugins.ts";
import { booleanOf, isObject, numberOf, textOf } from "./json.ts";

const STATES: readonly PluginState[] = ["starting", "running", "stopped", "failed", "crashed"];

const ACCESS: readonly PluginAccess[] = ["none", "guest", "user"];

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
    memoryMiB: typeof given.memoryMiB === "number" ? given.memoryMiB : null,
    cpuPercent: typeof given.cpuPercent === "number" ? given.cpuPercent : null,
    messagesPerSecond: numberOf(given.messagesPerSecond),
    sandboxed: booleanOf(given.sandboxed, false),
    notices: numberOf(given.notices),
  };
}

export function readPluginSettings(data: unknown): PluginSettings {
  const given = isObject(data) ? data : {};
  const { parameters, typedParameters = null, typedData = null, notices, help, logLevels } = given;
  return {
    parameters: isObject(parameters) ? parameters : {},
    typedParameters,
    typedData,
    notices: isObject(notices) ? notices : {},
    help: textOf(help),
    shortPoll: numberOf(given.shortPoll),
    longPoll: numberOf(given.longPoll),
    logLevel: textOf(given.logLevel),
    logLevels: Array.isArray(logLevels) ? logLevels.map((level) => textOf(level)) : [],
    access: ACCESS.find((known) => known === given.access) ?? "none",
  };
}
