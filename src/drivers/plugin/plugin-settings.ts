/** What a person sets and reads of a plugin: its parameters, its form, its notices. */

import { ControllerError } from "../../errors.ts";
import type { PluginSettings } from "../plugin-port.ts";
import type { PluginData } from "./plugin-data.ts";

const KEY = {
  parameters: "customparams",
  form: "customtypedparams",
  filled: "customtypeddata",
  notices: "notices",
} as const;
const HELP = "customparamsdoc";

/** Where a changed value goes: it is stored, and the plugin hears of it. */
type Change = (key: string, value: unknown) => string | null;

export function settingsOf(data: PluginData): PluginSettings {
  return {
    parameters: data.record(KEY.parameters),
    typedParameters: data.json(KEY.form),
    typedData: data.json(KEY.filled),
    notices: data.notices,
    help: data.get(HELP) ?? "",
  };
}

/** @throws ControllerError BAD_VALUE */
export function setParameters(data: PluginData, change: Change, given: Readonly<Record<string, string | null>>): void {
  const laid = Object.entries({ ...data.record(KEY.parameters), ...given }).filter(([, value]) => value !== null);
  apply(change, KEY.parameters, Object.fromEntries(laid));
}

/** @throws ControllerError BAD_VALUE */
export function setTypedData(change: Change, typed: unknown): void {
  apply(change, KEY.filled, typed);
}

export function dismissNotice(data: PluginData, change: Change, key: string): void {
  apply(change, KEY.notices, Object.fromEntries(Object.entries(data.notices).filter(([each]) => each !== key)));
}

function apply(change: Change, key: string, value: unknown): void {
  const refusal = change(key, value);
  if (refusal !== null) throw new ControllerError("BAD_VALUE", { sentence: refusal });
}
