/** Answers that wait a while for something under way. */

import type { Clock } from "../util/clock.ts";

/** @param settled ends when there is nothing to wait for, or its signal aborts. */
export async function waitFor(
  clock: Clock,
  seconds: number,
  signal: AbortSignal,
  settled: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (seconds === 0) return;
  const enough = new AbortController();
  const timer = clock.setTimer(() => enough.abort(), seconds * 1000);
  await settled(AbortSignal.any([enough.signal, signal]));
  timer.cancel();
}
