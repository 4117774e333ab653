/**
 * Reads our own XML documents repeatedly. The part of an unchanged thing reuses the tree of the last time, so that
 * neither reading nor comparing it costs anything.
 */

import { childTrees, isObject, parseXmlTree, type Tree, type TreeObject, XML } from "./tree.ts";

const ROOT = /^(?:<\?xml[^>]*\?>)?<([A-Za-z]+)>/;
/** Ends every thing that a document lists; these are never nested. */
const BOUNDARY = /(?<=<\/(?:node|group|folder|NetRule|nodedef|nodeDef)>)/;

export class PartReader {
  #parts = new Map<string, readonly TreeObject[]>();
  /** The parts of the first document; all later ones are compared with them. */
  #first: ReadonlyMap<string, readonly TreeObject[]> | null = null;

  read(text: string): Tree {
    const [start, name] = ROOT.exec(text) ?? [];
    const end = `</${name}>`;
    if (start === undefined || name === undefined || !text.endsWith(end)) return parseXmlTree(text);
    const used = new Map<string, readonly TreeObject[]>();
    const children = text
      .slice(start.length, -end.length)
      .split(BOUNDARY)
      .flatMap((part) => {
        const read = this.#first?.get(part) ?? this.#parts.get(part) ?? childrenOf(part);
        used.set(part, read);
        return read;
      });
    this.#first ??= used;
    this.#parts = used;
    return {
      [XML.name]: name,
      [XML.attributes]: {},
      [XML.text]: "",
      [XML.children]: children,
      [XML.closesItself]: false,
    };
  }
}

function childrenOf(part: string): readonly TreeObject[] {
  const tree = parseXmlTree(`<part>${part}</part>`);
  return isObject(tree) ? childTrees(tree) : [];
}
