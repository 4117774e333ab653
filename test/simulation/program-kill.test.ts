import { expect, test } from "vitest";
import { postgres, stopPostgres } from "../store/engines.ts";
import { temporaryDirectory } from "../support/test-store.ts";
import { PROGRAM_KILLS, SEED } from "./effort.ts";
import { killPrograms } from "./program-kills/campaign.ts";

const PROGRAMS = 24;
const SECONDS_A_KILL = 15;

const at = (sorted: readonly number[], part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0);

stopPostgres();

test(
  `programs go on where they were after kill -9, ${PROGRAM_KILLS} times with seed ${SEED}: nothing twice, nothing left out`,
  () => expectNothingTwice(null),
  SECONDS_A_KILL * PROGRAM_KILLS * 1000 + 120_000,
);

test(
  `programs go on where they were on another machine, which takes over ${PROGRAM_KILLS} times with seed ${SEED}`,
  async () => {
    const storeUrl = await (await postgres()).database();
    await expectNothingTwice({ storeUrl, other: temporaryDirectory() });
  },
  SECONDS_A_KILL * PROGRAM_KILLS * 1000 + 120_000,
);

async function expectNothingTwice(shared: Parameters<typeof killPrograms>[4]): Promise<void> {
  const report = await killPrograms(temporaryDirectory(), PROGRAM_KILLS, SEED, PROGRAMS, shared);
  const usable = [...report.usableMs].sort((a, b) => a - b);
  console.info(
    `${report.kills} kills (seed ${SEED}) of ${report.programs} programs: ${report.acknowledged} starts acknowledged, ` +
      `${report.commands} commands, ${report.uncertain} uncertain, ${report.halfBegun} half begun, ` +
      `${report.wrong.length} wrong; usable in ${at(usable, 0.5)} ms (p50), ${at(usable, 1)} ms (max)`,
  );
  expect(report.wrong).toEqual([]);
  expect(report.troubles).toEqual([]);
  expect(report.halfBegun).toBe(0);
  // The report is about kills of homes in which much was under way.
  expect(report.acknowledged).toBeGreaterThan(PROGRAM_KILLS / 4);
  expect(report.commands).toBeGreaterThan(10 * PROGRAM_KILLS);
}
