/** `domovoi plugin`: plugin servers. */

import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import type {
  ControllerSession,
  NewPlugin,
  Plugin,
  PluginAccess,
  PluginSettings,
  PluginSettingsChange,
} from "@domovoi/client";
import type { ConnectionOptions } from "../connection/connection-options.ts";
import { withSession } from "../connection/with-home.ts";
import { printList } from "../home/list.ts";
import { CommandFailure, type Done, done, usageFailure } from "../outcome.ts";
import { printDone } from "../print-outcome.ts";
import { readWhole } from "../radio/care.ts";
import { plain, plainJson } from "../show/plain.ts";

type InstallOptions = ConnectionOptions & {
  readonly name?: string;
  readonly type?: string;
  readonly executable?: string;
};
type ConfigOptions = ConnectionOptions & {
  readonly typed?: string;
  readonly access?: PluginAccess;
  readonly shortPoll?: string;
  readonly longPoll?: string;
  readonly logLevel?: string;
  readonly webHook?: "on" | "off";
  readonly oauth?: string;
};

const POLL_MS = 500;
const GIT_URL = /^(?:https?|ssh|git|file):\/\/|^[\w.-]+@[\w.-]+:/;
/** The controller downloads it. */
const ARCHIVE_URL = /^https?:\/\/[^?#]*\.(?:zip|tgz|tar\.gz)(?:[?#]|$)/i;
const OAUTH = "oauth";
/** Large folders that do not belong to a plugin. */
const LEFT_OUT: ReadonlySet<string> = new Set([".git", "node_modules", ".venv", "__pycache__"]);
const ENDED: ReadonlySet<Plugin["state"]> = new Set(["running", "failed", "crashed", "stopped"]);

export async function listPlugins({ plugins }: ControllerSession, options: ConnectionOptions): Promise<void> {
  printList(
    await plugins.list(),
    options,
    "There are no plugins. Install one: domovoi plugin install DIRECTORY",
    {
      NAME: ({ name }) => name,
      SLOT: ({ slot }) => String(slot),
      STATE: ({ state }) => state,
      VERSION: ({ version }) => version,
      NODES: ({ nodes }) => String(nodes),
      MEMORY: ({ memoryMiB }) => (memoryMiB === null ? "" : `${memoryMiB} MiB`),
      CPU: ({ cpuPercent }) => (cpuPercent === null ? "" : `${cpuPercent} %`),
      DISK: ({ diskMiB }) => (diskMiB === null ? "" : `${diskMiB} MiB`),
      NOTICES: ({ notices }) => String(notices),
      REASON: ({ reason }) => reason,
    },
    shown,
  );
}

export async function installPlugin(
  { plugins }: ControllerSession,
  source: string,
  options: InstallOptions,
): Promise<Done> {
  const { name, type, executable } = options;
  const wanted: NewPlugin = {
    ...(name !== undefined && { name }),
    ...(type !== undefined && { type }),
    ...(executable !== undefined && { executable }),
  };
  const installed = ARCHIVE_URL.test(source)
    ? await plugins.installFrom(source, wanted)
    : await plugins.install(await archiveOf(source), wanted);
  return settled(plugins, installed, options);
}

export async function upgradePlugin(
  { plugins }: ControllerSession,
  name: string,
  source: string,
  options: ConnectionOptions,
): Promise<Done> {
  const upgraded = ARCHIVE_URL.test(source)
    ? await plugins.upgradeFrom(name, source)
    : await plugins.upgrade(name, await archiveOf(source));
  return settled(plugins, upgraded, options);
}

export async function switchPlugin(
  { plugins }: ControllerSession,
  verb: "start" | "stop" | "restart",
  name: string,
  options: ConnectionOptions,
): Promise<Done> {
  return settled(plugins, await plugins[verb](name), options);
}

export async function removePlugin({ plugins }: ControllerSession, name: string): Promise<Done> {
  const { name: called, nodes } = await plugins.get(name);
  await plugins.remove(name);
  return done(`Removed ${called} with ${nodes === 1 ? "one node" : `${nodes} nodes`}.`, { name: called });
}

export async function showLog({ plugins }: ControllerSession, name: string): Promise<Done> {
  const log = await plugins.log(name);
  return done(log === "" ? "The plugin has written nothing yet." : log.trimEnd().split("\n"), { log });
}

export async function configurePlugin(
  { plugins }: ControllerSession,
  name: string,
  settings: readonly string[],
  options: ConfigOptions,
): Promise<Done> {
  const typedData = options.typed === undefined ? undefined : jsonOf("--typed", options.typed);
  if (options.oauth !== undefined) await plugins.store(name, OAUTH, jsonOf("--oauth", options.oauth));
  const parameters = parametersOf(settings);
  const { access, logLevel } = options;
  const change = {
    ...(settings.length === 0 ? {} : { parameters }),
    ...(typedData === undefined ? {} : { typedData }),
    ...(access !== undefined && { access }),
    ...(logLevel !== undefined && { logLevel }),
    ...(options.shortPoll === undefined ? {} : { shortPoll: secondsOf("--short-poll", options.shortPoll) }),
    ...(options.longPoll === undefined ? {} : { longPoll: secondsOf("--long-poll", options.longPoll) }),
    ...(options.webHook === undefined ? {} : { webHook: options.webHook === "on" }),
  };
  const now = Object.keys(change).length === 0 ? await plugins.settings(name) : await plugins.change(name, change);
  return done(settingLines(now), now);
}

export async function showNotices(
  { plugins }: ControllerSession,
  name: string,
  options: ConnectionOptions & { readonly dismiss?: string },
): Promise<Done | undefined> {
  const { dismiss } = options;
  const before = await plugins.settings(name);
  if (dismiss !== undefined && !(dismiss in before.notices)) {
    throw usageFailure(`The plugin has no notice with the key "${dismiss}".`);
  }
  const { notices } = dismiss === undefined ? before : await plugins.dismissNotice(name, dismiss);
  if (options.json) return done([], notices);
  printList(Object.entries(notices), {}, "The plugin has no notices.", {
    KEY: ([key]) => key,
    NOTICE: ([, text]) => String(text),
  });
  return undefined;
}

export function signIn(name: string, options: ConnectionOptions & { readonly origin?: string }): Promise<Done> {
  return withSession(options, async ({ plugins }, { url }) => {
    const begun = await plugins.signIn(name, options.origin ?? new URL(url).origin);
    const steps = `The service has to know this redirect address: ${begun.redirectUrl}\nOpen this page and sign in:\n`;
    if (!options.json) process.stderr.write(steps);
    return done(begun.url, begun);
  });
}

export async function discover({ plugins }: ControllerSession, name: string): Promise<Done> {
  await plugins.discover(name);
  return done(`${name} searches for devices.`, { name });
}

/** Waits until it runs or has failed, with its progress on standard error. @throws CommandFailure */
async function settled(
  plugins: ControllerSession["plugins"],
  plugin: Plugin,
  options: ConnectionOptions,
): Promise<Done> {
  let now = plugin;
  let said = "";
  while (!ENDED.has(now.state)) {
    if (!options.json && now.reason !== said && now.reason !== "") process.stderr.write(`${plain(now.reason)}\n`);
    said = now.reason;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    now = await plugins.get(plugin.id);
  }
  const { name, slot, state, reason } = now;
  if (state !== "failed" && state !== "crashed") {
    return done(state === "running" ? `${name} runs in slot ${slot}.` : `${name} is ${state}.`, shown(now));
  }
  printDone(done([], shown(now)), options);
  const log = `Its log says more: domovoi plugin log ${slot}`;
  throw new CommandFailure("failed", `${plain(name)} does not run. ${plain(reason)}\n${log}`);
}

function shown({ id: _id, enabled: _enabled, ...plugin }: Plugin): object {
  return plugin;
}

/** @throws CommandFailure */
async function archiveOf(source: string): Promise<Uint8Array<ArrayBuffer>> {
  const kind = statSync(source, { throwIfNoEntry: false });
  if (!kind && GIT_URL.test(source)) return inTemporary((directory) => clonedArchive(source, directory));
  if (!kind) throw usageFailure(`There is no file or directory ${source}.`);
  return kind.isDirectory() ? inTemporary((directory) => packed(source, directory)) : readWhole(source);
}

async function inTemporary<Result>(work: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = mkdtempSync(join(tmpdir(), "domovoi-plugin-"));
  try {
    return await work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function clonedArchive(url: string, directory: string): Promise<Uint8Array<ArrayBuffer>> {
  const checkout = join(directory, "checkout");
  // Git asks no questions: for a repository with a password, clone it yourself and install the folder.
  const env = { ...process.env, GIT_TERMINAL_PROMPT: "0" };
  const cloned = promisify(execFile)("git", ["clone", "--quiet", "--depth", "1", "--", url, checkout], { env });
  await cloned.catch((error: Error & { readonly stderr?: string }) => {
    const said = error.stderr?.trim().split("\n").at(-1) ?? error.message;
    throw new CommandFailure("failed", `The repository ${plain(url)} cannot be cloned: ${plain(said)}`);
  });
  return packed(checkout, directory);
}

async function packed(source: string, directory: string): Promise<Uint8Array<ArrayBuffer>> {
  const { create } = await import("tar");
  const file = join(directory, "plugin.tgz");
  const filter = (path: string) => !LEFT_OUT.has(basename(path));
  await create({ gzip: true, cwd: source, file, follow: true, filter }, ["."]).catch((error: Error) => {
    throw new CommandFailure("failed", `The directory ${plain(source)} cannot be read: ${plain(error.message)}`);
  });
  return readWhole(file);
}

function parametersOf(settings: readonly string[]): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf("=");
      if (at < 1) throw usageFailure(`"${setting}" is not KEY=VALUE.`);
      const value = setting.slice(at + 1);
      return [setting.slice(0, at), value === "" ? null : value];
    }),
  );
}

