/** Folders: where nodes and groups are put in the tree. */

import type { Parent } from "./nodes.ts";
import type { Versions } from "./parts.ts";

export type Folder = { readonly address: string; readonly name: string; readonly parent: Parent | null };

/** The part of the home that holds them. */
type FoldersTable = Versions & { readonly folders: Map<string, Folder> };

export function putFolder(home: FoldersTable, folder: Folder): void {
  home.folders.set(folder.address, folder);
  home.touch("structure");
}

export function removeFolder(home: FoldersTable, address: string): void {
  if (home.folders.delete(address)) home.touch("structure");
}
