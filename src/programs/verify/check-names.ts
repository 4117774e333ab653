/** References that lead nowhere: one question for each kind of thing that a program can name. */

import type { VariableType } from "../../home/variables.ts";
import { hexId } from "../text/names.ts";
import { type Finding, finding } from "./finding.ts";
import type { Spot } from "./model/formula.ts";
import { definitionStep } from "./model/places.ts";
import { nodeName } from "./model/words.ts";
import type { World } from "./model/world.ts";

/** The name of a node, a scene, or the controller's own address. */
export function findNodeFault({ home }: World, address: string, spot: Spot): Finding | null {
  if (home.nodes.has(address) || home.groups.has(address) || address === home.controller.uuid) return null;
  const what = home.folders.has(address)
    ? `${home.folders.get(address)?.name} is a folder, not a node or scene.`
    : `There is no node or scene ${address}.`;
  return finding("NODE_UNKNOWN", spot, what, [
    definitionStep(`The home has ${home.nodes.size} nodes and ${home.groups.size} scenes; ${address} is none of them.`),
  ]);
}

/** For an existing node. Properties beyond its definition that a driver reports are accepted. */
export function findPropertyFault(world: World, address: string, property: string, spot: Spot): Finding | null {
  const node = world.home.nodes.get(address);
  const name = nodeName(world, address);
  if (!node) {
    return finding("PROPERTY_UNKNOWN", spot, `${name} is a scene, and scenes have no properties.`, [
      definitionStep(`${address} is a scene.`),
    ]);
  }
  const nodedef = world.nodedefOf(node);
  if (!nodedef || nodedef.properties.some(({ id }) => id === property) || node.properties.has(property)) return null;
  const has = nodedef.properties.map(({ id }) => id).join(", ");
  return finding("PROPERTY_UNKNOWN", spot, `${name} has no property ${property}.`, [
    definitionStep(`${name} (${nodedef.id}) has ${has}.`),
  ]);
}

export function findVariableFault({ home }: World, type: VariableType, id: number, spot: Spot): Finding | null {
  if (home.variables[type].has(id)) return null;
  const kind = type === 1 ? "integer" : "state";
  const chain = [definitionStep(`The home has ${home.variables[type].size} ${kind} variables; ${id} is none of them.`)];
  return finding("VARIABLE_UNKNOWN", spot, `There is no ${kind} variable ${id}.`, chain);
}

export function findProgramFault({ programs }: World, id: number, spot: Spot): Finding | null {
  if (programs.has(id)) return null;
  const chain = [definitionStep(`The home has ${programs.size} programs and folders; ${hexId(id)} is none of them.`)];
  return finding("PROGRAM_UNKNOWN", spot, `There is no program ${hexId(id)}.`, chain);
}

export function findResourceFault({ home }: World, id: number, spot: Spot): Finding | null {
  if (home.networkResources.has(id)) return null;
  const chain = [
    definitionStep(`The home has ${home.networkResources.size} network resources; ${id} is none of them.`),
  ];
  return finding("RESOURCE_UNKNOWN", spot, `There is no network resource ${id}.`, chain);
}
