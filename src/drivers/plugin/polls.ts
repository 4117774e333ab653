/** The two timers of a plugin: it expects a message at each short poll and at each long poll while it is connected. */

import type { Clock, Timer } from "../../util/clock.ts";
import type { PluginData } from "./plugin-data.ts";

export class Polls {
  readonly #timers = new Map<string, Timer>();
  readonly #clock: Clock;
  readonly #send: (message: object) => void;

  constructor(clock: Clock, send: (message: object) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  /** Also after a change of the times. */
  start({ shortPollS, longPollS }: Pick<PluginData, "shortPollS" | "longPollS">): void {
    this.stop();
    this.#repeat("shortPoll", shortPollS * 1000);
    this.#repeat("longPoll", longPollS * 1000);
  }

  stop(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #repeat(name: "shortPoll" | "longPoll", ms: number): void {
    const timer = this.#clock.setTimer(() => {
      this.#send({ [name]: {} });
      this.#repeat(name, ms);
    }, ms);
    this.#timers.set(name, timer);
  }
}
