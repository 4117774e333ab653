/** A clock that moves only on request: timers fire in the order of their due time, ties in the order they were set. */

import type { Clock, Timer } from "./clock.ts";

/** Due by the time that has passed, as the machine's timers are: setting the time of day moves none of them. */
type Pending = { readonly dueMs: number; readonly order: number; readonly callback: () => void };

export class VirtualClock implements Clock {
  #elapsedMs = 0;
  /** The time of day at which nothing had passed. */
  #originMs: number;
  #order = 0;
  readonly #pending = new Set<Pending>();

  constructor(startMs: number) {
    this.#originMs = startMs;
  }

  now(): number {
    return this.#originMs + this.#elapsedMs;
  }

  elapsed(): number {
    return this.#elapsedMs;
  }

  setTimer(callback: () => void, delayMs: number): Timer {
    // Whole milliseconds, as the machine's clock has: what reads the time may rely on that.
    const dueMs = this.#elapsedMs + Math.max(0, Math.ceil(delayMs));
    const pending = { dueMs, order: this.#order++, callback };
    this.#pending.add(pending);
    return { cancel: () => this.#pending.delete(pending) };
  }

  /** Sets the time of day and fires nothing, as a person or a time server does. */
  moveTo(atMs: number): void {
    this.#originMs = atMs - this.#elapsedMs;
  }

  /** Moves time on by `spanMs`, firing what falls due, and lets promises settle between two timers. */
  async advance(spanMs: number): Promise<void> {
    const endMs = this.#elapsedMs + spanMs;
    for (let next = this.#nextDue(endMs); next; next = this.#nextDue(endMs)) {
      this.#pending.delete(next);
      this.#elapsedMs = next.dueMs;
      next.callback();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.#elapsedMs = endMs;
  }

  #nextDue(endMs: number): Pending | null {
    let first: Pending | null = null;
    for (const pending of this.#pending) {
      if (pending.dueMs > endMs) continue;
      if (!first || pending.dueMs < first.dueMs || (pending.dueMs === first.dueMs && pending.order < first.order))
        first = pending;
    }
    return first;
  }
}
