/** The simulations for a night: more kills, longer lives, another seed every time. `npm run nightly`; `DOMOVOI_…` overrides. */

import { defineConfig } from "vitest/config";

const { env } = process;

export default defineConfig({
  test: {
    include: ["test/simulation/**/*.test.ts", "test/twin/mutated-homes.test.ts"],
    pool: "forks",
    // Times to the first answer are measured: nothing else runs beside.
    fileParallelism: false,
    env: {
      DOMOVOI_SEED: env.DOMOVOI_SEED ?? String(1 + (Date.now() % 1_000_000_000)),
      DOMOVOI_KILLS: env.DOMOVOI_KILLS ?? "100",
      DOMOVOI_PROGRAM_KILLS: env.DOMOVOI_PROGRAM_KILLS ?? "1000",
      DOMOVOI_DAMAGES: env.DOMOVOI_DAMAGES ?? "100",
      DOMOVOI_FOLLOWED_STEPS: env.DOMOVOI_FOLLOWED_STEPS ?? "200000",
      DOMOVOI_PROGRAM_SEEDS: env.DOMOVOI_PROGRAM_SEEDS ?? "10000",
      DOMOVOI_VERIFIED_HOMES: env.DOMOVOI_VERIFIED_HOMES ?? "2000",
      DOMOVOI_TWIN_RUNS: env.DOMOVOI_TWIN_RUNS ?? "300",
      DOMOVOI_POWER_CUTS: env.DOMOVOI_POWER_CUTS ?? "waiting asking",
      DOMOVOI_RING_FRAMES: env.DOMOVOI_RING_FRAMES ?? "16384",
    },
  },
});
