/** Rooms: the folders of the home with the nodes in them. */

import type { Folder, Home, Node } from "@domovoi/client";
import { hasState } from "../parts/node-state.ts";
import { isPart } from "../parts/roles.ts";
import { t } from "../text/text.ts";

export type Room = {
  readonly key: string;
  readonly name: string;
  readonly folder: Folder | null;
  readonly nodes: readonly Node[];
};

/** By path; nodes outside of folders come last; parts of devices are badges of the device. Folders without nodes are there too, so that things can be put into them. */
export function roomsOf(home: Home): readonly Room[] {
  const nodes = new Map<string, Node[]>(Array.from(home.folders, ({ address }): [string, Node[]] => [address, []]));
  const outside: Node[] = [];
  for (const node of home.nodes) {
    if (isARow(home, node)) (nodes.get(folderOf(home, node.parent) ?? "") ?? outside).push(node);
  }
  const rooms = Array.from(
    home.folders,
    (folder): Room => ({
      key: folder.address,
      name: folder.path.replaceAll("/", " / "),
      folder,
      nodes: nodes.get(folder.address) ?? [],
    }),
  );
  rooms.sort((a, b) => a.name.localeCompare(b.name));
  return outside.length === 0
    ? rooms
    : [
        ...rooms,
        { key: "", name: t(home.folders.size === 0 ? "room.yours" : "room.none"), folder: null, nodes: outside },
      ];
}

/** Nothing to see and nothing to do: the head of a device whose other nodes say and do everything. */
function isARow(home: Home, node: Node): boolean {
  if (isPart(home, node)) return false;
  const isBare = node.role === "other" && !hasState(node);
  return (
    !isBare ||
    ![...home.nodes].some((other) => other.primary === node.address && other !== node && !isPart(home, other))
  );
}

/** A node of a device lies in the folder of the device's first node. */
function folderOf(home: Home, parent: string | null): string | null {
  if (parent === null || home.folders.find(parent)) return parent;
  return folderOf(home, home.nodes.find(parent)?.parent ?? null);
}
