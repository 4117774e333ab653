/** The modern client's picture of the home, and how it is read from the documents of the load. */

import { children, readXml } from "../../support/read-xml.ts";
import { ClientError, isObject } from "./session.ts";

type Property = {
  readonly value: string;
  readonly formatted: string;
  readonly uom: string;
  readonly prec: number;
  readonly name: string;
};
export type Node = {
  readonly address: string;
  readonly name: string;
  readonly nodeDefId: string;
  readonly family: string;
  readonly instance: string;
  readonly flag: number;
  readonly type: string;
  /** Category of a radio device; null on other nodes. */
  readonly category: number | null;
  readonly parent: { readonly address: string; readonly type: string } | null;
  readonly pnode: string;
  enabled: boolean;
  readonly properties: Map<string, Property>;
};
type Intent = "on" | "off" | "discard";
type Group = {
  readonly address: string;
  readonly name: string;
  readonly members: readonly string[];
  readonly controllers: readonly string[];
  /** null: not every link could be read, so all members count. */
  intents: ReadonlyMap<string, Intent> | null;
};
export type Program = {
  readonly id: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly folder: boolean;
  status: boolean;
  enabled: boolean;
  runAtStartup: boolean;
  /** As loaded, or the two digits of the last event. */
  running: string;
  lastRun: string;
  lastFinish: string;
  nextRun: string;
};
export type Variable = { readonly id: string; name: string; value: number; init: number; prec: number; ts: string };

export type Tree = {
  readonly controllerName: string;
  readonly nodes: ReadonlyMap<string, Node>;
  readonly folders: ReadonlyMap<string, string>;
  readonly groups: ReadonlyMap<string, Group>;
};

type Json = Record<string, unknown>;

const ROOT_FLAG = 0x08;

/** Zero nodes when the answer says that it failed: that is no error to it. */
export function readTree(document: unknown): Tree {
  if (!isObject(document)) throw new ClientError("The nodes are no object.");
  const data = isObject(document.data) && isObject(document.data.nodes) ? document.data.nodes : {};
  const groups = objects(data.group).filter(({ address }) => address);
  const root = groups.find(({ flag }) => Number(flag) & ROOT_FLAG);
  const scenes = groups.filter((group) => group !== root).map(readGroup);
  const folders = objects(data.folder).filter(({ address }) => address);
  return {
    controllerName: root ? String(root.name) : "",
    nodes: new Map(
      objects(data.node)
        .map(readNode)
        .map((node) => [node.address, node]),
    ),
    folders: new Map(folders.map(({ address, name }) => [String(address), String(name)])),
    groups: new Map(scenes.map((group) => [group.address, group])),
  };
}

/** Takes its values over; those of unknown nodes are left. */
export function mergeStatus(tree: Tree, text: string): void {
  if (text === "") return;
  const root = readXml(text);
  if (root.name !== "nodes") return;
  for (const element of children(root, "node")) {
    const node = tree.nodes.get(element.attributes.id ?? "");
    for (const { attributes } of children(element, "property"))
      node?.properties.set(attributes.id ?? "", readProperty(attributes));
  }
}

export function readProperty(fields: Readonly<Record<string, unknown>>): Property {
  return {
    value: String(fields.value ?? ""),
    formatted: String(fields.formatted ?? ""),
    uom: String(fields.uom ?? "0"),
    prec: Number(fields.prec ?? 0) || 0,
    name: String(fields.name ?? ""),
  };
}

/** Only the block that bears the group's own id counts. */
export function mergeGroups(tree: Tree, document: unknown): void {
  const data = isObject(document) ? document.data : null;
  if (Array.isArray(data) && data.length > 0) throw new ClientError("The groups are a list.");
  for (const entry of objects(isObject(data) ? data.groups : undefined)) {
    const group = tree.groups.get(String(entry.id));
    const canonical = objects(entry.ctl).find(({ id }) => id === entry.id);
    if (group) group.intents = readIntents(objects(canonical?.links));
  }
}

/** @throws ClientError when the answer says that it failed. */
export function readPrograms(document: unknown): ReadonlyMap<string, Program> {
  const programs = successful(document).filter(({ id }) => id);
  return new Map(programs.map(readProgram).map((program) => [program.id, program]));
}

/** The names of the folders above it, without the root's. */
export function programPath(programs: ReadonlyMap<string, Program>, { parentId }: Program): readonly string[] {
  const path: string[] = [];
  for (let above = programs.get(parentId ?? ""); above; above = programs.get(above.parentId ?? ""))
    path.unshift(above.name);
  return path.slice(1);
}

export function readVariables(document: unknown): Map<string, Variable> {
  const variables = successful(document).filter(({ id }) => id);
  return new Map(
    variables.map((variable) => [
      String(variable.id),
      {
        id: String(variable.id),
        name: String(variable.name ?? ""),
        value: Number(variable.val) || 0,
        init: Number(variable.init) || 0,
        prec: Number(variable.prec) || 0,
        ts: String(variable.ts ?? ""),
      },
    ]),
  );
}

