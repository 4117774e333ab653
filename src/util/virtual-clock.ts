/** A clock that moves only when told: timers fire in the order of their due time, ties in the order they were set. */

import type { Clock, Timer } from "./clock.ts";

type Pending = { readonly dueMs: number; readonly order: number; readonly callback: () => void };

export class VirtualClock implements Clock {
  #nowMs: number;
  /** What was added to the time of day by setting it. */
  #setMs = 0;
  #order = 0;
  readonly #pending = new Set<Pending>();

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  elapsed(): number {
    return this.#nowMs - this.#setMs;
  }

  setTimer(callback: () => void, delayMs: number): Timer {
    // Whole milliseconds, as the machine's clock has: what reads the time may rely on that.
    const pending = { dueMs: this.#nowMs + Math.max(0, Math.ceil(delayMs)), order: this.#order++, callback };
    this.#pending.add(pending);
    return { cancel: () => this.#pending.delete(pending) };
  }

  /** Sets the time and fires nothing, for who keeps an agenda of their own; a recorded clock may have been set back. */
  moveTo(atMs: number): void {
    this.#setMs += atMs - this.#nowMs;
    this.#nowMs = atMs;
  }

  /** Moves time on by `spanMs`, firing what falls due, and lets promises settle between two timers. */
  async advance(spanMs: number): Promise<void> {
    const endMs = this.#nowMs + spanMs;
    for (let next = this.#nextDue(endMs); next; next = this.#nextDue(endMs)) {
      this.#pending.delete(next);
      this.#nowMs = next.dueMs;
      next.callback();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    this.#nowMs = endMs;
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
