/**
 * Numbers every change, applies it, then tells it, in order. A listener always finds the new value in the home.
 * Listeners record; they never commit (that is an error), they act in a turn of their own.
 */

import { invariant } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import { applyChange } from "./apply-change.ts";
import type { Cause } from "./cause.ts";
import type { Change, Entry } from "./change.ts";
import type { Home } from "./home.ts";

export type Listener = (entry: Entry) => void;

export class ChangeFeed {
  readonly #home: Home;
  readonly #clock: Clock;
  readonly #listeners: Listener[] = [];
  #lastSeq: number;
  #telling = false;

  /** @param lastSeq number of the last entry in the journal; 0 for a new home. */
  constructor(home: Home, clock: Clock, lastSeq: number) {
    this.#home = home;
    this.#clock = clock;
    this.#lastSeq = lastSeq;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  commit(change: Change, cause: Cause): Entry {
    invariant(!this.#telling, "A listener records; it does not commit.");
    applyChange(this.#home, change);
    this.#lastSeq += 1;
    const entry: Entry = { seq: this.#lastSeq, atMs: this.#clock.now(), cause, change };
    this.#telling = true;
    try {
      for (const listener of this.#listeners) listener(entry);
    } finally {
      this.#telling = false;
    }
    return entry;
  }

  /** Listeners are told in the order in which they came. @returns a function that ends it. */
  listen(listener: Listener): () => void {
    this.#listeners.push(listener);
    return () => {
      const at = this.#listeners.indexOf(listener);
      if (at >= 0) this.#listeners.splice(at, 1);
    };
  }
}
