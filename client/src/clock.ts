/** Time as a thing that is passed in, so that tests and simulations can hold it. */

export type Timer = { cancel(): void };

export type Clock = {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Calls back once after `delayMs`. */
  setTimer(callback: () => void, delayMs: number): Timer;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(callback, delayMs) {
    const handle = setTimeout(callback, delayMs);
    return { cancel: () => clearTimeout(handle) };
  },
};
