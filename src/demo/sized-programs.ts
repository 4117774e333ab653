/** Programs of a home of any size: two for every five nodes, room by room, in folders by room. */

import type { DeviceKind } from "../drivers/virtual/kinds.ts";
import type { ProgramTree } from "../home/program-syntax.ts";
import type { DemoRoom } from "./demo-home.ts";
import { FIRST_FOLDER_ID, type FolderRow, type ProgramRow } from "./demo-programs.ts";
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
import { COUNTER, STATE } from "./seed-tables.ts";

const FOLDERS_MIN = 6;
const PROGRAMS_PER_FOLDER = 40;
const LAMPS: readonly DeviceKind[] = ["dimmer", "keypad"];
/** They send commands when a person uses them. */
const SENDERS: readonly DeviceKind[] = ["dimmer", "relay", "outlet", "keypad", "door", "motion"];
const LEVEL = 100;

type SizedPrograms = { readonly folders: readonly FolderRow[]; readonly programs: readonly ProgramRow[] };

/** @param programsMax limit of the home for programs and folders together. */
export function sizedPrograms(rooms: readonly DemoRoom[], count: number, programsMax: number): SizedPrograms {
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
