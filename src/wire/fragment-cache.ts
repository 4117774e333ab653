/** Caches encoded pieces of a big document, one a node. A piece is encoded again only when its node has changed. */

export class FragmentCache<Key> {
  readonly #fragments = new Map<Key, { readonly version: number; readonly text: string }>();

  /** Returns the piece for `key`; calls `make` when `version` differs from the version of the cached piece. */
  of(key: Key, version: number, make: () => string): string {
    const known = this.#fragments.get(key);
    if (known?.version === version) return known.text;
    const text = make();
    this.#fragments.set(key, { version, text });
    return text;
  }

  /** Drops the pieces of removed things. */
  keepOnly(keys: ReadonlyMap<Key, unknown>): void {
    if (this.#fragments.size <= keys.size) return;
    for (const key of this.#fragments.keys()) if (!keys.has(key)) this.#fragments.delete(key);
  }
}
