/** The demo home's folders, one for each room, and the place of every device's first node in them. */

import type { Change } from "../home/change.ts";
import type { Parent } from "../home/nodes.ts";
import type { DemoRoom } from "./demo-home.ts";

const FIRST_FOLDER = 11_001;

/** Where a room is in the tree. */
export function roomFolder(rooms: readonly DemoRoom[], name: string): Parent | null {
  const at = rooms.findIndex((room) => room.name === name);
  return at < 0 ? null : folderAt(at);
}

function folderAt(index: number): Parent {
  return { address: String(FIRST_FOLDER + index), kind: "folder" };
}

/** A room comes after the one that it lies in. */
export function demoFolders(rooms: readonly DemoRoom[]): readonly Change[] {
  return rooms.flatMap((room, index): readonly Change[] => {
    const parent = folderAt(index);
    const within = room.within === undefined ? null : roomFolder(rooms.slice(0, index), room.within);
    return [
      { type: "folder-added", folder: { address: parent.address, name: room.name, parent: within } },
      ...room.devices
        .filter((device) => device.primary === undefined || device.primary === device.address)
        .map(({ address }): Change => ({ type: "parent-changed", kind: "node", address, parent })),
    ];
  });
}
