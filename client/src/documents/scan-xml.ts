/**
 * Reads the XML of the interface, strictly: elements, attributes, text, CDATA, the five named entities and character
 * references. A document type is refused, so nothing is ever fetched or expanded. One pass, no tree: the large documents
 * of a big home are read with it in the time that a parser for all of XML takes for a fraction of them.
 */

import { ClientError } from "../errors.ts";

export type XmlAttributes = Readonly<Record<string, string>>;

export type XmlHandlers = {
  open(name: string, attributes: XmlAttributes): void;
  /** A piece of the text directly in the element that is open. */
  text(text: string): void;
  close(name: string): void;
};

/** @throws ClientError `BAD_DOCUMENT` when it is not well-formed; what came before has been told by then */
export function scanXml(document: string, handlers: XmlHandlers): void {
  const open: string[] = [];
  let hasRoot = false;
  let at = document.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  while (at < document.length) {
    const next = document.indexOf("<", at);
    const end = next < 0 ? document.length : next;
    if (end > at) takeText(document.slice(at, end), open.length > 0, handlers);
    if (next < 0) break;
    const aside = skipAside(document, next, open.length > 0, handlers);
    if (aside !== null) {
      at = aside;
    } else if (document.charCodeAt(next + 1) === SLASH) {
      at = closeTag(document, next, open, handlers);
    } else {
      if (open.length === 0 && hasRoot) throw malformed("it has more than one root");
      hasRoot = true;
      at = openTag(document, next, open, handlers);
    }
  }
  if (open.length > 0) throw malformed(`<${open.at(-1)}> is not closed`);
  if (!hasRoot) throw malformed("it has no root");
}

/** What stands for an `&` that begins no reference: some controllers write names as they are. */
export function repairAmpersands(document: string): string {
  return document.replace(/&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)/g, "&amp;");
}

const BYTE_ORDER_MARK = 0xfeff;
const SLASH = 0x2f;
const NAME = "[A-Za-z_:\\u0080-\\uffff][\\w:.\\-\\u0080-\\uffff]*";
const VALUE = `(?:"[^"<]*"|'[^'<]*')`;
const OPEN_TAG = new RegExp(`<(${NAME})((?:\\s+${NAME}\\s*=\\s*${VALUE})*)\\s*(/?)>`, "y");
const CLOSE_TAG = new RegExp(`</(${NAME})\\s*>`, "y");
const ATTRIBUTE = new RegExp(`(${NAME})\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, "g");
const REFERENCE = /&([^;&\s]{0,10})(;?)/g;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
const NO_ATTRIBUTES: XmlAttributes = {};

function openTag(document: string, at: number, open: string[], handlers: XmlHandlers): number {
  OPEN_TAG.lastIndex = at;
  const match = OPEN_TAG.exec(document);
  if (!match) throw malformed(`a tag is broken at ${at}`);
  const [whole, name = "", attributes = "", slash] = match;
  handlers.open(name, attributes === "" ? NO_ATTRIBUTES : readAttributes(attributes));
  if (slash) handlers.close(name);
  else open.push(name);
  return at + whole.length;
}

function closeTag(document: string, at: number, open: string[], handlers: XmlHandlers): number {
  CLOSE_TAG.lastIndex = at;
  const match = CLOSE_TAG.exec(document);
  const name = open.pop();
  if (!match || match[1] !== name) throw malformed(`<${name ?? ""}> is not closed at ${at}`);
  handlers.close(match[1] ?? "");
  return at + match[0].length;
}

function readAttributes(text: string): XmlAttributes {
  const attributes: Record<string, string> = {};
  ATTRIBUTE.lastIndex = 0;
  for (let match = ATTRIBUTE.exec(text); match; match = ATTRIBUTE.exec(text)) {
    const name = match[1] ?? "";
    if (Object.hasOwn(attributes, name)) throw malformed(`the attribute ${name} stands twice`);
    attributes[name] = decode(match[2] ?? match[3] ?? "");
  }
  return attributes;
}

/** @returns where a comment, an instruction or CDATA ends; null when none begins here. */
function skipAside(document: string, at: number, isInside: boolean, handlers: XmlHandlers): number | null {
  if (document.startsWith("<?", at)) return after(document, "?>", at);
  if (!document.startsWith("<!", at)) return null;
  if (document.startsWith("<!--", at)) return after(document, "-->", at + 4);
  if (!isInside || !document.startsWith("<![CDATA[", at)) throw malformed(`a declaration stands at ${at}`);
  const end = after(document, "]]>", at);
  handlers.text(document.slice(at + "<![CDATA[".length, end - "]]>".length));
  return end;
}

function after(document: string, mark: string, at: number): number {
  const found = document.indexOf(mark, at);
  if (found < 0) throw malformed(`what begins at ${at} has no end`);
  return found + mark.length;
}

function takeText(text: string, isInside: boolean, handlers: XmlHandlers): void {
  if (isInside) handlers.text(decode(text));
  else if (/\S/.test(text)) throw malformed("text stands outside of the root");
}

function decode(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (_whole, name: string, semicolon: string) => {
    const decoded = semicolon === "" ? null : (NAMED[name] ?? character(name));
    if (decoded === null) throw malformed("an ampersand is not escaped");
    return decoded;
  });
}

function character(name: string): string | null {
  const [, hex, decimal] = /^#(?:x([0-9A-Fa-f]+)|([0-9]+))$/.exec(name) ?? [];
  if (hex === undefined && decimal === undefined) return null;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : null;
}

function malformed(what: string): ClientError {
  return new ClientError("BAD_DOCUMENT", `The XML is malformed: ${what}.`);
}
