/** Settings as a person gives them: a file of them, then the command line, which goes before it. */

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Config, parseConfig } from "../config.ts";
import { badValue } from "../errors.ts";
import { isRecord } from "../util/is-record.ts";
import { unreadableFile } from "./unreadable-file.ts";

/** The options as commander parses them: setting names, all optional, plus the settings file. */
export type SettingOptions = Readonly<Record<string, string | boolean | undefined>> & { readonly config?: string };

const LOG_LEVELS: readonly string[] = ["debug", "info", "warn", "error", "silent"];

/** @throws ControllerError BAD_VALUE naming the file or the setting. */
export function readSettings({ config: file, ...given }: SettingOptions): Config {
  const config = parseConfig({ ...(file === undefined ? {} : readFile(file)), ...given });
  if (!LOG_LEVELS.includes(config.logLevel))
    throw badValue("The setting logLevel is debug, info, warn, error or silent.");
  if (config.data === "") throw badValue("The setting data names no directory.");
  // The file may hold secrets.
  return file === undefined ? config : { ...config, pluginHiddenPaths: [...config.pluginHiddenPaths, resolve(file)] };
}

function readFile(file: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw badValue(unreadableFile(file, cause, "settings file"), cause);
  }
  let settings: unknown;
  try {
    settings = JSON.parse(text);
  } catch (cause) {
    throw badValue(`The settings file ${file} is not valid JSON.`, cause);
  }
  if (isRecord(settings)) return settings;
  throw badValue(`The settings file ${file} does not hold an object of settings.`);
}
