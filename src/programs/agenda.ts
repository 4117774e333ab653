/** When each program is due, and which one is next; a heap, so thousands of them cost nothing until their time. */

type Due = { readonly id: number; readonly atMs: number };

export class Agenda {
  readonly #dueMs = new Map<number, number>();
  /** Smallest first; items that `#dueMs` no longer agrees with are passed over. */
  #heap: Due[] = [];

  /** @param atMs null: no more. */
  set(id: number, atMs: number | null): void {
    if (atMs === null) {
      this.#dueMs.delete(id);
      return;
    }
    if (this.#dueMs.get(id) === atMs) return;
    this.#dueMs.set(id, atMs);
    if (this.#heap.length > 2 * this.#dueMs.size + COMPACT_FROM) this.#compact();
    else this.#push({ id, atMs });
  }

  /** When the next one is due, or null. */
  nextMs(): number | null {
    return this.#top()?.atMs ?? null;
  }

  /** Takes out what is due, in order. */
  takeDue(nowMs: number): readonly number[] {
    const due: number[] = [];
    for (let top = this.#top(); top && top.atMs <= nowMs; top = this.#top()) {
      this.#dueMs.delete(top.id);
      due.push(top.id);
    }
    return due;
  }

  #top(): Due | null {
    for (let top = this.#heap[0]; top; top = this.#heap[0]) {
      if (this.#dueMs.get(top.id) === top.atMs) return top;
      this.#pop();
    }
    return null;
  }

  #compact(): void {
    this.#heap = Array.from(this.#dueMs, ([id, atMs]) => ({ id, atMs })).sort((a, b) => a.atMs - b.atMs);
  }

  #push(item: Due): void {
    const heap = this.#heap;
    let at = heap.push(item) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = heap[parent];
      if (!above || above.atMs <= item.atMs) break;
      heap[at] = above;
      at = parent;
    }
    heap[at] = item;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (!last || heap.length === 0) return;
    let at = 0;
    for (;;) {
      const left = heap[2 * at + 1];
      if (!left) break;
      const right = heap[2 * at + 2];
      const isRight = right !== undefined && right.atMs < left.atMs;
      const child = isRight ? right : left;
      if (child.atMs >= last.atMs) break;
      heap[at] = child;
      at = 2 * at + (isRight ? 2 : 1);
    }
    heap[at] = last;
  }
}

const COMPACT_FROM = 64;
