/**
 * The contents of a new home: the root program folder and the built-in "Query All"; with the demo also rooms, scenes,
 * programs, variables and network resources. The virtual driver has declared the nodes before.
 */

import type { CommandPorts } from "../commands/ports.ts";
import type { Config } from "../config.ts";
import type { DeviceKind } from "../drivers/virtual/kinds.ts";
import { SYSTEM_CAUSE } from "../home/cause.ts";
import type { Change } from "../home/change.ts";
import { EMPTY_TREE, type ProgramTree } from "../home/program-syntax.ts";
import { NEVER_RAN, type ProgramDefinition, QUERY_ALL_ID, ROOT_PROGRAM_ID } from "../home/programs.ts";
import { demoRooms } from "./demo-devices.ts";
import type { DemoRoom } from "./demo-home.ts";
import { DEMO_FOLDERS, DEMO_PROGRAMS, FIRST_FOLDER_ID, type FolderRow, type ProgramRow } from "./demo-programs.ts";
import {
  assign,
  at,
  between,
  clockTime,
  dimTo,
  has,
  isOn,
  programIs,
  sends,
  sunTime,
  tell,
  variableIs,
  WORKDAYS,
  wait,
} from "./program-words.ts";
import { demoFolders } from "./seed-folders.ts";
import { demoScenes } from "./seed-scenes.ts";
import { COUNTER, demoResources, demoVariables, STATE } from "./seed-tables.ts";

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

const FOLDERS_MIN = 6;
const PROGRAMS_PER_FOLDER = 40;
const LAMPS: readonly DeviceKind[] = ["dimmer", "keypad"];
/** They send commands when a person uses them. */
const SENDERS: readonly DeviceKind[] = ["dimmer", "relay", "outlet", "keypad", "door", "motion"];
const LEVEL = 100;

type SizedPrograms = { readonly folders: readonly FolderRow[]; readonly programs: readonly ProgramRow[] };

/**
 * Programs of a home of any size: two for every five nodes, room by room, in folders by room.
 * @param programsMax limit of the home for programs and folders together.
 */
function sizedPrograms(rooms: readonly DemoRoom[], count: number, programsMax: number): SizedPrograms {
  const wanted = Math.floor((count * 2) / 5);
  const folderCount = Math.max(FOLDERS_MIN, Math.ceil(wanted / PROGRAMS_PER_FOLDER));
  const room = Math.max(0, programsMax - folderCount - FIRST_FOLDER_ID);
  const folders = Array.from({ length: folderCount }, (_, at) => ({ name: `Programs ${at + 1}`, conditions: [] }));
  const firstId = FIRST_FOLDER_ID + folderCount;
  const programs = Array.from({ length: Math.min(wanted, room) }, (_, index) =>
    sizedProgram(parts(rooms, index), index, { folder: index % folderCount, ownId: firstId + index }),
  );
  return { folders, programs };
}

type Parts = { readonly lamp: string; readonly sender: string; readonly room: string };

/** A lamp and something else that sends, of the program's room: a lamp that follows itself would start its program for ever. */
function parts(rooms: readonly DemoRoom[], index: number): Parts {
  const room = rooms[index % rooms.length];
  const devices = room?.devices ?? [];
  const pick = (kinds: readonly DeviceKind[], besides = "") => {
    const fitting = devices.filter(({ kind, address }) => kinds.includes(kind) && address !== besides);
    return (fitting[Math.floor(index / rooms.length) % fitting.length] ?? devices[0])?.address ?? "";
  };
  const lamp = pick(LAMPS);
  return { lamp, sender: pick(SENDERS, lamp), room: room?.name ?? "" };
}

function sizedProgram(
  given: Parts,
  index: number,
  { folder, ownId }: { readonly folder: number; readonly ownId: number },
): ProgramRow {
  const [name, tree] = TEMPLATES[index % TEMPLATES.length]?.(given, index, ownId) ?? ["Program", {}];
  return { name: `${given.room} ${name} ${index + 1}`, folder, enabled: index % 12 !== 11, tree };
}

type Template = (given: Parts, index: number, ownId: number) => readonly [name: string, tree: Partial<ProgramTree>];

const TEMPLATES: readonly Template[] = [
  ({ lamp, sender }) => [
    "on Demand",
    { if: [sends(sender, "DON")], then: [dimTo(lamp, 80), wait(10), tell(lamp, "DOF")] },
  ],
  ({ lamp }) => [
    "in the Evening",
    { if: [between(sunTime("sunset"), clockTime(23))], then: [dimTo(lamp, 60)], else: [tell(lamp, "DOF")] },
  ],
  ({ sender }) => ["Counter", { if: [sends(sender, "DON")], then: [assign(1, COUNTER.doorOpenings, "ADD=", 1)] }],
  ({ lamp }, index) => ["Morning", { if: [at(clockTime(6, index % 60), WORKDAYS)], then: [dimTo(lamp, 40)] }],
  ({ lamp, sender }) => ["follows", { if: [isOn(sender)], then: [tell(lamp, "DON")], else: [tell(lamp, "DOF")] }],
  ({ lamp }) => [
    "too Bright",
    {
      if: [has(lamp, "ST", "GT", { value: 230, prec: 0, uom: LEVEL }), variableIs(2, STATE.nightMode, "IS", 1)],
      then: [tell(lamp, "DIM")],
    },
  ],
  ({ lamp }, _index, ownId) => [
    "after the one before",
    { if: [programIs(ownId - 1, true), variableIs(2, STATE.away, "IS", 0)], then: [dimTo(lamp, 20), wait(1)] },
  ],
];
