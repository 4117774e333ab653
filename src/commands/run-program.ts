/**
 * Commands to a program or a folder of programs: run, stop, enable, disable.
 *
 * A folder passes run and stop on to its enabled programs, at any depth. Enable and disable go to all of them,
 * because a folder has no such flag of its own. The verbs are defined in programs/engine/orders.ts.
 *
 * @see docs/interface/programs.md
 */

import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import { findProgram, type ProgramVerb } from "../home/programs.ts";
import type { CommandPorts } from "./ports.ts";

type ProgramPorts = Pick<CommandPorts, "home" | "durability" | "programs">;
type Rule = { readonly isForFolders: boolean; readonly isRun: boolean };

const RULES: Readonly<Record<ProgramVerb, Rule>> = {
  run: { isForFolders: true, isRun: true },
  runIf: { isForFolders: false, isRun: true },
  runThen: { isForFolders: false, isRun: true },
  runElse: { isForFolders: false, isRun: true },
  stop: { isForFolders: true, isRun: false },
  enable: { isForFolders: true, isRun: false },
  disable: { isForFolders: true, isRun: false },
  enableRunAtStartup: { isForFolders: false, isRun: false },
  disableRunAtStartup: { isForFolders: false, isRun: false },
};

const VERBS: ReadonlyMap<string, ProgramVerb> = new Map(
  (Object.keys(RULES) as ProgramVerb[]).map((verb) => [verb.toLowerCase(), verb]),
);

/**
 * Works on disabled programs too, except in a folder.
 *
 * @param id of a program or a folder, 1 … 65,535
 * @param verb one of `ProgramVerb`, in any case.
 * @throws ControllerError PROGRAM_NOT_FOUND; PROGRAM_COMMAND_UNKNOWN; COMMAND_NOT_FOR_FOLDERS; CONFLICT when an invalid
 * program is to run; STORE_UNAVAILABLE
 */
export async function runProgram(ports: ProgramPorts, id: number, verb: string, cause: Cause): Promise<void> {
  const entry = findProgram(ports.home, id);
  if (!entry) throw new ControllerError("PROGRAM_NOT_FOUND");
  const known = VERBS.get(verb.toLowerCase());
  if (!known) throw new ControllerError("PROGRAM_COMMAND_UNKNOWN");
  const { isForFolders, isRun } = RULES[known];
  if (entry.kind === "folder" && !isForFolders) throw new ControllerError("COMMAND_NOT_FOR_FOLDERS");
  if (isRun && entry.kind === "program" && entry.invalid !== null) {
    throw new ControllerError("CONFLICT", `The program is not loaded: ${entry.invalid}`);
  }
  await ports.durability.committed(ports.programs.order(id, known, cause));
}
