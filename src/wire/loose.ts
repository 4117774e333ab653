/**
 * Lenient readers for what other controllers write: they assume nothing and refuse nothing. A value of an unexpected
 * form counts as absent; it is still served as received.
 */

import type { XmlElement } from "../util/read-xml.ts";
import { isList, isObject, isRawNumber, type Tree, type TreeObject } from "./spelling/tree.ts";

/** The text of a scalar, "" for anything else. */
export function text(tree: Tree | undefined): string {
  if (typeof tree === "string") return tree;
  return typeof tree === "number" || typeof tree === "boolean" || isRawNumber(tree) ? JSON.stringify(tree) : "";
}

/** A number, also one in a text; null for anything else. */
export function number(tree: Tree | undefined): number | null {
  const written = text(tree).trim();
  const value = written === "" ? Number.NaN : Number(written);
  return Number.isFinite(value) ? value : null;
}

/** A whole number of at least `min`; null for anything else. */
export function whole(tree: Tree | undefined, min = 0): number | null {
  const value = number(tree);
  return value !== null && Number.isSafeInteger(value) && value >= min ? value : null;
}

/** `true`, `"true"`, `"T"` and 1 are true; an absent value is `otherwise`. */
export function truth(tree: Tree | undefined, otherwise = false): boolean {
  const written = text(tree).trim().toLowerCase();
  return written === "" ? otherwise : written === "true" || written === "t" || written === "1";
}

export function readObject(tree: Tree | undefined): TreeObject {
  return isObject(tree) ? tree : {};
}

/** The objects of a list. A single object counts as a list of one, as converters from XML write it. */
export function objects(tree: Tree | undefined): readonly TreeObject[] {
  if (isObject(tree)) return [tree];
  return isList(tree) ? tree.filter(isObject) : [];
}

/** Milliseconds of a time in ISO 8601, or null. */
export function readInstant(tree: Tree | undefined): number | null {
  const atMs = Date.parse(text(tree));
  return Number.isFinite(atMs) ? atMs : null;
}

/** An element as the JSON surface spells it: attributes are members, text beside attributes is under "_". */
export function elementAsObject({ attributes, children }: XmlElement): TreeObject {
  const members: Record<string, Tree> = { ...Object.fromEntries(attributes) };
  for (const child of children) {
    if (!LISTED.has(child.name)) members[child.name] = childAsTree(child);
  }
  for (const name of LISTED) {
    const listed = children.filter((child) => child.name === name);
    if (listed.length > 0) members[name] = listed.map(childAsTree);
  }
  return members;
}

/** Elements that occur more than once. */
const LISTED: ReadonlySet<string> = new Set(["property", "link"]);

function childAsTree(child: XmlElement): Tree {
  if (child.children.length > 0) return elementAsObject(child);
  if (child.attributes.size === 0) return child.text;
  return { ...Object.fromEntries(child.attributes), ...(child.text === "" ? {} : { _: child.text }) };
}
