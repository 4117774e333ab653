/** The command line at a terminal of its own, made by util-linux's `script`: what a person sees and types. */

import { type ChildProcess, spawn } from "node:child_process";
import { COMMAND } from "../simulation/service-process.ts";

const INTERRUPT = "\u0003";
const ENTER = "\r";

export class Terminal implements AsyncDisposable {
  /** Its status. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcess;
  readonly #waiting = new Set<() => void>();
  #shown = "";
  /** Up to here it was waited for. */
  #seen = 0;
  #isOver = false;

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    const command = [process.execPath, COMMAND, ...args].map((word) => `'${word}'`).join(" ");
    this.#child = spawn("script", ["--quiet", "--flush", "--return", "--command", command, "/dev/null"], {
      env: { PATH: process.env.PATH, TERM: "xterm", ...env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    const hear = (chunk: Buffer) => {
      this.#shown += chunk;
      this.#look();
    };
    this.#child.stdout?.on("data", hear);
    this.#child.stderr?.on("data", hear);
    this.ended = new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      this.#child.once("close", (code) => {
        this.#isOver = true;
        this.#look();
        resolve(code);
      });
    });
  }

  /** Settles when this is shown, after what was waited for before. @throws Error with all that was shown when it ends without */
  async until(text: string): Promise<void> {
    for (;;) {
      const at = this.#shown.indexOf(text, this.#seen);
      if (at >= 0) {
        this.#seen = at + text.length;
        return;
      }
      if (this.#isOver) throw new Error(`It ended without "${text}": ${this.#shown}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  type(text: string): void {
    this.#child.stdin?.write(`${text}${ENTER}`);
  }

  interrupt(): void {
    this.#child.stdin?.write(INTERRUPT);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.ended;
  }

  #look(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
