/** The order in which a program's statements go out, where one of them has to wait for the disk: a lane for each program. */

import type { Clock } from "../util/clock.ts";

export class SendLanes {
  readonly #clock: Clock;
  readonly #waitMaxMs: number;
  readonly #lanes = new Map<number, Promise<void>>();

  /** @param waitMaxMs longest wait for the disk. */
  constructor(clock: Clock, waitMaxMs: number) {
    this.#clock = clock;
    this.#waitMaxMs = waitMaxMs;
  }

  /**
   * Begins at once unless something of the program is waiting; it does not wait for what has begun. `perform` must not reject.
   * @param kept what to wait for before it begins, or null.
   */
  run(programId: number, perform: () => Promise<void>, kept: Promise<void> | null): void {
    const ahead = this.#lanes.get(programId);
    if (!ahead && !kept) {
      void perform();
      return;
    }
    const lane = this.#ready(ahead, kept).then(() => {
      void perform();
      if (this.#lanes.get(programId) === lane) this.#lanes.delete(programId);
    });
    this.#lanes.set(programId, lane);
  }

  async #ready(ahead: Promise<void> | undefined, kept: Promise<void> | null): Promise<void> {
    await ahead;
    if (!kept) return;
    let timer = { cancel() {} };
    const late = new Promise<void>((resolve) => {
      timer = this.#clock.setTimer(resolve, this.#waitMaxMs);
    });
    await Promise.race([kept, late]);
    timer.cancel();
  }
}
