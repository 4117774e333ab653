/** The newest tails in the order they happened. Clients hold positions in it; who falls off its end has lost frames. */

import { invariant } from "../errors.ts";
import type { Tail } from "./tail.ts";

export class Ring {
  readonly #slots: (Tail | undefined)[];
  #next = 0;
  #oldest = 0;

  /** @param size tails that are kept. */
  constructor(size: number) {
    this.#slots = new Array(size);
  }

  /** Position of the next tail; positions only grow. */
  get next(): number {
    return this.#next;
  }

  /** Position of the oldest tail that is still here. */
  get oldest(): number {
    return this.#oldest;
  }

  push(tail: Tail): void {
    this.#slots[this.#next % this.#slots.length] = tail;
    this.#next += 1;
    if (this.#next - this.#oldest > this.#slots.length) this.#oldest += 1;
  }

  /** @param position at least `oldest`, less than `next`. */
  at(position: number): Tail {
    const tail = this.#slots[position % this.#slots.length];
    invariant(
      tail && position >= this.#oldest && position < this.#next,
      "A client reads only what the ring still holds.",
    );
    return tail;
  }

  /** Lets go of all tails, when nobody follows; positions go on. */
  clear(): void {
    this.#slots.fill(undefined);
    this.#oldest = this.#next;
  }
}
