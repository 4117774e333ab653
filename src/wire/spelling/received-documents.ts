/**
 * The documents of a twin, as its original sent them. Unchanged content is served as received, with unknown members
 * and odd spellings. Changed content is ours.
 *
 * The first text that we make of a document in a twin is its base. Later ones are compared with it.
 *
 * @see docs/twin.md
 */

import { type DocumentKind, derivedFrom, documentKind } from "./documents.ts";
import { mergeTrees } from "./merge.ts";
import {
  childTrees,
  isObject,
  parseJsonTree,
  parseXmlTree,
  type Tree,
  type TreeObject,
  writeJsonTree,
  writeXmlTree,
  XML,
} from "./tree.ts";

/** `base` is null until we have made the document once. */
type ReceivedDocument = { readonly text: string; readonly base: string | null };

/** Where received documents are stored, by name. */
type ReceivedStore = {
  get(name: string): ReceivedDocument | null;
  set(name: string, document: ReceivedDocument): void;
  names(): readonly string[];
};

export class ReceivedDocuments {
  readonly #store: ReceivedStore;
  readonly #prolog: string;
  readonly #trees = new Map<string, Trees>();

  /** @param prolog first line of XML documents, of ours and of the served ones. */
  constructor(store: ReceivedStore, prolog: string) {
    this.#store = store;
    this.#prolog = prolog;
  }

  /** Names of the documents that were received as a whole. */
  names(): readonly string[] {
    return this.#store.names();
  }

  /** Whether the document, or one that contains it, was received. If so it is served even when it is empty. */
  has(name: string): boolean {
    return this.#store.get(derivedFrom(name)?.from ?? name) !== null;
  }

  /** Returns the document to serve. @param ours the document as we make it. */
  spell(name: string, ours: string): string {
    const derived = derivedFrom(name);
    const whole = derived?.from ?? name;
    const kind = documentKind(whole);
    if (!kind || !this.#store.get(whole)) return ours;
    if (kind.format === "text") return this.#spellText(whole, ours);
    const trees = this.#treesOf(name, whole, kind, derived?.part);
    if (!trees.base) {
      // A part that is requested before its whole has a base of its own.
      trees.base = trees.readBase(derived ? ours : this.#baseText(whole, ours));
    }
    return this.#write(kind, mergeTrees(trees.received, trees.base, trees.read(ours), kind.rules));
  }

  #spellText(name: string, ours: string): string {
    const document = this.#store.get(name);
    if (!document) return ours;
    if (document.base === null) this.#store.set(name, { text: document.text, base: ours });
    return document.base === null || document.base === ours ? document.text : ours;
  }

  #treesOf(name: string, whole: string, kind: DocumentKind, part: (tree: Tree) => Tree = (tree) => tree): Trees {
    const known = this.#trees.get(name);
    if (known) return known;
    const document = this.#store.get(whole);
    // An update may have changed the service since.
    const base = kind.isAboutService ? null : (document?.base ?? null);
    const reader = new PartReader();
    // Our own numbers are written as they are read, so the much faster plain parser loses nothing.
    const read = (text: string): Tree => (kind.format === "xml" ? reader.read(text) : JSON.parse(text));
    const { added } = kind.rules;
    // Members that are not in the base count as changed, and are served.
    const keeps = (member: string, value: Tree) => (added.has(member) ? undefined : value);
    const readBase = added.size === 0 ? read : (text: string): Tree => JSON.parse(text, keeps);
    const received = kind.format === "xml" ? parseXmlTree : parseJsonTree;
    const made: Trees = {
      received: part(received(document?.text ?? "")),
      base: base === null ? null : part(readBase(base)),
      read,
      readBase,
    };
    this.#trees.set(name, made);
    return made;
  }

  #baseText(name: string, ours: string): string {
    const document = this.#store.get(name);
    if (document) this.#store.set(name, { text: document.text, base: ours });
    return ours;
  }

  #write({ format }: DocumentKind, tree: Tree): string {
    return format === "xml" ? this.#prolog + writeXmlTree(tree) : writeJsonTree(tree);
  }
}

type Trees = {
  readonly received: Tree;
  base: Tree | null;
  /** Reads our own documents. */
  readonly read: (text: string) => Tree;
  /** Without the members that only this controller sends. */
  readonly readBase: (text: string) => Tree;
};

const ROOT = /^(?:<\?xml[^>]*\?>)?<([A-Za-z]+)>/;
/** Ends every thing that a document lists; these are never nested. */
const BOUNDARY = /(?<=<\/(?:node|group|folder|NetRule|nodedef|nodeDef)>)/;

/**
 * Reads our own XML documents repeatedly. The part of an unchanged thing reuses the tree of the last time, so that
 * neither reading nor comparing it costs anything.
 */
class PartReader {
  #parts = new Map<string, readonly TreeObject[]>();
  /** The parts of the first document; all later ones are compared with them. */
  #first: ReadonlyMap<string, readonly TreeObject[]> | null = null;

  read(text: string): Tree {
    const [start, name] = ROOT.exec(text) ?? [];
    const end = `</${name}>`;
    if (start === undefined || name === undefined || !text.endsWith(end)) return parseXmlTree(text);
    const used = new Map<string, readonly TreeObject[]>();
    const children = text
      .slice(start.length, -end.length)
      .split(BOUNDARY)
      .flatMap((part) => {
        const read = this.#first?.get(part) ?? this.#parts.get(part) ?? childrenOf(part);
        used.set(part, read);
        return read;
      });
    this.#first ??= used;
    this.#parts = used;
    return {
      [XML.name]: name,
      [XML.attributes]: {},
      [XML.text]: "",
      [XML.children]: children,
      [XML.closesItself]: false,
    };
  }
}

function childrenOf(part: string): readonly TreeObject[] {
  const tree = parseXmlTree(`<part>${part}</part>`);
  return isObject(tree) ? childTrees(tree) : [];
}
