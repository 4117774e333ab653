/** Links of scenes in devices: who carries a link out, writing again what a device did not take. */

import type { Driver } from "../drivers/driver.ts";
import { ControllerError } from "../errors.ts";
import type { Change } from "../home/change.ts";
import { type DeviceLinkState, deviceLinkOf } from "../home/device-links.ts";
import { canonicalLinks, type Group, type LinkBlock } from "../home/groups.ts";
import type { CommandPorts } from "./ports.ts";

type LinkPorts = Pick<CommandPorts, "home" | "drivers">;

const software = (detail: string): DeviceLinkState => ({ state: "software", detail });

/** null: nothing is to be carried out, or the driver has nothing to say about commands to the scene itself. */
export function deviceLinkState(
  ports: LinkPorts,
  group: Group,
  block: LinkBlock,
  responder: string,
): DeviceLinkState | null {
  const link = deviceLinkOf(group, block, responder);
  if (!link) return null;
  const { controller, scene } = link;
  if (controller === scene) return driverOfNode(ports, responder)?.links?.state(link) ?? null;
  const driver = driverOfBoth(ports, controller, responder);
  if (!driver) return software("The two devices are not in one network.");
  if (!driver.links) return software("These devices hold no links.");
  return driver.links.state(link) ?? software("One of the two devices is disabled.");
}

/** Whether the member's device follows commands to the scene by a link of its own, such as a button that shows it. */
export function isHeldForScene(ports: LinkPorts, group: Group, member: string): boolean {
  const block = { controller: group.address, links: canonicalLinks(group) };
  return deviceLinkState(ports, group, block, member)?.state === "done";
}

/** Whether the responder does it without the controller when this command is sent. */
export function isCarriedByDevice(
  ports: LinkPorts,
  group: Group,
  block: LinkBlock,
  responder: string,
  command: string,
): boolean {
  const link = deviceLinkOf(group, block, responder);
  const links = driverOfBoth(ports, block.controller, responder)?.links;
  return link !== null && links?.carries(link, command) === true;
}

/** Writes again what the devices of the scene did not take. @throws ControllerError NODE_NOT_FOUND */
export function writeDeviceLinks(ports: LinkPorts, scene: string): void {
  const group = ports.home.groups.get(scene);
  if (!group) throw new ControllerError("NODE_NOT_FOUND", `There is no scene with the address "${scene}".`);
  const drivers = new Set(group.members.map(({ address }) => driverOfNode(ports, address)));
  for (const driver of drivers) driver?.links?.retry(scene);
}

/** For the life of the process. */
export function sendDeviceLinks(ports: LinkPorts & Pick<CommandPorts, "feed">): void {
  let isDue = false;
  const refresh = () => {
    isDue = false;
    for (const { driver } of ports.drivers.list()) driver?.links?.refresh();
  };
  ports.feed.listen(({ change }) => {
    if (isDue || !movesLinks(change)) return;
    isDue = true;
    // After all changes of an edit.
    setImmediate(refresh);
  });
}

function movesLinks({ type }: Change): boolean {
  switch (type) {
    case "group-added":
    case "group-removed":
    case "group-links-changed":
    case "node-added":
    case "node-removed":
    case "node-revised":
    case "node-enabled":
      return true;
    default:
      return false;
  }
}

function driverOfBoth(ports: LinkPorts, one: string, other: string): Driver | null {
  const driver = driverOfNode(ports, one);
  return driver === driverOfNode(ports, other) ? driver : null;
}

function driverOfNode({ home, drivers }: LinkPorts, address: string): Driver | null {
  const name = home.nodes.get(address)?.driver;
  return (name === undefined ? null : drivers.find(name)?.driver) ?? null;
}
