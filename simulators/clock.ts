/** Time for what people and devices do. The wire itself runs on the machine's clock, because the libraries at its end do. */

export type SimulatorClock = { setTimer(callback: () => void, delayMs: number): { cancel(): void } };

/** Keeps no process alive. */
export const realClock: SimulatorClock = {
  setTimer(callback, delayMs) {
    const handle = setTimeout(callback, delayMs);
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
};

/** Calls back again and again, as long as the process lives. */
export function every(clock: SimulatorClock, delayMs: number, act: () => void): void {
  clock.setTimer(() => {
    act();
    every(clock, delayMs, act);
  }, delayMs);
}
