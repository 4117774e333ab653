/** A changed program out of its text, which is written for the home as it is now. @see docs/programs.md */

import { ControllerError } from "../errors.ts";
import type { Home } from "../home/home.ts";
import { NEVER_RAN, type Program, type ProgramDefinition, ROOT_PROGRAM_ID } from "../home/programs.ts";
import type { Profile } from "../profile/profile.ts";
import { createProgramNames } from "../programs/text/names.ts";
import { parseProgram } from "../programs/text/parse-program.ts";
import type { ProgramText } from "../programs/text/program-text.ts";

export type ChangeText = {
  /** Four hex digits or a name; null: the text says which program it is, or it is a new one. */
  readonly program: string | null;
  readonly text: string;
};

export type ProgramChange = { readonly id: number; readonly written: ProgramText };

/**
 * A program that the text does not name by its id, or by name and folder, is a new one.
 *
 * @param present the home as it is now.
 * @throws ControllerError BAD_PROGRAM_TEXT; PROGRAM_NOT_FOUND; CONFLICT when it is not clear which program is meant.
 */
export function readChanges(present: Home, profile: Profile, texts: readonly ChangeText[]): readonly ProgramChange[] {
  const names = createProgramNames(present, profile);
  let nextId = Math.max(ROOT_PROGRAM_ID, ...present.programs.keys()) + 1;
  const changes = texts.map(({ program, text }): ProgramChange => {
    const written = parseProgram(text, names);
    const known = program === null ? programOfText(present, written) : programNamed(present, program).id;
    if (known !== null) return { id: known, written };
    nextId += 1;
    return { id: written.id ?? nextId - 1, written };
  });
  if (new Set(changes.map(({ id }) => id)).size < changes.length)
    throw new ControllerError("CONFLICT", "Two of the texts are for the same program.");
  return changes;
}

/** The program as the text has it, for the home at the beginning of a recording. */
export function revisedProgram(home: Home, { id, written }: ProgramChange): ProgramDefinition {
  const { id: _id, parentId, ...text } = written;
  const folder = parentId ?? ROOT_PROGRAM_ID;
  const before = home.programs.get(id);
  if (before?.kind === "program") return { ...before, ...text, parentId: folder };
  return { kind: "program", id, parentId: folder, invalid: null, ...NEVER_RAN, running: "idle", ...text };
}

function programNamed(home: Home, which: string): Program {
  const programs = [...home.programs.values()].filter((entry) => entry.kind === "program");
  const byName = programs.filter(({ name }) => name === which);
  if (byName.length > 1)
    throw new ControllerError("CONFLICT", `There are several programs "${which}". Name it by its id.`);
  const [found = programs.find(({ id }) => /^[0-9A-F]{4}$/i.test(which) && id === Number.parseInt(which, 16))] = byName;
  if (!found) throw new ControllerError("PROGRAM_NOT_FOUND", `There is no program "${which}".`);
  return found;
}

function programOfText(home: Home, text: ProgramText): number | null {
  for (const entry of home.programs.values()) {
    if (entry.kind !== "program") continue;
    const isMeant =
      text.id === null
        ? entry.name === text.name && entry.parentId === (text.parentId ?? ROOT_PROGRAM_ID)
        : entry.id === text.id;
    if (isMeant) return entry.id;
  }
  return null;
}
