/** The content of a program's or folder's text, for parsing and printing. */

import type { Condition, ProgramTree } from "../../home/program-syntax.ts";

export type ProgramText = {
  readonly name: string;
  /** null when the text leaves it open. */
  readonly id: number | null;
  /** null = the root folder. */
  readonly parentId: number | null;
  readonly enabled: boolean;
  readonly runAtStartup: boolean;
  /** Lines are divided by \n. */
  readonly comment: string;
  readonly tree: ProgramTree;
};

export type FolderText = Pick<ProgramText, "name" | "id" | "parentId"> & { readonly conditions: readonly Condition[] };

/** A folder has conditions, a program has a tree. */
export type EntryText = ProgramText | FolderText;

export function isFolderText(text: EntryText): text is FolderText {
  return "conditions" in text;
}
