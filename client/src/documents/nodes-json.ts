/** `/api/nodes`: the tree in JSON, every scalar a text. @see docs/interface/nodes.md */

import type { NodeRecord, Property } from "../model/records.ts";
import type { NodeRole, NodeUse } from "../model/routes.ts";
import { booleanOf, isObject, type Json, numberOf, objectsOf, textOf, textOrNull } from "./json.ts";
import { devType, groupRecord, isRoot, type Tree } from "./tree.ts";

/** @param data of the envelope; what has no address is left out */
export function readNodesJson(data: unknown): Tree {
  const nodes = isObject(data) && isObject(data.nodes) ? data.nodes : {};
  const groups = objectsOf(nodes.group);
  const root = groups.find(({ flag }) => isRoot(numberOf(flag)));
  const tree: Tree = { controllerName: textOf(root?.name), nodes: new Map(), groups: new Map(), folders: new Map() };
  for (const entry of addressed(nodes.node)) tree.nodes.set(textOf(entry.address), readNode(entry));
  for (const entry of addressed(nodes.group))
    if (!isRoot(numberOf(entry.flag))) tree.groups.set(textOf(entry.address), readGroup(entry));
  for (const entry of addressed(nodes.folder)) {
    const address = textOf(entry.address);
    const family = textOf(entry.family, FOLDER_FAMILY);
    tree.folders.set(address, { address, name: textOf(entry.name), family, parent: parentOf(entry) });
  }
  return tree;
}

const FOLDER_FAMILY = "13";

function addressed(value: unknown): readonly Json[] {
  const entries = objectsOf(value);
  const isAddressed = ({ address }: Json) => textOf(address) !== "";
  return entries.every(isAddressed) ? entries : entries.filter(isAddressed);
}

function readNode(entry: Json): NodeRecord {
  const [family, instance] = readFamily(entry.family);
  const properties = new Map<string, Property>();
  for (const each of objectsOf(entry.property)) {
    const id = textOf(each.id);
    if (id !== "") properties.set(id, readProperty(id, each));
  }
  return {
    address: textOf(entry.address),
    name: textOf(entry.name),
    nodeDefId: textOf(entry.nodeDefId),
    family,
    instance,
    type: textOf(entry.type),
    parent: parentOf(entry),
    primary: textOrNull(entry.pnode),
    enabled: booleanOf(entry.enabled, true),
    flag: numberOf(entry.flag),
    properties,
    devtype: isObject(entry.devtype) ? devType(family, devTypeFields(entry.devtype)) : null,
    role: textOrNull(entry.role) as NodeRole | null,
    use: textOrNull(entry.use) as NodeUse | null,
    linkState: textOrNull(entry.linkState) as NodeRecord["linkState"],
    isSecured: booleanOf(entry.isSecured, false),
  };
}

function readProperty(id: string, { value, formatted, uom, name, prec }: Json): Property {
  return {
    id,
    value: textOf(value),
    formatted: textOf(formatted),
    uom: textOf(uom),
    name: textOf(name),
    prec: numberOf(prec),
  };
}

function readGroup(entry: Json) {
  const [family] = readFamily(entry.family);
  const links = isObject(entry.members) ? objectsOf(entry.members.link) : [];
  return groupRecord(
    {
      address: textOf(entry.address),
      name: textOf(entry.name),
      nodeDefId: textOf(entry.nodeDefId),
      family,
      instance: "1",
      parent: parentOf(entry),
      primary: textOrNull(entry.pnode),
    },
    links.map((link) => ({ address: textOf(link._), type: textOf(link.type) })),
  );
}

/** Missing: the wired family. With an instance where a family has several, which is then an object. */
function readFamily(family: unknown): readonly [family: string, instance: string] {
  if (!isObject(family)) return [textOf(family) || "1", "1"];
  const id = textOf(family._) || "1";
  return [id, textOf(family.instance) || id];
}

/** A bare address, or one with its kind. */
function parentOf({ parent }: Json): string | null {
  return textOrNull(isObject(parent) ? parent._ : parent);
}

function devTypeFields({ cat, mfg, gen }: Json) {
  return { cat: textOf(cat), mfg: textOf(mfg), gen: textOf(gen) };
}
