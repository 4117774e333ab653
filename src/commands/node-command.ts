/**
 * A command to one node: resolved against its nodedef, then sent to its driver.
 * Groups are in group-command.ts; how a command waits and fails is in command-life.ts.
 */

import type { DriverCommand, Outcome } from "../drivers/command.ts";
import type { Driver } from "../drivers/driver.ts";
import { ControllerError } from "../errors.ts";
import { BACKLIGHT_MEMORY, WIRED } from "../families.ts";
import type { Cause } from "../home/cause.ts";
import { findNode, type Node } from "../home/nodes.ts";
import type { Property } from "../home/property.ts";
import { isWithoutDevice, SIMULATED } from "../home/without-device.ts";
import { findMeaning, type GivenCommand, type ResolvedCommand, resolveCommand } from "../profile/command-resolver.ts";
import { SECURED_COMMANDS } from "../profile/command-words.ts";
import { displayedValue } from "../profile/editor-value.ts";
import { isSecured } from "../profile/roles.ts";
import { UOM } from "../profile/uom.ts";
import { type LifePorts, leadCommand } from "./command-life.ts";
import type { CommandLife } from "./command-lives.ts";
import type { CommandPorts } from "./ports.ts";

export type CommandRequest = GivenCommand & { readonly address: string };

export type NodeCommandPorts = LifePorts & Pick<CommandPorts, "home" | "profile" | "drivers">;

/** A command as its driver takes it, or a query. */
export type NodeCommand = ResolvedCommand & Pick<DriverCommand, "address">;

/** @throws ControllerError NODE_NOT_FOUND, NODE_DISABLED, COMMAND_NOT_ACCEPTED, BAD_PARAMETER */
export function resolveNodeCommand(
  ports: Pick<CommandPorts, "home" | "profile">,
  request: CommandRequest,
): NodeCommand {
  const node = requireEnabledNode(ports, request.address);
  const resolved = resolveCommand(ports.profile, node, withFadeDirection(ports, request, [node.address]));
  if (!resolved) throw notAccepted(node, request.command);
  return { address: node.address, ...resolved };
}

/**
 * @returns the command's life up to the answer of its driver; the node's own report shows the effect.
 * @throws ControllerError QUEUE_FULL, DRIVER_UNAVAILABLE, DEVICE_TIMEOUT, DEVICE_UNREACHABLE, DEVICE_FAILED, NOT_SUPPORTED,
 * and NODE_NOT_FOUND or NODE_DISABLED when that happened while the command waited.
 */
export function sendNodeCommand(
  ports: NodeCommandPorts,
  resolved: NodeCommand,
  cause: Cause,
  signal?: AbortSignal,
): Promise<CommandLife> {
  const { kind, address, command, parameters } = resolved;
  const send = async (id: string, deadline: AbortSignal): Promise<Outcome> => {
    const outcome = await withDriver(ports, address, deadline, (driver) =>
      kind === "query"
        ? driver.query(address, deadline, id)
        : driver.send({ id, address, command, parameters, signal: deadline }),
    );
    const node = findNode(ports.home, address);
    if (command === "BL" && node?.family === WIRED.id && outcome.kind !== "failed")
      noteBacklight(ports, address, parameters, cause);
    const isSimulated = outcome.kind === "acked" && node && isWithoutDevice(ports.home, node);
    return isSimulated ? { kind: "sent", detail: SIMULATED } : outcome;
  };
  return leadCommand(ports, { address, command, ...shownParameters(ports, resolved) }, send, cause, signal);
}

/** A number for something secured may be a code, so only whether it locks is kept. */
function shownParameters(
  { home, profile }: NodeCommandPorts,
  { address, command, parameters }: NodeCommand,
): Pick<NodeCommand, "parameters"> | null {
  const node = findNode(home, address);
  if (command === "SECMD") return { parameters: parameters.slice(0, 1) };
  const mayBeCode = SECURED_COMMANDS.has(command) || (node !== null && isSecured(profile, node));
  return parameters.length === 0 || mayBeCode ? null : { parameters };
}

const BACKLIGHT_MAX = 0x7f;

