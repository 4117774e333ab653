/** Finds a thing by the words on the command line: name, path, address or id, with a hint on a near miss. */

import type { Folder, Group, Home, Node, Program, Register, Resource, Variable } from "@domovoi/client";
import { closestTo } from "../../util/closest.ts";
import { CommandFailure, usageFailure } from "../outcome.ts";

export function nodeNamed(home: Home, key: string): Node {
  return find(home.nodes, "node", key, placeNames);
}

export function groupNamed(home: Home, key: string): Group {
  return find(home.groups, "scene", key, placeNames);
}

export function folderNamed(home: Home, key: string): Folder {
  return find(home.folders, "folder", key, placeNames);
}

export function programNamed(home: Home, key: string): Program {
  return find(home.programs, "program", key, ({ name, path, id }) => [name, path, id]);
}

/** A folder of programs. @throws CommandFailure */
export function programFolderNamed(home: Home, key: string): Program {
  const found = home.programs.find(key);
  if (found?.isFolder) return found;
  if (found) throw usageFailure(`"${found.name}" is a program, not a program folder.`);
  if (home.folders.find(key)) throw usageFailure(`"${key}" is a folder of nodes. Programs go into program folders.`);
  const folders = [...home.programs].filter(({ isFolder }) => isFolder);
  throw notFound(
    "program folder",
    key,
    folders.flatMap(({ name, path, id }) => [name, path, id]),
  );
}

export function variableNamed(home: Home, key: string): Variable {
  return find(home.variables, "variable", key, ({ name, key: id }) => [name, id]);
}

export function resourceNamed(home: Home, key: string): Resource {
  return find(home.resources, "network resource", key, ({ name, id }) => [name, id]);
}

/** Things that accept commands. */
type Commanded = { readonly kind: "node"; readonly node: Node } | { readonly kind: "group"; readonly group: Group };

export function findCommanded(home: Home, key: string): Commanded {
  const node = home.nodes.find(key);
  const group = home.groups.find(key);
  if (node && group) {
    throw usageFailure(`"${key}" is a node (${node.address}) and a group (${group.address}). Name it by its address.`);
  }
  if (node) return { kind: "node", node };
  if (group) return { kind: "group", group };
  throw notFound("node or group", key, [...home.nodes, ...home.groups].flatMap(placeNames));
}

/** Finds a node or a program for `why`. @returns its address or id. */
export function findExplained(home: Home, key: string): string {
  const node = home.nodes.find(key);
  const program = home.programs.find(key);
  if (node && program) {
    throw usageFailure(
      `"${key}" is a node (${node.address}) and a program (${program.id}). Name it by its address or id.`,
    );
  }
  if (node) return node.address;
  if (program) return program.id;
  throw notFound("node or program", key, [
    ...[...home.nodes].flatMap(placeNames),
    ...[...home.programs].flatMap(({ name, path, id }) => [name, path, id]),
  ]);
}

/** Whatever has the name and can get another one. @returns what renames it */
export function findRenamed(home: Home, key: string): (name: string) => Promise<unknown> {
  const program = home.programs.find(key);
  const variable = home.variables.find(key);
  const resource = home.resources.find(key);
  const placed = [home.nodes.find(key), home.groups.find(key), home.folders.find(key)].filter((each) => each !== null);
  const others = [
    ...(program ? [(name: string) => program.update({ name })] : []),
    ...(variable ? [(name: string) => variable.rename(name)] : []),
    ...(resource ? [(name: string) => home.edits.changeResource(resource.id, { name })] : []),
  ];
  const [other] = others;
  if (placed.length + others.length > 1 && other) {
    throw usageFailure(`"${key}" is several things. Name one by its address or id.`);
  }
  if (other) return other;
  if (placed.length === 0) {
    const all = [...home.variables, ...home.resources].map(({ name }) => name);
    throw notFound("node, scene, folder, program, variable or network resource", key, [...placedNames(home), ...all]);
  }
  const found = findPlaced(home, key);
  return (name) => found.rename(name);
}

function placedNames(home: Home): readonly string[] {
  return [
    ...[...home.nodes, ...home.groups, ...home.folders].flatMap(placeNames),
    ...[...home.programs].map(({ name }) => name),
  ];
}

/** Things with a name and a place in the tree. */
export function findPlaced(home: Home, key: string): { readonly address: string; rename(name: string): Promise<void> } {
  const found = [home.nodes.find(key), home.groups.find(key), home.folders.find(key)].filter((each) => each !== null);
  const [first] = found;
  if (!first) throw notFound("node, scene, folder or program", key, placedNames(home));
  if (found.length === 1) return first;
  throw usageFailure(
    `"${key}" is several things: ${found.map(({ address }) => address).join(", ")}. Name one by its address.`,
  );
}

type LocatedValue = { readonly name: string; readonly path: string; readonly address: string };

function placeNames({ name, path, address }: LocatedValue): readonly string[] {
  return [name, path, address];
}

function find<T>(register: Register<T>, what: string, key: string, names: (each: T) => readonly string[]): T {
  const found = register.find(key);
  if (found !== null) return found;
  throw notFound(what, key, [...register].flatMap(names));
}

function notFound(what: string, key: string, known: readonly string[]): CommandFailure {
  const close = closestTo(key, known);
  return new CommandFailure(
    "notFound",
    `There is no ${what} "${key}".${close === null ? "" : ` Did you mean "${close}"?`}`,
  );
}
