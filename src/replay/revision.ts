/** A changed program out of its text, which is written for the home as it is now. @see docs/programs.md */

import type { Home } from "../home/home.ts";
import { type Program, type ProgramDefinition, ROOT_PROGRAM_ID } from "../home/programs.ts";
import type { Profile } from "../profile/profile.ts";
import { createProgramNames } from "../programs/text/names.ts";
import { parseProgram } from "../programs/text/parse-program.ts";
import type { ProgramText } from "../programs/text/program-text.ts";

/**
 * @param home the one at the beginning of a recording. @param present the one of now.
 * @returns the program that the text names by its id, or by name and folder, as the text has it; otherwise a new one.
 *
 * @throws ControllerError BAD_PROGRAM_TEXT
 */
export function revisedProgram(home: Home, present: Home, profile: Profile, text: string): ProgramDefinition {
  const { id, parentId, ...written } = parseProgram(text, createProgramNames(present, profile));
  const folder = parentId ?? ROOT_PROGRAM_ID;
  const known = knownProgram(present, { id, parentId: folder, name: written.name });
  const number = id ?? known?.id ?? nextId(present);
  const before = home.programs.get(number);
  if (before?.kind === "program") return { ...before, ...written, parentId: folder };
  const idle = { status: null, lastRunAtMs: null, lastFinishAtMs: null, nextRunAtMs: null, running: "idle" } as const;
  return { kind: "program", id: number, parentId: folder, invalid: null, ...idle, ...written };
}

function knownProgram(home: Home, text: Pick<ProgramText, "id" | "parentId" | "name">): Program | null {
  for (const entry of home.programs.values()) {
    if (entry.kind !== "program") continue;
    const isMeant =
      text.id === null ? entry.name === text.name && entry.parentId === text.parentId : entry.id === text.id;
    if (isMeant) return entry;
  }
  return null;
}

function nextId(home: Home): number {
  return Math.max(ROOT_PROGRAM_ID, ...home.programs.keys()) + 1;
}
