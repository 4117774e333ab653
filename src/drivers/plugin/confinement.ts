/**
 * The machine's tools to confine a plugin: `prlimit` limits its open files, `bwrap` (bubblewrap) hides the
 * controller's data and processes from it and ends it with the controller. Both are optional. Without them a plugin
 * runs like any program of the controller's user.
 */

import { execFile } from "node:child_process";
import { promisify } from "node:util";

type Confining = {
  readonly directory: string;
  /** The controller's data; of it the plugin sees its own directory alone. */
  readonly data: string;
  readonly openFilesMax: number;
};

type Command = { readonly command: string; readonly args: readonly string[] };

const PROBE_MS = 5000;

let probes: Promise<{ readonly prlimit: boolean; readonly bwrap: boolean }> | null = null;

/** Both are tried once: a container or a setting of the system may forbid what they do. */
function available(): Promise<{ readonly prlimit: boolean; readonly bwrap: boolean }> {
  probes ??= (async () => {
    const [prlimit, bwrap] = await Promise.all([
      works("prlimit", ["--nofile=64:64", "true"]),
      works("bwrap", [...sandbox("/", "/nonexistent"), "true"]),
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
  const limit = prlimit ? ["prlimit", `--nofile=${openFilesMax}:${openFilesMax}`, "--core=0"] : [];
  const walls = bwrap ? ["bwrap", ...sandbox(directory, data), "--"] : [];
  const [first = command, ...rest] = [...limit, ...walls, command, ...args];
  return { command: first, args: rest, isSandboxed: bwrap };
}

function sandbox(directory: string, data: string): readonly string[] {
  const hidden = data === "/nonexistent" ? [] : ["--tmpfs", data, "--bind", directory, directory];
  return ["--dev-bind", "/", "/", ...hidden, "--unshare-pid", "--proc", "/proc", "--die-with-parent"];
}

async function works(command: string, args: readonly string[]): Promise<boolean> {
  try {
    await promisify(execFile)(command, args, { timeout: PROBE_MS });
    return true;
  } catch {
    return false;
  }
}
