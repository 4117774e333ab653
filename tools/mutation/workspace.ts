/** A copy of the checkout in which one file at a time is wrong, and its tests run by themselves. */

import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CONFIG = "tools/mutation/vitest.config.ts";
/** A run without a result for this long hangs. A test that hangs without blocking its process ends before. */
const SILENCE_MS_MAX = 180_000;

/** A line of a run's output. */
export type TestResult = {
  readonly name: string;
  readonly file: string;
  readonly failed: boolean;
  readonly message: string;
};

export type TestRun = {
  readonly outcome: "passed" | "failed" | "hangs";
  /** The first test that failed; null when the run ended in another way. */
  readonly failure: TestResult | null;
  readonly ms: number;
};

export class Workspace implements Disposable {
  readonly #files: readonly string[];
  readonly #root = newDirectory();

  #running: number | undefined;

  constructor() {
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.once(signal, () => {
        endGroup(this.#running);
        this[Symbol.dispose]();
        process.exit(1);
      });
    }
    const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
    this.#files = listed.toString().split("\0").filter(Boolean);
    for (const path of this.#files) {
      mkdirSync(dirname(join(this.#root, path)), { recursive: true });
      cpSync(join(ROOT, path), join(this.#root, path));
    }
    symlinkSync(join(ROOT, "node_modules"), join(this.#root, "node_modules"));
  }

  /** Test files whose path begins with one of these. */
  testsIn(prefixes: readonly string[]): readonly string[] {
    return this.#tests().filter((path) => prefixes.some((prefix) => path.startsWith(prefix)));
  }

  /** Tests that bear the name of a source file or import it. */
  testsOf(file: string): readonly string[] {
    const name = `/${basename(file, ".ts")}.test.ts`;
    const imports = (path: string) => this.read(path).includes(`"${relative(dirname(path), file)}"`);
    return this.#tests().filter((path) => path.endsWith(name) || imports(path));
  }

  #tests(): readonly string[] {
    return this.#files.filter((path) => path.startsWith("test/") && path.endsWith(".test.ts"));
  }

  read(file: string): string {
    return readFileSync(join(this.#root, file), "utf8");
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.#root, file), text);
  }

  /** Runs groups of test files, in order, until the first test fails. Everything that they started has ended when it settles. */
  async test(groups: readonly (readonly string[])[]): Promise<TestRun> {
    const beginMs = performance.now();
    const vitest = join(this.#root, "node_modules/vitest/vitest.mjs");
    const files = [...new Set(groups.flat())];
    const child = spawn(process.execPath, [vitest, "run", `--config=${CONFIG}`, `--root=${this.#root}`, ...files], {
      cwd: this.#root,
      env: { ...process.env, MUTATION_ORDER: JSON.stringify(groups) },
      stdio: ["ignore", "pipe", "ignore"],
      // Its own process group, so that what a test leaves behind ends with it.
      detached: true,
    });
    this.#running = child.pid;
    let failure: TestResult | null = null;
    let isSilent = false;
    const timer = setTimeout(() => {
      isSilent = true;
      endGroup(child.pid);
    }, SILENCE_MS_MAX);
    createInterface(child.stdout).on("line", (line) => {
      timer.refresh();
      const result = parseResult(line);
      if (result?.failed) failure ??= result;
    });
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    clearTimeout(timer);
    endGroup(child.pid);
    this.#running = undefined;
    const outcome = isSilent ? "hangs" : code === 0 ? "passed" : "failed";
    return { outcome, failure, ms: performance.now() - beginMs };
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** With the same path as in an earlier run if possible: vitest then has most modules in its cache. */
function newDirectory(): string {
  for (let number = 0; ; number++) {
    const path = join(tmpdir(), `domovoi-mutation-${number}`);
    try {
      mkdirSync(path);
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody of the group is left.
  }
}

/** null for a line that a test printed. */
function parseResult(line: string): TestResult | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && "failed" in value ? (value as TestResult) : null;
  } catch {
    return null;
  }
}
