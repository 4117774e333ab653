/**
 * The simulations and properties for a night: more kills, longer lives, more examples, another seed every time, which is
 * printed. `npm run nightly`; `DOMOVOI_…` overrides.
 */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const { env } = process;
const seed = env.DOMOVOI_SEED ?? String(1 + (Date.now() % 1_000_000_000));
console.info(`DOMOVOI_SEED=${seed}`);

/** Needs the tools of the page, and builds for a while. */
const PACKAGES = "test/packaging/*.test.ts";

/** Tests that end processes by force, outside of the simulations. */
const KILLED = ["test/store/kill.test.ts", "test/store/backup/exchange.test.ts"];

/** Test files that draw examples by chance. */
function propertyTests(): readonly string[] {
  const names = readdirSync("test", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".test.ts"));
  return names.map((name) => join("test", name)).filter((path) => readFileSync(path, "utf8").includes('"fast-check"'));
}

export default defineConfig({
  test: {
    include: ["test/simulation/**/*.test.ts", PACKAGES, ...KILLED, ...propertyTests()],
    // Processes that tests start run the bundled service, as users do.
    globalSetup: ["test/support/install-programs.ts", "tools/build-service.js"],
    setupFiles: ["test/support/setup.ts"],
    // Ten times the examples take longer than the usual time of a test.
    testTimeout: 300_000,
    hookTimeout: 60_000,
    pool: "forks",
    // Times to the first answer are measured: nothing else runs beside.
    fileParallelism: false,
    env: {
      DOMOVOI_SEED: seed,
      DOMOVOI_EXAMPLES: env.DOMOVOI_EXAMPLES ?? "1000",
      DOMOVOI_KILLS: env.DOMOVOI_KILLS ?? "100",
      DOMOVOI_PROGRAM_KILLS: env.DOMOVOI_PROGRAM_KILLS ?? "1000",
      DOMOVOI_TAKEOVERS: env.DOMOVOI_TAKEOVERS ?? "100",
      DOMOVOI_EDIT_KILLS: env.DOMOVOI_EDIT_KILLS ?? "1000",
      DOMOVOI_MOVE_KILLS: env.DOMOVOI_MOVE_KILLS ?? "30",
      DOMOVOI_STORE_KILLS: env.DOMOVOI_STORE_KILLS ?? "100",
      DOMOVOI_RESTORE_KILLS: env.DOMOVOI_RESTORE_KILLS ?? "12",
      DOMOVOI_FOLLOWERS: env.DOMOVOI_FOLLOWERS ?? "100",
      DOMOVOI_RETURNING: env.DOMOVOI_RETURNING ?? "200",
      DOMOVOI_PLUGIN_STARTS: env.DOMOVOI_PLUGIN_STARTS ?? "1000",
      DOMOVOI_DAMAGES: env.DOMOVOI_DAMAGES ?? "100",
      DOMOVOI_STORE_DAMAGES: env.DOMOVOI_STORE_DAMAGES ?? "1000",
      DOMOVOI_FOLLOWED_STEPS: env.DOMOVOI_FOLLOWED_STEPS ?? "200000",
      DOMOVOI_PROGRAM_SEEDS: env.DOMOVOI_PROGRAM_SEEDS ?? "10000",
      DOMOVOI_VERIFIED_HOMES: env.DOMOVOI_VERIFIED_HOMES ?? "2000",
      DOMOVOI_TWIN_RUNS: env.DOMOVOI_TWIN_RUNS ?? "300",
      DOMOVOI_POWER_CUTS: env.DOMOVOI_POWER_CUTS ?? "waiting asking",
      DOMOVOI_ENVELOPES: env.DOMOVOI_ENVELOPES ?? "10000",
      DOMOVOI_FUZZ_SECONDS: env.DOMOVOI_FUZZ_SECONDS ?? "600",
      DOMOVOI_ATTACK_SECONDS: env.DOMOVOI_ATTACK_SECONDS ?? "3600",
      DOMOVOI_ATTACK_STRENGTH: env.DOMOVOI_ATTACK_STRENGTH ?? "4",
      DOMOVOI_RING_FRAMES: env.DOMOVOI_RING_FRAMES ?? "16384",
    },
  },
});
