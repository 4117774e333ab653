/**
 * Acting at a simulated device: what a person there does, such as pressing its button, or the world around it, such as motion.
 * The device then reports as a real one would. At a real device nobody but a person can do so.
 *
 * @see docs/interface/nodes.md
 */

import type { Driver } from "../drivers/driver.ts";
import { ControllerError } from "../errors.ts";
import type { Node } from "../home/nodes.ts";
import { requireEnabledNode, shownCommand } from "./node-command.ts";
import type { CommandPorts } from "./ports.ts";

type ActPorts = Pick<CommandPorts, "home" | "drivers">;
type Simulation = Driver & Required<Pick<Driver, "act" | "actions">>;

/** What can be done at the node. @throws ControllerError NODE_NOT_FOUND, NODE_DISABLED, DRIVER_UNAVAILABLE, NOT_SIMULATED */
export function actionsAtNode(ports: ActPorts, address: string): readonly string[] {
  const node = requireEnabledNode(ports, address);
  return requireSimulation(ports, node).actions(node.address);
}

/**
 * @param value for actions that take one, such as the slot of a code that somebody types.
 * @throws ControllerError as `actionsAtNode`; COMMAND_NOT_ACCEPTED naming what can be done; DEVICE_UNREACHABLE
 */
export function actAtNode(ports: ActPorts, address: string, control: string, value: number | null): void {
  const node = requireEnabledNode(ports, address);
  const simulation = requireSimulation(ports, node);
  const actions = simulation.actions(node.address);
  if (!actions.includes(control)) throw unknownAction(node, control, actions);
  if (simulation.act(node.address, control, value)) return;
  throw new ControllerError("DEVICE_UNREACHABLE", {
    sentence: `${node.name} does nothing on ${control} now. It may be unplugged; PLUG connects it again.`,
  });
}

function requireSimulation({ drivers }: ActPorts, node: Node): Simulation {
  const driver = drivers.of(node.driver);
  if (isSimulation(driver)) return driver;
  const sentence = `${node.name} is a real device: only a person there can do this. Try it in a demo, a twin or a simulated radio.`;
  throw new ControllerError("NOT_SIMULATED", { sentence });
}

function isSimulation(driver: Driver): driver is Simulation {
  return driver.act !== undefined && driver.actions !== undefined;
}

function unknownAction({ name }: Node, control: string, actions: readonly string[]): ControllerError {
  const known = actions.length === 0 ? "nothing" : actions.join(", ");
  return new ControllerError("COMMAND_NOT_ACCEPTED", {
    sentence: `Nobody can do ${shownCommand(control)} at ${name}. It knows ${known}.`,
  });
}
