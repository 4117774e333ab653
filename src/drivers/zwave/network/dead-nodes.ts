/** Pings unresponsive devices with growing pauses. A device that sends something by itself is alive at once. */

import type { Clock, Timer } from "../../../util/clock.ts";

const FIRST_MS = 60_000;

export class DeadNodes {
  readonly #clock: Clock;
  readonly #ping: (nodeId: number) => Promise<unknown>;
  readonly #longestMs: number;
  readonly #timers = new Map<number, Timer>();

  /**
   * @param longestMs pause between two attempts; they begin a minute apart.
   * @param ping asks the device whether it is there; it need not say so, the device's own state does.
   */
  constructor(clock: Clock, longestMs: number, ping: (nodeId: number) => Promise<unknown>) {
    this.#clock = clock;
    this.#ping = ping;
    this.#longestMs = longestMs;
  }

  lost(nodeId: number): void {
    if (!this.#timers.has(nodeId)) this.#later(nodeId, FIRST_MS);
  }

  back(nodeId: number): void {
    this.#timers.get(nodeId)?.cancel();
    this.#timers.delete(nodeId);
  }

  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #later(nodeId: number, pauseMs: number): void {
    const again = () => {
      this.#later(nodeId, Math.min(pauseMs * 2, this.#longestMs));
      this.#ping(nodeId).catch(() => {});
    };
    this.#timers.set(nodeId, this.#clock.setTimer(again, pauseMs));
  }
}
