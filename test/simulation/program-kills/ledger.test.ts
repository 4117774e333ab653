import { expect, test } from "vitest";
import { FireCounter } from "./fire-counter.ts";
import { Ledger } from "./ledger.ts";
import type { Plan } from "./plans.ts";

/** A turn of it: it counts, dims one lamp to 1, waits, and dims it once more. */
const ENDLESS: Plan = {
  id: 272,
  lamp: "lamp",
  start: { kind: "variable", id: 1 },
  tree: { if: [], then: [] },
  commands: [
    { words: "DON 1", isIdempotent: true },
    { words: "DIM", isIdempotent: false },
  ],
  fires: 0,
  isEndless: true,
  calls: null,
  begun: 1,
  ended: 2,
  added: 3,
  adds: 1,
};

async function wrongAfter(seen: readonly string[], turns: number): Promise<readonly string[]> {
  await using fires = await FireCounter.open();
  const ledger = new Ledger([ENDLESS]);
  ledger.live("Life 1", new Map([["lamp", seen]]));
  ledger.close(new Map([[3, turns]]), fires, new Map());
  return ledger.wrong;
}

test("a program that was stopped while it waited owes nothing that comes after the wait", async () => {
  expect(await wrongAfter(["DON 1", "DIM", "DON 1"], 2)).toEqual([]);
});

test("a statement that is neither sent nor marked uncertain is missing", async () => {
  expect(await wrongAfter(["DON 1", "DON 1", "DIM"], 2)).toEqual([
    "Program 272: 1 statements are missing, 0 are marked uncertain.",
  ]);
});
