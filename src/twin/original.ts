/** The documents of the original of a twin, by the names that the received documents have. */

import { badValue } from "../errors.ts";
import { readXml, type XmlElement, XmlError } from "../util/read-xml.ts";

/** Text of each available document, by its name. */
export type Original = ReadonlyMap<string, string>;

/** Time and place of the original. The twin shows its own clock in their place. */
export const TIME_DOCUMENT = "/rest/time";
/** Radio nodedefs of an unknown family. */
export const RADIO_DOCUMENT = "def/get";

/** @param otherwise what is missing, as a sentence without its end. @throws ControllerError BAD_VALUE */
export function requireStructure(documents: Original, otherwise: string): void {
  if (documents.has("/api/nodes") || documents.has("/rest/nodes")) return;
  throw badValue(`The home cannot be read: ${otherwise}.`);
}

/** null: it is not there, or is a plain sentence that says so. @throws ControllerError BAD_VALUE naming it */
export function xmlDocument(documents: Original, name: string): XmlElement | null {
  const text = documents.get(name)?.replace(/^\ufeff/, "") ?? "";
  if (!text.trimStart().startsWith("<")) return null;
  try {
    return readXml(text);
  } catch (cause) {
    if (!(cause instanceof XmlError)) throw cause;
    throw badValue(`The document ${name} cannot be read: ${cause.message}.`, cause);
  }
}

/** Whether it has the documents of the local interface only. */
export function isLocal(documents: Original): boolean {
  return ![...documents.keys()].some((name) => name.startsWith("/api/"));
}
