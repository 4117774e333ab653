/**
 * A command to one node: which command of its nodedef is meant, with which parameters, and what its driver made of it.
 * Groups are in group-command.ts; how a command waits and fails is in command-life.ts.
 */

import type { CommandParameterValue, Driver, DriverCommand, Outcome } from "../drivers/driver.ts";
import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import { findNode, type Node } from "../home/nodes.ts";
import { findMeaning, type Meaning, type WrittenCommand } from "../profile/command-meaning.ts";
import { readCommandParameters } from "../profile/command-parameters.ts";
import { type LifePorts, leadCommand } from "./command-life.ts";
import type { CommandLife } from "./command-lives.ts";
import type { CommandPorts } from "./ports.ts";

export type CommandRequest = WrittenCommand & { readonly address: string };

export type NodeCommandPorts = LifePorts & Pick<CommandPorts, "home" | "profile" | "drivers">;

/**
 * @returns the command's life up to the answer of its driver; the effect is told by the node's own report.
 * @throws ControllerError NODE_NOT_FOUND, NODE_DISABLED, COMMAND_NOT_ACCEPTED, BAD_PARAMETER before anything is sent; then
 * QUEUE_FULL, DRIVER_UNAVAILABLE, DEVICE_TIMEOUT, DEVICE_UNREACHABLE, DEVICE_FAILED or NOT_SUPPORTED.
 */
export async function commandNode(
  ports: NodeCommandPorts,
  request: CommandRequest,
  cause: Cause,
  signal?: AbortSignal,
): Promise<CommandLife> {
  const node = requireEnabledNode(ports, request.address);
  const nodedef = ports.profile.nodedef(node.nodeDefId, node.family, node.instance);
  const meant = findMeaning(nodedef, request);
  if (!meant) throw notAccepted(node, request.command);
  const wish = { address: node.address, command: meant.command };
  const parameters = readParameters(ports, node, meant);
  if (meant.kind === "query") {
    const query = (id: string, deadline: AbortSignal) =>
      driverOf(ports, node.address).query(node.address, deadline, id);
    return leadCommand(ports, wish, query, cause, signal);
  }
  const send = (id: string, deadline: AbortSignal) => hand(ports, { id, ...wish, parameters, signal: deadline });
  return leadCommand(ports, wish, send, cause, signal);
}

/**
 * The command as its driver gets it, with its parameters in the editors' units; null when it is a query.
 *
 * @throws ControllerError NODE_NOT_FOUND, NODE_DISABLED, COMMAND_NOT_ACCEPTED, BAD_PARAMETER
 */
export function readNodeCommand(
  ports: Pick<CommandPorts, "home" | "profile">,
  request: CommandRequest,
): Omit<DriverCommand, "id" | "signal"> | null {
  const node = requireEnabledNode(ports, request.address);
  const nodedef = ports.profile.nodedef(node.nodeDefId, node.family, node.instance);
  const meant = findMeaning(nodedef, request);
  if (!meant) throw notAccepted(node, request.command);
  const parameters = readParameters(ports, node, meant);
  return meant.kind === "query" ? null : { address: node.address, command: meant.command, parameters };
}

/** True when the node itself takes the command, or its driver takes the query in its place. */
export function acceptsCommand(ports: Pick<CommandPorts, "profile">, node: Node, command: string): boolean {
  const nodedef = ports.profile.nodedef(node.nodeDefId, node.family, node.instance);
  return findMeaning(nodedef, { command, segments: [], named: new Map() }) !== null;
}

/** @throws ControllerError NODE_NOT_FOUND, NODE_DISABLED */
export function requireEnabledNode({ home }: Pick<CommandPorts, "home">, address: string): Node {
  const node = findNode(home, address);
  if (!node) throw new ControllerError("NODE_NOT_FOUND");
  if (!node.enabled) throw new ControllerError("NODE_DISABLED");
  return node;
}

/**
 * The driver of a node as it is now: the node may have been removed or disabled while the command waited.
 *
 * @throws ControllerError NODE_NOT_FOUND, NODE_DISABLED, DRIVER_UNAVAILABLE
 */
export function driverOf(ports: Pick<CommandPorts, "home" | "drivers">, address: string): Driver {
  return ports.drivers.of(requireEnabledNode(ports, address).driver);
}

type Hand = {
  readonly id: string;
  readonly address: string;
  readonly command: string;
  readonly parameters: readonly CommandParameterValue[];
  readonly signal: AbortSignal;
};

function hand(ports: NodeCommandPorts, command: Hand): Promise<Outcome> {
  return driverOf(ports, command.address).send(command);
}

function readParameters(
  { profile }: Pick<CommandPorts, "profile">,
  node: Node,
  { definition, segments, named }: Meaning,
): readonly CommandParameterValue[] {
  const statusUom = node.properties.get("ST")?.uom ?? null;
  return readCommandParameters(profile, node, statusUom, definition, segments, named);
}

function notAccepted(node: Node, command: string): ControllerError {
  return new ControllerError("COMMAND_NOT_ACCEPTED", {
    sentence: `${node.name} does not accept ${shownCommand(command)}.`,
  });
}

/** What looks like none is not repeated. */
export function shownCommand(command: string): string {
  return /^[A-Z0-9_]{1,20}$/i.test(command) ? command : "this command";
}
