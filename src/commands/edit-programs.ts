/**
 * Creates, revises and removes programs and program folders. A program may name things that do not exist: it is then
 * stored with the reason, and not loaded. Runs are in run-program.ts.
 *
 * @see docs/interface/programs.md
 */

import { badValue, ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { ThingEdit } from "../home/edit.ts";
import { thingWords } from "../home/editable.ts";
import type { Home } from "../home/home.ts";
import type { Condition, ProgramTree } from "../home/program-syntax.ts";
import {
  findProgram,
  foldersAbove,
  NEVER_RAN,
  type Program,
  type ProgramDefinition,
  type ProgramEntry,
  type ProgramFolder,
  QUERY_ALL_ID,
  ROOT_PROGRAM_ID,
} from "../home/programs.ts";
import { checkReferences, ownStatements } from "../programs/references.ts";
import { type EditPorts, editHome } from "./edit-home.ts";
import { checkName } from "./edit-nodes.ts";
import { newId, wantedProgramId } from "./new-ids.ts";
import type { CommandPorts } from "./ports.ts";

export type WrittenProgram = Pick<Program, "name" | "parentId" | "comment" | "enabled" | "runAtStartup" | "tree">;
export type WrittenFolder = Pick<ProgramFolder, "name" | "parentId" | "conditions">;
/** The fields to change; `conditions` is the `if` of a program or of a folder. */
export type Revision = Partial<WrittenProgram & Pick<ProgramFolder, "conditions">>;

/**
 * @param written `parentId` null = the root folder.
 * @param wanted the number that its client has chosen; null: the next one.
 * @throws ControllerError BAD_NAME; BAD_VALUE for the folder; BAD_BODY for the comment; PROGRAM_TOO_LARGE; LIMIT_REACHED;
 * as `wantedProgramId`; STORE_UNAVAILABLE
 */
export async function createProgram(
  ports: EditPorts,
  written: WrittenProgram,
  cause: Cause,
  wanted: number | null = null,
): Promise<Program> {
  const program = programToMake(ports, written, wanted);
  await write(ports, `Create the program "${program.name}"`, program, cause);
  return expectKind(ports.home, program.id, "program");
}

/** The program that `createProgram` would add. @throws ControllerError as it does, STORE_UNAVAILABLE excepted. */
export function programToMake(
  ports: EditPorts,
  written: WrittenProgram,
  wanted: number | null = null,
): ProgramDefinition {
  const program = { kind: "program" as const, ...newEntry(ports, written, wanted), running: "idle" as const };
  return checked(ports, { ...program, ...written, parentId: program.parentId, invalid: null });
}

/** @throws ControllerError as `createProgram`. */
export async function createProgramFolder(
  ports: EditPorts,
  written: WrittenFolder,
  cause: Cause,
  wanted: number | null = null,
): Promise<ProgramFolder> {
  const program = folderToMake(ports, written, wanted);
  await write(ports, `Create the program folder "${program.name}"`, program, cause);
  return expectKind(ports.home, program.id, "folder");
}

/** The folder that `createProgramFolder` would add. @throws ControllerError as it does, STORE_UNAVAILABLE excepted. */
export function folderToMake(
  ports: EditPorts,
  written: WrittenFolder,
  wanted: number | null = null,
): ProgramDefinition {
  return checked(ports, { kind: "folder", ...newEntry(ports, written, wanted), conditions: written.conditions });
}

/**
 * @param version the version that the writer has seen; null overwrites any version.
 * @throws ControllerError PROGRAM_NOT_FOUND; CONFLICT when the version has changed; BAD_BODY for a field that a
 * folder does not have; BAD_REQUEST for moving the root folder; as `createProgram`.
 */
export async function reviseProgram(
  ports: EditPorts,
  id: number,
  revision: Revision,
  version: number | null,
  cause: Cause,
): Promise<ProgramEntry> {
  const program = programAsRevised(ports, id, revision, version);
  const title = revisionTitle(requireEntry(ports.home, id), revision);
  await write(ports, title, program, cause);
  return requireEntry(ports.home, id);
}

/** The program that `reviseProgram` would write. @throws ControllerError as it does, STORE_UNAVAILABLE excepted. */
export function programAsRevised(
  ports: EditPorts,
  id: number,
  revision: Revision,
  version: number | null,
): ProgramDefinition {
  const before = requireVersion(ports.home, id, version);
  const program = before.kind === "folder" ? revisedFolder(before, revision) : revised(before, revision);
  if (id === ROOT_PROGRAM_ID && program.parentId !== null) {
    throw new ControllerError("BAD_REQUEST", "The root folder cannot be moved.");
  }
  return checked(ports, program);
}

/**
 * For writers that may not know statements by room and role, *for*, or texts to channels: a tree with fewer of them than before is
 * refused, unless the writer names the version that it has seen.
 *
 * @throws ControllerError CONFLICT with the number of the statements that would be lost
 */
export function requireOwnStatements(home: Home, id: number, revision: Revision, version: number | null): void {
  const before = findProgram(home, id);
  if (!before || version !== null) return;
  const after =
    before.kind === "folder"
      ? { ...before, conditions: revision.conditions ?? before.conditions }
      : { ...before, tree: treeAfter(before, revision) };
  const lost = ownStatements(before) - ownStatements(after);
  if (lost <= 0) return;
  const statements = lost === 1 ? "a statement" : `${lost} statements`;
  const sentence = `This program has ${statements} that older clients do not know, which the new one lacks. Save it with its version, or change it as text or on the page.`;
  throw new ControllerError("CONFLICT", sentence);
}

/**
 * @param version as for `reviseProgram`.
 * @throws ControllerError PROGRAM_NOT_FOUND; CONFLICT; FOLDER_NOT_EMPTY; BAD_REQUEST for the root folder and Query All;
 * STORE_UNAVAILABLE
 */
export async function removeProgram(ports: EditPorts, id: number, version: number | null, cause: Cause): Promise<void> {
  const { home } = ports;
  const before = requireVersion(home, id, version);
  if (id === ROOT_PROGRAM_ID) throw new ControllerError("BAD_REQUEST", "The root folder cannot be removed.");
  if (id === QUERY_ALL_ID) {
    throw new ControllerError(
      "BAD_REQUEST",
      `The program "${home.programs.get(id)?.name}" is built in and cannot be removed. It can be disabled.`,
    );
  }
  for (const { parentId } of home.programs.values()) {
    if (parentId === id) throw new ControllerError("FOLDER_NOT_EMPTY");
  }
  const title = `Remove the ${thingWords("program", before)}`;
  await editHome(ports, { title, things: [{ kind: "program", key: String(id), before, after: null }] }, cause);
}

function newEntry(
  { home, feed, config }: EditPorts,
  written: Pick<WrittenFolder, "name" | "parentId">,
  wanted: number | null,
) {
  if (home.programs.size >= config.programsMax) throw new ControllerError("LIMIT_REACHED");
  const parentId = written.parentId ?? ROOT_PROGRAM_ID;
  // A version that no earlier program of this id can have had: every change of one takes a number of the feed.
  const id = wanted === null ? newId(home, "program ", home.programs) : wantedProgramId(home, wanted);
  return { id, version: feed.lastSeq + 1, name: written.name, parentId, ...NEVER_RAN };
}

function revised(before: Program, revision: Revision): ProgramDefinition {
  const { conditions: _conditions, ...fields } = revision;
  return { ...before, ...fields, tree: treeAfter(before, revision) };
}

function treeAfter({ tree: before }: Program, { tree = before, conditions = tree.if }: Revision): ProgramTree {
  return conditions === tree.if ? tree : { ...tree, if: conditions };
}

function revisedFolder(before: ProgramFolder, { conditions, name, parentId, ...others }: Revision): ProgramDefinition {
  const [foreign] = Object.keys(others);
  if (foreign) throw new ControllerError("BAD_BODY", `A program folder has no "${foreign}".`);
  return {
    ...before,
    name: name ?? before.name,
    parentId: parentId ?? before.parentId,
    conditions: conditions ?? before.conditions,
  };
}

function checked({ home, config }: EditPorts, definition: ProgramDefinition): ProgramDefinition {
  checkName(definition.name);
  checkParent(home, definition);
  if (definition.kind === "folder") {
    checkFolderDepth(home, config, definition);
    checkProgramSize(config, { if: definition.conditions, then: [], else: [] });
    return definition;
  }
  checkComment(config, definition.comment);
  checkProgramSize(config, definition.tree);
  return { ...definition, invalid: checkReferences(home, definition) };
}

function checkParent(home: Home, definition: ProgramDefinition): void {
  if (definition.parentId === null) return;
  if (home.programs.get(definition.parentId)?.kind !== "folder") {
    throw badValue("There is no program folder with the id of parentId.");
  }
  if (foldersAbove(home, definition).some(({ id }) => id === definition.id)) {
    throw badValue("A program folder cannot lie in itself.");
  }
}

/** Only where it comes to lie elsewhere: what another controller has deeper stays. */
function checkFolderDepth(
  home: Home,
  { programFolderDepthMax }: CommandPorts["config"],
  definition: ProgramDefinition,
): void {
  if (home.programs.get(definition.id)?.parentId === definition.parentId) return;
  // The root folder is above all and does not count.
  const depth = foldersAbove(home, definition).length + foldersWithin(home, definition.id);
  if (depth <= programFolderDepthMax) return;
  const sentence = `At most ${programFolderDepthMax} program folders lie inside one another.`;
  throw new ControllerError("LIMIT_REACHED", sentence);
}

/** How many folders lie inside one another below it. */
function foldersWithin(home: Home, id: number): number {
  const folders = [...home.programs.values()].filter(({ kind }) => kind === "folder");
  let level: readonly number[] = [id];
  let depth = -1;
  // An imported home can have folders in a circle.
  for (; level.length > 0 && depth < folders.length; depth += 1) {
    const parents = new Set<number | null>(level);
    level = folders.filter(({ parentId }) => parents.has(parentId)).map((folder) => folder.id);
  }
  return depth;
}

/** Line breaks and tabs are part of a comment; other control characters are not. */
function checkComment({ programCommentCharsMax }: CommandPorts["config"], comment: string): void {
  const isPlain = comment.isWellFormed() && !/\p{Cc}/u.test(comment.replace(/[\n\r\t]/g, ""));
  if (isPlain && comment.length <= programCommentCharsMax) return;
  const sentence = `A comment has at most ${programCommentCharsMax} characters and no control characters but line breaks.`;
  throw new ControllerError("BAD_BODY", sentence);
}

/** @throws ControllerError PROGRAM_TOO_LARGE */
export function checkProgramSize(
  { programStatementsMax, programDepthMax }: Pick<CommandPorts["config"], "programStatementsMax" | "programDepthMax">,
  tree: ProgramTree,
): void {
  const statements = countOf(tree.if) + tree.then.length + tree.else.length;
  if (statements > programStatementsMax) {
    const sentence = `The program has ${statements} statements; ${programStatementsMax} are allowed.`;
    throw new ControllerError("PROGRAM_TOO_LARGE", sentence);
  }
  if (depthOf(tree.if) > programDepthMax) {
    const sentence = `The conditions stand in more than ${programDepthMax} parentheses inside one another.`;
    throw new ControllerError("PROGRAM_TOO_LARGE", sentence);
  }
}

function countOf(conditions: readonly Condition[]): number {
  return conditions.reduce((sum, each) => sum + 1 + (each.kind === "paren" ? countOf(each.conditions) : 0), 0);
}

function depthOf(conditions: readonly Condition[]): number {
  return conditions.reduce((most, each) => Math.max(most, each.kind === "paren" ? 1 + depthOf(each.conditions) : 0), 0);
}

function requireVersion(home: Home, id: number, version: number | null): ProgramEntry {
  const entry = requireEntry(home, id);
  if (version !== null && version !== entry.version) throw new ControllerError("CONFLICT");
  return entry;
}

/** @throws ControllerError PROGRAM_NOT_FOUND */
export function requireEntry(home: Home, id: number): ProgramEntry {
  const entry = findProgram(home, id);
  if (!entry) throw new ControllerError("PROGRAM_NOT_FOUND");
  return entry;
}

/** Another request may have removed it while this one waited for the disk. */
function expectKind<K extends ProgramEntry["kind"]>(home: Home, id: number, kind: K) {
  const entry = requireEntry(home, id);
  if (entry.kind !== kind) throw new ControllerError("PROGRAM_NOT_FOUND");
  return entry as Extract<ProgramEntry, { kind: K }>;
}

function revisionTitle(before: ProgramEntry, revision: Revision): string {
  const { name = before.name, enabled, ...others } = revision;
  const what = thingWords("program", before);
  if (Object.keys(others).length > 0) return `Change the ${what}`;
  if (enabled !== undefined) return `${enabled ? "Enable" : "Disable"} the ${what}`;
  return name === before.name ? `Change the ${what}` : `Rename the ${what} to "${name}"`;
}

async function write(ports: EditPorts, title: string, program: ProgramDefinition, cause: Cause): Promise<void> {
  const before = findProgram(ports.home, program.id);
  // The home counts the version of a program that it knows.
  const things: readonly ThingEdit[] = [
    { kind: "program", key: String(program.id), before, after: program as ProgramEntry },
  ];
  await editHome(ports, { title, things, otherwise: { type: "program-changed", program } }, cause);
}