/** No property shows it. */
function noteBacklight(
  { feed }: NodeCommandPorts,
  address: string,
  [given]: NodeCommand["parameters"],
  cause: Cause,
): void {
  if (!given) return;
  const shown = displayedValue(given);
  const value = given.uom === UOM.percent ? Math.round((shown * BACKLIGHT_MAX) / 100) : shown;
  feed.commit({ type: "device-parameter", address, number: BACKLIGHT_MEMORY, size: 1, value }, cause);
}

/** True when the node itself takes the command, or its driver takes the query in its place. */
export function acceptsCommand(ports: Pick<CommandPorts, "profile">, node: Node, command: string): boolean {
  const nodedef = ports.profile.nodedef(node.nodeDefId, node.family, node.instance);
  return findMeaning(nodedef, { command, parameters: [] }) !== null;
}

/** BMAN fades up, or down when every lamp is at its highest level. A scene's lamps fade in one direction. */
export function withFadeDirection<T extends GivenCommand>(
  { home }: Pick<CommandPorts, "home">,
  request: T,
  addresses: Iterable<string>,
): T {
  if (request.command !== "BMAN") return request;
  const levels = Array.from(addresses, (address) => findNode(home, address)?.properties.get("ST"));
  const areHighest = levels.every((level) => level !== undefined && isHighestLevel(level));
  return { ...request, command: areHighest ? "FDDOWN" : "FDUP" };
}

/** @throws ControllerError NODE_NOT_FOUND, NODE_DISABLED */
export function requireEnabledNode({ home }: Pick<CommandPorts, "home">, address: string): Node {
  const node = findNode(home, address);
  if (!node) throw new ControllerError("NODE_NOT_FOUND");
  if (!node.enabled) {
    const because = node.disabledBecause ? `: ${node.disabledBecause.replace(/\.$/, "")}` : "";
    throw new ControllerError("NODE_DISABLED", `The node "${node.name}" is disabled${because}.`);
  }
  return node;
}

/**
 * The driver of a node as it is now: the node may have been removed or disabled while the command waited.
 *
 * @throws ControllerError NODE_NOT_FOUND, NODE_DISABLED, DRIVER_UNAVAILABLE
 */
export function driverOfNode(ports: Pick<CommandPorts, "home" | "drivers">, address: string): Driver {
  const { driver: name } = requireEnabledNode(ports, address);
  const driver = ports.drivers.running(name);
  if (!driver) throw notRunning(ports, name);
  return driver;
}

/**
 * Uses the driver of a node once its first start is over, which may be under way behind open listeners; at once where it is over.
 *
 * @throws ControllerError NODE_NOT_FOUND, NODE_DISABLED, DRIVER_UNAVAILABLE; the signal's reason
 */
export async function withDriver<T>(
  ports: Pick<CommandPorts, "home" | "drivers">,
  address: string,
  signal: AbortSignal,
  use: (driver: Driver) => Promise<T>,
): Promise<T> {
  const starting = ports.drivers.started(requireEnabledNode(ports, address).driver, signal);
  if (starting) await starting;
  return use(driverOfNode(ports, address));
}

/** Without the integration's reason: it can hold paths of the machine, and accounts that send commands need not see those. */
function notRunning({ home }: Pick<CommandPorts, "home">, name: string): ControllerError {
  const integration = home.integrations.get(name);
  if (!integration) return new ControllerError("DRIVER_UNAVAILABLE");
  const shown = `The integration "${integration.name}"`;
  if (integration.enabled) {
    const sentence = `${shown} is not running. "domovoi integration list" shows the reason.`;
    return new ControllerError("DRIVER_UNAVAILABLE", sentence);
  }
  // The controller does not start it by itself, so a retry makes no sense.
  const sentence = `${shown} is stopped. Start it on its page or with "domovoi integration start ${name}".`;
  return new ControllerError("DRIVER_UNAVAILABLE", { sentence, retryAfterS: null });
}

function isHighestLevel({ value, prec, uom }: Property): boolean {
  return value !== null && displayedValue({ value, prec }) === (uom === UOM.level ? 255 : 100);
}

function notAccepted(node: Node, command: string): ControllerError {
  return new ControllerError("COMMAND_NOT_ACCEPTED", `${node.name} does not accept ${shownCommand(command)}.`);
}

/** Echoes the command only when it looks like one. */
export function shownCommand(command: string): string {
  return /^[A-Z0-9_]{1,20}$/i.test(command) ? command : "this command";
}