function secondsOf(option: string, text: string): number {
  const seconds = Number(text);
  if (Number.isInteger(seconds) && seconds >= 1) return seconds;
  throw usageFailure(`${option}: "${text}" is not a whole number of seconds.`);
}

function jsonOf(option: string, text: string): NonNullable<PluginSettingsChange["typedData"]> {
  try {
    const value: unknown = JSON.parse(text);
    if (Array.isArray(value)) return value;
    if (typeof value === "object" && value !== null) return { ...value };
  } catch (cause) {
    throw usageFailure(`${option} is not JSON.`, cause);
  }
  throw usageFailure(`${option} has to be a JSON object or list.`);
}

function settingLines({ parameters, typedData, notices, ...others }: PluginSettings): readonly string[] {
  const { shortPoll, longPoll, logLevel, access, webHook } = others;
  return [
    ...Object.entries(parameters).map(([key, value]) => `${key}=${value}`),
    ...(typedData === null ? [] : [`Form: ${plainJson(typedData)}`]),
    ...Object.values(notices).map((text) => `Notice: ${text}`),
    ...(webHook === null ? [] : [`Web address, at the portal: ${webHook}`]),
    `Polls: every ${shortPoll} and ${longPoll} seconds. Log level: ${logLevel}. Access to the controller: ${access}.`,
  ];
}
