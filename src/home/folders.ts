/** Folders: where nodes and groups are put in the tree. */

import type { Parent } from "./nodes.ts";

export type Folder = { readonly address: string; readonly name: string; readonly parent: Parent | null };
