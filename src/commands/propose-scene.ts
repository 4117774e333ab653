/** Adds a scene that devices have already to the home. A node controls one scene: a button that controls another one stays there. */

import type { ProposedScene } from "../drivers/driver.ts";
import { cleanName } from "../drivers/report-checks.ts";
import type { Cause } from "../home/cause.ts";
import type { ChangeFeed } from "../home/change-feed.ts";
import type { Group, GroupMember } from "../home/groups.ts";
import type { Home } from "../home/home.ts";
import { newAddress, newDeviceGroup } from "./new-ids.ts";

/** @returns its address; null when a scene with the same members exists. @throws ControllerError LIMIT_REACHED */
export function addProposedScene(
  { home, feed }: { readonly home: Home; readonly feed: ChangeFeed },
  { name, deviceGroup, members, blocks }: ProposedScene,
  cause: Cause,
): string | null {
  const groups = [...home.groups.values()];
  const wanted = textOf(members);
  if (groups.some((group) => textOf(group.members) === wanted)) return null;
  const address = newAddress(home, "group");
  const isBusy = (node: string) => groups.some((group) => controls(group.members, node));
  const group: Group = {
    address,
    name: cleanName(name, address),
    parent: null,
    deviceGroup: deviceGroup ?? newDeviceGroup(home),
    members: members.map((each) => ({ ...each, isController: each.isController && !isBusy(each.address) })),
    blocks: blocks
      .filter(({ controller }) => controller === null || !isBusy(controller))
      .map(({ controller, links }) => ({ controller: controller ?? address, links })),
  };
  feed.commit({ type: "group-added", group }, cause);
  return address;
}

function controls(members: readonly GroupMember[], node: string): boolean {
  return members.some(({ address, isController }) => isController && address === node);
}

function textOf(members: readonly GroupMember[]): string {
  return members
    .map(({ address }) => address)
    .sort()
    .join("/");
}
