/**
 * Turns for password hashes: few at a time, because each takes 19 MiB and a core, and a bounded number that waits.
 * Known devices have a lane of their own that goes first, so a flood of strangers does not keep the household out.
 */

import { ControllerError } from "../errors.ts";

export type Lane = "known" | "stranger";

type Limits = { readonly atOnce: number; readonly waitingMax: number };

export class HashQueue {
  readonly #limits: Limits;
  readonly #waiting: Readonly<Record<Lane, (() => void)[]>> = { known: [], stranger: [] };
  #running = 0;

  /** @param limits `waitingMax` counts for each lane by itself. */
  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** @throws ControllerError LOGINS_BUSY when the lane is full; `work` has then not begun. */
  async run<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    await this.#turn(lane);
    try {
      return await work();
    } finally {
      this.#handOn();
    }
  }

  #turn(lane: Lane): Promise<void> {
    if (this.#running < this.#limits.atOnce) {
      this.#running++;
      return Promise.resolve();
    }
    const waiting = this.#waiting[lane];
    if (waiting.length >= this.#limits.waitingMax) throw new ControllerError("LOGINS_BUSY");
    return new Promise((resolve) => waiting.push(resolve));
  }

  /** The turn goes to the next in line without being given up, so nobody slips in between. */
  #handOn(): void {
    const next = this.#waiting.known.shift() ?? this.#waiting.stranger.shift();
    if (next) next();
    else this.#running--;
  }
}
