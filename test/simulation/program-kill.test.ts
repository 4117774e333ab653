import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../support/test-store.ts";
import { PROGRAM_KILLS, SEED } from "./effort.ts";
import { killPrograms } from "./program-kills/campaign.ts";

const PROGRAMS = 24;
const SECONDS_A_KILL = 10;
/** What explains a long life of a home takes ever longer to find: many ends are those of many homes. */
const KILLS_A_HOME = 60;

const homes = Array.from({ length: Math.ceil(PROGRAM_KILLS / KILLS_A_HOME) }, (_none, index) => ({
  seed: SEED + index,
  kills: Math.min(KILLS_A_HOME, PROGRAM_KILLS - index * KILLS_A_HOME),
}));

const at = (sorted: readonly number[], part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);

describe("programs that wait, repeat and call one another", () => {
  test.each(homes)(
    "go on where they were after kill -9, $kills times with seed $seed: nothing twice, nothing left out",
    async ({ seed, kills }) => {
      const report = await killPrograms(temporaryDirectory(), kills, seed, PROGRAMS);
      const usable = [...report.usableMs].sort((a, b) => a - b);
      console.info(
        `${report.kills} kills (seed ${seed}) of ${report.programs} programs: ${report.acknowledged} starts acknowledged, ` +
          `${report.commands} commands, ${report.uncertain} uncertain, ${report.halfBegun} half begun, ` +
          `${report.wrong.length} wrong; usable in ${at(usable, 0.5)} ms (p50), ${at(usable, 1)} ms (max)`,
      );
      expect(report.wrong).toEqual([]);
      expect(report.troubles).toEqual([]);
      expect(report.halfBegun).toBe(0);
      expect(report.acknowledged).toBeGreaterThan(kills);
    },
    KILLS_A_HOME * SECONDS_A_KILL * 1000 + 120_000,
  );
});
