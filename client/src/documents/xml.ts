/** Small XML documents as trees. */

import { scanXml, type XmlAttributes } from "./scan-xml.ts";

export type XmlElement = {
  readonly name: string;
  readonly attributes: XmlAttributes;
  readonly children: readonly XmlElement[];
  /** The text directly in the element. */
  readonly text: string;
};

type Open = { name: string; attributes: XmlAttributes; children: XmlElement[]; text: string };

/** @throws ClientError `BAD_DOCUMENT` */
export function parseXml(document: string): XmlElement {
  const top: Open = { name: "", attributes: {}, children: [], text: "" };
  const stack = [top];
  scanXml(document, {
    open(name, attributes) {
      const element = { name, attributes, children: [], text: "" };
      stack.at(-1)?.children.push(element);
      stack.push(element);
    },
    text(text) {
      const open = stack.at(-1);
      if (open) open.text += text;
    },
    close() {
      stack.pop();
    },
  });
  return top.children[0] ?? top;
}

export function childrenOf(element: XmlElement | null, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

export function childOf(element: XmlElement | null, name: string): XmlElement | null {
  return element?.children.find((child) => child.name === name) ?? null;
}

/** The text of the first child of this name; empty without one. */
export function childText(element: XmlElement | null, name: string): string {
  return childOf(element, name)?.text ?? "";
}
