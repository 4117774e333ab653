/**
 * An immutable map from ids (0 … 65,535) to values: `with` returns a new one that shares the unchanged parts. Copies
 * are small for any number of entries, so a pure step over thousands of programs costs only its changes.
 */

const BUCKET_BITS = 6;
const BUCKET_MASK = (1 << BUCKET_BITS) - 1;

type Bucket<T> = readonly (T | undefined)[];

export class IdMap<T> {
  readonly size: number;
  readonly #buckets: readonly (Bucket<T> | undefined)[];

  private constructor(buckets: readonly (Bucket<T> | undefined)[], size: number) {
    this.#buckets = buckets;
    this.size = size;
  }

  static empty<T>(): IdMap<T> {
    return new IdMap<T>([], 0);
  }

  get(id: number): T | null {
    return this.#buckets[id >> BUCKET_BITS]?.[id & BUCKET_MASK] ?? null;
  }

  /** @param value null removes the entry. */
  with(id: number, value: T | null): IdMap<T> {
    const before = this.get(id);
    if (before === value) return this;
    const at = id >> BUCKET_BITS;
    const bucket = [...(this.#buckets[at] ?? [])];
    bucket[id & BUCKET_MASK] = value ?? undefined;
    const buckets = [...this.#buckets];
    buckets[at] = bucket;
    return new IdMap(buckets, this.size + (value === null ? -1 : before === null ? 1 : 0));
  }

  /** In the order of the ids. */
  *entries(): Iterable<readonly [number, T]> {
    for (const [at, bucket] of this.#buckets.entries()) {
      if (!bucket) continue;
      for (const [low, value] of bucket.entries()) if (value !== undefined) yield [(at << BUCKET_BITS) | low, value];
    }
  }
}

/** Collects a step's changes to a map, so that many changes of one entry cost one copy. */
export class IdMapDraft<T> {
  #base: IdMap<T>;
  readonly #changed = new Map<number, T | null>();

  constructor(base: IdMap<T>) {
    this.#base = base;
  }

  get(id: number): T | null {
    const changed = this.#changed.get(id);
    return changed === undefined ? this.#base.get(id) : changed;
  }

  /** @param value null removes the entry. */
  set(id: number, value: T | null): void {
    this.#changed.set(id, value);
  }

  /** The map with all changes until now. */
  finish(): IdMap<T> {
    for (const [id, value] of this.#changed) this.#base = this.#base.with(id, value);
    this.#changed.clear();
    return this.#base;
  }
}
