/**
 * A document as a tree of plain values, from JSON or XML, so that one rule merges both. Numbers keep their spelling:
 * `5.0` stays `5.0`.
 */

import { readXml, type XmlElement } from "../../util/read-xml.ts";
import { escapeXml } from "../../util/xml.ts";

export type Tree = string | number | boolean | null | readonly Tree[] | TreeObject;
export type TreeObject = { readonly [member: string]: Tree };

/** The members that represent an XML element. */
export const XML = { name: "$", attributes: "@", text: "_", children: "#", closesItself: "/" } as const;

/** @throws SyntaxError */
export function parseJsonTree(text: string): Tree {
  try {
    return JSON.parse(text, keepNumber as (member: string, value: Tree) => Tree);
  } catch (error) {
    if (error instanceof RangeError) throw new SyntaxError("The values are too deep");
    throw error;
  }
}

export function writeJsonTree(tree: Tree): string {
  if (isList(tree) && tree.length >= LONG_LIST) return `[${tree.map(writtenItem).join(",")}]`;
  if (!isObject(tree)) return JSON.stringify(tree);
  return `{${Object.entries(tree)
    .map(([member, value]) => `${JSON.stringify(member)}:${writeJsonTree(value)}`)
    .join(",")}}`;
}

/** Items of such lists are cached as texts: of a thousand nodes usually one has changed. */
const LONG_LIST = 50;
const WRITTEN = new WeakMap<object, string>();

function writtenItem(item: Tree): string {
  return isObject(item) ? kept(item, JSON.stringify) : JSON.stringify(item);
}

/** Trees are immutable, so the text of a tree can be cached. */
function kept(tree: TreeObject, write: (tree: TreeObject) => string): string {
  let text = WRITTEN.get(tree);
  if (text === undefined) {
    text = write(tree);
    WRITTEN.set(tree, text);
  }
  return text;
}

/** @throws XmlError */
export function parseXmlTree(text: string): Tree {
  return elementTree(readXml(text));
}

/** Without a prolog. */
export function writeXmlTree(tree: Tree): string {
  return isObject(tree) ? kept(tree, writeElement) : "";
}

function writeElement(tree: TreeObject): string {
  const name = String(tree[XML.name]);
  const attributes = Object.entries((tree[XML.attributes] as TreeObject | undefined) ?? {});
  const written = attributes.map(([key, value]) => ` ${key}="${escapeBlanks(value, BLANKS)}"`).join("");
  const inner = escapeBlanks(tree[XML.text], RETURNS) + childTrees(tree).map(writeXmlTree).join("");
  if (inner === "" && tree[XML.closesItself] === true) return `<${name}${written} />`;
  return `<${name}${written}>${inner}</${name}>`;
}

const BLANKS = /[\t\n\r]/g;
const RETURNS = /\r/g;

/** Readers normalize line ends and tabs unless they are written as references. */
function escapeBlanks(value: Tree | undefined, blanks: RegExp): string {
  return escapeXml(String(value)).replace(blanks, (blank) => `&#${blank.charCodeAt(0)};`);
}

/** Without a prolog. */
export function writeXmlElement(element: XmlElement): string {
  return writeElement(elementTree(element));
}

function elementTree({ name, attributes, text, children, closesItself }: XmlElement): TreeObject {
  return {
    [XML.name]: name,
    [XML.attributes]: Object.fromEntries(attributes),
    [XML.text]: text,
    [XML.children]: children.map(elementTree),
    [XML.closesItself]: closesItself,
  };
}

export function childTrees(element: TreeObject): readonly TreeObject[] {
  return (element[XML.children] as readonly TreeObject[] | undefined) ?? [];
}

export function isObject(tree: Tree | undefined): tree is TreeObject {
  return typeof tree === "object" && tree !== null && !Array.isArray(tree) && !isRawNumber(tree);
}

export function isList(tree: Tree | undefined): tree is readonly Tree[] {
  return Array.isArray(tree);
}

/** Equal in value and type; the order of members does not matter, that of a list does. */
export function isSame(a: Tree | undefined, b: Tree | undefined): boolean {
  if (a === b) return true;
  if (isList(a)) return isList(b) && a.length === b.length && a.every((item, at) => isSame(item, b[at]));
  if (isObject(a)) {
    if (!isObject(b)) return false;
    const members = Object.keys(a);
    if (members.length !== Object.keys(b).length) return false;
    return members.every((member) => Object.hasOwn(b, member) && isSame(a[member], b[member]));
  }
  return isRawNumber(a) && isRawNumber(b) && JSON.stringify(a) === JSON.stringify(b);
}

/** JSON read with the source of its numbers, and written with it; newer than TypeScript's types. */
type Source = { readonly source?: string };
const rawJson: (text: string) => Tree = Reflect.get(JSON, "rawJSON");

/** A number whose text differs from the usual one. */
export const isRawNumber: (value: unknown) => boolean = Reflect.get(JSON, "isRawJSON");

function keepNumber(_member: string, value: Tree, { source }: Source): Tree {
  return typeof value === "number" && source !== undefined && String(value) !== source ? rawJson(source) : value;
}