/** The items of a list that it requires; `[]` for anything that is no list. */
export function successful(document: unknown): readonly Json[] {
  if (!isObject(document)) throw new ClientError("The answer is no object.");
  if (document.successful === false) throw new ClientError(String(document.error ?? document.message));
  return Array.isArray(document.data) ? objects(document.data) : [];
}

/** Its scenes are on when a member that they switch on is. */
export function isGroupOn(tree: Tree, { members, intents }: Group): boolean {
  const counted = intents ? [...intents].filter(([, intent]) => intent === "on").map(([address]) => address) : members;
  return counted.some((address) => {
    const node = tree.nodes.get(address);
    const value = node?.properties.get("ST")?.value ?? "";
    return node !== undefined && !STATELESS.has(node.nodeDefId) && value !== "" && value !== "0";
  });
}

const STATELESS: ReadonlySet<string> = new Set([
  ...["BinaryAlarm", "BinaryAlarm_ADV", "BinaryControl", "BinaryControl_ADV"],
  ...["RemoteLinc2", "RemoteLinc2_ADV", "DimmerSwitchOnly"],
]);

function readNode(entry: Json): Node {
  if (!entry.address) throw new ClientError("A node has no address.");
  const [family, instance] = readFamily(entry.family);
  const properties = Array.isArray(entry.property) ? objects(entry.property) : [];
  return {
    address: String(entry.address),
    name: String(entry.name),
    nodeDefId: String(entry.nodeDefId),
    family,
    instance,
    flag: Number(entry.flag),
    type: String(entry.type),
    category: isObject(entry.devtype) ? Number(entry.devtype.cat) : null,
    parent: isObject(entry.parent) ? { address: String(entry.parent._), type: String(entry.parent.type) } : null,
    pnode: String(entry.pnode),
    enabled: entry.enabled === undefined || entry.enabled === true || entry.enabled === "true",
    properties: new Map(properties.map((property) => [String(property.id), readProperty(property)])),
  };
}

function readFamily(family: unknown): readonly [string, string] {
  if (family === undefined || family === null || family === "") return ["1", "1"];
  if (!isObject(family)) return [String(family), "1"];
  return [String(family._), String(family.instance ?? family._)];
}

const CONTROLLER = "16";

function readGroup(entry: Json): Group {
  const links = objects(isObject(entry.members) ? entry.members.link : undefined).filter(({ _ }) => _);
  return {
    address: String(entry.address),
    name: String(entry.name),
    members: links.map(({ _ }) => String(_)),
    controllers: links.filter(({ type }) => type === CONTROLLER).map(({ _ }) => String(_)),
    intents: null,
  };
}

type Resolved = { readonly rank: number; readonly intent: Intent };

/** native before cmd before default, the first of equals; null when a link cannot be read. */
function readIntents(links: readonly Json[]): ReadonlyMap<string, Intent> | null {
  const resolved = new Map<string, Resolved>();
  for (const link of links.filter(({ type }) => type !== "ignore")) {
    const found = readIntent(link);
    if (!found) return null;
    const node = String(link.node);
    if (found.rank > (resolved.get(node)?.rank ?? 0)) resolved.set(node, found);
  }
  return new Map([...resolved].map(([node, { intent }]) => [node, intent]));
}

function readIntent(link: Json): Resolved | null {
  if (link.type === "default") return { rank: 1, intent: "on" };
  if (link.type === "cmd") return { rank: 2, intent: COMMANDS[String(link.cmd)] ?? "discard" };
  if (link.type !== "native") return null;
  const level = objects(link.params).find(({ id }) => id === "OL")?.val;
  if (!isObject(level) || level.value === undefined || level.value === null) return null;
  const value = Number(level.value);
  if (Number.isNaN(value)) throw new ClientError("A level is no number.");
  return { rank: 3, intent: value > 0 ? "on" : "off" };
}

const COMMANDS: Readonly<Record<string, Intent>> = { DON: "on", DFON: "on", DOF: "off", DFOF: "off" };

function readProgram(entry: Json): Program {
  return {
    id: programId(entry.id),
    parentId: entry.parentId === undefined ? null : programId(entry.parentId),
    name: String(entry.name),
    folder: entry.folder === true,
    status: entry.status === true || entry.status === "true",
    enabled: entry.enabled === true,
    runAtStartup: entry.runAtStartup === true,
    running: String(entry.running ?? ""),
    lastRun: String(entry.lastRunTime ?? ""),
    lastFinish: String(entry.lastFinishTime ?? ""),
    nextRun: String(entry.nextScheduledRunTime ?? ""),
  };
}

/** Texts are used unchanged, so they must be written as the client writes numbers. */
function programId(id: unknown): string {
  return typeof id === "number" ? id.toString(16).toUpperCase().padStart(4, "0") : String(id);
}

/** An object where a list belongs ends the load: its keys would be taken for items. */
function objects(value: unknown): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || !value.every(isObject)) throw new ClientError("A list is none.");
  return value;
}
