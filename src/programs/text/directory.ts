/**
 * Names of one kind of thing, for both directions of the text form. The id identifies the thing; the name is for the
 * reader. A unique name can stand without the id.
 */

import { closestTo } from "../../util/closest.ts";
import { quoted } from "./quoting.ts";
import type { ProblemCode } from "./text-problem.ts";

export type DirectoryEntry = readonly [id: string, name: string];

type Resolved =
  | { readonly id: string }
  | { readonly problem: string; readonly code: ProblemCode; readonly suggestion: string | null };

export class NameDirectory {
  /** How a sentence calls one of them, for example "node or scene". */
  readonly what: string;
  readonly #nameOf: (id: string) => string | null;
  readonly #entries: () => Iterable<DirectoryEntry>;
  #idsByName: ReadonlyMap<string, readonly string[]> | null = null;
  #longestFirst: readonly string[] | null = null;

  constructor(what: string, nameOf: (id: string) => string | null, entries: () => Iterable<DirectoryEntry>) {
    this.what = what;
    this.#nameOf = nameOf;
    this.#entries = entries;
  }

  static of(what: string, entries: readonly DirectoryEntry[]): NameDirectory {
    const names = new Map(entries);
    return new NameDirectory(
      what,
      (id) => names.get(id) ?? null,
      () => entries,
    );
  }

  /** null for what is not there. */
  nameOf(id: string): string | null {
    return this.#nameOf(id);
  }

  /** Names, longest first: the name "Fast On" begins as "Fast" does. */
  longestFirst(): readonly string[] {
    if (this.#longestFirst) return this.#longestFirst;
    const names = new Set(Array.from(this.#entries(), ([, name]) => name).filter((name) => name !== ""));
    this.#longestFirst = [...names].sort((a, b) => b.length - a.length);
    return this.#longestFirst;
  }

  /** The closest name to one that was written, in quotes; null when none is close. */
  closest(name: string): string | null {
    const close = closestTo(name.trim(), this.#ids().keys());
    return close === null ? null : quoted(close);
  }

  /** Resolves a name, an id, or both; at least one is given. An unknown id is accepted: references may dangle. */
  resolve(name: string | null, id: string | null): Resolved {
    if (name === null) return { id: id ?? "" };
    if (id !== null) return this.#both(name, id);
    const ids = this.#ids().get(composed(name)) ?? [];
    const [only] = ids;
    if (only === undefined) {
      const problem = `There is no ${this.what} '${name}'.`;
      return { problem, code: "UNKNOWN_NAME", suggestion: this.closest(name) };
    }
    if (ids.length === 1) return { id: only };
    const choices = ids.slice(0, CHOICES_SHOWN).map((each) => `[${each}]`);
    const problem = `There is more than one ${this.what} '${name}': write ${choices.join(" or ")} behind it.`;
    return { problem, code: "AMBIGUOUS_NAME", suggestion: null };
  }

  /** Both are written. A changed name with an unchanged id is ambiguous, so it is refused. */
  #both(name: string, id: string): Resolved {
    const known = this.#nameOf(id);
    if (known !== null && composed(known) === composed(name)) return { id };
    const [other] = this.#ids().get(composed(name)) ?? [];
    if (other === undefined) return { id };
    const here = known === null ? `there is none with the id [${id}]` : `[${id}] is '${known}'`;
    const problem = `'${name}' is [${other}], but ${here}: write the id that is meant, or leave it out.`;
    return { problem, code: "NAME_AND_ID_DIFFER", suggestion: null };
  }

  #ids(): ReadonlyMap<string, readonly string[]> {
    if (this.#idsByName) return this.#idsByName;
    const ids = new Map<string, string[]>();
    for (const [id, name] of this.#entries()) {
      const key = composed(name);
      const same = ids.get(key);
      if (same) same.push(id);
      else ids.set(key, [id]);
    }
    this.#idsByName = ids;
    return ids;
  }
}

/** Names that look alike are the same name, whether an accent was typed as a letter of its own or not. */
function composed(name: string): string {
  return name.normalize("NFC");
}

const CHOICES_SHOWN = 3;
