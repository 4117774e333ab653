/**
 * The members of a scene told at once, where their driver can, before each is commanded by itself: they move together, and
 * what became of each is still known. Nothing waits for it, and nothing is said of it.
 */

import type { Driver, DriverCommand } from "../../drivers/driver.ts";
import { ControllerError } from "../../errors.ts";
import { type CommandRequest, driverOf, type NodeCommandPorts, readNodeCommand } from "../node-command.ts";

type Wish = Omit<DriverCommand, "id" | "signal">;

export function sendTogether(
  ports: Pick<NodeCommandPorts, "home" | "profile" | "drivers">,
  requests: readonly CommandRequest[],
): void {
  const byDriver = new Map<Driver, Wish[]>();
  for (const request of requests) {
    const found = find(ports, request);
    if (found?.driver.groupcast) byDriver.set(found.driver, [...(byDriver.get(found.driver) ?? []), found.wish]);
  }
  for (const [driver, wishes] of byDriver) if (wishes.length > 1) driver.groupcast?.(wishes);
}

/** null for a member that cannot be commanded; it is told so when its own turn comes. */
function find(
  ports: Pick<NodeCommandPorts, "home" | "profile" | "drivers">,
  request: CommandRequest,
): { readonly driver: Driver; readonly wish: Wish } | null {
  try {
    const wish = readNodeCommand(ports, request);
    return wish && { driver: driverOf(ports, request.address), wish };
  } catch (error) {
    if (error instanceof ControllerError) return null;
    throw error;
  }
}
