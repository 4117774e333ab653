/** Things of one kind: iterated, counted, found by key, path or name. Handles are made on demand, once. */

import type { Register } from "../api.ts";
import { Finder, type Named } from "../model/finder.ts";

type RegisterParts<T> = {
  readonly what: string;
  readonly keys: () => Iterable<string>;
  readonly size: () => number;
  readonly has: (key: string) => boolean;
  readonly named: () => readonly Named[];
  readonly make: (key: string) => T;
};

export class HandleRegister<T> implements Register<T> {
  readonly #parts: RegisterParts<T>;
  readonly #made = new Map<string, T>();
  #finder: Finder;

  constructor(parts: RegisterParts<T>) {
    this.#parts = parts;
    this.#finder = new Finder(parts.what, parts.named);
  }

  get size(): number {
    return this.#parts.size();
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const key of this.#parts.keys()) yield this.#handle(key);
  }

  get(text: string): T {
    const found = this.find(text);
    if (found === null) throw this.#finder.notFound(text);
    return found;
  }

  find(text: string): T | null {
    const key = this.#parts.has(text) ? text : this.#finder.find(text);
    return key === null ? null : this.#handle(key);
  }

  /** Names and keys may be others. */
  changed(): void {
    this.#finder = new Finder(this.#parts.what, this.#parts.named);
    for (const key of this.#made.keys()) if (!this.#parts.has(key)) this.#made.delete(key);
  }

  #handle(key: string): T {
    const known = this.#made.get(key);
    if (known) return known;
    const made = this.#parts.make(key);
    this.#made.set(key, made);
    return made;
  }
}
