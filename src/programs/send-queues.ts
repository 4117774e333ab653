/** The order in which a program's statements go out, where one of them has to wait for the disk: a queue for each program. */

import type { Clock } from "../util/clock.ts";

export class SendQueues {
  readonly #queues = new Map<number, Promise<void>>();

  /**
   * Begins at once unless something of the program is waiting; it does not wait for what has begun. `perform` must not reject.
   * @param ready what to wait for before it begins, or null. Must not reject.
   */
  run(programId: number, perform: () => Promise<void>, ready: Promise<void> | null): void {
    const ahead = this.#queues.get(programId);
    if (!ahead && !ready) {
      void perform();
      return;
    }
    const last = Promise.all([ahead, ready]).then(() => {
      void perform();
      if (this.#queues.get(programId) === last) this.#queues.delete(programId);
    });
    this.#queues.set(programId, last);
  }
}

/** Settles with the promise, or after `maxMs` without it; null when no wait is needed. */
export function atMost(clock: Clock, promise: Promise<void>, maxMs: number): Promise<void> | null {
  if (maxMs === 0) return null;
  return new Promise((resolve) => {
    const timer = clock.setTimer(resolve, maxMs);
    void promise.then(() => {
      timer.cancel();
      resolve();
    });
  });
}
