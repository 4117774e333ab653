/** A copy of the checkout in which one file at a time is wrong, and its tests run by themselves. */

import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const REPORT = "mutation-report.json";
/** A busy machine must not look like a mutant that was noticed. */
const TEST_MS_MAX = 120_000;

export type TestRun = {
  readonly outcome: "passed" | "failed" | "timed out";
  /** Name of the first test that failed; empty when none did, or when they could not even begin. */
  readonly failed: string;
  /** It failed for taking too long, which on a busy machine says nothing about the mutant. */
  readonly isSlow: boolean;
  readonly ms: number;
};

export class Workspace implements Disposable {
  readonly #files: readonly string[];
  readonly #root = mkdtempSync(join(tmpdir(), "domovoi-mutation-"));

  constructor() {
    const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT });
    this.#files = listed.toString().split("\0").filter(Boolean);
    for (const path of this.#files) {
      mkdirSync(dirname(join(this.#root, path)), { recursive: true });
      cpSync(join(ROOT, path), join(this.#root, path));
    }
    symlinkSync(join(ROOT, "node_modules"), join(this.#root, "node_modules"));
  }

  /** Tests that bear the name of a source file. */
  namesakes(file: string): readonly string[] {
    const name = `/${basename(file, ".ts")}.test.ts`;
    return this.#files.filter((path) => path.startsWith("test/") && path.endsWith(name));
  }

  read(file: string): string {
    return readFileSync(join(this.#root, file), "utf8");
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.#root, file), text);
  }

  /** Runs these tests until the first one fails. Everything that they started has ended when it settles. */
  async test(files: readonly string[], timeoutMs: number): Promise<TestRun> {
    const beginMs = performance.now();
    const report = join(this.#root, REPORT);
    rmSync(report, { force: true });
    const vitest = join(this.#root, "node_modules/vitest/vitest.mjs");
    const patience = [`--testTimeout=${TEST_MS_MAX}`, `--hookTimeout=${TEST_MS_MAX}`];
    const options = [...patience, "--bail=1", "--maxWorkers=1", "--reporter=json", `--outputFile=${report}`];
    const child = spawn(process.execPath, [vitest, "run", ...options, ...files], {
      cwd: this.#root,
      stdio: "ignore",
      // Its own process group, so that what a test leaves behind ends with it.
      detached: true,
    });
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      endGroup(child.pid);
    }, timeoutMs);
    const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
    clearTimeout(timer);
    endGroup(child.pid);
    const outcome = isLate ? "timed out" : code === 0 ? "passed" : "failed";
    const failure = outcome === "failed" ? firstFailure(report) : null;
    const isSlow = SLOW.test(failure?.failureMessages.join("\n") ?? "");
    return { outcome, failed: failure?.fullName ?? "", isSlow, ms: performance.now() - beginMs };
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // Nobody of the group is left.
  }
}

type Report = { readonly testResults: readonly { readonly assertionResults: readonly Assertion[] }[] };
type Assertion = { readonly status: string; readonly fullName: string; readonly failureMessages: readonly string[] };

const SLOW = /to be less than|timed out in \d+ms/;

function firstFailure(path: string): Assertion | null {
  try {
    const report = JSON.parse(readFileSync(path, "utf8")) as Report;
    const all = report.testResults.flatMap(({ assertionResults }) => assertionResults);
    return all.find(({ status }) => status === "failed") ?? null;
  } catch {
    return null;
  }
}
