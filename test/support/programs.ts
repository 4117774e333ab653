/** Stored programs and program folders. */

import { EMPTY_TREE } from "../../src/home/program-syntax.ts";
import { type Program, type ProgramFolder, ROOT_PROGRAM_ID } from "../../src/home/programs.ts";

/** Idle, enabled and without statements, in the root folder. */
export const program = (id: number, patch: Partial<Program> = {}): Program => ({
  kind: "program",
  id,
  version: 1,
  name: `Program ${id}`,
  parentId: ROOT_PROGRAM_ID,
  status: false,
  lastRunAtMs: null,
  lastFinishAtMs: null,
  nextRunAtMs: null,
  comment: "",
  enabled: true,
  runAtStartup: false,
  running: "idle",
  invalid: null,
  tree: EMPTY_TREE,
  ...patch,
});

export const programFolder = (
  id: number,
  parentId: number | null,
  patch: Partial<ProgramFolder> = {},
): ProgramFolder => ({
  kind: "folder",
  id,
  version: 1,
  name: `Folder ${id}`,
  parentId,
  status: true,
  lastRunAtMs: null,
  lastFinishAtMs: null,
  nextRunAtMs: null,
  conditions: [],
  ...patch,
});
