/**
 * A plugin's description in `server.json`. Most plugins of today have none: the data can be given at the
 * installation, and the file to run is found by its content.
 */

import { lstat, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ControllerError } from "../../errors.ts";
import { ownMember, readForeignJson } from "../../util/foreign-value.ts";
import { isRecord } from "../../util/is-record.ts";
import { readOwnFile } from "./own-files.ts";

export const RUNTIMES = ["python3", "node", "binary"] as const;
export type Runtime = (typeof RUNTIMES)[number];

export type Manifest = {
  readonly name: string | null;
  readonly version: string;
  readonly runtime: Runtime;
  /** A file of the plugin's folder. */
  readonly executable: string;
  readonly shortPollS: number;
  readonly longPollS: number;
  readonly logLevel: string;
  /** The content of `customparams` before its owner sets it. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** A folder in which the plugin keeps its own files. */
  readonly persistFolder: string | null;
};

/** The owner's input at the installation; it has priority over the file. */
export type ManifestGiven = { readonly runtime: Runtime | null; readonly executable: string | null };

/** A hundred times as long as usual ones. */
const SERVER_JSON_BYTES_MAX = 262_144;
/** Of a program in which an interface is searched. */
const PROGRAM_BYTES_MAX = 2_000_000;
const LINE_CHARS_MAX = 500;
const SHORT_POLL_S = 60;
const LONG_POLL_S = 300;
const POLL_S_MAX = 86_400;
/** `python` in old files is Python 3 by now. */
const RUNTIME_OF: Readonly<Record<string, Runtime>> = {
  python3: "python3",
  python: "python3",
  node: "node",
  binary: "binary",
};
/** The text that marks a program that opens the plugin interface. */
const OPENS_INTERFACE: Readonly<Record<string, RegExp>> = {
  ".py": /\bInterface\s*\(/,
  ".js": /\bInterface\s*\(/,
};

/** @throws ControllerError PLUGIN_REFUSED with what has to be given */
export async function readManifest(folder: string, given: ManifestGiven): Promise<Manifest> {
  const file = await fileOf(folder);
  const executable = given.executable ?? lineOf("executable", file.executable) ?? (await findExecutable(folder));
  if (!isInside(executable)) throw refused(`The executable "${executable}" is not a file of the plugin's own folder.`);
  if (!(await isFile(join(folder, executable)))) {
    throw refused(`There is no file "${executable}" in the plugin. Name the file to run with --executable.`);
  }
  const credits: unknown = Array.isArray(file.credits) ? file.credits[0] : null;
  return {
    name: lineOf("name", file.name),
    version: lineOf("version", isRecord(credits) ? credits.version : null) ?? "",
    runtime: given.runtime ?? ownMember(RUNTIME_OF, file.type) ?? runtimeOf(executable),
    executable,
    shortPollS: pollOf(file.shortPoll, SHORT_POLL_S),
    longPollS: pollOf(file.longPoll, LONG_POLL_S),
    logLevel: (lineOf("logLevel", file.logLevel) ?? "INFO").toUpperCase(),
    parameters: isRecord(file.customParams) ? file.customParams : {},
    persistFolder: folderOf(textOf(file.persist_folder)),
  };
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null))?.isFile() ?? false;
}

async function fileOf(folder: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readOwnFile(folder, "server.json", SERVER_JSON_BYTES_MAX);
  if (text === null) {
    if (!(await lstat(join(folder, "server.json")).catch(() => null))) return {};
    throw refused(
      `The file server.json of the plugin is not a file, or is longer than ${SERVER_JSON_BYTES_MAX} bytes.`,
    );
  }
  const parsed = readForeignJson(text.replace(/^\ufeff/, ""));
  if (isRecord(parsed)) return parsed;
  throw refused("The file server.json of the plugin is not a JSON object.");
}

async function findExecutable(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => Object.hasOwn(OPENS_INTERFACE, ending(name))).sort();
  const found: string[] = [];
  for (const name of names) {
    const text = (await readOwnFile(folder, name, PROGRAM_BYTES_MAX)) ?? "";
    if (OPENS_INTERFACE[ending(name)]?.test(text)) found.push(name);
  }
  if (found.length === 1) return String(found[0]);
  throw refused(
    found.length === 0
      ? "The plugin has no server.json, and none of its .py and .js files creates an Interface. Name the file to run with --executable."
      : `The plugin has no server.json, and several files create an Interface: ${found.join(", ")}. Choose one with --executable.`,
  );
}

function runtimeOf(executable: string): Runtime {
  if (executable.endsWith(".py")) return "python3";
  return /\.[cm]?js$/.test(executable) ? "node" : "binary";
}

function ending(name: string): string {
  return name.slice(name.lastIndexOf("."));
}

function folderOf(path: string | null): string | null {
  return path !== null && /^[\w-][\w.-]*$/.test(path) ? path : null;
}

function isInside(path: string): boolean {
  return !path.startsWith("/") && !path.split("/").includes("..") && !path.includes("\\") && path !== "";
}

/** Seconds, as a number or as a text. */
function pollOf(given: unknown, fallback: number): number {
  const seconds = Math.round(Number(given));
  return seconds >= 1 && seconds <= POLL_S_MAX ? seconds : fallback;
}

function textOf(given: unknown): string | null {
  return typeof given === "string" && given.trim() !== "" ? given.trim() : null;
}

/** They are shown in terminals and logs. @throws ControllerError PLUGIN_REFUSED */
function lineOf(member: string, given: unknown): string | null {
  const text = textOf(given);
  if (text === null || (text.length <= LINE_CHARS_MAX && !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(text))) return text;
  throw refused(`The ${member} in server.json has control characters or more than ${LINE_CHARS_MAX} characters.`);
}

function refused(sentence: string): ControllerError {
  return new ControllerError("PLUGIN_REFUSED", sentence);
}
