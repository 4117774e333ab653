/** The settings of a plugin for its owner: its parameters, its form, its notices, its polls. */

import { randomBytes } from "node:crypto";
import { badValue } from "../../errors.ts";
import type { PluginChange, PluginSettings } from "../plugin-port.ts";
import type { PluginData } from "./plugin-data.ts";

const KEY = {
  parameters: "customparams",
  form: "customtypedparams",
  filled: "customtypeddata",
  notices: "notices",
  help: "customparamsdoc",
} as const;
const WEB_HOOK_KEY_BYTES = 18;

/** How a changed value is stored and sent to the plugin. */
export type Changes = {
  readonly data: PluginData;
  /** @returns why the value was refused, or null. */
  setData(key: string, value: unknown): string | null;
  send(message: object): void;
  pollsChanged(): void;
};

export function settingsOf(data: PluginData): PluginSettings {
  return {
    parameters: data.record(KEY.parameters),
    typedParameters: data.json(KEY.form),
    typedData: data.json(KEY.filled),
    notices: data.notices,
    help: data.get(KEY.help) ?? "",
    shortPoll: data.shortPollS,
    longPoll: data.longPollS,
    logLevel: data.logLevel,
    logLevels: data.logLevels.map(({ value }) => value),
    webHookKey: data.webHookKey,
  };
}

/** @throws ControllerError BAD_VALUE */
export function changeSettings(changes: Changes, change: PluginChange): void {
  const { data } = changes;
  const { parameters, typedData, shortPoll, longPoll, logLevel, webHook } = change;
  if (webHook !== undefined) turnWebHook(data, webHook);
  if (logLevel !== undefined) setLogLevel(changes, logLevel);
  if (parameters) {
    const laid = Object.entries({ ...data.record(KEY.parameters), ...parameters }).filter(
      ([, value]) => value !== null,
    );
    storeValue(changes, KEY.parameters, Object.fromEntries(laid));
  }
  if (typedData !== undefined) storeValue(changes, KEY.filled, typedData);
  if (shortPoll === undefined && longPoll === undefined) return;
  data.setPolls({
    ...(shortPoll !== undefined && { short: shortPoll }),
    ...(longPoll !== undefined && { long: longPoll }),
  });
  changes.pollsChanged();
}

export function dismissNotice(changes: Changes, key: string): void {
  const others = Object.entries(changes.data.notices).filter(([each]) => each !== key);
  storeValue(changes, KEY.notices, Object.fromEntries(others));
}

/** @throws ControllerError BAD_VALUE */
export function storeValue(changes: Changes, key: string, value: unknown): void {
  const refusal = changes.setData(key, value);
  if (refusal !== null) throw badValue(refusal);
}

/** A new key with each turning on, so that an address that leaked is changed by turning it off and on. */
function turnWebHook(data: PluginData, isOn: boolean): void {
  if (isOn === (data.webHookKey !== null)) return;
  data.setWebHookKey(isOn ? randomBytes(WEB_HOOK_KEY_BYTES).toString("base64url") : null);
}

function setLogLevel({ data, send }: Changes, level: string): void {
  const wanted = level.toUpperCase();
  const known = data.logLevels.map(({ value }) => value);
  if (!known.includes(wanted)) {
    throw badValue(`The log levels of this plugin are ${known.join(", ")}.`);
  }
  data.setLogLevel(wanted);
  send({ setLogLevel: { level: wanted } });
}
