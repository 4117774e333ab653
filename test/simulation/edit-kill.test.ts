import { expect, test } from "vitest";
import { temporaryDirectory } from "../support/test-store.ts";
import { killEdits } from "./edit-kills.ts";
import { EDIT_KILLS, SEED } from "./effort.ts";

const SECONDS_A_KILL = 12;

test(
  `no edit is half done or lost over ${EDIT_KILLS} times kill -9, and taking all back leads to the home before`,
  async () => {
    const { kills, edits, returns, wrong } = await killEdits(temporaryDirectory(), EDIT_KILLS, SEED);
    console.info(
      `${kills} kills (seed ${SEED}): ${edits} edits, all taken back ${returns} times; ${wrong.length} wrong`,
    );
    expect(wrong).toEqual([]);
    expect(edits).toBeGreaterThan(EDIT_KILLS);
    expect(returns).toBeGreaterThan(0);
  },
  EDIT_KILLS * SECONDS_A_KILL * 1000 + 60_000,
);
