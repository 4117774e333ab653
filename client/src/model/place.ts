/** Where things are in the tree: folder names, joined by slashes. */

import type { HomeState } from "./state.ts";

type Placed = { readonly address: string; readonly name: string; readonly parent: string | null };

/** Names of the folders above, then its own. A thing below a node or group is in the folder of that. */
export function pathOf(state: HomeState, thing: Placed): string {
  if (thing.parent === null) return thing.name;
  const names = [thing.name];
  const seen = [thing.address];
  let parent: string | null = thing.parent;
  while (parent !== null && !seen.includes(parent)) {
    seen.push(parent);
    const folder = state.folders.get(parent);
    if (folder) names.unshift(folder.name);
    parent = (folder ?? state.nodes.get(parent) ?? state.groups.get(parent))?.parent ?? null;
  }
  return names.join("/");
}
