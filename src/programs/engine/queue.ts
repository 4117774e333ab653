/**
 * A queue that is never changed: `push` and `shift` give a new one. The items are shared, so that a step over thousands of
 * them costs what it touches.
 */

const COMPACT_FROM = 1024;

export class Queue<T> {
  /** Shared with the queues that this one came from and led to; those see other parts of it. */
  readonly #items: T[];
  readonly #from: number;
  readonly #to: number;

  private constructor(items: T[], from: number, to: number) {
    this.#items = items;
    this.#from = from;
    this.#to = to;
  }

  static of<T>(items: readonly T[]): Queue<T> {
    return new Queue([...items], 0, items.length);
  }

  get size(): number {
    return this.#to - this.#from;
  }

  first(): T | null {
    return this.size === 0 ? null : (this.#items[this.#from] ?? null);
  }

  push(item: T): Queue<T> {
    // Another queue may have gone on from here already.
    const isShared = this.#items.length !== this.#to;
    const isMostlyGone = this.#from > COMPACT_FROM && this.#from > this.size;
    if (isShared || isMostlyGone) return Queue.of([...this.all(), item]);
    this.#items.push(item);
    return new Queue(this.#items, this.#from, this.#to + 1);
  }

  /** Without the first item. */
  shift(): Queue<T> {
    return this.size === 0 ? this : new Queue(this.#items, this.#from + 1, this.#to);
  }

  all(): readonly T[] {
    return this.#items.slice(this.#from, this.#to);
  }
}
