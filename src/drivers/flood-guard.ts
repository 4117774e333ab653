/**
 * Keeps a device that reports without end from drowning the home: beyond so many reports a second of one node, only the
 * latest of each kind is kept and let through when the second is over. The last value is therefore never lost.
 */

import type { Clock, Timer } from "../util/clock.ts";

const WINDOW_MS = 1000;
/** A node that floods again is named again only after it was named this long ago. */
const NAMED_AGAIN_MS = 3_600_000;

type Window<T> = {
  startedAtMs: number;
  count: number;
  readonly held: Map<string, T>;
  timer: Timer | null;
  namedAtMs: number | null;
};

export class FloodGuard<T> {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #release: (item: T) => void;
  readonly #name: (address: string) => void;
  readonly #windows = new Map<string, Window<T>>();

  /**
   * @param release called with the held-back reports at the end of their second.
   * @param name called with the address of a flooding node.
   */
  constructor(clock: Clock, perSecond: number, release: (item: T) => void, name: (address: string) => void) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#release = release;
    this.#name = name;
  }

  /** @returns true when the item may pass now; false when it is held, in place of an earlier one with the same key. */
  admits(address: string, key: string, item: T): boolean {
    const window = this.#window(address);
    window.count += 1;
    if (window.count <= this.#perSecond) return true;
    window.held.set(key, item);
    if (!window.timer) this.#begin(address, window);
    return false;
  }

  /** The node is gone. */
  forget(address: string): void {
    this.#windows.get(address)?.timer?.cancel();
    this.#windows.delete(address);
  }

  #window(address: string): Window<T> {
    const nowMs = this.#clock.elapsed();
    let window = this.#windows.get(address);
    if (!window) {
      window = { startedAtMs: nowMs, count: 0, held: new Map(), timer: null, namedAtMs: null };
      this.#windows.set(address, window);
    } else if (!window.timer && nowMs - window.startedAtMs >= WINDOW_MS) {
      window.startedAtMs = nowMs;
      window.count = 0;
    }
    return window;
  }

  #begin(address: string, window: Window<T>): void {
    const nowMs = this.#clock.elapsed();
    const restMs = Math.max(0, window.startedAtMs + WINDOW_MS - nowMs);
    window.timer = this.#clock.setTimer(() => this.#end(window), restMs);
    if (window.namedAtMs !== null && nowMs - window.namedAtMs < NAMED_AGAIN_MS) return;
    window.namedAtMs = nowMs;
    this.#name(address);
  }

  #end(window: Window<T>): void {
    const held = [...window.held.values()];
    window.held.clear();
    window.timer = null;
    window.startedAtMs = this.#clock.elapsed();
    window.count = held.length;
    for (const item of held) this.#release(item);
  }
}
