/**
 * `domovoi` as a process of its own, as a user runs it: spawned with the Node that runs the tests, with both outputs
 * read, and signals. Ports are free ones unless the arguments set them, so that tests do not collide.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { LOCAL, OWNER } from "../support/controller.ts";
import { endWithUs } from "../support/ends-with-us.ts";

export const COMMAND = fileURLToPath(new URL("../../bin/domovoi.js", import.meta.url));

/** Both accounts, so that nothing is generated. */
export const CREDENTIALS = {
  DOMOVOI_OWNER_EMAIL: OWNER.username,
  DOMOVOI_OWNER_PASSWORD: OWNER.password,
  DOMOVOI_LOCAL_USER: LOCAL.username,
  DOMOVOI_LOCAL_PASSWORD: LOCAL.password,
} as const;

export type Ended = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type RunOptions = {
  /** Replaces `CREDENTIALS`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the Node that runs the tests. */
  readonly node?: string;
  /** Where programs are looked for. Default: as in the tests. */
  readonly path?: string;
  /** Default: the one of this checkout. */
  readonly command?: string;
};

/** A process that was started and may have ended. */
export class DomovoiProcess implements AsyncDisposable {
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcess;
  readonly #spawnedAtMs = performance.now();
  readonly #onOutput = new Set<() => void>();
  #stdout = "";
  #stderr = "";
  #isRunning = true;

  constructor(args: readonly string[], options: RunOptions = {}) {
    const { env = CREDENTIALS, node = process.execPath, path, command = COMMAND } = options;
    this.#child = spawn(node, [command, ...args], {
      env: { PATH: path ?? process.env.PATH, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    endWithUs(this.#child);
    this.#child.stdout?.on("data", (chunk) => this.#hear(() => (this.#stdout += chunk)));
    this.#child.stderr?.on("data", (chunk) => this.#hear(() => (this.#stderr += chunk)));
    this.ended = new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      this.#child.once("close", (code, signal) => {
        this.#hear(() => (this.#isRunning = false));
        resolve({ code, signal, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Milliseconds since it was spawned. */
  get ageMs(): number {
    return performance.now() - this.#spawnedAtMs;
  }

  /** Settles when the condition holds. @throws Error with what was written when the process ends before. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (!this.#isRunning) throw new Error(`The process ended: ${this.#stdout}${this.#stderr}`);
      await new Promise<void>((resolve) => this.#onOutput.add(resolve));
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Ends it at once, in any state. */
  async kill(): Promise<Ended> {
    this.#child.kill("SIGKILL");
    return this.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  #hear(note: () => void): void {
    note();
    for (const wake of this.#onOutput) wake();
    this.#onOutput.clear();
  }
}

/** Runs a command to its end. */
export async function runDomovoi(args: readonly string[], options?: RunOptions): Promise<Ended> {
  await using child = new DomovoiProcess(args, options);
  return await child.ended;
}

export type Service = {
  readonly process: DomovoiProcess;
  readonly portalUrl: string;
  readonly localUrl: string;
  /** Milliseconds from spawning it to its ready line. */
  readonly readyMs: number;
};

const READY_LINE = /^ready (https:\/\/\S+) (https:\/\/\S+)$/m;

export function serveArguments(data: string, args: readonly string[] = []): readonly string[] {
  return ["serve", "--data", data, "--portal-port", "0", "--local-port", "0", ...args];
}

/** Settles when it says that it is ready. @throws Error with what was written when it ends instead. */
export function startService(data: string, args: readonly string[] = [], options?: RunOptions): Promise<Service> {
  return untilReady(new DomovoiProcess(serveArguments(data, args), options));
}

/** As `startService`, of a process that was spawned already. */
export async function untilReady(child: DomovoiProcess): Promise<Service> {
  await child.until(() => child.stdout.includes("\n"));
  const readyMs = child.ageMs;
  const [, portalUrl, localUrl] = READY_LINE.exec(child.stdout) ?? [];
  if (!portalUrl || !localUrl) throw new Error(`Not a ready line: ${child.stdout}`);
  return { process: child, portalUrl, localUrl, readyMs };
}
