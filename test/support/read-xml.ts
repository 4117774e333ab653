/** Reads an XML document strictly into a tree, so that a test fails on what a strict client would refuse. */

import { SaxesParser } from "saxes";

export type XmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  /** The text directly in it. */
  readonly text: string;
};

type Open = { name: string; attributes: Record<string, string>; children: XmlElement[]; text: string };

/** @throws Error when the document is not well-formed. */
export function readXml(document: string): XmlElement {
  const stack: Open[] = [{ name: "", attributes: {}, children: [], text: "" }];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, children: [], text: "" };
    stack.at(-1)?.children.push(element);
    stack.push(element);
  });
  parser.on("closetag", () => void stack.pop());
  const take = (text: string) => {
    const open = stack.at(-1);
    if (open) open.text += text;
  };
  parser.on("text", take);
  parser.on("cdata", take);
  parser.write(document).close();
  const root = stack[0]?.children[0];
  if (!root) throw new Error("The document has no root.");
  return root;
}

/** The children of this name. */
export function children(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** The one child of this name. @throws Error for none or more than one. */
export function child(element: XmlElement, name: string): XmlElement {
  const [found, ...others] = children(element, name);
  if (!found || others.length > 0) throw new Error(`<${element.name}> has not exactly one <${name}>.`);
  return found;
}

/** The text of the one child of this name. */
export function textOf(element: XmlElement, name: string): string {
  return child(element, name).text;
}

/** The names of the children, in order. */
export function names(element: XmlElement): readonly string[] {
  return element.children.map(({ name }) => name);
}
