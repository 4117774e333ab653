/** Foreign texts in source text: names of a home may hold quotes, line ends, the end of a comment, marks that turn lines around. */

import { plain, plainJson } from "../show/plain.ts";

/** A string literal. */
export function literal(text: string): string {
  return plainJson(text);
}

/** The inside of a comment on one line. */
export function remark(text: string): string {
  return plain(text).replaceAll("*/", "* /");
}

/** Hands out names of types, each for one content. */
export class TypeNames {
  readonly #contents = new Map<string, string>();
  readonly #names = new Set<string>();

  constructor(taken: Iterable<string>) {
    for (const name of taken) this.#names.add(name);
  }

  /** @param wanted is kept where it is free @returns the name of this content, and whether it is new */
  nameFor(wanted: string, content: string): { readonly name: string; readonly isNew: boolean } {
    const known = this.#contents.get(content);
    if (known !== undefined) return { name: known, isNew: false };
    const bare = identifier(wanted);
    let name = bare;
    for (let turn = 2; this.#names.has(name); turn += 1) name = `${bare}_${turn}`;
    this.#names.add(name);
    this.#contents.set(content, name);
    return { name, isNew: true };
  }
}

function identifier(wanted: string): string {
  const bare = wanted.replaceAll(/[^A-Za-z0-9_]/g, "_");
  return /^[A-Za-z]/.test(bare) ? bare : `T${bare}`;
}
