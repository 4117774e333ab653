/** What a node makes of a command that a program sends: read by the same rules as a command of a client. */

import { ControllerError } from "../../../errors.ts";
import type { Node } from "../../../home/nodes.ts";
import { findMeaning, type WrittenCommand } from "../../../profile/command-meaning.ts";
import { type ParameterValue, readCommandParameters } from "../../../profile/command-parameters.ts";
import type { CommandDefinition } from "../../../profile/nodedef.ts";
import type { World } from "./world.ts";

export type ReadCommand =
  /** Every node can be asked for its state. */
  | { readonly kind: "query" }
  /** Its parameters are in units of their editors. */
  | { readonly kind: "taken"; readonly definition: CommandDefinition; readonly parameters: readonly ParameterValue[] }
  /** A parameter is refused, missing or too much. */
  | { readonly kind: "refused"; readonly definition: CommandDefinition; readonly sentence: string };

/** null: the node does not accept it, or nothing is known of what it accepts. */
export function readCommand(world: World, node: Node, written: WrittenCommand): ReadCommand | null {
  const nodedef = world.nodedefOf(node);
  const meant = nodedef && findMeaning(nodedef, written);
  if (!meant) return null;
  if (!meant.definition) return { kind: "query" };
  const { definition, segments, named } = meant;
  const statusUom = node.properties.get("ST")?.uom ?? null;
  try {
    const parameters = readCommandParameters(world.profile, node, statusUom, definition, segments, named);
    return meant.kind === "query" ? { kind: "query" } : { kind: "taken", definition, parameters };
  } catch (error) {
    if (!(error instanceof ControllerError)) throw error;
    return { kind: "refused", definition, sentence: error.message };
  }
}
