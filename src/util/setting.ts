/** The kinds of settings, and how each is read. config.ts lists the settings. */

import { badValue } from "../errors.ts";

export type NumberSetting = {
  readonly kind: "number";
  readonly fallback: number;
  readonly min: number;
  readonly max: number;
  readonly about: string;
};
type TextSetting = { readonly kind: "text"; readonly fallback: string; readonly about: string };
export type FlagSetting = { readonly kind: "flag"; readonly fallback: boolean; readonly about: string };
export type ListSetting = { readonly kind: "list"; readonly fallback: readonly string[]; readonly about: string };
export type Setting = NumberSetting | TextSetting | FlagSetting | ListSetting;

export const number = (fallback: number, min: number, max: number, about: string): NumberSetting => ({
  kind: "number",
  fallback,
  min,
  max,
  about,
});
export const text = (fallback: string, about: string): TextSetting => ({ kind: "text", fallback, about });
export const flag = (fallback: boolean, about: string): FlagSetting => ({ kind: "flag", fallback, about });
export const list = (about: string): ListSetting => ({ kind: "list", fallback: [], about });

/** @throws ControllerError BAD_VALUE naming the setting and its range. */
export function parseSetting(name: string, setting: Setting, given: unknown): unknown {
  if (given === undefined || given === null) return setting.fallback;
  switch (setting.kind) {
    case "number": {
      const value = typeof given === "string" && given.trim() !== "" ? Number(given) : given;
      const { min, max } = setting;
      const isWhole = Number.isInteger(setting.fallback);
      const fits = typeof value === "number" && value >= min && value <= max && (!isWhole || Number.isInteger(value));
      if (!fits)
        throw badValue(`The setting ${name} is a ${isWhole ? "whole number" : "number"} from ${min} to ${max}.`);
      return value;
    }
    case "text":
      if (typeof given !== "string") throw badValue(`The setting ${name} is a text.`);
      return given;
    case "flag":
      if (typeof given !== "boolean") throw badValue(`The setting ${name} is true or false.`);
      return given;
    case "list": {
      if (!Array.isArray(given) || given.some((item) => typeof item !== "string"))
        throw badValue(`The setting ${name} is a list of texts.`);
      return given;
    }
  }
}
