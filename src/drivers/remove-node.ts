/** Takes a node out of the home: first out of its groups and from above its children, then the node itself. */

import type { Cause } from "../home/cause.ts";
import type { ChangeFeed } from "../home/change-feed.ts";
import type { Group } from "../home/groups.ts";
import type { Home } from "../home/home.ts";
import { findNode } from "../home/nodes.ts";

export function removeNodeFromHome(
  { home, feed }: { readonly home: Home; readonly feed: ChangeFeed },
  address: string,
  cause: Cause,
): void {
  const node = findNode(home, address);
  if (!node) return;
  for (const group of [...home.groups.values()]) {
    if (mentions(group, address)) {
      feed.commit({ type: "group-links-changed", group: withoutNode(group, address) }, cause);
    }
  }
  const kinds = [
    ["node", home.nodes],
    ["group", home.groups],
    ["folder", home.folders],
  ] as const;
  for (const [kind, things] of kinds) {
    for (const { address: child, parent } of [...things.values()]) {
      if (parent?.kind !== "node" || parent.address !== address) continue;
      feed.commit({ type: "parent-changed", address: child, kind, parent: node.parent }, cause);
    }
  }
  feed.commit({ type: "node-removed", address }, cause);
}

function mentions(group: Group, address: string): boolean {
  return (
    group.members.some((member) => member.address === address) ||
    group.blocks.some((block) => block.controller === address || block.links.some((link) => link.node === address))
  );
}

function withoutNode(group: Group, address: string): Group {
  return {
    ...group,
    members: group.members.filter((member) => member.address !== address),
    blocks: group.blocks
      .filter((block) => block.controller !== address)
      .map((block) => ({ ...block, links: block.links.filter((link) => link.node !== address) })),
  };
}
