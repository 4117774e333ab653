/**
 * Turns for work that keeps a processor busy: password hashes (19 MiB each) and signature checks. Few run at a time, and a
 * bounded number waits. Known devices go first, so a flood of strangers does not keep the household out.
 */

import { ControllerError } from "../errors.ts";

export type HashPriority = "known" | "stranger";

type Limits = { readonly atOnce: number; readonly waitingMax: number };

export class TurnQueue {
  readonly #limits: Limits;
  readonly #waiting: Readonly<Record<HashPriority, (() => void)[]>> = { known: [], stranger: [] };
  #running = 0;

  /** @param limits `waitingMax` counts for each priority by itself. */
  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** @throws ControllerError LOGINS_BUSY when too much of this priority waits; `work` has then not begun. */
  async run<T>(priority: HashPriority, work: () => Promise<T>): Promise<T> {
    await this.#turn(priority);
    try {
      return await work();
    } finally {
      this.#handOn();
    }
  }

  #turn(priority: HashPriority): Promise<void> {
    if (this.#running < this.#limits.atOnce) {
      this.#running++;
      return Promise.resolve();
    }
    const waiting = this.#waiting[priority];
    if (waiting.length >= this.#limits.waitingMax) throw new ControllerError("LOGINS_BUSY");
    return new Promise((resolve) => waiting.push(resolve));
  }

  /** Passes the turn directly to the next in line, so that no newcomer can take it. */
  #handOn(): void {
    const next = this.#waiting.known.shift() ?? this.#waiting.stranger.shift();
    if (next) next();
    else this.#running--;
  }
}
