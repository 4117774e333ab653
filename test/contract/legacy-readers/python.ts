/** How the Python clients of the field read: strictly, with an exception for what is not there. */

import { readXml, type XmlElement } from "../../support/read-xml.ts";

/** An exception that ends the load, or the connection of the stream, in the client that is emulated. */
export class PythonError extends Error {
  constructor(type: "KeyError" | "TypeError" | "ValueError" | "IndexError", what: string) {
    super(`${type}: ${what}`);
  }
}

/** The status is looked at first: a document that is not 200 is none. */
export type Get = (path: string) => Promise<string | null>;

/** `int(text)`: digits with a sign and nothing else. */
export function int(text: string | undefined): number {
  if (text === undefined) throw new PythonError("TypeError", "int() of None");
  if (!/^\s*[+-]?\d+\s*$/.test(text)) throw new PythonError("ValueError", `int() of "${text}"`);
  return Number(text);
}

/** `float(text)`. */
export function float(text: string | undefined): number {
  const value = Number(text);
  if (text === undefined || text.trim() === "" || Number.isNaN(value))
    throw new PythonError("ValueError", `float() of "${text}"`);
  return value;
}

/** `strptime` with one of the formats that clients know, or an empty text. */
export function programTime(text: string): Date | null {
  if (text.trim() === "") return null;
  const match = /^(\d{4})\/(\d\d)\/(\d\d) (\d\d?):(\d\d):(\d\d)(?: (AM|PM))?$/.exec(text.trim());
  if (!match) throw new PythonError("ValueError", `strptime() of "${text}"`);
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [number, ...number[]];
  const isTwelve = match[7] !== undefined;
  if (isTwelve && ((hour ?? 0) < 1 || (hour ?? 0) > 12)) throw new PythonError("ValueError", `hour of "${text}"`);
  return new Date(year, (month ?? 1) - 1, day, hour, minute, second);
}

/** `YYYYMMDD HH:MM:SS` of a variable. */
export function variableTime(text: string | undefined): string {
  if (text === undefined) throw new PythonError("TypeError", "strptime() of None");
  if (!/^\d{8} \d\d:\d\d:\d\d ?$/.test(text)) throw new PythonError("ValueError", `strptime() of "${text}"`);
  return text;
}

/** A document as minidom reads it; null for a missing one. */
export function dom(text: string | null): XmlElement {
  if (text === null) throw new PythonError("TypeError", "parseString() of None");
  return readXml(text);
}

/** `getElementsByTagName`: at any depth. */
export function descendants(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...descendants(child, name)]);
}

/** The text of the first element of that name below it; undefined without one. */
export function value(element: XmlElement, name: string): string | undefined {
  return descendants(element, name)[0]?.text;
}

/** `getElementsByTagName(name)[0]`. */
export function first(element: XmlElement, name: string): XmlElement {
  const found = descendants(element, name)[0];
  if (!found) throw new PythonError("IndexError", `<${element.name}> has no <${name}>`);
  return found;
}

/** `element.attributes[name].value`. */
export function attribute({ name, attributes }: XmlElement, wanted: string): string {
  const found = attributes[wanted];
  if (found === undefined) throw new PythonError("KeyError", `${wanted} of <${name}>`);
  return found;
}

export type Dict = { readonly [key: string]: string | Dict | readonly (string | Dict)[] | null };

/** An element as xmltodict reads it: a list only for a repeated name. */
export function toDict(element: XmlElement): Dict | string | null {
  const { attributes, children, text } = element;
  if (children.length === 0 && Object.keys(attributes).length === 0) return text === "" ? null : text;
  const dict: Record<string, string | Dict | readonly (string | Dict)[] | null> = {};
  for (const [name, content] of Object.entries(attributes)) dict[`@${name}`] = content;
  for (const name of new Set(children.map((child) => child.name))) {
    const values = children.filter((child) => child.name === name).map(toDict);
    dict[name] = values.length === 1 ? (values[0] ?? null) : values.map((each) => each ?? "");
  }
  if (text.trim() !== "") dict["#text"] = text;
  return dict;
}

/** `dict[key]`. */
export function at(dict: Dict | string | null | undefined, key: string): Dict[string] {
  if (dict === null || dict === undefined || typeof dict === "string") throw new PythonError("TypeError", `[${key}]`);
  const found = dict[key];
  if (found === undefined) throw new PythonError("KeyError", key);
  return found;
}

/** `for item in value`, where members of each item are read: the keys of a dict have none. */
export function items(value: Dict[string] | undefined): readonly Dict[] {
  if (!Array.isArray(value)) throw new PythonError("TypeError", "string indices must be integers");
  return value as readonly Dict[];
}
