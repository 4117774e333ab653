/**
 * The documents that a twin receives, by name: their format, the keys of their lists, and which documents are parts
 * of others.
 */

import type { Rules } from "./merge.ts";
import { childTrees, isObject, type Tree, type TreeObject, XML } from "./tree.ts";

export type DocumentKind = {
  readonly format: "json" | "xml" | "text";
  readonly rules: Rules;
  /** The base lasts as long as the process; it contains nothing of the home. */
  readonly isAboutService?: boolean;
};

/** Name of a document; for a part, also the path within the whole. */
type Derived = { readonly from: string; readonly part: (whole: Tree) => Tree };

/** null for a document that no other controller sends. */
export function documentKind(name: string): DocumentKind | null {
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}

/** The document that contains this one, or null. */
export function derivedFrom(name: string): Derived | null {
  const children = CHILDREN.get(name);
  if (children) return { from: "/rest/nodes", part: (whole) => withChildren(whole, (child) => children === child) };
  const include = /^\/rest\/profiles (.*)$/.exec(name)?.[1];
  if (include !== undefined)
    return { from: "/rest/profiles", part: (whole) => profileParts(whole, include.split(",")) };
  const family = /^def\/get (\d+) nodeDef$/.exec(name)?.[1];
  return family === undefined ? null : { from: `def/get ${family} nodedef`, part: capitalised };
}

type KeyOf = (item: Tree) => string | null;

const member =
  (name: string): KeyOf =>
  (item) => {
    const key = isObject(item) ? item[name] : undefined;
    return typeof key === "string" || typeof key === "number" ? String(key) : null;
  };

/** Ids of programs are hex digits in a text or a decimal number. */
const programKey: KeyOf = (item) => {
  const id = isObject(item) ? item.id : undefined;
  if (typeof id === "number") return String(id);
  return typeof id === "string" && /^[0-9a-f]{1,6}$/i.test(id) ? String(Number.parseInt(id, 16)) : null;
};

function listRules(
  keys: Readonly<Record<string, KeyOf>>,
  { unlisted = [], fixed = [], added = [], inStyle, itemInStyle }: Extra = {},
): Rules {
  return {
    keyOf: (list) => (Object.hasOwn(keys, list) ? keys[list] : undefined),
    staysUnlisted: (_item, list) => unlisted.includes(list),
    fixed: new Set(fixed),
    added: new Set(added),
    ...(inStyle && { inStyle }),
    ...(itemInStyle && { itemInStyle }),
  };
}

type Extra = {
  readonly unlisted?: readonly string[];
  readonly fixed?: readonly string[];
  readonly added?: readonly string[];
  readonly inStyle?: NonNullable<Rules["inStyle"]>;
  readonly itemInStyle?: NonNullable<Rules["itemInStyle"]>;
};

/** The number of a program, when the original sent numbers. */
function programIdInStyle(name: string, ours: Tree, received: Tree): Tree | undefined {
  if (name !== "parentId" && name !== "id") return undefined;
  return typeof received === "number" && typeof ours === "string" ? Number.parseInt(ours, 16) : undefined;
}

/** Clients find a folder by the id that its programs name, so the two are written alike. */
function programInStyle(program: Tree, received: readonly Tree[]): Tree {
  const example = received.find((each) => isObject(each) && each.id !== undefined);
  if (!isObject(program) || !isObject(example) || typeof example.id !== "number") return program;
  const members = Object.entries(program);
  return Object.fromEntries(members.map(([name, value]) => [name, programIdInStyle(name, value, 0) ?? value]));
}

const id = member("id");
const address = member("address");

/** Distinguishes elements of the same name: an attribute, or the text of a child. */
const ELEMENT_IDS: Readonly<Record<string, readonly [place: "attribute" | "child" | "text", name: string]>> = {
  group: ["child", "address"],
  folder: ["child", "address"],
  NetRule: ["child", "id"],
  link: ["text", ""],
};

