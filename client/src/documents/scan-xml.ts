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
  const guesses: Guesses = { tags: new Map(), attributes: [] };
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
      at = openTag(document, next, open, guesses, handlers);
    }
  }
  if (open.length > 0) throw malformed(`<${open.at(-1)}> is not closed`);
  if (!hasRoot) throw malformed("it has no root");
}

/** Names that were read: by their first letter, and of the attributes of the tag before, which the next mostly has too. */
type Guesses = { readonly tags: Map<number, string>; readonly attributes: string[] };

/** What stands for an `&` that begins no reference: some controllers write names as they are. */
export function repairAmpersands(document: string): string {
  return document.replace(/&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)/g, "&amp;");
}

const BYTE_ORDER_MARK = 0xfeff;
const SLASH = 0x2f;
const EQUALS = 0x3d;
const GREATER = 0x3e;
const QUOTE = 0x22;
const APOSTROPHE = 0x27;
const REFERENCE = /&([^;&\s]{0,10})(;?)/g;
const NAMED: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

function openTag(document: string, at: number, open: string[], guesses: Guesses, handlers: XmlHandlers): number {
  const first = document.charCodeAt(at + 1);
  const name = nameAt(document, at + 1, guesses.tags.get(first));
  guesses.tags.set(first, name);
  const attributes: Record<string, string> = {};
  let next = at + 1 + name.length;
  for (let index = 0; ; index += 1) {
    const start = skipSpace(document, next);
    const code = document.charCodeAt(start);
    if (code === GREATER || code === SLASH) {
      const isClosed = code === SLASH;
      if (isClosed && document.charCodeAt(start + 1) !== GREATER) throw brokenTag(at);
      handlers.open(name, attributes);
      if (isClosed) handlers.close(name);
      else open.push(name);
      return isClosed ? start + 2 : start + 1;
    }
    if (start === next) throw brokenTag(at);
    const attribute = nameAt(document, start, guesses.attributes[index]);
    guesses.attributes[index] = attribute;
    next = readAttribute(document, start, attribute, attributes);
  }
}

/** @returns where it ends */
function readAttribute(document: string, at: number, name: string, attributes: Record<string, string>): number {
  const equals = skipSpace(document, at + name.length);
  if (document.charCodeAt(equals) !== EQUALS) throw brokenTag(at);
  const start = skipSpace(document, equals + 1);
  const code = document.charCodeAt(start);
  if (code !== QUOTE && code !== APOSTROPHE) throw brokenTag(at);
  const end = document.indexOf(code === QUOTE ? '"' : "'", start + 1);
  const value = document.slice(start + 1, end);
  if (end < 0 || value.includes("<")) throw brokenTag(at);
  if (Object.hasOwn(attributes, name)) throw malformed(`the attribute ${name} stands twice`);
  attributes[name] = decode(value);
  return end + 1;
}

function closeTag(document: string, at: number, open: string[], handlers: XmlHandlers): number {
  const name = open.pop() ?? "";
  const end = skipSpace(document, at + 2 + name.length);
  if (name === "" || !document.startsWith(name, at + 2) || document.charCodeAt(end) !== GREATER)
    throw malformed(`<${name}> is not closed at ${at}`);
  handlers.close(name);
  return end + 1;
}

/** The name that begins here; one that is guessed right costs no copy. */
function nameAt(document: string, at: number, guess: string | undefined): string {
  const isGuess = guess !== undefined && document.startsWith(guess, at);
  if (isGuess && !isNamePart(document.charCodeAt(at + guess.length))) return guess;
  return document.slice(at, endOfName(document, at));
}

/** Of a name that begins here. */
function endOfName(document: string, at: number): number {
  if (!isNameStart(document.charCodeAt(at))) throw brokenTag(at);
  let end = at + 1;
  while (isNamePart(document.charCodeAt(end))) end += 1;
  return end;
}

function isNameStart(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code === 0x3a || code >= 0x80
  );
}

/** Digits, `-` and `.` too. */
function isNamePart(code: number): boolean {
  return isNameStart(code) || (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2e;
}

function skipSpace(document: string, at: number): number {
  let end = at;
  for (let code = document.charCodeAt(end); code === 0x20 || (code >= 0x09 && code <= 0x0d); ) {
    end += 1;
    code = document.charCodeAt(end);
  }
  return end;
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
    const decoded = semicolon === "" ? null : (NAMED.get(name) ?? character(name));
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

function brokenTag(at: number): ClientError {
  return malformed(`a tag is broken at ${at}`);
}

function malformed(what: string): ClientError {
  return new ClientError("BAD_DOCUMENT", `The XML is malformed: ${what}.`);
}
