/**
 * The members of a scene commanded together, where their driver can, before each is commanded by itself: they move together,
 * and the outcome of each is still known. Nothing waits for the multicast, and it has no outcome of its own.
 */

import type { Driver } from "../../drivers/driver.ts";
import { ControllerError } from "../../errors.ts";
import { driverOf, type NodeCommand, type NodeCommandPorts } from "../node-command.ts";

export function sendTogether(
  ports: Pick<NodeCommandPorts, "home" | "drivers">,
  commands: readonly NodeCommand[],
): void {
  const byDriver = new Map<Driver, NodeCommand[]>();
  for (const command of commands) {
    const driver = command.kind === "query" ? null : findDriver(ports, command.address);
    if (driver?.groupcast) byDriver.set(driver, [...(byDriver.get(driver) ?? []), command]);
  }
  for (const [driver, together] of byDriver) if (together.length > 1) driver.groupcast?.(together);
}

/** null while the driver is down; the member's own command fails with the reason. */
function findDriver(ports: Pick<NodeCommandPorts, "home" | "drivers">, address: string): Driver | null {
  try {
    return driverOf(ports, address);
  } catch (error) {
    if (error instanceof ControllerError) return null;
    throw error;
  }
}
