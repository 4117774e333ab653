/**
 * The machine's tools to confine a plugin: `prlimit` limits its open files, `bwrap` (bubblewrap) hides the
 * controller's data and processes from it and ends it with the controller. Both are optional. Without them a plugin
 * runs like any program of the controller's user.
 */

import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

export type Confining = {
  readonly directory: string;
  /** The controller's data; of it the plugin sees its own directory alone. */
  readonly data: string;
  readonly openFilesMax: number;
};

type Command = { readonly command: string; readonly args: readonly string[] };

const PROBE_MS = 5000;

/** Paths of the tools; null: there is none that works. A plain name would be looked up among the programs of the plugin. */
type Tools = { readonly prlimit: string | null; readonly bwrap: string | null };

let probes: Promise<Tools> | null = null;

/** Both are tried once: a container or a setting of the system may forbid what they do. */
function available(): Promise<Tools> {
  probes ??= (async () => {
    const [prlimit, bwrap] = await Promise.all([
      findWorking("prlimit", ["--nofile=64:64", "true"]),
      findWorking("bwrap", [...sandbox("/", "/nonexistent"), "true"]),
    ]);
    return { prlimit, bwrap };
  })();
  return probes;
}

/** @returns the command that runs the given one confined. */
export async function confined(
  { command, args }: Command,
  { directory, data, openFilesMax }: Confining,
): Promise<Command & { readonly isSandboxed: boolean }> {
  const { prlimit, bwrap } = await available();
  const limit = prlimit ? [prlimit, `--nofile=${openFilesMax}:${openFilesMax}`, "--core=0"] : [];
  const walls = bwrap ? [bwrap, ...sandbox(directory, data), "--"] : [];
  const [first = command, ...rest] = [...limit, ...walls, command, ...args];
  return { command: first, args: rest, isSandboxed: bwrap !== null };
}

function sandbox(directory: string, data: string): readonly string[] {
  const hidden = data === "/nonexistent" ? [] : ["--tmpfs", data, "--bind", directory, directory];
  return ["--dev-bind", "/", "/", ...hidden, "--unshare-pid", "--proc", "/proc", "--die-with-parent"];
}

async function findWorking(name: string, args: readonly string[]): Promise<string | null> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, name);
    try {
      await access(path, constants.X_OK);
      await promisify(execFile)(path, args, { timeout: PROBE_MS });
      return path;
    } catch {
      // The next folder may have one that works.
    }
  }
  return null;
}
