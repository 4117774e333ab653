/**
 * A command to one node: which command of its nodedef is meant, with which parameters, and what its driver made of it.
 * Groups are in group-command.ts; how a command waits and fails is in command-life.ts.
 */

import type { CommandParameterValue, Driver, DriverCommand, Outcome } from "../drivers/driver.ts";
import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import { findNode, type Node } from "../home/nodes.ts";
import { readCommandParameters } from "../profile/command-parameters.ts";
import type { CommandDefinition, Nodedef } from "../profile/nodedef.ts";
import { type LifePorts, leadCommand } from "./command-life.ts";
import type { CommandLife } from "./command-lives.ts";
import type { CommandPorts } from "./ports.ts";

/** Parameters that were given by name; unit null = none was given. */
export type NamedParameters = ReadonlyMap<string, { readonly value: string; readonly uom: number | null }>;

export type CommandRequest = {
  readonly address: string;
  readonly command: string;
  /** Decoded path segments after the command: values, or pairs of value and unit. */
  readonly segments: readonly string[];
  readonly named: NamedParameters;
};

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
  if (meant.kind === "query") {
    const query = (_id: string, deadline: AbortSignal) => driverOf(ports, node.address).query(node.address, deadline);
    return leadCommand(ports, wish, query, cause, signal);
  }
  const parameters = readParameters(ports, node, meant);
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
  if (meant.kind === "query") return null;
  return { address: node.address, command: meant.command, parameters: readParameters(ports, node, meant) };
}

/** True when the node itself takes the command, or its driver takes the query in its place. */
export function acceptsCommand(ports: Pick<CommandPorts, "profile">, node: Node, command: string): boolean {
  const nodedef = ports.profile.nodedef(node.nodeDefId, node.family, node.instance);
  return findMeaning(nodedef, { address: node.address, command, segments: [], named: new Map() }) !== null;
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

type Meaning =
  | { readonly kind: "query"; readonly command: string }
  | {
      readonly kind: "command";
      readonly command: string;
      /** null: the node has no nodedef. */
      readonly definition: CommandDefinition | null;
      readonly segments: readonly string[];
      readonly named: NamedParameters;
    };

/**
 * What older clients send to locks and covers, as the command that these accept. A cover's nodedef has no DOF, or clients
 * would take it for a lamp; those that send it mean to close.
 */
const ALIASES: ReadonlyMap<string, { readonly command: string; readonly segments: readonly string[] }> = new Map([
  ["LOCK", { command: "SECMD", segments: ["1"] }],
  ["UNLOCK", { command: "SECMD", segments: ["0"] }],
  ["DON", { command: "FDUP", segments: [] }],
  ["DFON", { command: "FDUP", segments: [] }],
  ["DOF", { command: "FDDOWN", segments: [] }],
  ["DFOF", { command: "FDDOWN", segments: [] }],
]);

/** A command by its own name comes first, then a lock's alias, then a settable property; the query is for every node. */
function findMeaning(nodedef: Nodedef | null, { command, segments, named }: CommandRequest): Meaning | null {
  if (!nodedef) {
    if (command === "QUERY") return { kind: "query", command };
    return { kind: "command", command, definition: null, segments, named };
  }
  const definition = accepted(nodedef, command);
  if (definition) return { kind: "command", command: definition.id, definition, segments, named };
  if (command === "QUERY") return { kind: "query", command };
  const alias = ALIASES.get(command);
  const aliased = alias && accepted(nodedef, alias.command);
  if (aliased) return { kind: "command", command: aliased.id, definition: aliased, segments: alias.segments, named };
  return findSetter(nodedef, command, segments, named);
}

/** The command that writes a property: the one with a parameter that starts from that property. */
function findSetter(
  nodedef: Nodedef,
  property: string,
  segments: readonly string[],
  named: NamedParameters,
): Meaning | null {
  for (const definition of nodedef.accepts) {
    const parameter = definition.parameters.find(({ init }) => init === property);
    if (!parameter) continue;
    const setter = { kind: "command", command: definition.id, definition } as const;
    const [value, uom] = segments;
    if (definition.parameters[0] === parameter || value === undefined) return { ...setter, segments, named };
    const given = { value, uom: uom === undefined ? null : Number(uom) };
    return { ...setter, segments: [], named: new Map([...named, [parameter.id, given]]) };
  }
  return null;
}

function accepted(nodedef: Nodedef, command: string): CommandDefinition | undefined {
  return nodedef.accepts.find(({ id }) => id === command);
}

function readParameters(
  { profile }: Pick<CommandPorts, "profile">,
  node: Node,
  { definition, segments, named }: Extract<Meaning, { kind: "command" }>,
): readonly CommandParameterValue[] {
  const statusUom = node.properties.get("ST")?.uom ?? null;
  return readCommandParameters(profile, node, statusUom, definition, segments, named);
}

function notAccepted(node: Node, command: string): ControllerError {
  const shown = /^[A-Z0-9_]{1,20}$/i.test(command) ? command : "this command";
  return new ControllerError("COMMAND_NOT_ACCEPTED", { sentence: `${node.name} does not accept ${shown}.` });
}
