/** Programs and program folders: one id space, 1 is the root folder. */

import { isDeepStrictEqual } from "node:util";
import type { Versions } from "./parts.ts";
import type { Condition, ProgramTree } from "./program-syntax.ts";

export const ROOT_PROGRAM_ID = 1;
/** Built in as the root folder is: some clients break on a list that holds nothing else. */
export const QUERY_ALL_ID = 2;

export type RunState = "idle" | "then" | "else";

/** Commands to a program, by a person or the interface on a person's behalf. */
export type ProgramVerb =
  | "run"
  | "runIf"
  | "runThen"
  | "runElse"
  | "stop"
  | "enable"
  | "disable"
  | "enableRunAtStartup"
  | "disableRunAtStartup";

type Common = {
  /** 1 … 65,535; four upper-case hex digits on the wire. */
  readonly id: number;
  /** Moves with every change of what a person wrote; runs and `invalid` do not move it. */
  readonly version: number;
  readonly name: string;
  /** null on the root folder only. */
  readonly parentId: number | null;
  readonly lastRunAtMs: number | null;
  readonly lastFinishAtMs: number | null;
  readonly nextRunAtMs: number | null;
};

export type ProgramFolder = Common & {
  readonly kind: "folder";
  /** Result of the last evaluation; null before the first one. */
  readonly status: boolean | null;
  readonly conditions: readonly Condition[];
};

export type Program = Common & {
  readonly kind: "program";
  readonly comment: string;
  readonly enabled: boolean;
  readonly runAtStartup: boolean;
  /** Whether Then is the clause of the last run; false before the first one. */
  readonly status: boolean;
  readonly running: RunState;
  /** Why the program is not loaded, or null when it is valid. */
  readonly invalid: string | null;
  readonly tree: ProgramTree;
};

export type ProgramEntry = Program | ProgramFolder;

/**
 * The definition as it is written. The home counts `version` itself and reads it only for a new id; it is then 1 when
 * absent. Records of earlier versions have the status null for a program that never ran.
 */
export type ProgramDefinition = (
  | (Omit<Program, "version" | "status"> & { readonly status: boolean | null })
  | Omit<ProgramFolder, "version">
) & { readonly version?: number };

/** Of a program or folder that was never evaluated. */
export const NEVER_RAN = { status: null, lastRunAtMs: null, lastFinishAtMs: null, nextRunAtMs: null };

/** The fields that a run changes; separate from the definition. */
export type ProgramRun = Pick<Program, "running" | "lastRunAtMs" | "lastFinishAtMs" | "nextRunAtMs"> & {
  readonly status: boolean | null;
};

/** The part of the home that holds them. */
type ProgramsTable = Versions & {
  readonly programs: Map<number, ProgramEntry>;
};

/** `00A3`: the id of a program or a folder in documents, paths and texts. */
export function hexId(id: number): string {
  return id.toString(16).toUpperCase().padStart(4, "0");
}

export function findProgram(home: ProgramsTable, id: number): ProgramEntry | null {
  return home.programs.get(id) ?? null;
}

export function putProgram(home: ProgramsTable, definition: ProgramDefinition): void {
  const before = home.programs.get(definition.id);
  const version = versionOf(definition, before);
  home.programs.set(
    definition.id,
    definition.kind === "folder"
      ? { ...definition, version }
      : { ...definition, version, status: definition.status ?? false },
  );
  home.touch("programs");
}

/** The entry with another state of its runs; a folder has a status and no run. */
export function withRun(entry: ProgramEntry, run: Partial<ProgramRun>): ProgramEntry {
  const { running, status = entry.status, ...times } = run;
  if (entry.kind === "folder") return { ...entry, ...times, status };
  return { ...entry, ...times, status: status ?? false, running: running ?? entry.running };
}

export function patchProgramRun(home: ProgramsTable, id: number, run: Partial<ProgramRun>): void {
  const entry = home.programs.get(id);
  if (entry) putProgram(home, withRun(entry, run));
}

export function dropProgram(home: ProgramsTable, id: number): void {
  if (!home.programs.delete(id)) return;
  home.touch("programs");
}

/**
 * The folders from the root folder down to the one that holds the entry; empty for the root folder. The list ends at
 * a missing folder.
 */
export function foldersAbove(
  home: Pick<ProgramsTable, "programs">,
  entry: ProgramDefinition,
): readonly ProgramFolder[] {
  const above: ProgramFolder[] = [];
  let parent = home.programs.get(entry.parentId ?? 0);
  while (parent?.kind === "folder" && !above.includes(parent)) {
    above.unshift(parent);
    parent = home.programs.get(parent.parentId ?? 0);
  }
  return above;
}

/** The programs and folders below a folder, any depth, in id order. */
export function programsBelow(home: ProgramsTable, folderId: number): readonly ProgramEntry[] {
  const children = [...home.programs.values()]
    .filter((entry) => entry.parentId === folderId)
    .sort((a, b) => a.id - b.id);
  return children.flatMap((entry) => (entry.kind === "folder" ? [entry, ...programsBelow(home, entry.id)] : [entry]));
}

function versionOf(now: ProgramDefinition, before: ProgramEntry | undefined): number {
  if (!before) return now.version ?? 1;
  return isSameDefinition(now, before) ? before.version : before.version + 1;
}

/** By content: a journal that is applied again counts the same versions as the home that wrote it. */
function isSameDefinition(now: ProgramDefinition, before: ProgramEntry): boolean {
  if (now.name !== before.name || now.parentId !== before.parentId) return false;
  if (now.kind === "folder") return before.kind === "folder" && isSameSyntax(now.conditions, before.conditions);
  return (
    before.kind === "program" &&
    now.comment === before.comment &&
    now.enabled === before.enabled &&
    now.runAtStartup === before.runAtStartup &&
    isSameSyntax(now.tree, before.tree)
  );
}

/** Runs share their tree, so trees are compared only after an edit. */
function isSameSyntax(now: object, before: object): boolean {
  return now === before || isDeepStrictEqual(now, before);
}
