/**
 * Reading XML as other controllers write it, as a tree. Strict about its structure, because a document that ends early must not
 * pass for a small one; lenient about what is often wrong in the field: an `&` that begins no entity is the character. A
 * document type is passed over, so nothing is ever fetched or expanded. Only this file knows the parser.
 */

import sax from "sax";

export type XmlElement = {
  readonly name: string;
  /** In the order in which they were written; of two of a name the first. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The text directly in it; blank text beside children is left out. */
  readonly text: string;
  /** Written as `<name />`. */
  readonly closesItself: boolean;
  /** Line on which its first tag ends, from 1; 0 for an element that was not read. */
  readonly line: number;
};

/** Why a text is no XML document; `at` is the character where it was noticed. */
export class XmlError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(`${message} (at character ${at})`);
    this.name = "XmlError";
    this.at = at;
  }
}

type Open = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  readonly closesItself: boolean;
  readonly line: number;
  text: string;
};

/** Elements inside one another; none of the interface's documents comes near. */
const DEPTH_MAX = 200;
const OF_AN_ENTITY = /entity/i;
/** The parser's types do not know of `strictEntities`. */
const OPTIONS: sax.SAXOptions & { readonly strictEntities: boolean } = { strictEntities: true };

/** The root of the document. @throws XmlError */
export function readXml(text: string): XmlElement {
  const parser = sax.parser(true, OPTIONS);
  const open: Open[] = [];
  const roots: XmlElement[] = [];
  const broken = (message: string) => new XmlError(message, parser.position);
  parser.onopentag = (tag) => {
    if (open.length >= DEPTH_MAX) throw broken("The elements are too deep");
    if (roots.length > 0) throw broken("A document has one root element");
    // Without namespaces the parser's attributes are texts, although its types allow for more.
    const attributes = new Map(Object.entries(tag.attributes as Record<string, string>));
    const line = parser.line + 1;
    open.push({ name: tag.name, attributes, children: [], closesItself: tag.isSelfClosing, line, text: "" });
  };
  parser.onclosetag = () => {
    const ended = open.pop();
    if (!ended) return;
    const isLayout = ended.children.length > 0 && ended.text.trim() === "";
    (open.at(-1)?.children ?? roots).push({ ...ended, text: isLayout ? "" : ended.text });
  };
  const takeText = (piece: string) => {
    const inside = open.at(-1);
    if (inside) inside.text += piece;
  };
  parser.ontext = takeText;
  parser.oncdata = takeText;
  parser.onerror = ({ message }) => {
    const [reason = ""] = message.split("\n");
    if (!OF_AN_ENTITY.test(reason)) throw broken(reason);
    // The parser has read the characters literally, and continues once the error is cleared.
    parser.resume();
  };
  parser.write(withPlainBlanks(withEntities(text))).close();
  const [root] = roots;
  if (!root) throw broken("A document has one root element");
  return root;
}

/**
 * A tag, or something like one. Without an end it extends to the last character; otherwise its end would be searched
 * again and again.
 */
const TAG = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|<[^<>]*>/g;
const BARE_AMPERSAND = /<!--[\s\S]*?(?:-->|$)|<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|&(?!(?:amp|lt|gt|quot|apos|#\w{1,8});)/gi;

/** Each of them would be an error of the parser, and thousands of errors are slow. */
function withEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(BARE_AMPERSAND, (found) => (found === "&" ? "&amp;" : found));
}

/** Line ends are one character, and tabs and line ends in attributes are spaces: the parser leaves both to its caller. */
function withPlainBlanks(text: string): string {
  const lines = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  if (!/[\t\n]/.test(lines)) return lines;
  return lines.replace(TAG, (tag) => (tag.startsWith("<!") ? tag : tag.replace(/[\t\n]/g, " ")));
}

/** The children of this name. */
export function childElements(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** The text of the first child of this name, or null. */
export function childText(element: XmlElement, name: string): string | null {
  return element.children.find((child) => child.name === name)?.text ?? null;
}
