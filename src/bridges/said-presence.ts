/** What the nodes of the home say of where somebody is: On and Home are home, Off and Away are away, everything else says nothing. */

import type { ChangeFeed } from "../home/change-feed.ts";
import type { Home } from "../home/home.ts";
import { findNode } from "../home/nodes.ts";
import { type StatusWord, wordOfValue } from "../profile/status-words.ts";

type Said = "home" | "away";

const SAYS: Readonly<Partial<Record<StatusWord, Said>>> = { home: "home", on: "home", away: "away", off: "away" };

export function saidPresence(home: Home, feed: Pick<ChangeFeed, "listen">) {
  return {
    says(address: string): Said | null {
      const node = findNode(home, address);
      const status = node?.enabled && node.link !== "unreachable" ? node.properties.get("ST") : undefined;
      if (!node || !status || status.value === null) return null;
      const word = wordOfValue(node.role ?? null, status.uom, status.value / 10 ** status.prec);
      return word === null ? null : (SAYS[word] ?? null);
    },
    /** @param placed the place of the home may be another one */
    follow: (changed: (address: string) => void, placed: () => void) =>
      feed.listen(({ change }) => {
        if (change.type === "controller-changed") placed();
        else if (change.type === "property-changed" && change.property.id === "ST") changed(change.address);
        else if (
          change.type === "node-link-changed" ||
          change.type === "node-enabled" ||
          change.type === "node-removed"
        )
          changed(change.address);
      }),
  };
}
