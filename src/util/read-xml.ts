/**
 * Reading XML as other controllers write it: elements, attributes, text, CDATA. Strict about its structure, because a document
 * that ends early must not pass for a small one; lenient about what is often wrong in the field: a bare `&` is the character.
 * Comments, processing instructions and the document type are passed over; entities of a document's own are not known.
 */

export type XmlElement = {
  readonly name: string;
  /** In the order in which they were written. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The text directly in it; blank text beside children is left out. */
  readonly text: string;
  /** Written as `<name />`. */
  readonly closesItself: boolean;
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

type Open = { name: string; attributes: Map<string, string>; children: XmlElement[]; text: string };

/** Elements inside one another; none of the interface's documents comes near. */
const DEPTH_MAX = 200;
const TAG = /^<([\p{L}_:][\p{L}\p{N}_:.-]*)((?:\s+[^\s=<>/"']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/u;
const ATTRIBUTE = /([^\s=<>/"']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
/** A start tag longer than this is none. */
const TAG_LENGTH_MAX = 65_536;
const PASSED_OVER: readonly (readonly [start: string, end: string])[] = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<!DOCTYPE", ">"],
];
const CDATA = "<![CDATA[";

/** The root of the document. @throws XmlError */
export function readXml(text: string): XmlElement {
  const document: Open = { name: "", attributes: new Map(), children: [], text: "" };
  const open: Open[] = [document];
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf("<", at);
    const end = next < 0 ? text.length : next;
    current(open).text += withoutEntities(text.slice(at, end));
    at = next < 0 ? end : readMarkup(text, next, open);
  }
  if (open.length > 1) throw new XmlError(`<${current(open).name}> is not closed`, text.length);
  const [root, second] = document.children;
  if (!root || second) throw new XmlError("A document has one root element", 0);
  if (document.text.replace("\ufeff", "").trim() !== "") throw new XmlError("There is text outside of the root", 0);
  return root;
}

/** The children of this name. */
export function childrenOf(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** The text of the first child of this name, or null. */
export function childText(element: XmlElement, name: string): string | null {
  return element.children.find((child) => child.name === name)?.text ?? null;
}

function current(open: readonly Open[]): Open {
  return open[open.length - 1] as Open; // The document itself is never taken off.
}

/** @returns where the text goes on. */
function readMarkup(text: string, at: number, open: Open[]): number {
  if (text.startsWith(CDATA, at)) {
    const end = endOf(text, "]]>", at);
    current(open).text += text.slice(at + CDATA.length, end - 3);
    return end;
  }
  for (const [start, end] of PASSED_OVER) if (text.startsWith(start, at)) return endOf(text, end, at);
  return text.startsWith("</", at) ? readEnd(text, at, open) : readStart(text, at, open);
}

function readStart(text: string, at: number, open: Open[]): number {
  const match = TAG.exec(text.slice(at, endOf(text, ">", at, TAG_LENGTH_MAX)));
  const tag = match ?? TAG.exec(text.slice(at, at + TAG_LENGTH_MAX)); // An attribute may hold a ">".
  if (!tag) throw new XmlError("This is no tag", at);
  if (open.length > DEPTH_MAX) throw new XmlError("The elements are too deep", at);
  const [whole, name = "", written = "", slash] = tag;
  const attributes = new Map<string, string>();
  for (const [, key = "", double, single] of written.matchAll(ATTRIBUTE)) {
    if (attributes.has(key)) throw new XmlError(`The attribute ${key} is there twice`, at);
    attributes.set(key, withoutEntities(double ?? single ?? ""));
  }
  const started = { name, attributes, children: [], text: "" };
  if (slash) current(open).children.push({ ...started, closesItself: true });
  else open.push(started);
  return at + whole.length;
}

function readEnd(text: string, at: number, open: Open[]): number {
  const end = endOf(text, ">", at);
  const ended = current(open);
  if (open.length === 1 || text.slice(at + 2, end - 1).trim() !== ended.name) {
    throw new XmlError(`This does not close <${ended.name}>`, at);
  }
  open.pop();
  const isLayout = ended.children.length > 0 && ended.text.trim() === "";
  current(open).children.push({ ...ended, text: isLayout ? "" : ended.text, closesItself: false });
  return end;
}

function endOf(text: string, mark: string, at: number, lengthMax = Number.POSITIVE_INFINITY): number {
  const found = text.indexOf(mark, at);
  if (found < 0 || found - at > lengthMax) throw new XmlError(`"${mark}" is missing`, at);
  return found + mark.length;
}

const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|quot|apos));/g;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const CODE_POINT_MAX = 0x10ffff;

function withoutEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (whole: string, decimal?: string, hex?: string, name?: string) => {
    if (name) return NAMED[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16);
    return code <= CODE_POINT_MAX ? String.fromCodePoint(code) : whole;
  });
}
