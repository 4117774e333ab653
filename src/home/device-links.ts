/**
 * Links of scenes that devices could carry out themselves: the responder does what the controller does, without a level, a
 * ramp or another command. What is written into devices follows from this alone, so nothing of it is stored.
 */

import type { Group, LinkBlock, SceneLink } from "./groups.ts";
import type { Home } from "./home.ts";

/** Addresses of two nodes. */
export type DeviceLink = { readonly controller: string; readonly responder: string };

export type DeviceLinkState = {
  /**
   * `done`: the device has it and carries it out; `pending`: it is not written, or not removed, yet; `failed`: the device did
   * not take the change; `software`: the controller carries it out.
   */
  readonly state: "done" | "pending" | "failed" | "software";
  /** The reason, a sentence without names; empty when it is done. */
  readonly detail: string;
};

/** The links between two enabled nodes of a driver. */
export function deviceLinksOf(home: Pick<Home, "groups" | "nodes">, driver: string): readonly DeviceLink[] {
  const isOwn = (address: string) => {
    const node = home.nodes.get(address);
    return node?.driver === driver && node.enabled;
  };
  return [...home.groups.values()].flatMap((group) =>
    controllerBlocks(group)
      .filter((block) => isOwn(block.controller))
      .flatMap((block) =>
        block.links
          .filter((link) => link.node !== block.controller && isOwn(link.node) && isPlain(block, link.node))
          .map(({ node }) => ({ controller: block.controller, responder: node })),
      ),
  );
}

/** Whether every link to the node leaves it to do what the controller does. */
export function isPlain({ links }: LinkBlock, node: string): boolean {
  return links.every((link) => link.node !== node || isPlainLink(link));
}

function isPlainLink(link: SceneLink): boolean {
  return link.kind === "default" || (link.kind === "cmd" && link.command === "DON" && link.parameters.length === 0);
}

function controllerBlocks({ address, blocks, members }: Group): readonly LinkBlock[] {
  return blocks.filter(
    (block) =>
      block.controller !== address && members.some((each) => each.isController && each.address === block.controller),
  );
}
