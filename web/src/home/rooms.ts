/** Rooms: the folders of the home with the nodes in them. */

import type { Folder, Home, Node } from "@domovoi/client";
import { controlOf, isOn } from "../store/controls.ts";
import { t } from "../text/text.ts";

export type Room = { readonly key: string; readonly name: string; readonly folder: Folder | null; readonly nodes: readonly Node[] };

/** By path; nodes outside of folders come last. Folders without nodes are there too, so that things can be put into them. */
export function roomsOf(home: Home): readonly Room[] {
  const nodes = new Map<string, Node[]>(Array.from(home.folders, ({ address }): [string, Node[]] => [address, []]));
  const outside: Node[] = [];
  for (const node of home.nodes) (nodes.get(folderOf(home, node.parent) ?? "") ?? outside).push(node);
  const rooms = Array.from(home.folders, (folder): Room => ({
    key: folder.address,
    name: folder.path.replaceAll("/", " / "),
    folder,
    nodes: nodes.get(folder.address) ?? [],
  }));
  rooms.sort((a, b) => a.name.localeCompare(b.name));
  return outside.length === 0 ? rooms : [...rooms, { key: "", name: t("room.none"), folder: null, nodes: outside }];
}

/** Parts of a device that only show a state are on the device's page, unless that state is on: a leak, a low battery. */
export function isWorthARow(home: Home, node: Node, value: string | undefined): boolean {
  const isPart = node.primary !== null && node.primary !== node.address && home.nodes.find(node.primary) !== null;
  return !isPart || controlOf(home, node).kind !== "value" || isOn(value);
}

/** A node of a device lies in the folder of the device's first node. */
function folderOf(home: Home, parent: string | null): string | null {
  if (parent === null || home.folders.find(parent)) return parent;
  return folderOf(home, home.nodes.find(parent)?.parent ?? null);
}
