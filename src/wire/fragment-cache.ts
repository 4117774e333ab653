/** Encoded pieces of a big document, kept per node and made again only when that node has changed. */

export class FragmentCache<Key> {
  readonly #fragments = new Map<Key, { readonly version: number; readonly text: string }>();

  /** The piece for `key`; `make` is called when `version` is not the one it was made at. */
  of(key: Key, version: number, make: () => string): string {
    const known = this.#fragments.get(key);
    if (known?.version === version) return known.text;
    const text = make();
    this.#fragments.set(key, { version, text });
    return text;
  }

  /** Forgets the pieces of things that are gone. */
  keepOnly(keys: ReadonlyMap<Key, unknown>): void {
    if (this.#fragments.size <= keys.size) return;
    for (const key of this.#fragments.keys()) if (!keys.has(key)) this.#fragments.delete(key);
  }
}
