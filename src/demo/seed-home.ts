/**
 * The contents of a new home: the root program folder and the built-in "Query All"; with the demo also rooms, scenes,
 * programs, variables and network resources. The virtual driver has declared the nodes before.
 */

import type { CommandPorts } from "../commands/ports.ts";
import type { Config } from "../config.ts";
import { SYSTEM_CAUSE } from "../home/cause.ts";
import type { Change } from "../home/change.ts";
import { EMPTY_TREE, type ProgramTree } from "../home/program-syntax.ts";
import { NEVER_RAN, type ProgramDefinition, QUERY_ALL_ID, ROOT_PROGRAM_ID } from "../home/programs.ts";
import { demoRooms } from "./demo-devices.ts";
import type { DemoRoom } from "./demo-home.ts";
import { DEMO_FOLDERS, DEMO_PROGRAMS, FIRST_FOLDER_ID, type FolderRow, type ProgramRow } from "./demo-programs.ts";
import { at, clockTime, tell } from "./program-words.ts";
import { demoFolders } from "./seed-folders.ts";
import { demoScenes } from "./seed-scenes.ts";
import { demoResources, demoVariables } from "./seed-tables.ts";
import { sizedPrograms } from "./sized-programs.ts";

type SeedPorts = Pick<CommandPorts, "home" | "feed" | "durability" | "profile" | "clock">;

/**
 * Deterministic: the same configuration gives the same home. The root program folder comes last, so a home that has it
 * was seeded whole.
 *
 * @throws ControllerError STORE_UNAVAILABLE when the disk does not take it.
 */
export async function seedHome(commands: SeedPorts, config: Config): Promise<void> {
  const { feed, durability, home } = commands;
  const demo = config.demo ? demoChanges(commands, config) : [];
  for (const change of [...demo, ...rootPrograms(home.controller.uuid)]) feed.commit(change, SYSTEM_CAUSE);
  await durability.committed(feed.lastSeq);
}

function demoChanges({ home, profile, clock }: SeedPorts, { demoNodes, programsMax }: Config): readonly Change[] {
  const rooms = demoRooms(demoNodes);
  return [
    ...demoFolders(rooms),
    ...demoScenes(rooms, { home, profile, count: demoNodes }),
    ...demoVariables(clock.now()),
    ...demoResources(),
    ...demoPrograms(rooms, { count: demoNodes, programsMax }),
  ];
}

/** "Query All" asks every device for its state at three in the morning; the root folder comes last. */
function rootPrograms(rootGroup: string): readonly Change[] {
  const tree = { if: [at(clockTime(3))], then: [tell(rootGroup, "QUERY")], else: [] };
  return [
    { type: "program-added", program: program(QUERY_ALL_ID, ROOT_PROGRAM_ID, { name: "Query All", tree }) },
    { type: "program-added", program: folder(ROOT_PROGRAM_ID, null, { name: "My Programs", conditions: [] }) },
  ];
}

type ProgramPlan = {
  /** Number of nodes of a generated home; 0 = the built-in home. */
  readonly count: number;
  readonly programsMax: number;
};

function demoPrograms(rooms: readonly DemoRoom[], { count, programsMax }: ProgramPlan): readonly Change[] {
  const { folders, programs } =
    count === 0 ? { folders: DEMO_FOLDERS, programs: DEMO_PROGRAMS } : sizedPrograms(rooms, count, programsMax);
  const firstProgramId = FIRST_FOLDER_ID + folders.length;
  return [
    ...folders.map((row, index) => folder(FIRST_FOLDER_ID + index, ROOT_PROGRAM_ID, row)),
    ...programs.map((row, index) => program(firstProgramId + index, FIRST_FOLDER_ID + row.folder, row)),
  ].map((entry): Change => ({ type: "program-added", program: entry }));
}

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
