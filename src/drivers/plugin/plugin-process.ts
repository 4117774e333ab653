/** The process of a plugin, in a process group of its own: what it started ends with it. */

import { type ChildProcess, spawn } from "node:child_process";
import { readFile, readlink, realpath, rm, writeFile } from "node:fs/promises";
import { setPriority } from "node:os";
import { join } from "node:path";
import type { Clock } from "../../util/clock.ts";

export type Exit = { readonly code: number | null; readonly signal: string | null };

const OUTPUT_CHARS_MAX = 65_536;
/** Between SIGTERM and SIGKILL. */
const TERM_MS = 1000;
/** Plugins give way to the controller. */
const NICE = 5;
const PRIORITY_MS = 150;
const PRIORITY_TRIES = 20;

export class PluginProcess {
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  readonly exited: Promise<Exit>;
  #output = "";

  private constructor(child: ChildProcess, clock: Clock) {
    this.#child = child;
    this.#clock = clock;
    const take = (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString("utf8")).slice(-OUTPUT_CHARS_MAX);
    };
    child.stdout?.on("data", take);
    child.stderr?.on("data", take);
    this.exited = new Promise((resolve) => {
      child.once("error", (error) => {
        take(Buffer.from(`${error.message}\n`));
        resolve({ code: null, signal: null });
      });
      child.once("exit", (code, signal) => resolve({ code, signal }));
    });
  }

  static async start(
    command: string,
    args: readonly string[],
    { directory, env, clock }: { readonly directory: string; readonly env: NodeJS.ProcessEnv; readonly clock: Clock },
  ): Promise<PluginProcess> {
    const child = spawn(command, args, { cwd: directory, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
    const process = new PluginProcess(child, clock);
    if (child.pid !== undefined) {
      void giveWay(child.pid, clock);
      await writeFile(pidFile(directory), String(child.pid));
    }
    return process;
  }

  get pid(): number | null {
    return this.#child.pid !== undefined && this.isRunning ? this.#child.pid : null;
  }

  get isRunning(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** The latest that it wrote to its standard output and error. */
  get output(): string {
    return this.#output;
  }

  /** SIGTERM, and SIGKILL a second later, to the whole group. */
  async end(): Promise<void> {
    this.#signal("SIGTERM");
    const timer = this.#clock.setTimer(() => this.#signal("SIGKILL"), TERM_MS);
    await this.exited;
    timer.cancel();
    // Processes that it started and left running.
    this.#signal("SIGKILL");
  }

  kill(): void {
    this.#signal("SIGKILL");
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#child.pid !== undefined) signalGroup(this.#child.pid, signal);
  }
}

/**
 * Ends a process that a controller before this one started in this directory and left behind. It is known by its number and by
 * the directory in which it works, so that no other process is hit.
 */
export async function endOrphan(directory: string): Promise<void> {
  const pid = Number(await readFile(pidFile(directory), "utf8").catch(() => ""));
  if (!Number.isInteger(pid) || pid <= 1) return;
  const worksIn = await readlink(`/proc/${pid}/cwd`).catch(() => null);
  if (worksIn !== null && worksIn === (await realpath(directory).catch(() => directory))) signalGroup(pid, "SIGKILL");
  await rm(pidFile(directory), { force: true });
}

/**
 * A process group of its own is also a scheduling group of its own where the kernel makes these (autogroup). There a priority
 * counts within the group only, so the group gets one, too. Without these groups the file does not exist.
 */
async function giveWay(pid: number, clock: Clock): Promise<void> {
  try {
    setPriority(pid, NICE);
  } catch {
    // Forbidden, or the process has ended.
  }
  for (let tries = 0; tries < PRIORITY_TRIES; tries += 1) {
    const code = await writeFile(`/proc/${pid}/autogroup`, String(NICE)).then(
      () => "",
      (error: NodeJS.ErrnoException) => error.code,
    );
    // The kernel allows one such change in a tenth of a second.
    if (code !== "EAGAIN") return;
    await new Promise<void>((resolve) => void clock.setTimer(resolve, PRIORITY_MS));
  }
}

function pidFile(directory: string): string {
  return join(directory, ".domovoi", "pid");
}

/** A group that is gone is no error. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: there is nothing left of it.
  }
}
