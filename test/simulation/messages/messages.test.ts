/**
 * Odd messages of every world, from a seed: none ends the process, and none is a failure of its integration. For some messages in every run;
 * each night for minutes, and then nothing may hold the event loop either.
 */

import { expect, test } from "vitest";
import { OddValues } from "./odd-values.ts";
import { WORLDS } from "./worlds.ts";

const { DOMOVOI_SEED = "1", DOMOVOI_FUZZ_SECONDS = "0" } = process.env;
const SECONDS = Number(DOMOVOI_FUZZ_SECONDS);
const MESSAGES = 300;
/** Time of the thread in one turn of the event loop, which the garbage collection shares: a whole pass over the memory takes some of it. */
const HELD_MS_MAX = 50;

test.for(Object.entries(WORLDS))("%s", { timeout: 60_000 + SECONDS * 2000 }, async ([name, open]) => {
  const odd = new OddValues(Number(DOMOVOI_SEED));
  const world = await open();
  const watch = watchTurns();
  let messages = 0;
  try {
    const endMs = performance.now() + SECONDS * 1000;
    while (messages < MESSAGES || performance.now() < endMs) {
      await world.say(odd);
      messages += 1;
      if (world.failures().length > 0) break;
    }
  } finally {
    const { longestMs, over10Ms } = watch.end();
    if (SECONDS > 0)
      console.info(`${name}: ${messages} messages, longest turn ${longestMs.toFixed(1)} ms, ${over10Ms} above 10 ms`);
    expect(world.failures()).toEqual([]);
    await world.end();
    if (SECONDS > 0) expect(longestMs).toBeLessThan(HELD_MS_MAX);
  }
});

/** By the time of the thread, so that other processes of the machine do not count. */
function watchTurns() {
  const now = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let [isOn, last, longestMs, over10Ms] = [true, now(), 0, 0];
  const turn = () => {
    const at = now();
    longestMs = Math.max(longestMs, at - last);
    if (at - last > 10) over10Ms += 1;
    last = at;
    if (isOn) setImmediate(turn);
  };
  setImmediate(turn);
  return {
    end() {
      isOn = false;
      return { longestMs, over10Ms };
    },
  };
}
