/**
 * Lets so much out on the air at once that the radio is never idle, and no more: what waits here can still be given up,
 * what the radio has taken can not. A device gets one thing at a time, or a newer command would take the older one's place.
 */

import type { Outcome } from "../../command.ts";
import { GIVEN_UP, NOT_READY } from "./outcome.ts";

type Waiting = { readonly nodeId: number; readonly begin: () => void };

export class Bus {
  readonly #stop: AbortSignal;
  readonly #atOnce: number;
  readonly #waiting = new Set<Waiting>();
  readonly #busy = new Set<number>();

  /**
   * @param stop aborted when the radio goes down; everything that waits or is under way then ends as not ready.
   * @param atOnce devices; the radio sends one frame at a time, but one that does not answer must not hold up the others.
   */
  constructor(stop: AbortSignal, atOnce: number) {
    this.#stop = stop;
    this.#atOnce = atOnce;
  }

  get load(): { readonly underWay: number; readonly waiting: number } {
    return { underWay: this.#busy.size, waiting: this.#waiting.size };
  }

  /** Runs the work when it is its turn; given up before that, it is not done. */
  async run(nodeId: number, signal: AbortSignal, work: () => Promise<Outcome>): Promise<Outcome> {
    if (this.#stop.aborted) return NOT_READY;
    if (signal.aborted) return GIVEN_UP;
    const over = new AbortController();
    const ended = new Promise<Outcome>((resolve) => {
      this.#stop.addEventListener("abort", () => resolve(NOT_READY), { signal: over.signal });
      signal.addEventListener("abort", () => resolve(GIVEN_UP), { signal: over.signal });
    });
    try {
      return await this.#inTurn(nodeId, ended, work);
    } finally {
      over.abort();
    }
  }

  async #inTurn(nodeId: number, ended: Promise<Outcome>, work: () => Promise<Outcome>): Promise<Outcome> {
    const turn = this.#turn(nodeId);
    const early = await Promise.race([ended, turn.ready.then(() => null)]);
    if (early) {
      turn.leave();
      return early;
    }
    // The turn is over when the work is, however early its caller goes.
    return Promise.race([ended, work().finally(turn.leave)]);
  }

  #turn(nodeId: number): { readonly ready: Promise<void>; readonly leave: () => void } {
    let begun = false;
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    const waiting: Waiting = {
      nodeId,
      begin: () => {
        begun = true;
        this.#busy.add(nodeId);
        resolve();
      },
    };
    this.#waiting.add(waiting);
    this.#next();
    const leave = () => {
      this.#waiting.delete(waiting);
      if (!begun) return;
      begun = false;
      this.#busy.delete(nodeId);
      this.#next();
    };
    return { ready, leave };
  }

  #next(): void {
    for (const waiting of this.#waiting) {
      if (this.#busy.size >= this.#atOnce) return;
      if (this.#busy.has(waiting.nodeId)) continue;
      this.#waiting.delete(waiting);
      waiting.begin();
    }
  }
}
