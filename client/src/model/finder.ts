/**
 * Finds things by path or name, and only then by key, path and name without regard to case. A text with a slash is a path first;
 * one without is a name, also of a thing at the top, so that it never hides others of that name. Keys as they are spelled are
 * left to the caller, who has the things by their keys.
 */

import { ClientError } from "../errors.ts";

export type Named = { readonly key: string; readonly name: string; readonly path: string };

const LISTED_MAX = 8;

type Index = ReadonlyMap<string, string | readonly string[]>;

/** What is looked at in order: texts of each thing, exact or without regard to case. */
type Indexes = { readonly keys: Index; readonly paths: Index; readonly names: Index };

export class Finder {
  readonly #what: string;
  readonly #all: () => readonly Named[];
  #named: readonly Named[] | null = null;
  #exact: Indexes | null = null;
  #folded: Indexes | null = null;

  /** @param what for sentences: "node" @param all called once, at the first lookup of a name */
  constructor(what: string, all: () => readonly Named[]) {
    this.#what = what;
    this.#all = all;
  }

  /** @returns the key, or null. @throws ClientError `AMBIGUOUS` */
  find(text: string): string | null {
    this.#named ??= this.#all();
    this.#exact ??= buildIndexes(this.#named, composed);
    const { paths, names } = this.#exact;
    const exact = this.#among([...(isPath(text) ? [paths] : []), names], composed(text), text);
    if (exact !== null) return exact;
    this.#folded ??= buildIndexes(this.#named, folded);
    const { keys, ...others } = this.#folded;
    return this.#among([keys, ...(isPath(text) ? [others.paths] : []), others.names], folded(text), text);
  }

  #among(indexes: readonly Index[], text: string, asked: string): string | null {
    for (const index of indexes) {
      const found = index.get(text);
      if (typeof found === "string") return found;
      if (found !== undefined) throw this.#ambiguous(asked, found);
    }
    return null;
  }

  notFound(text: string): ClientError {
    return new ClientError("NOT_FOUND", `There is no ${this.#what} "${text}".`);
  }

  #ambiguous(text: string, keys: readonly string[]): ClientError {
    const more = keys.length > LISTED_MAX ? " …" : "";
    const listed = keys.slice(0, LISTED_MAX).join(", ") + more;
    return new ClientError(
      "AMBIGUOUS",
      `"${text}" is ${keys.length} ${this.#what}s: ${listed}. Use one of these instead.`,
    );
  }
}

function isPath(text: string): boolean {
  return text.includes("/");
}

/** An accent is part of its letter, however it was typed: names that look alike are the same name. */
function composed(text: string): string {
  return text.normalize("NFC");
}

function folded(text: string): string {
  return composed(text).toLowerCase();
}

/** `/Evening` is the path of a thing at the top. */
function buildIndexes(all: readonly Named[], spell: (text: string) => string): Indexes {
  return {
    keys: buildIndex(all, ({ key }) => spell(key)),
    paths: buildIndex(all, ({ path }) => spell(isPath(path) ? path : `/${path}`)),
    names: buildIndex(all, ({ name }) => spell(name)),
  };
}

/** A list where one text is that of several. */
function buildIndex(all: readonly Named[], textOf: (named: Named) => string): Index {
  const index = new Map<string, string | string[]>();
  for (const named of all) {
    const text = textOf(named);
    const known = index.get(text);
    if (known === undefined) index.set(text, named.key);
    else if (typeof known === "string") index.set(text, [known, named.key]);
    else known.push(named.key);
  }
  return index;
}
