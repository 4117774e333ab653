/** A stack that is never changed: `push` and `pop` give a new one that shares the items below. */

export class Stack<T> {
  readonly size: number;
  readonly #top: T | null;
  readonly #below: Stack<T> | null;

  private constructor(top: T | null, below: Stack<T> | null) {
    this.#top = top;
    this.#below = below;
    this.size = below === null ? 0 : below.size + 1;
  }

  /** @param items from the top down. */
  static of<T>(items: readonly T[]): Stack<T> {
    return items.reduceRight((below: Stack<T>, item) => below.push(item), new Stack<T>(null, null));
  }

  first(): T | null {
    return this.#top;
  }

  push(item: T): Stack<T> {
    return new Stack(item, this);
  }

  /** Without the top. */
  pop(): Stack<T> {
    return this.#below ?? this;
  }

  /** From the top down. */
  all(): readonly T[] {
    const items: T[] = [];
    for (let at: Stack<T> = this; at.#below !== null; at = at.#below) if (at.#top !== null) items.push(at.#top);
    return items;
  }
}
