import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { postgres, stopPostgres } from "../store/engines.ts";
import { temporaryDirectory } from "../support/test-store.ts";
import { killEdits } from "./edit-kills.ts";
import { EDIT_KILLS, SEED } from "./effort.ts";

const SECONDS_A_KILL = 12;

stopPostgres();

test(
  `no edit is half done or lost over ${EDIT_KILLS} times kill -9, and taking all back leads to the home before`,
  () => expectWhole([temporaryDirectory()]),
  EDIT_KILLS * SECONDS_A_KILL * 1000 + 60_000,
);

test(
  `no edit is half done or lost when another machine takes over in its midst, ${EDIT_KILLS} times, nor is one taken back by half`,
  async () => {
    const storeUrl = await (await postgres()).database();
    await expectWhole([temporaryDirectory(), temporaryDirectory()], ["--store-url", storeUrl, "--config", lease()]);
  },
  EDIT_KILLS * SECONDS_A_KILL * 1000 + 60_000,
);

async function expectWhole(machines: readonly string[], args: readonly string[] = []): Promise<void> {
  const { kills, edits, returns, wrong } = await killEdits(machines, EDIT_KILLS, SEED, args);
  console.info(`${kills} kills (seed ${SEED}): ${edits} edits, all taken back ${returns} times; ${wrong.length} wrong`);
  expect(wrong).toEqual([]);
  expect(edits).toBeGreaterThan(EDIT_KILLS);
  expect(returns).toBeGreaterThan(0);
}

function lease(): string {
  const file = join(temporaryDirectory(), "settings.json");
  writeFileSync(file, JSON.stringify({ leaseMs: 500 }));
  return file;
}
