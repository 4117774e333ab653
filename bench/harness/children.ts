/** Every process that a bench starts. Each is known by its id, and ended by it in every case. */

import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Health } from "./own-health.ts";
import type { AnswerMessage, CallMessage, TellMessage } from "./worker.ts";

type Core = 0 | 1;
export type Environment = Readonly<Record<string, string>>;

type Program = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Environment;
  /** Printed by the program, at the start of a line, when it can be used; null: as soon as it runs. */
  readonly ready: string | null;
};

export type Child = {
  readonly pid: number;
  /** The line with which it reported that it is ready. */
  readonly readyLine: string;
  /** Asks it to end, and waits. */
  end(signal?: NodeJS.Signals): Promise<void>;
};

export type Answer<T> = { readonly value: T; readonly health: Health };

export type ForkedChild = {
  readonly pid: number;
  call<T>(call: string, input: unknown): Promise<Answer<T>>;
  tell(name: string, value: unknown): void;
  onTell(listener: (name: string, value: unknown) => void): void;
  end(): Promise<void>;
  /** Ends it as a loss of power would. */
  kill(): Promise<void>;
};

const READY_MS = 30_000;
const END_MS = 6000;
const STDERR_KEPT = 4000;

export class Children {
  readonly #env: NodeJS.ProcessEnv;
  readonly #running = new Set<ChildProcess>();

  /** @param env what every child gets besides the environment of this process. */
  constructor(env: Environment) {
    // Settings of the shell that runs the bench must not reach the service that is measured.
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("DOMOVOI_"));
    this.#env = { ...Object.fromEntries(own), ...env };
  }

  async start({ command, args, env, ready }: Program): Promise<Child> {
    const child = spawn(command, args, { env: { ...this.#env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    this.#keep(child);
    const errors = keepErrors(child);
    const readyLine = ready === null ? "" : await waitForLine(child, ready, errors);
    return { pid: child.pid ?? 0, readyLine, end: (signal) => this.#end(child, signal) };
  }

  /** @param file one of `generators/` or `servers/`, which calls `serveCalls`. */
  fork(file: string, env: Environment = {}): ForkedChild {
    const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
    const child = fork(path, { env: { ...this.#env, ...env }, stdio: ["ignore", "ignore", "inherit", "ipc"] });
    this.#keep(child);
    const calls = new Calls(child, file);
    return {
      pid: child.pid ?? 0,
      call: <T>(call: string, input: unknown) => calls.call(call, input) as Promise<Answer<T>>,
      tell: (name, value) => void (child.connected && child.send({ tell: name, value } satisfies TellMessage)),
      onTell: (listener) => calls.onTell(listener),
      end: () => this.#end(child),
      kill: () => this.#end(child, "SIGKILL"),
    };
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#running].map((child) => this.#end(child)));
  }

  #keep(child: ChildProcess): void {
    this.#running.add(child);
    child.once("exit", () => this.#running.delete(child));
    // A command that is not there: `waitForLine` and callers see the exit.
    child.on("error", () => this.#running.delete(child));
  }

  async #end(child: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    const last = setTimeout(() => child.kill("SIGKILL"), END_MS);
    await gone;
    clearTimeout(last);
  }
}

/**
 * Keeps a process and its threads on one core, so that a server and its generator do not take turns on the same one and
 * "as many cores" means the same for all. @returns false where there is no `taskset`.
 */
export function pinToCore(pid: number, core: Core): boolean {
  return spawnSync("taskset", ["-a", "-p", "-c", String(core), String(pid)], { stdio: "ignore" }).status === 0;
}

class Calls {
  readonly #child: ChildProcess;
  readonly #file: string;
  readonly #waiting = new Map<number, { resolve(answer: Answer<unknown>): void; reject(error: Error): void }>();
  #listener: (name: string, value: unknown) => void = () => {};
  #lastId = 0;

  constructor(child: ChildProcess, file: string) {
    this.#child = child;
    this.#file = file;
    child.on("message", (message: AnswerMessage | TellMessage) => this.#take(message, file));
    child.once("exit", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`${file} ended before it answered.`));
      this.#waiting.clear();
    });
  }

  call(call: string, input: unknown): Promise<Answer<unknown>> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      if (!this.#child.connected) {
        reject(new Error(`${this.#file} has ended.`));
        return;
      }
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, call, input } satisfies CallMessage);
    });
  }

  onTell(listener: (name: string, value: unknown) => void): void {
    this.#listener = listener;
  }

  #take(message: AnswerMessage | TellMessage, file: string): void {
    if ("tell" in message) {
      this.#listener(message.tell, message.value);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ("failure" in message) waiting?.reject(new Error(`${file}: ${message.failure}`));
    else waiting?.resolve({ value: message.value, health: message.health });
  }
}

function keepErrors(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    text = (text + chunk).slice(-STDERR_KEPT);
  });
  return () => text;
}

function waitForLine(child: ChildProcess, start: string, errors: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const fail = (reason: string) => reject(new Error(`${child.spawnfile}: ${reason}\n${errors()}`));
    const late = setTimeout(() => fail("was not ready in time."), READY_MS);
    child.once("error", (error) => fail(error.message));
    child.once("exit", () => fail("ended before it was ready."));
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const line = text
        .split("\n")
        .find((candidate, index, all) => candidate.startsWith(start) && index < all.length - 1);
      if (line === undefined) return;
      clearTimeout(late);
      resolve(line);
    });
  });
}
