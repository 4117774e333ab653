/** Finds things by what people call them: key, path, name; in this order, and only then without regard to case. */

import { ClientError } from "../errors.ts";

export type Named = { readonly key: string; readonly name: string; readonly path: string };

const LISTED_MAX = 8;

export class Finder {
  readonly #what: string;
  readonly #all: () => Iterable<Named>;
  #indexes: readonly ReadonlyMap<string, readonly string[]>[] | null = null;

  /** @param what for sentences: "node" @param all asked for once, when the first name is looked up */
  constructor(what: string, all: () => Iterable<Named>) {
    this.#what = what;
    this.#all = all;
  }

  /** @returns the key, or null. @throws ClientError `AMBIGUOUS` */
  find(text: string): string | null {
    this.#indexes ??= buildIndexes(this.#all());
    const folded = text.toLowerCase();
    for (const [level, index] of this.#indexes.entries()) {
      const keys = index.get(level < EXACT_LEVELS ? text : folded);
      if (!keys) continue;
      const [first, ...others] = keys;
      if (others.length > 0) throw this.#ambiguous(text, keys);
      if (first !== undefined) return first;
    }
    return null;
  }

  notFound(text: string): ClientError {
    return new ClientError("NOT_FOUND", `There is no ${this.#what} "${text}".`);
  }

  #ambiguous(text: string, keys: readonly string[]): ClientError {
    const more = keys.length > LISTED_MAX ? " …" : "";
    const listed = keys.slice(0, LISTED_MAX).join(", ") + more;
    return new ClientError("AMBIGUOUS", `"${text}" can be ${keys.length} ${this.#what}s: ${listed}.`);
  }
}

/** Key, path, name as they stand; then the three in lower case. */
const EXACT_LEVELS = 3;

function buildIndexes(all: Iterable<Named>): readonly ReadonlyMap<string, readonly string[]>[] {
  const indexes = Array.from({ length: 2 * EXACT_LEVELS }, () => new Map<string, string[]>());
  for (const { key, path, name } of all) {
    for (const [level, text] of [key, path, name].entries()) {
      add(indexes[level], text, key);
      add(indexes[level + EXACT_LEVELS], text.toLowerCase(), key);
    }
  }
  return indexes;
}

function add(index: Map<string, string[]> | undefined, text: string, key: string): void {
  const known = index?.get(text);
  if (known) known.push(key);
  else index?.set(text, [key]);
}
