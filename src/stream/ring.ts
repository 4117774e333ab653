/** The newest bodies in the order they happened. Clients hold positions in it; who falls off its end has lost frames. */

import { invariant } from "../errors.ts";
import type { EventBody } from "./event-body.ts";

export class Ring {
  readonly #slots: (EventBody | undefined)[];
  readonly #charactersMax: number;
  #characters = 0;
  #next = 0;
  #oldest = 0;

  /**
   * @param size bodies that are kept.
   * @param charactersMax of all of them together; the newest body is kept however long it is.
   */
  constructor(size: number, charactersMax: number) {
    this.#slots = new Array(size);
    this.#charactersMax = charactersMax;
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
    if (this.#next - this.#oldest === this.#slots.length) this.#dropOldest();
    this.#slots[this.#next % this.#slots.length] = body;
    this.#next += 1;
    this.#characters += body.characters;
    while (this.#characters > this.#charactersMax && this.#next - this.#oldest > 1) this.#dropOldest();
  }

  /** @param position at least `oldest`, less than `next`. */
  at(position: number): EventBody {
    const body = this.#slots[position % this.#slots.length];
    invariant(
      body && position >= this.#oldest && position < this.#next,
      "A client can read only events that are still in the buffer.",
    );
    return body;
  }

  /** Frees all bodies when there are no clients; positions continue. */
  clear(): void {
    this.#slots.fill(undefined);
    this.#oldest = this.#next;
    this.#characters = 0;
  }

  #dropOldest(): void {
    const slot = this.#oldest % this.#slots.length;
    this.#characters -= this.#slots[slot]?.characters ?? 0;
    this.#slots[slot] = undefined;
    this.#oldest += 1;
  }
}
