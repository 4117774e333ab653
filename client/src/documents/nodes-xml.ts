/** `/rest/nodes`: the tree in XML, the only source of structure in local mode. @see docs/interface/nodes.md */

import type { FolderRecord, NodeRecord, Property } from "../model/records.ts";
import { scanXml, type XmlAttributes } from "./scan-xml.ts";
import { readPropertyAttributes } from "./status.ts";
import { devType, groupRecord, isRoot, type Link, type Tree } from "./tree.ts";

/** @throws ClientError `BAD_DOCUMENT` */
export function readNodesXml(document: string): Tree {
  let controllerName = "";
  const tree = { nodes: new Map(), groups: new Map(), folders: new Map() } as Omit<Tree, "controllerName">;
  let entry: Entry | null = null;
  const path: string[] = [];
  let text = "";
  scanXml(document, {
    open(name, attributes) {
      path.push(name);
      text = "";
      if (path.length === 2 && KINDS.has(name)) entry = newEntry(name, attributes);
      else if (entry) openInside(entry, name, attributes);
    },
    text(piece) {
      text += piece;
    },
    close(name) {
      if (entry && path.length === 2) {
        if (entry.kind === "group" && isRoot(Number(entry.attributes.flag))) controllerName = entry.fields.name ?? "";
        else put(tree, entry);
        entry = null;
      } else if (entry && isKnownPlace(path)) closeInside(entry, name, text);
      path.pop();
      text = "";
    },
  });
  return { controllerName, ...tree };
}

type Entry = {
  readonly kind: string;
  readonly attributes: XmlAttributes;
  readonly fields: Record<string, string>;
  readonly properties: Map<string, Property>;
  readonly links: Link[];
  linkType: string;
  familyInstance: string | null;
};

const KINDS: ReadonlySet<string> = new Set(["node", "group", "folder"]);
const NESTING: ReadonlySet<string> = new Set(["members", "devtype"]);

function newEntry(kind: string, attributes: XmlAttributes): Entry {
  return { kind, attributes, fields: {}, properties: new Map(), links: [], linkType: "", familyInstance: null };
}

function openInside(entry: Entry, name: string, attributes: XmlAttributes): void {
  if (name === "property") {
    const read = readPropertyAttributes(attributes);
    if (read) entry.properties.set(read.id, read);
  } else if (name === "link") entry.linkType = attributes.type ?? "";
  else if (name === "family") entry.familyInstance = attributes.instance ?? null;
}

/** Children, and what is in the two of them that have children; their names are unique. */
function isKnownPlace({ length, 2: child = "" }: readonly string[]): boolean {
  return length === 3 || (length === 4 && NESTING.has(child));
}

function closeInside(entry: Entry, name: string, text: string): void {
  if (name === "link") entry.links.push({ address: text, type: entry.linkType });
  else entry.fields[name] = text;
}

function put(tree: Omit<Tree, "controllerName">, entry: Entry): void {
  const { kind, fields, attributes } = entry;
  const { address = "", name = "" } = fields;
  if (address === "") return;
  const parent = fields.parent || null;
  if (kind === "folder") {
    const folder: FolderRecord = { address, name, family: fields.family || "13", parent };
    tree.folders.set(address, folder);
  } else if (kind === "group") {
    const nodeDefId = attributes.nodeDefId ?? "";
    const own = { address, name, nodeDefId, family: fields.family || "1", instance: "1", parent };
    tree.groups.set(address, groupRecord({ ...own, primary: fields.pnode || null }, entry.links));
  } else {
    tree.nodes.set(address, nodeRecord(entry, address, name, parent));
  }
}

function nodeRecord(entry: Entry, address: string, name: string, parent: string | null): NodeRecord {
  const { fields, attributes, properties, familyInstance } = entry;
  const family = fields.family || "1";
  const { cat = "", mfg = "", gen = "" } = fields;
  return {
    address,
    name,
    nodeDefId: attributes.nodeDefId ?? "",
    family,
    instance: familyInstance ?? "1",
    type: fields.type ?? "",
    parent,
    primary: fields.pnode || null,
    enabled: fields.enabled !== "false",
    flag: Number(attributes.flag) || 0,
    properties,
    devtype: "devtype" in fields ? devType(family, { cat, mfg, gen }) : null,
    role: null,
    use: null,
    linkState: null,
    isSecured: false,
  };
}
