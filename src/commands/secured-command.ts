/** Which commands move what keeps a home closed, so that who may switch a lamp need not be able to open a door. */

import { canonicalLinks } from "../home/groups.ts";
import type { CommandPorts } from "./ports.ts";

/** Locks, and alarm panels. */
const SECURED: ReadonlySet<string> = new Set(["SECMD", "LOCK", "UNLOCK", "ARM", "DISARM"]);
const ASKING: ReadonlySet<string> = new Set(["QUERY", "BEEP"]);

/**
 * True when the command is one of locks or alarms, goes to a node that is one, or to a group that moves one.
 * The root group is one such as soon as the home has a lock.
 */
export function isSecured(
  { home, profile }: Pick<CommandPorts, "home" | "profile">,
  address: string,
  command: string,
): boolean {
  if (SECURED.has(command.toUpperCase())) return true;
  if (ASKING.has(command)) return false;
  const isGuarded = (member: string): boolean => {
    const node = home.nodes.get(member);
    const nodedef = node && profile.nodedef(node.nodeDefId, node.family, node.instance);
    return nodedef?.accepts.some(({ id }) => SECURED.has(id)) === true;
  };
  if (isGuarded(address)) return true;
  if (address === home.controller.uuid) return [...home.nodes.keys()].some(isGuarded);
  const group = home.groups.get(address);
  if (!group) return false;
  const ignored = new Set(canonicalLinks(group).flatMap((link) => (link.kind === "ignore" ? [link.node] : [])));
  return group.members.some((member) => !ignored.has(member.address) && isGuarded(member.address));
}
