/** Time as a thing that is passed in: the system's for the service, a virtual one for tests and replay. */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export type Timer = { cancel(): void };

export type Clock = {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Milliseconds that have passed since some moment; goes on evenly when the time of day is set. */
  elapsed(): number;
  /** Calls back once after `delayMs` (≥ 0). */
  setTimer(callback: () => void, delayMs: number): Timer;
};

/** A longer one would be over at once. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  setTimer(callback, delayMs) {
    let handle: NodeJS.Timeout;
    const wait = (restMs: number) => {
      const isLast = restMs <= TIMEOUT_MS_MAX;
      handle = setTimeout(isLast ? callback : () => wait(restMs - TIMEOUT_MS_MAX), Math.min(restMs, TIMEOUT_MS_MAX));
    };
    wait(delayMs);
    return { cancel: () => clearTimeout(handle) };
  },
};

/** A signal that aborts after `delayMs`, unless it is disposed of before. */
export function deadlineIn(
  clock: Clock,
  delayMs: number,
  reason?: Error,
): Disposable & { readonly signal: AbortSignal } {
  const abort = new AbortController();
  const timer = clock.setTimer(() => abort.abort(reason), delayMs);
  return { signal: abort.signal, [Symbol.dispose]: () => timer.cancel() };
}

/** Settles after `delayMs`; rejects with the signal's reason when that comes first. */
export function delay(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      timer.cancel();
      reject(signal?.reason);
    };
    const timer = clock.setTimer(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, delayMs);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
