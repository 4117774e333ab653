/** What a command by room and role is at one of its nodes. */

import type { GivenCommand, ParameterValue } from "./command-resolver.ts";
import { commandOf } from "./command-words.ts";
import type { Nodedef } from "./nodedef.ts";
import type { RoleCommand } from "./role-words.ts";

type Value = Omit<ParameterValue, "id">;

const SET_POINTS = { heat: "CLISPH", cool: "CLISPC" } as const;

/** Whether a value belongs to the command: a level to On, a temperature to a set-point. */
export function valueNeed(command: RoleCommand): "required" | "optional" | "none" {
  if (command in SET_POINTS) return "required";
  return command === "on" ? "optional" : "none";
}

/** null: the nodes have no such command. A node without levels is turned on, or off at level 0. */
export function memberCommand(nodedef: Nodedef, command: RoleCommand, value: Value | null): GivenCommand | null {
  const parameters = value === null ? [] : [{ id: "", ...value }];
  if (command === "heat" || command === "cool") {
    const id = SET_POINTS[command];
    return nodedef.accepts.some((each) => each.id === id) ? { command: id, parameters } : null;
  }
  const found = commandOf(command, nodedef);
  if (found === null || value === null) return found && { command: found.command, parameters: [] };
  const takesLevel = nodedef.accepts.some(({ id, parameters: known }) => id === found.command && known.length > 0);
  if (takesLevel) return { command: found.command, parameters };
  return value.value === 0 ? memberCommand(nodedef, "off", null) : { command: found.command, parameters: [] };
}
