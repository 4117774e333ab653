/**
 * Installs what a plugin needs, into its own directory: Python packages into a virtual environment of its own, Node packages into
 * its `node_modules`. Scripts that plugins bring for that are not run: most of them do nothing else, and fail here.
 */

import { access, chmod } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import type { Clock } from "../../util/clock.ts";
import { shortLines } from "../../util/foreign-text.ts";
import { type Confining, confined } from "./confinement.ts";
import type { Manifest } from "./manifest.ts";
import { readOwnFile, writeOwnFile } from "./own-files.ts";
import { PluginProcess } from "./plugin-process.ts";

type Installing = Confining & {
  readonly manifest: Pick<Manifest, "runtime" | "executable">;
  readonly clock: Clock;
  /** The installer is ended after so many milliseconds. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
  /** Hears what goes on, a line at a time. */
  progress(line: string): void;
};

const DONE = join(".domovoi", "installed");
const LOG = join(".domovoi", "install.log");
/** A longer one begins again. */
const LOG_BYTES_MAX = 10_000_000;
const PROGRESS_MS = 500;
/** Newer ones have left out what libraries of plugins import without naming it. */
const SETUPTOOLS = "setuptools<81";

export async function isInstalled(directory: string): Promise<boolean> {
  return exists(join(directory, DONE));
}

/** @throws Error with the installer's last words */
export async function installRequirements(installing: Installing): Promise<void> {
  const { directory, manifest } = installing;
  await writeOwnFile(directory, LOG, "");
  if (manifest.runtime === "python3") await installPython(installing);
  else if (manifest.runtime === "node") await installNode(installing);
  else await chmod(join(directory, manifest.executable), 0o700);
  await writeOwnFile(directory, DONE, "");
}

/** The environment of the plugin's process. */
export function startCommand({ directory, manifest }: Pick<Installing, "directory" | "manifest">): {
  readonly command: string;
  readonly args: readonly string[];
} {
  const script = `./${manifest.executable}`;
  if (manifest.runtime === "python3") return { command: python(directory), args: [script] };
  if (manifest.runtime === "node") return { command: process.execPath, args: [script] };
  return { command: join(directory, manifest.executable), args: [] };
}

/** Only the variables of the controller's environment that every program needs. */
export function plainEnvironment(directory: string): NodeJS.ProcessEnv {
  const { LANG = "C.UTF-8", TZ } = process.env;
  const path = [join(directory, ".venv", "bin"), dirname(process.execPath), "/usr/local/sbin", "/usr/local/bin"];
  return {
    PATH: [...path, "/usr/sbin", "/usr/bin", "/sbin", "/bin"].join(delimiter),
    HOME: directory,
    TMPDIR: process.env.TMPDIR ?? "/tmp",
    LANG,
    ...(TZ === undefined ? {} : { TZ }),
  };
}

async function installPython(installing: Installing): Promise<void> {
  const { directory } = installing;
  const hasRequirements = await exists(join(directory, "requirements.txt"));
  await run(installing, "python3", ["-m", "venv", ".venv"]);
  const pip = ["-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--progress-bar", "off"];
  await run(installing, python(directory), [
    ...pip,
    ...(hasRequirements ? ["-r", "requirements.txt"] : ["udi_interface"]),
  ]);
  await run(installing, python(directory), ["-c", "import pkg_resources"]).catch(() =>
    run(installing, python(directory), [...pip, SETUPTOOLS]),
  );
}

async function installNode(installing: Installing): Promise<void> {
  if (!(await exists(join(installing.directory, "package.json")))) return;
  await run(installing, "npm", ["install", "--omit=dev", "--no-audit", "--no-fund"]);
}

async function run(installing: Installing, command: string, args: readonly string[]): Promise<void> {
  const { directory, clock, limitMs, signal, progress } = installing;
  signal.throwIfAborted();
  const env = { ...plainEnvironment(directory), ...installerSettings() };
  // Installers run programs of the packages, and the plugin can have itself installed again.
  const { command: program, args: words } = await confined({ command, args }, installing);
  const child = await PluginProcess.start(program, words, { directory, env, clock });
  let isLate = false;
  const limit = clock.setTimer(() => {
    isLate = true;
    child.kill();
  }, limitMs);
  const abort = () => child.kill();
  signal.addEventListener("abort", abort, { once: true });
  const stopWatching = watch(child, clock, progress);
  const { code } = await child.exited;
  stopWatching();
  limit.cancel();
  signal.removeEventListener("abort", abort);
  const log = (await readOwnFile(directory, LOG, LOG_BYTES_MAX)) ?? "";
  await writeOwnFile(directory, LOG, `${log}$ ${command} ${args.join(" ")}\n${child.output}`);
  if (code === 0) return;
  signal.throwIfAborted();
  throw new Error(isLate ? `Installing took longer than ${limitMs / 1000} seconds.` : reasonOf(command, child.output));
}

/**
 * Settings of the machine's package installers, such as an index of their own: variables, and files of the home
 * directory.
 */
function installerSettings(): NodeJS.ProcessEnv {
  const isTheirs = (name: string) =>
    /^(?:HOME$|PIP_|npm_config_|(?:https?|no)_proxy$|SSL_CERT_|REQUESTS_CA_|NODE_EXTRA_CA_CERTS$)/i.test(name);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isTheirs(name)));
}

function watch(child: PluginProcess, clock: Clock, progress: (line: string) => void): () => void {
  let timer = clock.setTimer(look, PROGRESS_MS);
  let last = "";
  function look(): void {
    const line = lastLine(child.output);
    if (line !== last) progress(line);
    last = line;
    timer = clock.setTimer(look, PROGRESS_MS);
  }
  return () => timer.cancel();
}

function reasonOf(command: string, output: string): string {
  const lines = shortLines(output.trim());
  if (lines.some(saysNoProgram)) return `The program ${command} is not installed on this machine.`;
  const said = lines.findLast((line) => /^(?:ERROR|npm error)/i.test(line)) ?? lines.at(-1) ?? "";
  return `Its requirements cannot be installed: ${said.trim() || "the installer failed"}`;
}

/** As Node, prlimit and bubblewrap write it. */
function saysNoProgram(line: string): boolean {
  return (
    line.includes("ENOENT") || (/failed to execute |execvp /.test(line) && line.includes(": No such file or directory"))
  );
}

/** Warnings, such as those of a slow index, come to nothing. */
function lastLine(text: string): string {
  return (
    shortLines(text.trimEnd())
      .findLast((line) => !/^\s*(?:WARNING|npm warn)/.test(line))
      ?.trim() ?? ""
  );
}

function python(directory: string): string {
  return join(directory, ".venv", "bin", "python3");
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
