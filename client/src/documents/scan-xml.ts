/**
 * Reads the XML of the interface, strictly, piece by piece and without a tree. Only this file knows the parser. A document type
 * is refused, so nothing is ever fetched or expanded.
 */

import sax from "sax";
import { ClientError } from "../errors.ts";

export type XmlAttributes = Readonly<Record<string, string>>;

type XmlHandlers = {
  open(name: string, attributes: XmlAttributes): void;
  /** A piece of the text directly in the element that is open. */
  text(text: string): void;
  close(name: string): void;
};

/** Positions are off, because they are not shown. The parser's types do not have `strictEntities`. */
const OPTIONS: sax.SAXOptions & { readonly strictEntities: boolean } = { strictEntities: true, position: false };

/** @throws ClientError `BAD_DOCUMENT` when it is not well-formed; everything before the fault was passed on by then */
export function scanXml(document: string, handlers: XmlHandlers): void {
  const parser = sax.parser(true, OPTIONS);
  let depth = 0;
  let roots = 0;
  parser.onopentag = ({ name, attributes }) => {
    if (depth === 0) roots += 1;
    if (roots > 1) throw malformed("it has more than one root");
    depth += 1;
    // Without namespaces the parser's attributes are texts, although its types allow for more.
    handlers.open(name, attributes as XmlAttributes);
  };
  parser.onclosetag = (name) => {
    depth -= 1;
    handlers.close(name);
  };
  const text = (piece: string) => {
    if (depth > 0) handlers.text(piece);
  };
  parser.ontext = text;
  parser.oncdata = text;
  parser.ondoctype = () => {
    throw malformed("it has a document type");
  };
  parser.onerror = ({ message }) => {
    throw malformed(message.split("\n")[0] ?? "");
  };
  parser.write(document).close();
  if (roots === 0) throw malformed("it has no root");
}

/** Quoted text without an end goes to the last character, or its end would be looked for again and again. */
const BARE_AMPERSAND = /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)|&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9A-Fa-f]{1,6});)/g;

/** Replaces an `&` that begins no reference: some controllers write names unescaped. Quoted text stays. */
export function repairAmpersands(document: string): string {
  return document.replace(BARE_AMPERSAND, (found) => (found === "&" ? "&amp;" : found));
}

function malformed(what: string): ClientError {
  return new ClientError("BAD_DOCUMENT", `The XML is malformed: ${what}.`);
}
