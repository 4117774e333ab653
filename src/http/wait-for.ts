/** Answers that wait a while for something under way. */

import { type Clock, deadlineIn } from "../util/clock.ts";

/** @param settled ends when there is nothing to wait for, or its signal aborts. */
export async function waitFor(
  clock: Clock,
  seconds: number,
  signal: AbortSignal,
  settled: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  if (seconds === 0) return;
  using enough = deadlineIn(clock, seconds * 1000);
  await settled(AbortSignal.any([enough.signal, signal]));
}
