/**
 * Holds two documents against each other field by field and lists every difference by its path. Members of an object may come in
 * any order; everything else has to be the same: types, spellings of numbers, order of lists, attributes, texts.
 */

import { readXml, type XmlElement } from "./read-xml.ts";

/** @returns a line for each difference, empty without differences. */
export function compareJson(given: string, served: string): readonly string[] {
  return compareTrees(parse(given), parse(served), "");
}

/** The document without the members of nodes that only this controller sends. */
export function withoutRoles(text: string): string {
  return text.replaceAll(/,"(?:role|linkState|isSecured)":"[a-z-]+"/g, "");
}

/** As `compareJson`; layout between elements does not matter. */
export function compareXml(given: string, served: string): readonly string[] {
  return compareElements(readXml(given.replace(/^\ufeff/, "")), readXml(served), "");
}

type Parsed = unknown;

/** Numbers become texts of their spelling, so that 5.0 is not 5, and marked, so that they are no texts. */
function parse(text: string): Parsed {
  const keep = (_member: string, value: unknown, { source }: { readonly source?: string }) =>
    typeof value === "number" ? { number: source } : value;
  return JSON.parse(text, keep as (member: string, value: unknown) => unknown);
}

function compareTrees(given: Parsed, served: Parsed, place: string): readonly string[] {
  if (Array.isArray(given) && Array.isArray(served)) {
    const lengths = given.length === served.length ? [] : [`${place}: ${given.length} items, now ${served.length}`];
    return [...lengths, ...given.flatMap((item, at) => compareTrees(item, served[at], `${place}[${at}]`))];
  }
  if (isPlain(given) && isPlain(served)) {
    const members = new Set([...Object.keys(given), ...Object.keys(served)]);
    return [...members].flatMap((member) => compareTrees(given[member], served[member], `${place}.${member}`));
  }
  return Object.is(given, served) ? [] : [`${place}: ${JSON.stringify(given)}, now ${JSON.stringify(served)}`];
}

function isPlain(value: Parsed): value is Readonly<Record<string, Parsed>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function compareElements(given: XmlElement, served: XmlElement, above: string): readonly string[] {
  const place = `${above}/${given.name}`;
  if (given.name !== served.name) return [`${place}: now <${served.name}>`];
  const attributes = compareTrees(given.attributes, served.attributes, `${place}@`);
  const hasChildren = given.children.length > 0;
  const text = (hasChildren ? given.text.trim() === served.text.trim() : given.text === served.text)
    ? []
    : [`${place}: the text ${JSON.stringify(given.text)}, now ${JSON.stringify(served.text)}`];
  const count =
    given.children.length === served.children.length
      ? []
      : [`${place}: ${given.children.length} children, now ${served.children.length}`];
  const children = given.children.flatMap((child, at) => {
    const other = served.children[at];
    return other ? compareElements(child, other, `${place}[${at}]`) : [];
  });
  return [...attributes, ...text, ...count, ...children];
}
