/** Takes a node out of the home: first out of its groups and from above its children, then the node itself. */

import type { Cause } from "../home/cause.ts";
import type { ChangeFeed } from "../home/change-feed.ts";
import { linksWithout } from "../home/groups.ts";
import type { Home } from "../home/home.ts";
import { findNode, PARENT_KINDS } from "../home/nodes.ts";

export function removeNodeFromHome(
  { home, feed }: { readonly home: Home; readonly feed: ChangeFeed },
  address: string,
  cause: Cause,
): void {
  const node = findNode(home, address);
  if (!node) return;
  const gone = new Set([address]);
  for (const group of [...home.groups.values()]) {
    const links = linksWithout(group, gone);
    if (links) feed.commit({ type: "group-links-changed", group: { ...group, ...links } }, cause);
  }
  for (const kind of PARENT_KINDS) {
    for (const { address: child, parent } of [...home[`${kind}s`].values()]) {
      if (parent?.kind !== "node" || parent.address !== address) continue;
      feed.commit({ type: "parent-changed", address: child, kind, parent: node.parent }, cause);
    }
  }
  feed.commit({ type: "node-removed", address }, cause);
}
