/**
 * What waits for devices that sleep. The library keeps it and sends it at the next wake-up; here it is counted, told as
 * pending, and named when it failed after all, because nobody waits for it any more.
 */

import type { DriverHost, Outcome } from "../../driver.ts";
import { failed } from "./outcome.ts";

export class Sleepers {
  readonly #host: Pick<DriverHost, "writes" | "log">;
  readonly #waitingMax: number;
  readonly #waiting = new Map<string, number>();

  /** @param waitingMax for one device; more would keep it awake until its battery is empty. */
  constructor(host: Pick<DriverHost, "writes" | "log">, waitingMax: number) {
    this.#host = host;
    this.#waitingMax = waitingMax;
  }

  /** How much waits, by node. */
  get load(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#waiting].filter(([, waiting]) => waiting > 0));
  }

  queue(address: string, work: () => Promise<Outcome>): Outcome {
    const waiting = this.#waiting.get(address) ?? 0;
    if (waiting >= this.#waitingMax)
      return failed("rejected", `The device sleeps, and ${waiting} commands wait for it already.`);
    if (waiting === 0) this.#host.writes(address, "pending", true);
    this.#waiting.set(address, waiting + 1);
    void work().then((outcome) => this.#done(address, outcome));
    return { kind: "queued", detail: "The device sleeps; the command goes out when it wakes." };
  }

  #done(address: string, outcome: Outcome): void {
    const left = (this.#waiting.get(address) ?? 1) - 1;
    this.#waiting.set(address, left);
    if (left === 0) this.#host.writes(address, "pending", false);
    if (outcome.kind !== "failed" || outcome.reason === "not-ready") return;
    this.#host.log.warn("What waited for a sleeping device failed.", { node: address, detail: outcome.detail });
  }
}
