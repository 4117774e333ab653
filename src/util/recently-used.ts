/** A map that holds at most so many entries; the one that was not used for longest goes first. */

export class RecentlyUsed<V> {
  readonly #entriesMax: number;
  /** A Map keeps the order of insertion, so the first key is always the one unused for longest. */
  readonly #entries = new Map<string, V>();
  /** The key used last, which is at the end already. */
  #newest: string | null = null;

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  get(key: string): V | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined && key !== this.#newest) this.set(key, value);
    return value;
  }

  set(key: string, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#newest = key;
    if (this.#entries.size <= this.#entriesMax) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      return;
    }
  }
}
