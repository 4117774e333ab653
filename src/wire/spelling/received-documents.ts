/**
 * The documents of a twin: how the controller that it was made from told them. What the home still shows as it did then is
 * served as it was told, unknown members and odd spellings included; what has changed since is ours.
 *
 * The first text that we make of a document in a twin is its base; later ones are compared with it.
 *
 * @see docs/twin.md
 */

import { type DocumentKind, derivedFrom, documentKind } from "./documents.ts";
import { mergeTrees } from "./merge.ts";
import { PartReader } from "./part-reader.ts";
import { parseJsonTree, parseXmlTree, type Tree, writeJsonTree, writeXmlTree } from "./tree.ts";

/** `base` is null until we have made the document once. */
export type ReceivedDocument = { readonly told: string; readonly base: string | null };

/** Where told documents are kept, by name. */
export type ReceivedStore = {
  get(name: string): ReceivedDocument | null;
  set(name: string, document: ReceivedDocument): void;
  names(): readonly string[];
};

export class ReceivedDocuments {
  readonly #store: ReceivedStore;
  readonly #prolog: string;
  readonly #trees = new Map<string, Trees>();

  /** @param prolog in front of XML documents, ours and those that come out. */
  constructor(store: ReceivedStore, prolog: string) {
    this.#store = store;
    this.#prolog = prolog;
  }

  /** Names of the documents that were told as a whole. */
  names(): readonly string[] {
    return this.#store.names();
  }

  /** Whether the document, or one that it is a part of, was told: it is then there, whatever is in it. */
  has(name: string): boolean {
    return this.#store.get(derivedFrom(name)?.from ?? name) !== null;
  }

  /** The document as it is to be served. @param ours as we make it. */
  spell(name: string, ours: string): string {
    const derived = derivedFrom(name);
    const whole = derived?.from ?? name;
    const kind = documentKind(whole);
    if (!kind || !this.#store.get(whole)) return ours;
    if (kind.format === "text") return this.#spellText(whole, ours);
    const trees = this.#treesOf(name, whole, kind, derived?.part);
    if (!trees.base) {
      // A part that is asked for before its whole has a base: it is then its own.
      trees.base = trees.read(derived ? ours : this.#baseText(whole, ours));
    }
    return this.#write(kind, mergeTrees(trees.told, trees.base, trees.read(ours), kind.rules));
  }

  #spellText(name: string, ours: string): string {
    const document = this.#store.get(name);
    if (!document) return ours;
    if (document.base === null) this.#store.set(name, { told: document.told, base: ours });
    return document.base === null || document.base === ours ? document.told : ours;
  }

  #treesOf(name: string, whole: string, kind: DocumentKind, part: (tree: Tree) => Tree = (tree) => tree): Trees {
    const known = this.#trees.get(name);
    if (known) return known;
    const document = this.#store.get(whole);
    // The service may be another one after an update.
    const base = kind.isAboutService ? null : (document?.base ?? null);
    const reader = new PartReader();
    // Our own numbers are written as they are read, so the plain parser, which is much faster, loses nothing.
    const read = (text: string): Tree => (kind.format === "xml" ? reader.read(text) : JSON.parse(text));
    const told = kind.format === "xml" ? parseXmlTree : parseJsonTree;
    const made: Trees = {
      told: part(told(document?.told ?? "")),
      base: base === null ? null : part(read(base)),
      read,
    };
    this.#trees.set(name, made);
    return made;
  }

  #baseText(name: string, ours: string): string {
    const document = this.#store.get(name);
    if (document) this.#store.set(name, { told: document.told, base: ours });
    return ours;
  }

  #write({ format }: DocumentKind, tree: Tree): string {
    return format === "xml" ? this.#prolog + writeXmlTree(tree) : writeJsonTree(tree);
  }
}

type Trees = {
  readonly told: Tree;
  base: Tree | null;
  /** Reads documents of our own. */
  readonly read: (text: string) => Tree;
};
