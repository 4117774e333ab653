/**
 * Open loop: work begins when its time has come, however long earlier work takes, and its latency counts from the time
 * it was due. A server that stalls is charged for everything that would have come meanwhile.
 */

type Arrivals = { readonly perSecond: number; readonly seconds: number };

/**
 * @param begin called once per arrival with its number and the time it was due (`performance.now()`); must not throw.
 * @returns when the last arrival has begun and all promises of `begin` have settled.
 */
export async function arrive({ perSecond, seconds }: Arrivals, begin: Begin): Promise<void> {
  const count = Math.round(perSecond * seconds);
  const startMs = performance.now() + 20;
  const running: Promise<void>[] = [];
  for (let index = 0; index < count; index += 1) {
    const dueMs = startMs + (index * 1000) / perSecond;
    if (perSecond <= PUNCTUAL_PER_SECOND) await until(dueMs);
    else while (performance.now() < dueMs) await pause(1);
    running.push(begin(index, dueMs));
  }
  await Promise.all(running);
}

/** Beyond this rate a generator that turns until the very instant would keep a core for itself; then a millisecond late will do. */
const PUNCTUAL_PER_SECOND = 500;

type Begin = (index: number, dueMs: number) => Promise<void>;

/** Timers are good to a millisecond; the rest is waited for in turns of the loop, so that answers are still read. */
async function until(dueMs: number): Promise<void> {
  const wait = dueMs - performance.now();
  if (wait > 1.5) await new Promise<void>((resolve) => setTimeout(resolve, wait - 1.2));
  if (performance.now() < dueMs) await turnsUntil(dueMs);
}

/** One promise for all of its turns: a generator that makes garbage measures its own collections. */
function turnsUntil(dueMs: number): Promise<void> {
  return new Promise((resolve) => {
    const look = () => (performance.now() < dueMs ? void setImmediate(look) : resolve());
    look();
  });
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
