/**
 * One meaning in all worlds: the physical state goes in at the simulator of each world, and every surface says it in its words. No
 * number of a state is here: where two numbers are swapped, the words change.
 */

import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { pass, passingUntil } from "../support/passing-time.ts";
import { clock, controller, controls, startWorlds, stopWorlds } from "../support/seven-worlds.ts";
import { type Said, saidOf } from "../support/surfaces.ts";
import { ROWS, type Row } from "./one-door-table.ts";

// The library of Matter and the radio have the clock of the machine, which other tests may keep busy.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 150_000 });

beforeAll(startWorlds);

afterAll(stopWorlds);

describe.each(ROWS.map((row) => [`${row.world} ${row.kind}`, row] as const))("%s", (_name, row) => {
  const { meaning, states, without = {}, isInverse = false } = row;
  test("every surface says what the device is, and what it sends", async () => {
    const [first, ...others] = states;
    await first?.[1]();
    await settled(row, first?.[0] ?? "");
    let before = first?.[0];
    for (const [word, bring] of others) {
      controls.clear();
      await bring();
      const said = await settled(row, word);
      const sent = controls.get(row.address()) ?? "–";
      const [on, off] = isInverse ? [meaning.rest, meaning.active] : [meaning.active, meaning.rest];
      const control = sent === "DON" ? on : sent === "DOF" ? off : sent;
      const expected = { ...everywhere(word), ...without };
      expect({ before, word, ...said }).toEqual({ before, word, ...expected });
      expect([word, control]).toEqual([word, row.sends?.includes(word) ? word : "–"]);
      before = word;
    }
  });

  /** Waits a little for the word; what is said then counts. */
  async function settled(of: Row, word: string): Promise<Said> {
    for (let turn = 0; ; turn += 1) {
      await pass(clock, 200);
      await new Promise((resolve) => setTimeout(resolve, 5));
      const said = await passingUntil(clock, saidOf(controller, of.address(), meaning, isInverse));
      if (said.rest === word || turn >= 25) return said;
    }
  }
});

/** A jammed bolt is neither locked nor unlocked: no command is done by it. */
function everywhere(word: string): Said {
  const cli = word === "jammed" ? "unknown" : word;
  return { rest: word, page: word, matter: word, announced: word, cli, program: word };
}
