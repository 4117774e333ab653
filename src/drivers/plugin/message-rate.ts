/** Counts messages, and says how long a sender has to wait so that it stays within its rate. */

import type { Clock } from "../../util/clock.ts";

/** A burst at the start of a plugin is normal. */
const BURST_SECONDS = 4;
const SECOND_MS = 1000;

export class MessageRate {
  readonly #clock: Clock;
  readonly #perSecond: number;
  #tokens = 0;
  #filledAtMs = Number.NEGATIVE_INFINITY;
  #second = 0;
  #inSecond = 0;
  #inLast = 0;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  /** Counts one message. @returns milliseconds until the next one may come. */
  count(): number {
    const nowMs = this.#clock.elapsed();
    const filled = this.#tokens + ((nowMs - this.#filledAtMs) * this.#perSecond) / SECOND_MS;
    this.#tokens = Math.min(filled, this.#perSecond * BURST_SECONDS) - 1;
    this.#filledAtMs = nowMs;
    this.#turn(nowMs);
    this.#inSecond += 1;
    return this.#tokens >= 0 ? 0 : (-this.#tokens * SECOND_MS) / this.#perSecond;
  }

  /** Messages in the latest full second. */
  get lastSecond(): number {
    this.#turn(this.#clock.elapsed());
    return this.#inLast;
  }

  #turn(nowMs: number): void {
    const second = Math.floor(nowMs / SECOND_MS);
    if (second === this.#second) return;
    this.#inLast = second === this.#second + 1 ? this.#inSecond : 0;
    this.#second = second;
    this.#inSecond = 0;
  }
}
