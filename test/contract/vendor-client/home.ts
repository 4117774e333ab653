/** How the vendor's client reads the tree (`/rest/nodes`, XML) and the links of scenes (`/api/groups/links`). */

import { children, readXml, type XmlElement } from "../../support/read-xml.ts";
import { list, required, type VendorLinkdef, type VendorNodedef, type VendorProfile } from "./profile.ts";

type VendorEntry = {
  readonly address: string;
  readonly name: string;
  readonly flag: number;
  readonly family: number;
  readonly instance: number;
  readonly nodeDefId: string | null;
  /** null: unknown to the client. */
  readonly enabled: boolean | null;
  readonly parent: { readonly address: string; readonly kind: "none" | "node" | "group" | "folder" } | null;
};
type VendorNode = VendorEntry & {
  readonly nodedef: VendorNodedef | null;
  readonly pnode: string | null;
  readonly properties: ReadonlyMap<string, VendorValue>;
};
type VendorValue = { readonly value: string; readonly formatted: string; readonly uom: string };
type VendorLink = {
  readonly type: string;
  readonly linkdef: string | null;
  readonly command: string | null;
  /** Displayed values by parameter. */
  readonly parameters: Readonly<Record<string, { readonly value: number; readonly uom: string }>>;
};
type VendorGroup = VendorEntry & {
  readonly deviceGroup: string | null;
  /** Links by responder, by controller; the scene's own address is the key for the scene's commands. */
  readonly controllers: ReadonlyMap<string, ReadonlyMap<string, VendorLink>>;
};
export type VendorTree = {
  readonly nodes: ReadonlyMap<string, VendorNode>;
  readonly groups: ReadonlyMap<string, VendorGroup>;
  readonly folders: ReadonlyMap<string, VendorEntry>;
};

const GROUP_FLAG = 0x04;
const PARENT_KINDS = ["none", "node", "group", "folder"] as const;
const INTEGERS = ["deviceClass", "wattage", "dcPeriod", "startDelay", "endDelay", "sgid"];

/** @throws Error for what aborts the client's load. */
export function readVendorTree(nodesXml: string, links: unknown, profile: VendorProfile): VendorTree {
  const root = readXml(nodesXml);
  const elements = [...children(root, "node"), ...children(root, "group")];
  const isGroup = (element: XmlElement) => (integer(element.attributes.flag, "flag") & GROUP_FLAG) !== 0;
  const nodes = new Map(
    elements
      .filter((element) => !isGroup(element))
      .map((element) => readNode(element, profile))
      .map((node) => [node.address, node]),
  );
  const groups = new Map<string, VendorGroup>();
  for (const element of elements.filter(isGroup)) {
    const entry = readEntry(element);
    const [told] = list(dataOf(links), "groups").filter((group) => required(group, "id") === entry.address);
    const controllers = readControllers(entry.address, told, nodes, profile);
    groups.set(entry.address, { ...entry, deviceGroup: text(element, "deviceGroup"), controllers });
  }
  const folders = new Map(
    children(root, "folder").map((element) => [text(element, "address") ?? "", readEntry(element)]),
  );
  return { nodes, groups, folders };
}

function dataOf(answer: unknown): unknown {
  return typeof answer === "object" && answer !== null && "data" in answer ? answer.data : undefined;
}

function readNode(element: XmlElement, profile: VendorProfile): VendorNode {
  const entry = readEntry(element);
  for (const name of INTEGERS) {
    const given = text(element, name);
    if (given !== null) integer(given, name);
  }
  const properties = children(element, "property").map(({ attributes }): [string, VendorValue] => {
    const { id = "", value = "", formatted = "", uom = "" } = attributes;
    return [id, { value, formatted, uom }];
  });
  const key = `${entry.nodeDefId}.${entry.family}.${entry.instance}`;
  return {
    ...entry,
    nodedef: profile.nodedefs.get(key) ?? null,
    pnode: text(element, "pnode"),
    properties: new Map(properties),
  };
}

function readEntry(element: XmlElement): VendorEntry {
  const [address, name] = [text(element, "address"), text(element, "name")];
  if (address === null || name === null) throw new Error(`The client misses address or name of a ${element.name}.`);
  const [family] = children(element, "family");
  const [parent] = children(element, "parent");
  const enabled = text(element, "enabled");
  return {
    address,
    name,
    flag: integer(element.attributes.flag, "flag"),
    family: Number.parseInt(family?.text ?? "", 10) || 1,
    instance: Number.parseInt(family?.attributes.instance ?? "", 10) || 1,
    nodeDefId: element.attributes.nodeDefId ?? null,
    enabled: enabled === null ? null : enabled.toLowerCase() === "true",
    parent: parent
      ? { address: parent.text, kind: PARENT_KINDS[integer(parent.attributes.type ?? "0", "type")] ?? "none" }
      : null,
  };
}

/** Blocks of unknown nodes and links to unknown nodes are passed over. */
function readControllers(
  group: string,
  told: Readonly<Record<string, unknown>> | undefined,
  nodes: ReadonlyMap<string, VendorNode>,
  profile: VendorProfile,
): VendorGroup["controllers"] {
  const controllers = new Map<string, Map<string, VendorLink>>([[group, new Map()]]);
  for (const block of list(told, "ctl")) {
    const id = String(block.id);
    if (id !== group && !nodes.has(id)) continue;
    const links = controllers.get(id) ?? new Map<string, VendorLink>();
    controllers.set(id, links);
    for (const link of list(block, "links")) {
      const responder = nodes.get(String(link.node));
      const read = responder && readLink(link, responder, profile);
      if (read) links.set(responder.address, read);
    }
  }
  return controllers;
}

/** null: dropped, because neither its linkdef nor a nodedef says what its parameters are. */
function readLink(
  link: Readonly<Record<string, unknown>>,
  responder: VendorNode,
  profile: VendorProfile,
): VendorLink | null {
  const linkdef = link.linkdef === undefined ? null : findLinkdef(String(link.linkdef), responder, profile);
  const parameters: Record<string, { value: number; uom: string }> = {};
  for (const parameter of list(link, "params")) {
    const id = String(parameter.id);
    if (!linkdef?.parameters.some((each) => each.id === id) && !responder.nodedef) return null;
    const { value, uom, prec = 0 } = (parameter.val ?? {}) as { value?: unknown; uom?: unknown; prec?: unknown };
    if (value !== undefined) parameters[id] = { value: Number(value) / 10 ** Number(prec), uom: String(uom) };
  }
  return {
    type: String(link.type),
    linkdef: linkdef?.id ?? null,
    command: link.cmd === undefined ? null : String(link.cmd),
    parameters,
  };
}

/** @throws Error: a linkdef that the responder's family does not have aborts the whole load. */
function findLinkdef(id: string, { address, family, instance }: VendorNode, profile: VendorProfile): VendorLinkdef {
  const linkdef = profile.linkdefs.get(`${id}.${family}.${instance}`);
  if (!linkdef) throw new Error(`The client has no linkdef ${id} for the family of ${address}.`);
  return linkdef;
}

function text(element: XmlElement, name: string): string | null {
  return children(element, name)[0]?.text ?? null;
}

function integer(given: string | undefined, name: string): number {
  if (!/^\s*[+-]?\d+\s*$/.test(given ?? ""))
    throw new Error(`The client cannot read ${name} "${given}" as an integer.`);
  return Number(given);
}
