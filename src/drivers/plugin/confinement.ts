/**
 * The machine's tools to confine a plugin: `prlimit` limits its open files, `bwrap` (bubblewrap) hides the controller's data, logins
 * and processes from it, lets it write in its own directory only, and ends it with the controller. Both are optional for another user
 * than root. Without them a plugin runs like any program of the controller's user.
 */

import { execFile } from "node:child_process";
import { access, constants, readdir, realpath, stat } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { homedir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Config } from "../../config.ts";

export type Confining = {
  readonly directory: string;
  /** The controller's data; of it the plugin sees its own directory alone. */
  readonly data: string;
  readonly limits: Pick<Config, "pluginOpenFilesMax" | "pluginHiddenPaths" | "pluginAsRoot">;
};

type Command = { readonly command: string; readonly args: readonly string[] };

/** A machine that is busy, as after its start, may need long. */
const PROBE_MS = 60_000;
const NO_ANSWER =
  "This machine was too busy to say whether plugins can run in a sandbox. Start the plugin again when the machine has less to do.";
const AS_ROOT =
  "A plugin does not run as root without a sandbox. Install bubblewrap, run the controller as another user, or set pluginAsRoot.";
/** Logins of people and programs, below the home directory. */
const PRIVATE_FOLDERS = [".ssh", ".gnupg", ".aws", ".netrc", ".config/domovoi"];
const PRIVATE_FILES = ["/etc/shadow", "/etc/gshadow", "/etc/ssh"];
/** New namespaces lead to much code of the kernel. Older versions of bubblewrap and some containers do not know or allow this. */
const NO_NAMESPACES = ["--unshare-user", "--disable-userns"];
const REPLACED = ["/run", "/tmp"];
/** Of /run, whose sockets lead out of the sandbox (system bus, containers), only the services that resolve names and list devices. */
const RUN_PARTS = [
  "systemd/resolve",
  "avahi-daemon",
  "udev",
  "current-system",
  "resolvconf",
  "NetworkManager/resolv.conf",
];
/** Of /proc: settings of the kernel. */
const PROC_PARTS = ["sys", "sysrq-trigger", "irq", "bus"];
/** What plugins work with. Root could also read disks and memory, so it gets these alone. */
const DEVICES =
  /^(?:tty(?:USB|ACM|AMA|S|O)\d+|serial|serial\d+|bus|i2c-\d+|spidev[\d.]+|gpiochip\d+|hidraw\d+|rfcomm\d+|video\d+|snd)$/;

/** Paths of the tools; null: there is none that works. A plain name would be looked up among the programs of the plugin. */
type Tools = {
  readonly prlimit: string | null;
  readonly bwrap: string | null;
  readonly namespaces: readonly string[];
};

let probes: Promise<Tools> | null = null;

/** Both are tried until they have answered once: a container or a setting of the system may forbid what they do. */
function available(): Promise<Tools> {
  probes ??= probe().catch((error: unknown) => {
    probes = null;
    throw error;
  });
  return probes;
}

async function probe(): Promise<Tools> {
  const walls = await machine();
  const [prlimit, strict, plain] = await Promise.all([
    findWorking("prlimit", ["--nofile=64:64", "true"]),
    findWorking("bwrap", [...NO_NAMESPACES, ...walls, "true"]),
    findWorking("bwrap", [...walls, "true"]),
  ]);
  return { prlimit, bwrap: strict ?? plain, namespaces: strict ? NO_NAMESPACES : [] };
}

/**
 * @returns the command that runs the given one confined.
 * @throws Error where it would run as root without a sandbox, and while the machine is too busy to try the tools
 */
