/** The process of a plugin, in a process group of its own: what it started ends with it. */

import { type ChildProcess, spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { setPriority } from "node:os";
import type { Readable } from "node:stream";
import type { Clock } from "../../util/clock.ts";
import { endLeftProcesses, markOf } from "./process-table.ts";

type Exit = { readonly code: number | null; readonly signal: string | null };

const OUTPUT_CHARS_MAX = 65_536;
/** A plugin that writes more in a second has to wait. */
const OUTPUT_BYTES_PER_SECOND = 1_048_576;
/** Between SIGTERM and SIGKILL. */
const TERM_MS = 1000;
/** Plugins give way to the controller. */
const NICE = 5;
const PRIORITY_MS = 150;
const PRIORITY_TRIES = 20;
/** Of 1000: where the machine has no memory left, the system ends plugins before the controller. */
const ENDED_FIRST = 800;

export class PluginProcess {
  readonly #child: ChildProcess;
  readonly #clock: Clock;
  readonly #directory: string;
  readonly exited: Promise<Exit>;
  #output = "";

  private constructor(child: ChildProcess, directory: string, clock: Clock) {
    this.#child = child;
    this.#directory = directory;
    this.#clock = clock;
    const take = (chunk: Buffer) => {
      this.#output = (this.#output + chunk.toString("utf8")).slice(-OUTPUT_CHARS_MAX);
    };
    for (const stream of [child.stdout, child.stderr]) if (stream) readSlowly(stream, clock, take);
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
    const marked = { ...env, ...(await markOf(directory)) };
    const stdio = ["ignore", "pipe", "pipe"] as const;
    const child = spawn(command, args, { cwd: directory, env: marked, detached: true, stdio: [...stdio] });
    if (child.pid !== undefined) void giveWay(child.pid, clock);
    return new PluginProcess(child, directory, clock);
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

  /** SIGTERM, and SIGKILL a second later, to the whole group; SIGKILL to processes that have left it. */
  async end(): Promise<void> {
    this.#signal("SIGTERM");
    const timer = this.#clock.setTimer(() => this.#signal("SIGKILL"), TERM_MS);
    await this.exited;
    timer.cancel();
    // Processes that it started and left running.
    this.#signal("SIGKILL");
    await endLeftProcesses(this.#directory);
  }

  kill(): void {
    this.#signal("SIGKILL");
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#child.pid !== undefined) signalGroup(this.#child.pid, signal);
  }
}

/** What it writes above the limit waits in the pipe, and the plugin with it. */
function readSlowly(stream: Readable, clock: Clock, take: (chunk: Buffer) => void): void {
  let left = OUTPUT_BYTES_PER_SECOND;
  stream.on("data", (chunk: Buffer) => {
    take(chunk);
    left -= chunk.length;
    if (left > 0) return;
    stream.pause();
    clock.setTimer(() => {
      left = OUTPUT_BYTES_PER_SECOND;
      stream.resume();
    }, 1000);
  });
}

/**
 * A process group of its own is also a scheduling group of its own where the kernel makes these (autogroup). There a priority
 * counts within the group only, so the group gets one, too. Without these groups the file does not exist.
 */
async function giveWay(pid: number, clock: Clock): Promise<void> {
  await writeFile(`/proc/${pid}/oom_score_adj`, String(ENDED_FIRST)).catch(() => {});
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

/** A group that is gone is no error. */
function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // ESRCH: there is nothing left of it.
  }
}
