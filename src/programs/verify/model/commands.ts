/** A node's reading of a program's command, by the same rules as a client's command. */

import { ControllerError } from "../../../errors.ts";
import type { Node } from "../../../home/nodes.ts";
import {
  type CommandMeaning,
  findMeaning,
  type GivenCommand,
  type ParameterValue,
  resolveParameters,
} from "../../../profile/command-resolver.ts";
import type { CommandDefinition } from "../../../profile/nodedef.ts";
import type { World } from "./world.ts";

export type ReadCommand =
  /** Every node accepts a query. */
  | { readonly kind: "query" }
  /** Its parameters are in units of their editors. */
  | { readonly kind: "taken"; readonly definition: CommandDefinition; readonly parameters: readonly ParameterValue[] }
  /** A parameter is refused, missing or too much. */
  | { readonly kind: "refused"; readonly meaning: CommandMeaning; readonly sentence: string };

/** null: the node does not accept it, or nothing is known of what it accepts. */
export function readCommand(world: World, node: Node, given: GivenCommand): ReadCommand | null {
  const nodedef = world.nodedefOf(node);
  const meaning = nodedef && findMeaning(nodedef, given);
  if (!meaning?.definition) return null;
  const { kind, definition } = meaning;
  try {
    const parameters = resolveParameters(world.profile, node, meaning);
    return kind === "query" ? { kind } : { kind: "taken", definition, parameters };
  } catch (error) {
    if (!(error instanceof ControllerError)) throw error;
    return { kind: "refused", meaning, sentence: error.message };
  }
}
