/** Nodes that sentences of the controller name, for the words and units of their values. */

import type { Node } from "@domovoi/client";

type Find = (key: string) => Node | null;

let find: Find = () => null;

export function setShownNodes(of: Find): void {
  find = of;
}

/** @param key address or name; null: there is none, or several have the name */
export function shownNode(key: string): Node | null {
  return find(key);
}
