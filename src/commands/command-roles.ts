/**
 * Carries out one statement to all nodes of a selector: each gets its own command, a few at a time, and the statement has one outcome.
 * Locks and other secured things are never among them, whatever became of them since the program was written.
 */

import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { SentAction } from "../home/program-progress.ts";
import { SECURED_COMMANDS } from "../profile/command-words.ts";
import { memberCommand } from "../profile/role-commands.ts";
import { isSecured } from "../profile/roles.ts";
import { membersOf } from "../programs/role-members.ts";
import type { Sent } from "../programs/runner.ts";
import { type NodeCommandPorts, resolveNodeCommand, sendNodeCommand } from "./node-command.ts";
import type { CommandPorts } from "./ports.ts";

type RolePorts = NodeCommandPorts & Pick<CommandPorts, "config">;
type RoleAction = Extract<SentAction, { readonly kind: "roles" }>;
/** `left out`: the node has no such command, or is secured. */
type Result = "accepted" | "queued" | "left out" | { readonly failure: string };

/** Failures that the outcome names. */
const FAILURES_NAMED = 3;

export async function commandRoles(ports: RolePorts, action: RoleAction, cause: Cause): Promise<Sent> {
  const members = membersOf(ports.home, action.selector);
  const waiting = members.values();
  const results: Result[] = [];
  const takeNext = async () => {
    // All slots take from the same iterator.
    for (const { address } of waiting) results.push(await commandOne(ports, address, action, cause));
  };
  await Promise.all(Array.from({ length: ports.config.roleCommandsAtOnce }, takeNext));
  return { outcome: outcomeOf(results), commandId: null, detail: detailOf(results) };
}

async function commandOne(ports: RolePorts, address: string, action: RoleAction, cause: Cause): Promise<Result> {
  const { home, profile, log } = ports;
  const node = home.nodes.get(address);
  if (!node || isSecured(profile, node)) return "left out";
  const given = memberCommand(profile, node, action.command, action.value);
  if (!given || SECURED_COMMANDS.has(given.command)) return "left out";
  try {
    const { state } = await sendNodeCommand(ports, resolveNodeCommand(ports, { address, ...given }), cause);
    return state === "queued" ? "queued" : "accepted";
  } catch (error) {
    if (error instanceof ControllerError) return { failure: `"${node.name}": ${error.message}` };
    log.error("A command to several devices failed at one of them.", { node: address, error });
    return { failure: `"${node.name}": Something went wrong.` };
  }
}

function outcomeOf(results: readonly Result[]): Sent["outcome"] {
  if (results.includes("accepted")) return "done";
  if (results.includes("queued")) return "queued";
  return results.some((each) => typeof each === "object") ? "failed" : "done";
}

/** `12 of 14. "Kitchen Counter": The device does not answer. 1 without this command.` */
function detailOf(results: readonly Result[]): string {
  const leftOut = results.filter((each) => each === "left out").length;
  const failures = results.flatMap((each) => (typeof each === "object" ? [each.failure] : []));
  const more = failures.length - FAILURES_NAMED;
  return [
    `${results.length - leftOut - failures.length} of ${results.length}.`,
    ...failures.slice(0, FAILURES_NAMED),
    ...(more > 0 ? [`${more} more failed.`] : []),
    ...(leftOut > 0 ? [`${leftOut} without this command.`] : []),
  ].join(" ");
}
