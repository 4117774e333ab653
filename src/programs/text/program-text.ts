/** What the text of a program holds, whichever way it goes. */

import type { ProgramTree } from "../../home/program-syntax.ts";

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
