/**
 * Decides which commands need more than the right to command. Some move locks and garage doors, which a person who
 * may switch a lamp need not be able to do. Others write into a device, which only an owner may do.
 */

import { canonicalLinks } from "../home/groups.ts";
import { SECURED_COMMANDS } from "../profile/command-words.ts";
import { isSecured } from "../profile/roles.ts";
import type { CommandPorts } from "./ports.ts";

type SecuredPorts = Pick<CommandPorts, "home" | "profile">;

const ASKING: ReadonlySet<string> = new Set(["QUERY", "BEEP"]);

/** The other way to the parameters of a radio device. */
const CONFIGURING: ReadonlySet<string> = new Set(["CONFIG"]);
/** A raw value of a radio device without a definition, whose effect is therefore unknown. */
const UNKNOWN_VALUE = /^V[0-9A-F]{2}_/;

/** The right that it requires beyond commanding. */
export function needsFor(
  ports: SecuredPorts,
  address: string,
  command: string,
): readonly ("operate-lock" | "configure-device")[] {
  return [
    ...(isSecuredCommand(ports, address, command) ? (["operate-lock"] as const) : []),
    ...(configures(command.toUpperCase()) ? (["configure-device"] as const) : []),
  ];
}

const configures = (command: string) => CONFIGURING.has(command) || UNKNOWN_VALUE.test(command);

/**
 * True when the command is one of locks or alarms, goes to a node that the table of roles secures, or to a group that moves
 * one. The root group is one such as soon as the home has a lock.
 */
function isSecuredCommand({ home, profile }: SecuredPorts, address: string, command: string): boolean {
  if (SECURED_COMMANDS.has(command.toUpperCase())) return true;
  if (ASKING.has(command)) return false;
  const isGuarded = (member: string): boolean => {
    const node = home.nodes.get(member);
    return node !== undefined && isSecured(profile, node);
  };
  if (isGuarded(address)) return true;
  if (address === home.controller.uuid) return [...home.nodes.keys()].some(isGuarded);
  const group = home.groups.get(address);
  if (!group) return false;
  const ignored = new Set(canonicalLinks(group).flatMap((link) => (link.kind === "ignore" ? [link.node] : [])));
  return group.members.some((member) => !ignored.has(member.address) && isGuarded(member.address));
}

/** True for a node that the table of roles secures, and for a scene or a folder that contains one, at any depth. */
export function containsSecured({ home, profile }: SecuredPorts, address: string): boolean {
  const inner = new Map<string, string[]>();
  const put = (parent: string, child: string) => void inner.set(parent, [...(inner.get(parent) ?? []), child]);
  for (const things of [home.nodes, home.groups, home.folders])
    for (const { address: child, parent } of things.values()) if (parent) put(parent.address, child);
  for (const group of home.groups.values()) for (const member of group.members) put(group.address, member.address);
  const reached = new Set([address]);
  for (const each of reached) {
    const node = home.nodes.get(each);
    if (node && isSecured(profile, node)) return true;
    for (const child of inner.get(each) ?? []) reached.add(child);
  }
  return false;
}
