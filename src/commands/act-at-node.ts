/**
 * Acts at a simulated device like a person or the world around it: presses its button, or lets its sensor see motion.
 * The device then reports like a real one. Real devices refuse.
 *
 * @see docs/interface/nodes.md
 */

import type { Simulation } from "../drivers/driver.ts";
import { ControllerError } from "../errors.ts";
import type { Node } from "../home/nodes.ts";
import { driverOfNode, requireEnabledNode, shownCommand } from "./node-command.ts";
import type { CommandPorts } from "./ports.ts";

type ActPorts = Pick<CommandPorts, "home" | "drivers">;

/**
 * The possible actions at the node. @throws ControllerError NODE_NOT_FOUND, NODE_DISABLED, DRIVER_UNAVAILABLE,
 * NOT_SIMULATED
 */
export function actionsAtNode(ports: ActPorts, address: string): readonly string[] {
  const node = requireEnabledNode(ports, address);
  return requireSimulation(ports, node).actions(node.address);
}

/**
 * @param value for actions with a value, such as the slot of an entered code.
 * @throws ControllerError as `actionsAtNode`; COMMAND_NOT_ACCEPTED naming the possible actions; DEVICE_UNREACHABLE
 */
export function actAtNode(ports: ActPorts, address: string, control: string, value: number | null): void {
  const node = requireEnabledNode(ports, address);
  const simulation = requireSimulation(ports, node);
  const actions = simulation.actions(node.address);
  if (!actions.includes(control)) throw unknownAction(node, control, actions);
  if (simulation.act(node.address, control, value)) return;
  throw new ControllerError(
    "DEVICE_UNREACHABLE",
    `${node.name} does nothing on ${control} now. It may be unplugged; PLUG connects it again.`,
  );
}

function requireSimulation(ports: ActPorts, node: Node): Simulation {
  const { simulation } = driverOfNode(ports, node.address);
  if (simulation) return simulation;
  const sentence = `${node.name} is a real device: only a person there can do this. Try it in a demo, a twin or a simulated radio.`;
  throw new ControllerError("NOT_SIMULATED", sentence);
}

function unknownAction({ name }: Node, control: string, actions: readonly string[]): ControllerError {
  const known = actions.length === 0 ? "It has no actions." : `Its actions are ${actions.join(", ")}.`;
  return new ControllerError("COMMAND_NOT_ACCEPTED", `${name} has no action ${shownCommand(control)}. ${known}`);
}
