/** When snapshots are taken: a while after a start that finds none young enough, then once an interval, and on a clean stop. */

import type { Clock, Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";

type SnapshotPorts = {
  readonly intervalMs: number;
  readonly clock: Clock;
  readonly log: Log;
  readonly take: (nowMs: number) => Promise<void>;
};

/** A start has better things to do first. */
const REST_AFTER_START_MS = 60_000;

export class SnapshotSchedule {
  readonly #ports: SnapshotPorts;
  #takenAtMs: number | null;
  #timer: Timer | null = null;

  /** @param takenAtMs time of the newest snapshot, null = none. */
  constructor(ports: SnapshotPorts, takenAtMs: number | null) {
    this.#ports = ports;
    this.#takenAtMs = takenAtMs;
  }

  start(): void {
    // One that was taken in the future, by a clock that was set back since, must not put the next one off for years.
    this.#wait(Math.max(REST_AFTER_START_MS, Math.min(this.#dueInMs(), this.#ports.intervalMs)));
  }

  /** Ends the schedule; takes a last one when it is due. */
  async stop(): Promise<void> {
    this.#timer?.cancel();
    if (this.#dueInMs() <= 0) await this.#take();
  }

  #wait(delayMs: number): void {
    this.#timer = this.#ports.clock.setTimer(() => {
      this.#wait(this.#ports.intervalMs);
      void this.#take();
    }, delayMs);
  }

  async #take(): Promise<void> {
    const nowMs = this.#ports.clock.now();
    try {
      await this.#ports.take(nowMs);
      this.#takenAtMs = nowMs;
    } catch (error) {
      this.#ports.log.warn("The snapshot of the home failed. The next one is made on schedule.", { error });
    }
  }

  #dueInMs(): number {
    return this.#takenAtMs === null ? 0 : this.#takenAtMs + this.#ports.intervalMs - this.#ports.clock.now();
  }
}
