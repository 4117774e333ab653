/** What a command by room and role is at one of its nodes. */

import type { GivenCommand, ParameterValue } from "./command-resolver.ts";
import { commandOf } from "./command-words.ts";
import { acceptValue } from "./editor-value.ts";
import type { Profile } from "./profile.ts";
import type { RoleCommand } from "./role-words.ts";
import { UOM } from "./uom.ts";

type Value = Omit<ParameterValue, "id">;
type MemberNode = { readonly nodeDefId: string; readonly family: number; readonly instance: number };

const SET_POINTS = { heat: "CLISPH", cool: "CLISPC" } as const;

/** Whether a value belongs to the command: a level to On, a temperature to a set-point. */
export function valueNeed(command: RoleCommand): "required" | "optional" | "none" {
  if (command in SET_POINTS) return "required";
  return command === "on" ? "optional" : "none";
}

/** null: the node has no such command. One without this level is turned on, or off at level 0: a relay among lamps. */
export function memberCommand(
  profile: Profile,
  node: MemberNode,
  command: RoleCommand,
  value: Value | null,
): GivenCommand | null {
  const nodedef = profile.nodedef(node.nodeDefId, node.family, node.instance);
  if (!nodedef) return null;
  const parameters = value === null ? [] : [{ id: "", ...value }];
  if (command === "heat" || command === "cool") {
    const id = SET_POINTS[command];
    return nodedef.accepts.some((each) => each.id === id) ? { command: id, parameters } : null;
  }
  const found = commandOf(command, nodedef);
  if (found === null || value === null) return found && { command: found.command, parameters: [] };
  const [level] = nodedef.accepts.find(({ id }) => id === found.command)?.parameters ?? [];
  const isLevel = value.uom === UOM.percent && value.value >= 0 && value.value <= 100 * 10 ** value.prec;
  const editor = level ? profile.editor(level.editor, node.family, node.instance) : null;
  if (level && (!isLevel || acceptValue(editor, value))) return { command: found.command, parameters };
  return value.value === 0 ? memberCommand(profile, node, "off", null) : { command: found.command, parameters: [] };
}
