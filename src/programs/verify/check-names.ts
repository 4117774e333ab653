/** References that lead nowhere: one question for each kind of thing that a program can name. */

import type { GivenValue } from "../../home/program-syntax.ts";
import { hexId } from "../../home/programs.ts";
import type { VariableType } from "../../home/variables.ts";
import { message } from "../../messages.ts";
import { unresolvedValues } from "../../profile/fill-text.ts";
import { type Finding, finding } from "./finding.ts";
import type { Spot } from "./model/formula.ts";
import { definitionStep } from "./model/places.ts";
import { nodeName } from "./model/words.ts";
import type { World } from "./model/world.ts";

/** The name of a node, a scene, or the controller's own address. */
export function findNodeFault({ home }: World, address: string, spot: Spot): Finding | null {
  if (home.nodes.has(address) || home.groups.has(address) || address === home.controller.uuid) return null;
  const folder = home.folders.get(address);
  const what = folder ? message("NODE_UNKNOWN.folder", { name: folder.name }) : message("NODE_UNKNOWN", { address });
  return finding("NODE_UNKNOWN", spot, what, [
    definitionStep(message("step.nodes", { nodes: home.nodes.size, scenes: home.groups.size, id: address })),
  ]);
}

/** For an existing node. Properties beyond its definition that a driver reports are accepted. */
export function findPropertyFault(world: World, address: string, property: string, spot: Spot): Finding | null {
  const node = world.home.nodes.get(address);
  const name = nodeName(world, address);
  if (!node) {
    return finding("PROPERTY_UNKNOWN", spot, message("PROPERTY_UNKNOWN.scene", { name }), [
      definitionStep(message("step.scene", { address })),
    ]);
  }
  const nodedef = world.nodedefOf(node);
  if (!nodedef || nodedef.properties.some(({ id }) => id === property) || node.properties.has(property)) return null;
  const properties = nodedef.properties.map(({ id }) => id).join(", ");
  return finding("PROPERTY_UNKNOWN", spot, message("PROPERTY_UNKNOWN", { name, property }), [
    definitionStep(message("step.has", { name, nodedef: nodedef.id, properties })),
  ]);
}

export function findVariableFault({ home }: World, type: VariableType, id: number, spot: Spot): Finding | null {
  if (home.variables[type].has(id)) return null;
  const kind = type === 1 ? "integer" : "state";
  const chain = [definitionStep(message(`step.${kind}Variables`, { count: home.variables[type].size, id }))];
  return finding("VARIABLE_UNKNOWN", spot, message(`VARIABLE_UNKNOWN.${kind}`, { id }), chain);
}

export function findGivenFault(world: World, given: GivenValue, spot: Spot): Finding | null {
  return "variable" in given ? findVariableFault(world, given.variable.type, given.variable.id, spot) : null;
}

export function findProgramFault({ programs }: World, id: number, spot: Spot): Finding | null {
  if (programs.has(id)) return null;
  const chain = [definitionStep(message("step.programs", { count: programs.size, id: hexId(id) }))];
  return finding("PROGRAM_UNKNOWN", spot, message("PROGRAM_UNKNOWN", { id: hexId(id) }), chain);
}

/** Of a notification with a text of its own: its channel, and the values in the text. */
export function findMessageFault(
  { home, profile, isChannel }: World,
  channel: string,
  text: string,
  spot: Spot,
): Finding | null {
  const type = home.integrations.get(channel)?.type;
  if (type === undefined || !isChannel(type)) {
    return finding("CHANNEL_UNKNOWN", spot, message("CHANNEL_UNKNOWN", { id: channel }), [
      definitionStep(message("step.channels", { id: channel })),
    ]);
  }
  const [value] = unresolvedValues({ home, profile }, text);
  if (value === undefined) return null;
  const written = `\${${value}}`;
  return finding("TEXT_VALUE_UNKNOWN", spot, message("TEXT_VALUE_UNKNOWN", { value: written }), [
    definitionStep(message("plain", { text })),
  ]);
}

export function findResourceFault({ home }: World, id: number, spot: Spot): Finding | null {
  if (home.networkResources.has(id)) return null;
  const chain = [definitionStep(message("step.resources", { count: home.networkResources.size, id }))];
  return finding("RESOURCE_UNKNOWN", spot, message("RESOURCE_UNKNOWN", { id }), chain);
}
