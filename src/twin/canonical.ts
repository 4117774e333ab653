/**
 * The documents as they will be told again: without layout between members and elements, otherwise as they came. What cannot be
 * read is refused by name, except where clients do without it.
 */

import { ControllerError } from "../errors.ts";
import { XML_PROLOG } from "../util/xml.ts";
import { documentKind } from "../wire/spelling/documents.ts";
import {
  childTrees,
  isObject,
  parseJsonTree,
  parseXmlTree,
  type Tree,
  writeJsonTree,
  writeXmlTree,
  XML,
} from "../wire/spelling/tree.ts";
import { type Original, RADIO_DOCUMENT } from "./original.ts";
import { object, objects, text } from "./parse/loose.ts";

export type Problem = { readonly document: string; readonly sentence: string };

export type Canonical = { readonly told: ReadonlyMap<string, string>; readonly problems: readonly Problem[] };

/** Clients take these for absent when they are malformed. */
const DISPENSABLE = /^(\/rest\/networking\/resources|def\/get .*)$/;
const NO_LINKS = '{"successful":true,"data":{"groups":[]}}';

/** @throws ControllerError BAD_VALUE */
export function canonicalDocuments(original: Original): Canonical {
  const told = new Map<string, string>();
  const problems: Problem[] = [];
  for (const [document, written] of withFamilies(original)) {
    const kind = documentKind(document);
    if (!kind) continue;
    try {
      told.set(document, canonical(written, kind.format));
    } catch (cause) {
      const sentence = `It cannot be read: ${reason(cause)}.`;
      if (!DISPENSABLE.test(document)) {
        throw new ControllerError("BAD_VALUE", {
          sentence: `The document ${document} cannot be read: ${reason(cause)}.`,
          cause,
        });
      }
      problems.push({ document, sentence });
      if (document === "/rest/networking/resources") told.set(document, `${XML_PROLOG}<NetConfig></NetConfig>`);
    }
  }
  // Clients take scenes that are not in this document for unresolved, and ours would list them.
  if (!told.has("/api/groups")) told.set("/api/groups", NO_LINKS);
  const labels = told.get("labels -1 1");
  if (labels !== undefined && !told.has("labels 1 1")) told.set("labels 1 1", labels);
  return { told, problems };
}

function canonical(written: string, format: "json" | "xml" | "text"): string {
  const clean = written.replace(/^\ufeff/, "");
  if (format === "json") return writeJsonTree(parseJsonTree(clean));
  return format === "xml" ? XML_PROLOG + writeXmlTree(parseXmlTree(clean)) : written;
}

function reason(error: unknown): string {
  return error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
}

const RADIO_FAMILIES: readonly number[] = [4, 12];

/** Nodedefs of a radio that is not named belong to the families whose nodes have them, else to the first radio. */
function withFamilies(original: Original): Original {
  const radio = original.get(RADIO_DOCUMENT);
  if (radio === undefined) return original;
  const documents = new Map(original);
  documents.delete(RADIO_DOCUMENT);
  const ids = nodedefIds(radio);
  const using = RADIO_FAMILIES.filter((family) => nodedefsUsedBy(original, family).some((id) => ids.has(id)));
  for (const family of using.length > 0 ? using : [4]) {
    const name = `def/get ${family} nodedef`;
    if (!documents.has(name)) documents.set(name, radio);
  }
  return documents;
}

function nodedefIds(radio: string): ReadonlySet<string> {
  try {
    const root = parseXmlTree(radio.replace(/^\ufeff/, ""));
    return new Set(isObject(root) ? childTrees(root).map((each) => text(object(each[XML.attributes]).id)) : []);
  } catch {
    return new Set(); // It is told as a problem where it is read.
  }
}

function nodedefsUsedBy(original: Original, family: number): readonly string[] {
  return [...nodesOfJson(original.get("/api/nodes")), ...nodesOfXml(original.get("/rest/nodes"))]
    .filter(([id]) => Number(id) === family)
    .map(([, nodedef]) => nodedef);
}

type FamilyAndNodedef = readonly [family: string, nodedef: string];

function nodesOfJson(document: string | undefined): readonly FamilyAndNodedef[] {
  const tree = attempt(document, parseJsonTree);
  return objects(object(object(object(tree).data).nodes).node).map((node) => [
    text(node.family) || text(object(node.family)._),
    text(node.nodeDefId),
  ]);
}

function nodesOfXml(document: string | undefined): readonly FamilyAndNodedef[] {
  const tree = attempt(document, parseXmlTree);
  if (!isObject(tree)) return [];
  return childTrees(tree)
    .filter((child) => child[XML.name] === "node")
    .map((node) => {
      const family = childTrees(node).find((child) => child[XML.name] === "family");
      return [text(family?.[XML.text]), text(object(node[XML.attributes]).nodeDefId)];
    });
}

function attempt(document: string | undefined, read: (text: string) => Tree): Tree | undefined {
  try {
    return document === undefined ? undefined : read(document.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
}
