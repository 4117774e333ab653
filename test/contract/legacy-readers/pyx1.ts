/**
 * pyisyox 1, emulated: the library turns XML into dicts, where a list of one element is no list. The values that it
 * then loses, or raises on, are the reason for the setting legacyPadding.
 */

import {
  at,
  attribute,
  type Dict,
  descendants,
  dom,
  float,
  type Get,
  int,
  items,
  PythonError,
  programTime,
  toDict,
} from "./python.ts";

type Loaded = {
  readonly nodes: readonly string[];
  readonly folders: readonly string[];
  readonly groups: readonly string[];
  readonly programs: readonly string[];
  readonly variables: readonly string[];
  readonly resources: readonly string[];
};

export async function loadPyx1(get: Get): Promise<Loaded> {
  const { hasNetworking } = readConfig(root(await get("/rest/config"), "configuration"));
  // Both may be missing.
  for (const path of ["connection", "files"]) {
    const text = await get(`/rest/profiles/ns/0/${path}`);
    if (text !== null) dom(text);
  }
  readTime(root(await get("/rest/time"), "DT"));
  const programs = readPrograms(root(await get("/rest/programs?subfolders=true"), "programs"));
  const resources = hasNetworking ? readResources(await get("/rest/networking/resources")) : [];
  const status = root(await get("/rest/status"), "nodes");
  for (const node of items(at(status, "node"))) at(node, "@id");
  const tree = readNodes(root(await get("/rest/nodes"), "nodes"));
  const definitions = [await get("/rest/vars/definitions/1"), await get("/rest/vars/definitions/2")];
  const values = [await get("/rest/vars/get/1"), await get("/rest/vars/get/2")];
  const variables = definitions.flatMap((names, index) => readVariables(names, values[index] ?? null));
  return { ...tree, programs, resources, variables };
}

/** After an event of a node that it does not know: a 404 or less than two properties ends the connection. */
export async function readUnknownNode(get: Get, address: string): Promise<void> {
  const info = root(await get(`/rest/nodes/${encodeURIComponent(address)}`), "nodeInfo");
  items(at(at(info, "properties") as Dict, "property"));
}

function readConfig(config: Dict) {
  for (const key of ["platform", "variables", "nodedefs", "app_full_version"]) at(config, key);
  at(at(config, "root") as Dict, "name");
  at(at(config, "product") as Dict, "desc");
  const features = new Map(
    items(at(at(config, "features") as Dict, "feature")).map((feature) => [
      at(feature, "desc"),
      at(feature, "isInstalled"),
    ]),
  );
  return { hasNetworking: [...features].some(([name, on]) => name === "Networking Module" && on === "true") };
}

function readTime(time: Dict): void {
  for (const key of ["NTP", "TMZOffset", "Sunrise", "Sunset"]) int(String(at(time, key)));
  for (const key of ["Lat", "Long"]) float(String(at(time, key)));
  for (const key of ["DST", "IsMilitary"]) at(time, key);
}

function readPrograms(programs: Dict): readonly string[] {
  return listOrLost(at(programs, "program")).map((program) => {
    at(program, "@folder");
    at(program, "name");
    for (const key of ["lastRunTime", "lastFinishTime"]) programTime(String(program[key] ?? ""));
    return String(at(program, "@id"));
  });
}

function readResources(text: string | null): readonly string[] {
  const config = text === null ? null : toDict(dom(text));
  // An empty document is no dict to it.
  if (config === null || typeof config === "string") return [];
  return listOrLost(config.NetRule).map((rule) => {
    const control = at(rule, "ControlInfo") as Dict;
    for (const key of ["protocol", "host", "port", "method", "timeout"]) at(control, key);
    return String(at(rule, "id"));
  });
}

function readNodes(nodes: Dict) {
  const listed = (key: string) => listOrLost(nodes[key]);
  const groups = listed("group").filter((group) => !(int(String(at(group, "@flag"))) & 0x08));
  for (const node of listed("node")) readNode(node);
  for (const group of groups) readGroup(group);
  const addresses = (dicts: readonly Dict[]) => dicts.map((dict) => String(at(dict, "address")));
  return { nodes: addresses(listed("node")), folders: addresses(listed("folder")), groups: addresses(groups) };
}

function readNode(node: Dict): void {
  for (const key of ["@flag", "@nodeDefId", "name", "type", "enabled", "pnode"]) at(node, key);
  readParent(node);
  for (const property of many(node.property)) {
    int(String(property["@prec"] ?? "0"));
    const value = String(at(property, "@value"));
    if (value.trim() !== "") int(value);
  }
  const family = node.family;
  if (typeof family === "object" && family !== null) at(family as Dict, "@instance");
  if (node.devtype !== undefined) for (const key of ["gen", "mfg", "cat"]) at(node.devtype as Dict, key);
}

function readGroup(group: Dict): void {
  readParent(group);
  const members = at(group, "members");
  for (const link of members === null ? [] : many((members as Dict).link)) int(String(at(link, "@type")));
}

function readParent(entry: Dict): void {
  if (entry.parent !== undefined) int(String(at(entry.parent as Dict, "@type")));
}

/** Names and values are laid side by side. */
function readVariables(definitions: string | null, values: string | null): readonly string[] {
  const names = definitions === null ? [] : descendants(dom(definitions), "e");
  const variables = values === null ? [] : descendants(dom(values), "var");
  return names.map((name, index) => {
    const variable = variables[index];
    const id = attribute(name, "id");
    if (!variable || attribute(variable, "id") !== id) throw new PythonError("ValueError", `variable ${id}`);
    return `${attribute(variable, "type")}:${id}`;
  });
}

function root(text: string | null, name: string): Dict {
  const element = dom(text);
  if (element.name !== name) throw new PythonError("KeyError", name);
  const dict = toDict(element);
  if (dict === null || typeof dict === "string") throw new PythonError("TypeError", `<${name}> of None`);
  return dict;
}

/** A single element is not seen at all. */
function listOrLost(value: Dict[string] | undefined): readonly Dict[] {
  return Array.isArray(value) ? (value as readonly Dict[]) : [];
}

/** Where the library takes one for a list of one. */
function many(value: Dict[string] | undefined): readonly Dict[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? (value as readonly Dict[]) : [value as Dict];
}
