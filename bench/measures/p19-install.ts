/** P19: a production install of a fresh copy of the sources: how long, and how many bytes lie in node_modules afterwards. */

import { execFileSync } from "node:child_process";
import { cpSync, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Bench, Measure, Result, Row } from "../harness/measure.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const TIME_GOAL = { of: "figure", bound: "at most", value: 15_000 } as const;
const SIZE_GOAL = { of: "figure", bound: "at most", value: 200 } as const;
const QUIET = ["--no-audit", "--no-fund", "--loglevel=error"] as const;

export const install: Measure = {
  id: "P19",
  title: "production install",
  async run(bench): Promise<Result> {
    const rows: Row[] = [];
    for (const [what, args] of [
      ["with its own Node", ["--omit=dev"]],
      ["where Node 24 is there", ["--omit=dev", "--omit=optional"]],
    ] as const) {
      bench.say(what);
      const directory = checkout(bench);
      const startMs = performance.now();
      execFileSync("npm", ["ci", ...args, ...QUIET], { cwd: directory, stdio: "ignore" });
      const ms = performance.now() - startMs;
      const mb = bytesIn(join(directory, "node_modules")) / 2 ** 20;
      rows.push(
        { what: `${what}: npm ci ${args.join(" ")}`, figure: ms, unit: "ms", goal: TIME_GOAL },
        { what: `${what}: bytes on disk`, figure: mb, unit: "MB", goal: SIZE_GOAL },
      );
    }
    return { rows, notes: ["Packages come from npm's cache, or from the registry when they are not there yet."] };
  },
};

/** Size of the files that git tracks. */
function checkout(bench: Bench): string {
  const directory = bench.directory("install");
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT }).toString().split("\0").filter(Boolean);
  for (const file of listed) {
    mkdirSync(dirname(join(directory, file)), { recursive: true });
    cpSync(join(ROOT, file), join(directory, file));
  }
  return directory;
}

function bytesIn(directory: string): number {
  return readdirSync(directory, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(directory, entry.name);
    return sum + (entry.isDirectory() ? bytesIn(path) : lstatSync(path).blocks * 512);
  }, 0);
}
