/** The programs of a new home: the built-in ones of every home, and those of the demo. */

import type { Change } from "../home/change.ts";
import { EMPTY_TREE, type ProgramTree } from "../home/program-syntax.ts";
import { type ProgramDefinition, QUERY_ALL_ID, ROOT_PROGRAM_ID } from "../home/programs.ts";
import type { DemoRoom } from "./demo-rooms.ts";
import { FIRST_FOLDER_ID, type FolderRow, DEMO_FOLDERS, DEMO_PROGRAMS, type ProgramRow } from "./demo-programs.ts";
import { at, clockTime, tell } from "./program-words.ts";
import { sizedPrograms } from "./sized-programs.ts";

/** "Query All" asks every device for its state at three in the morning; the root folder comes last. */
export function rootPrograms(rootGroup: string): readonly Change[] {
  const tree = { if: [at(clockTime(3))], then: [tell(rootGroup, "QUERY")], else: [] };
  return [
    { type: "program-added", program: program(QUERY_ALL_ID, ROOT_PROGRAM_ID, { name: "Query All", tree }) },
    { type: "program-added", program: folder(ROOT_PROGRAM_ID, null, { name: "My Programs", conditions: [] }) },
  ];
}

export type ProgramPlan = {
  /** Nodes of a sized home; 0 = the hand-made home. */
  readonly count: number;
  readonly programsMax: number;
};

export function demoPrograms(rooms: readonly DemoRoom[], { count, programsMax }: ProgramPlan): readonly Change[] {
  const { folders, programs } =
    count === 0 ? { folders: DEMO_FOLDERS, programs: DEMO_PROGRAMS } : sizedPrograms(rooms, count, programsMax);
  const firstProgramId = FIRST_FOLDER_ID + folders.length;
  return [
    ...folders.map((row, index) => folder(FIRST_FOLDER_ID + index, ROOT_PROGRAM_ID, row)),
    ...programs.map((row, index) => program(firstProgramId + index, FIRST_FOLDER_ID + row.folder, row)),
  ].map((entry): Change => ({ type: "program-added", program: entry }));
}

const NEVER_RAN = { status: null, lastRunAtMs: null, lastFinishAtMs: null, nextRunAtMs: null };

function folder(id: number, parentId: number | null, { name, conditions }: FolderRow): ProgramDefinition {
  return { kind: "folder", id, parentId, name, conditions, ...NEVER_RAN };
}

type NewProgram = Omit<ProgramRow, "folder">;

function program(id: number, parentId: number, row: NewProgram): ProgramDefinition {
  const tree: ProgramTree = { ...EMPTY_TREE, ...row.tree };
  const { name, comment = "", enabled = true, runAtStartup = false } = row;
  return {
    kind: "program",
    id,
    parentId,
    name,
    comment,
    enabled,
    runAtStartup,
    running: "idle",
    invalid: null,
    tree,
    ...NEVER_RAN,
  };
}
