/** Folders: where nodes and groups are put in the tree. */

import type { Home } from "./home.ts";
import type { Parent } from "./nodes.ts";

export type Folder = { readonly address: string; readonly name: string; readonly parent: Parent | null };

export function putFolder(home: Home, folder: Folder): void {
  home.folders.set(folder.address, folder);
  home.touch("structure");
}

export function removeFolder(home: Home, address: string): void {
  if (home.folders.delete(address)) home.touch("structure");
}
