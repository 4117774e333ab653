/** The newest bodies in the order they happened. Clients hold positions in it; who falls off its end has lost frames. */

import { invariant } from "../errors.ts";
import type { EventBody } from "./event-body.ts";

export class Ring {
  readonly #slots: (EventBody | undefined)[];
  #next = 0;
  #oldest = 0;

  /** @param size bodies that are kept. */
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

  push(body: EventBody): void {
    this.#slots[this.#next % this.#slots.length] = body;
    this.#next += 1;
    if (this.#next - this.#oldest > this.#slots.length) this.#oldest += 1;
  }

  /** @param position at least `oldest`, less than `next`. */
  at(position: number): EventBody {
    const body = this.#slots[position % this.#slots.length];
    invariant(
      body && position >= this.#oldest && position < this.#next,
      "A client reads only what the ring still holds.",
    );
    return body;
  }

  /** Lets go of all bodies, when nobody follows; positions go on. */
  clear(): void {
    this.#slots.fill(undefined);
    this.#oldest = this.#next;
  }
}
