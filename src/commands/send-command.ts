/**
 * The one way of a command: to a node, to a scene or, with the root group, to every node.
 * Sending changes no state; the devices' own reports do.
 *
 * @see docs/interface/commands.md
 */

import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { CommandReceipt } from "./command-lives.ts";
import { commandAll, commandGroup } from "./group-command.ts";
import { type CommandRequest, type NodeCommandPorts, resolveNodeCommand, sendNodeCommand } from "./node-command.ts";

/**
 * @param signal withdraws the command while it still waits behind others; one that is under way goes on.
 * @throws ControllerError NODE_NOT_FOUND, NODE_DISABLED, COMMAND_NOT_ACCEPTED, BAD_PARAMETER before anything is sent; then
 * QUEUE_FULL, DRIVER_UNAVAILABLE, DEVICE_TIMEOUT, DEVICE_UNREACHABLE, DEVICE_FAILED or NOT_SUPPORTED. A group fails only
 * when no member took the command.
 */
export async function sendCommand(
  ports: NodeCommandPorts,
  request: CommandRequest,
  cause: Cause,
  signal?: AbortSignal,
): Promise<CommandReceipt> {
  const { home } = ports;
  if (request.address === home.controller.uuid) return commandAll(ports, request, cause, signal);
  const group = home.groups.get(request.address);
  if (group) return commandGroup(ports, group, request, cause, signal);
  if (home.folders.has(request.address)) {
    throw new ControllerError("COMMAND_NOT_ACCEPTED", "A folder accepts no commands.");
  }
  const resolved = resolveNodeCommand(ports, request);
  const { id, address, command, state, detail } = await sendNodeCommand(ports, resolved, cause, signal);
  return { commandId: id, address, command, state, detail, members: [] };
}
