/** PyISY 3, emulated: what it asks for, in its order, and what it raises on. */

import type { XmlElement } from "../../support/read-xml.ts";
import { children } from "../../support/read-xml.ts";
import {
  attribute,
  descendants,
  dom,
  first,
  type Get,
  int,
  PythonError,
  programTime,
  value,
  variableTime,
} from "./python.ts";

type Loaded = {
  readonly uuid: string;
  readonly name: string;
  readonly nodes: ReadonlyMap<string, PyNode>;
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly folders: ReadonlySet<string>;
  readonly programs: ReadonlySet<string>;
  readonly variables: ReadonlyMap<string, number>;
  readonly resources: readonly string[];
};
type PyNode = { readonly enabled: boolean; readonly states: Map<string, number> };

/** Its reading of an empty value. */
const UNKNOWN = Number.NEGATIVE_INFINITY;
const JOINT = '</vars><?xml version="1.0" encoding="UTF-8"?><vars>';

export async function loadPyIsy(get: Get): Promise<Loaded> {
  const config = readConfig(dom(await get("/rest/config")));
  // Sent together.
  const [resources, status, time, nodes, programs, integerNames, stateNames, integers, states] = await Promise.all([
    config.hasNetworking ? get("/rest/networking/resources") : null,
    get("/rest/status"),
    get("/rest/time"),
    get("/rest/nodes?members=false"),
    get("/rest/programs?subfolders=true"),
    get("/rest/vars/definitions/1"),
    get("/rest/vars/definitions/2"),
    get("/rest/vars/get/1"),
    get("/rest/vars/get/2"),
  ]);
  readTime(dom(time));
  const tree = readNodes(dom(nodes));
  readStatus(dom(status), tree);
  for (const names of [integerNames, stateNames]) readDefinitions(names);
  return {
    ...config,
    ...tree,
    programs: readPrograms(dom(programs)),
    variables: readVariables(integers, states),
    resources: resources === null ? [] : descendants(dom(resources), "NetRule").map((rule) => first(rule, "id").text),
  };
}

function readConfig(root: XmlElement) {
  const features = new Map(
    descendants(root, "feature").map((feature) => [
      first(feature, "desc").text,
      value(feature, "isInstalled") === "true",
    ]),
  );
  const isOn = (description: string) => {
    const installed = features.get(description);
    if (installed === undefined) throw new PythonError("KeyError", description);
    return installed;
  };
  const roots = first(root, "root");
  first(root, "app_full_version");
  first(first(root, "product"), "desc");
  return {
    uuid: first(roots, "id").text,
    name: first(roots, "name").text,
    // The second is only looked up when the first is off.
    hasNetworking: isOn("Networking Module") || isOn("Portal Integration - UDI"),
  };
}

function readTime(root: XmlElement): void {
  for (const name of ["NTP", "TMZOffset", "Sunrise", "Sunset"]) int(value(root, name));
  for (const name of ["Lat", "Long"])
    if (Number.isNaN(Number(value(root, name) ?? "?"))) throw new PythonError("ValueError", name);
  for (const name of ["DST", "IsMilitary"])
    if (value(root, name) === undefined) throw new PythonError("TypeError", name);
}

function readNodes(root: XmlElement) {
  const nodes = new Map(children(root, "node").map((node) => [first(node, "address").text, readNode(node)]));
  const folders = new Set(children(root, "folder").map((folder) => first(folder, "address").text));
  const groups = new Map<string, readonly string[]>();
  for (const group of children(root, "group")) {
    // The group of all nodes is left.
    if (int(attribute(group, "flag")) & 0x08) continue;
    const members = descendants(first(group, "members"), "link").map(({ text }) => text);
    const lost = members.find((member) => !nodes.has(member));
    if (lost !== undefined) throw new PythonError("KeyError", `member ${lost}`);
    groups.set(first(group, "address").text, members);
  }
  return { nodes, groups, folders };
}

function readNode(node: XmlElement): PyNode {
  int(attribute(node, "flag"));
  attribute(node, "nodeDefId");
  for (const name of ["name", "type", "pnode"]) first(node, name);
  return { enabled: value(node, "enabled") === "true", states: readStates(descendants(node, "property")) };
}

function readStates(properties: readonly XmlElement[]): Map<string, number> {
  return new Map(
    properties.map((property) => {
      int(property.attributes.prec ?? "0");
      const text = attribute(property, "value");
      return [attribute(property, "id"), text.trim() === "" ? UNKNOWN : int(text)];
    }),
  );
}

function readStatus(root: XmlElement, { nodes, groups, folders }: Pick<Loaded, "nodes" | "groups" | "folders">): void {
  for (const element of descendants(root, "node")) {
    const address = attribute(element, "id");
    if (folders.has(address)) throw new PythonError("TypeError", `status of the folder ${address}`);
    if (groups.has(address)) throw new PythonError("TypeError", `status of the scene ${address}`);
    const states = readStates(descendants(element, "property"));
    for (const [id, state] of states) nodes.get(address)?.states.set(id, state);
  }
}

function readPrograms(root: XmlElement): ReadonlySet<string> {
  return new Set(
    descendants(root, "program").map((program) => {
      const isFolder = attribute(program, "folder") === "true";
      attribute(program, "status");
      first(program, "name");
      programTime(value(program, "lastRunTime") ?? "");
      programTime(value(program, "lastFinishTime") ?? "");
      if (!isFolder) for (const name of ["enabled", "runAtStartup", "running"]) attribute(program, name);
      return attribute(program, "id");
    }),
  );
}

function readDefinitions(text: string | null): void {
  // A possible answer of a controller without variables.
  if (text === null || text.includes("not found")) return;
  for (const definition of descendants(dom(text), "e")) {
    attribute(definition, "id");
    attribute(definition, "name");
  }
}

/** Both answers are joined to one text, and what is between them is cut out as it is expected to be written. */
function readVariables(integers: string | null, states: string | null): ReadonlyMap<string, number> {
  if (integers === null || states === null) throw new PythonError("TypeError", "variables of None");
  const root = dom((integers + states).replace(JOINT, ""));
  return new Map(
    descendants(root, "var").map((variable) => {
      variableTime(value(variable, "ts"));
      int(value(variable, "init"));
      int(value(variable, "prec"));
      return [`${attribute(variable, "type")}:${attribute(variable, "id")}`, int(value(variable, "val"))];
    }),
  );
}
