/**
 * Finds things by what people call them: path, then name, and only then key, path and name without regard to case. Keys as they
 * are spelled are left to who has the things by their keys.
 */

import { ClientError } from "../errors.ts";

export type Named = { readonly key: string; readonly name: string; readonly path: string };

const LISTED_MAX = 8;

type Index = ReadonlyMap<string, string | readonly string[]>;

export class Finder {
  readonly #what: string;
  readonly #all: () => readonly Named[];
  #named: readonly Named[] | null = null;
  #exact: readonly Index[] | null = null;
  #folded: readonly Index[] | null = null;

  /** @param what for sentences: "node" @param all called once, at the first lookup of a name */
  constructor(what: string, all: () => readonly Named[]) {
    this.#what = what;
    this.#all = all;
  }

  /** @returns the key, or null. @throws ClientError `AMBIGUOUS` */
  find(text: string): string | null {
    this.#named ??= this.#all();
    this.#exact ??= [PATH, NAME].map((textOf) => buildIndex(this.#named ?? [], textOf));
    const exact = this.#among(this.#exact, composed(text), text);
    if (exact !== null) return exact;
    this.#folded ??= [KEY, PATH, NAME].map((textOf) =>
      buildIndex(this.#named ?? [], (named) => textOf(named).toLowerCase()),
    );
    return this.#among(this.#folded, composed(text).toLowerCase(), text);
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

const KEY = ({ key }: Named) => key;
const PATH = ({ path }: Named) => path;
const NAME = ({ name }: Named) => name;

/** An accent is part of its letter, however it was typed: names that look alike are the same name. */
function composed(text: string): string {
  return text.normalize("NFC");
}

/** A list where one text is that of several. */
function buildIndex(all: readonly Named[], textOf: (named: Named) => string): Index {
  const index = new Map<string, string | string[]>();
  for (const named of all) {
    const text = composed(textOf(named));
    const known = index.get(text);
    if (known === undefined) index.set(text, named.key);
    else if (typeof known === "string") index.set(text, [known, named.key]);
    else known.push(named.key);
  }
  return index;
}
