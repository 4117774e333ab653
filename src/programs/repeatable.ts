/**
 * Decides which statements may be sent twice: those that set a device to a state, independent of its state before.
 * Relative changes, sounds and movements, and unknown commands are not repeated.
 */

import type { Group } from "../home/groups.ts";
import type { Home } from "../home/home.ts";
import type { SentAction } from "../home/program-progress.ts";
import type { Profile } from "../profile/profile.ts";

/** Commands that name the state they lead to. */
const STATES: ReadonlySet<string> = new Set([
  "DON",
  "DOF",
  "DFON",
  "DFOF",
  "QUERY",
  "SECMD",
  "LOCK",
  "UNLOCK",
  "CLISPH",
  "CLISPC",
  "CLIMD",
  "CLIFS",
  "CLISMD",
]);

/** @param home the home in which it is to be done: the links of a scene decide what its members do. */
export function isRepeatable(action: SentAction, home: Home, profile: Profile): boolean {
  if (action.kind === "roles") return true;
  if (action.kind !== "command") return false;
  const group = home.groups.get(action.node);
  if (group) return STATES.has(action.command) && linkedCommands(group).every((command) => STATES.has(command));
  return STATES.has(action.command) || setsProperty(action.node, action.command, home, profile);
}

function linkedCommands(group: Group): readonly string[] {
  return group.blocks.flatMap(({ links }) => links.flatMap((link) => (link.kind === "cmd" ? [link.command] : [])));
}

/** A command with a parameter that starts from a property writes that property. */
function setsProperty(address: string, command: string, home: Home, profile: Profile): boolean {
  const node = home.nodes.get(address);
  const nodedef = node && profile.nodedef(node.nodeDefId, node.family, node.instance);
  const definition = nodedef?.accepts.find(({ id }) => id === command);
  return definition?.parameters.some(({ init }) => init !== null) === true;
}
