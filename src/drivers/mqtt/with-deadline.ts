/** Waiting for another system with an end. */

import { type Clock, delay } from "../../util/clock.ts";

/** @throws Error with `sentence` after `spanMs`, or the signal's reason */
export async function withDeadline<T>(
  clock: Clock,
  promise: Promise<T>,
  spanMs: number,
  sentence: string,
  signal: AbortSignal,
): Promise<T> {
  const settled = new AbortController();
  const late = delay(clock, spanMs, AbortSignal.any([signal, settled.signal])).then(() => {
    throw new Error(sentence);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    settled.abort();
    late.catch(() => {});
  }
}