export async function confined(
  { command, args }: Command,
  confining: Confining,
): Promise<Command & { readonly isSandboxed: boolean }> {
  const { pluginOpenFilesMax: filesMax, pluginAsRoot } = confining.limits;
  const { prlimit, bwrap, namespaces } = await available();
  if (!bwrap && isRoot() && !pluginAsRoot) throw new Error(AS_ROOT);
  const limit = prlimit ? [prlimit, `--nofile=${filesMax}:${filesMax}`, "--core=0"] : [];
  const walls = bwrap ? [bwrap, ...namespaces, ...(await sandbox(confining)), "--"] : [];
  const [first = command, ...rest] = [...limit, ...walls, command, ...args];
  return { command: first, args: rest, isSandboxed: bwrap !== null };
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The machine, read-only and without its sockets and other processes. */
async function machine(): Promise<readonly string[]> {
  const { XDG_CONFIG_HOME: configHome, DOMOVOI_CONTROLLERS: saved } = process.env;
  const hidden = [
    ...PRIVATE_FOLDERS.map((name) => join(homedir(), name)),
    ...PRIVATE_FILES,
    ...(configHome ? [join(configHome, "domovoi")] : []),
    ...(saved ? [saved] : []),
  ];
  return [
    ...["--ro-bind", "/", "/", ...(await devices())],
    // Without it, the plugin of a controller that runs as root would have root's capabilities.
    ...["--cap-drop", "ALL", "--unshare-pid", "--unshare-ipc", "--proc", "/proc", "--die-with-parent"],
    // Root may write there without any privilege.
    ...PROC_PARTS.flatMap((name) => ["--ro-bind-try", `/proc/${name}`, `/proc/${name}`]),
    ...["--tmpfs", "/run", ...RUN_PARTS.flatMap((name) => ["--ro-bind-try", `/run/${name}`, `/run/${name}`])],
    ...["--tmpfs", "/tmp", "--setenv", "TMPDIR", "/tmp"],
    ...(await stillThere(["/etc/resolv.conf", dirname(findPackageJSON(import.meta.url) ?? "")])),
    // The caches of the machine's user are read-only.
    ...["--setenv", "npm_config_cache", "/tmp/npm", "--setenv", "PIP_CACHE_DIR", "/tmp/pip"],
    ...(await covers(hidden)),
  ];
}

async function sandbox({ directory, data, limits }: Confining): Promise<readonly string[]> {
  // A bind mount needs the path without links.
  const [own, all] = await Promise.all([realpath(directory), realpath(data)]);
  const hidden = [...(await covers(limits.pluginHiddenPaths)), "--tmpfs", all];
  return [...(await machine()), ...hidden, ...(await stillThere(await runtime(), [all])), "--bind", own, own];
}

/** The controller's own Node, wherever it lies, with what belongs to it: npm is in `lib` beside its `bin`. */
async function runtime(): Promise<readonly string[]> {
  const folder = dirname(process.execPath);
  const isInstallation = basename(folder) === "bin";
  return isInstallation ? [folder, join(dirname(folder), "lib")] : [process.execPath];
}

async function devices(): Promise<readonly string[]> {
  if (!isRoot()) return ["--dev-bind", "/dev", "/dev"];
  const names = (await readdir("/dev").catch(() => [])).filter((name) => DEVICES.test(name));
  return ["--dev", "/dev", ...names.flatMap((name) => ["--dev-bind-try", `/dev/${name}`, `/dev/${name}`])];
}

/** Binds the real files of these paths again where the sandbox replaces their folder. Elsewhere they are visible anyway. */
async function stillThere(paths: readonly string[], others: readonly string[] = []): Promise<readonly string[]> {
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => "")));
  const isReplaced = (path: string) => [...REPLACED, ...others].some((folder) => path.startsWith(`${folder}/`));
  return real.flatMap((path) => (isReplaced(path) ? ["--ro-bind", path, path] : []));
}

/** Empty folders and files in place of these; one that does not exist needs none. */
async function covers(paths: readonly string[]): Promise<readonly string[]> {
  const each = paths.map(async (path) => {
    const real = await realpath(path).catch(() => null);
    const found = real && (await stat(real).catch(() => null));
    if (!real || !found) return [];
    return found.isDirectory() ? ["--tmpfs", real] : ["--ro-bind", "/dev/null", real];
  });
  return (await Promise.all(each)).flat();
}

async function findWorking(name: string, args: readonly string[]): Promise<string | null> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, name);
    try {
      await access(path, constants.X_OK);
      await promisify(execFile)(path, args, { timeout: PROBE_MS });
      return path;
    } catch (error) {
      if (error instanceof Error && "killed" in error && error.killed) throw new Error(NO_ANSWER);
      // The next folder may have one that works.
    }
  }
  return null;
}
