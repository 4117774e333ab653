/** Queries devices for their state in the background. The answers arrive as reports. */

import { requireAccepted } from "../drivers/command.ts";
import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import { requireEnabledNode, withDriver } from "./node-command.ts";
import type { CommandPorts } from "./ports.ts";

type QueryPorts = Pick<CommandPorts, "home" | "feed" | "drivers" | "queue" | "log">;

/**
 * Returns at once. A node with a waiting query is not queried twice. Unanswered queries are logged.
 *
 * @param address of a node, of a group for its members, or null (and the root group) for every enabled node.
 * @throws ControllerError NODE_NOT_FOUND, NODE_DISABLED
 */
export async function queryNode(ports: QueryPorts, address: string | null, cause: Cause): Promise<void> {
  for (const node of targets(ports, address)) queryInBackground(ports, node, cause);
}

/** @param address of a node. */
export function queryInBackground(ports: QueryPorts, address: string, cause: Cause): void {
  ports.queue.queries.run(address, () => queryOne(ports, address, cause));
}

function targets({ home }: QueryPorts, address: string | null): readonly string[] {
  const isEnabled = (node: string) => home.nodes.get(node)?.enabled === true;
  if (address === null || address === home.controller.uuid) return [...home.nodes.keys()].filter(isEnabled);
  const group = home.groups.get(address);
  if (group) return group.members.map((member) => member.address).filter(isEnabled);
  return [requireEnabledNode({ home }, address).address];
}

async function queryOne(ports: QueryPorts, address: string, cause: Cause): Promise<void> {
  const { feed, queue, log } = ports;
  queue.lives.enter(feed, cause);
  try {
    const ask = (signal: AbortSignal) => withDriver(ports, address, signal, (driver) => driver.query(address, signal));
    requireAccepted(await queue.run(address, ask));
  } catch (error) {
    if (error instanceof ControllerError) log.info("A device did not answer a query.", { node: address, error });
    else log.error("A driver failed over a query.", { node: address, error });
  } finally {
    queue.lives.leave(feed, cause);
  }
}