function elementKey(item: Tree): string | null {
  if (!isObject(item)) return null;
  const [place, name] = ELEMENT_IDS[String(item[XML.name])] ?? ["attribute", "id"];
  if (place === "text") return `${item[XML.name]} ${item[XML.text]} ${attribute(item, "linkdef")}`;
  const child = place === "child" ? name : "address";
  const received = place === "attribute" ? attribute(item, name) : undefined;
  const inner = received ?? childTrees(item).find((each) => each[XML.name] === child)?.[XML.text];
  return `${item[XML.name]} ${inner ?? ""}`;
}

function attribute(item: TreeObject, name: string): Tree | undefined {
  const attributes = item[XML.attributes];
  return isObject(attributes) ? attributes[name] : undefined;
}

/** Lists of the home: an item missing in the received document stays missing. */
const THINGS: ReadonlySet<string> = new Set(["node", "group", "folder", "NetRule", "nodedef"]);

const XML_RULES: Rules = {
  keyOf: (list) => (list === XML.children ? elementKey : undefined),
  staysUnlisted: (item) => isObject(item) && THINGS.has(String(item[XML.name])),
  fixed: new Set([XML.closesItself]),
  added: new Set(),
};

const PLAIN = listRules({});
const TREE = listRules(
  { node: address, folder: address, group: address, property: id, link: member("_") },
  { unlisted: ["node", "folder", "group"], added: ["role", "linkState", "isSecured"] },
);

const KINDS: readonly (readonly [RegExp, DocumentKind])[] = [
  [/^\/api\/config$/, { format: "json", rules: PLAIN, isAboutService: true }],
  [/^\/api\/nodes$/, { format: "json", rules: TREE }],
  [/^\/api\/groups$/, { format: "json", rules: listRules({ groups: id, ctl: id }, { unlisted: ["groups"] }) }],
  [
    /^\/api\/programs$/,
    {
      format: "json",
      rules: listRules(
        { data: programKey },
        { unlisted: ["data"], inStyle: programIdInStyle, itemInStyle: programInStyle },
      ),
    },
  ],
  [/^\/api\/triggers$/, { format: "json", rules: listRules({ data: id }, { unlisted: ["data"] }) }],
  [/^\/api\/variables\/[12]$/, { format: "json", rules: listRules({ data: id }, { unlisted: ["data"] }) }],
  [
    /^\/rest\/profiles$/,
    {
      format: "json",
      rules: listRules(
        { families: id, instances: id, editors: id, linkdefs: id, nodedefs: id },
        { unlisted: ["families", "instances", "editors", "linkdefs", "nodedefs"], fixed: ["timestamp"] },
      ),
    },
  ],
  [/^\/rest\/(nodes|status|networking\/resources)$/, { format: "xml", rules: XML_RULES }],
  [/^def\/get \d+ nodedef$/, { format: "xml", rules: XML_RULES }],
  [/^labels -?\d+ \d+$/, { format: "text", rules: PLAIN }],
];

const CHILDREN: ReadonlyMap<string, string> = new Map([
  ["/rest/nodes/devices", "node"],
  ["/rest/nodes/scenes", "group"],
]);

function withChildren(whole: Tree, keeps: (name: string) => boolean): Tree {
  if (!isObject(whole)) return whole;
  return { ...whole, [XML.children]: childTrees(whole).filter((child) => keeps(String(child[XML.name]))) };
}

const PROFILE_PARTS: readonly string[] = ["editors", "linkdefs", "nodedefs"];

function profileParts(whole: Tree, included: readonly string[]): Tree {
  if (!isObject(whole) || !Array.isArray(whole.families)) return whole;
  const without = PROFILE_PARTS.filter((part) => !included.includes(part));
  const cut = (instance: Tree): Tree =>
    isObject(instance)
      ? Object.fromEntries(Object.entries(instance).filter(([name]) => !without.includes(name)))
      : instance;
  const families = whole.families.map((family: Tree) =>
    isObject(family) && Array.isArray(family.instances) ? { ...family, instances: family.instances.map(cut) } : family,
  );
  return { ...whole, families };
}

/** One client's spelling; it requests full definitions. */
function capitalised(whole: Tree): Tree {
  if (!isObject(whole)) return whole;
  const children = childTrees(whole).map((child) => ({ ...child, [XML.name]: "nodeDef" }));
  return { ...whole, [XML.children]: children };
}
