/** `/api/programs/{id}/text`, `/api/programs/text`: programs and their folders as people read and write them. @see docs/programs.md */

import {
  createProgram,
  createProgramFolder,
  folderToMake,
  programAsRevised,
  programToMake,
  type Revision,
  requireEntry,
  reviseProgram,
} from "../../commands/edit-programs.ts";
import { ControllerError } from "../../errors.ts";
import type { Cause } from "../../home/cause.ts";
import type { Home } from "../../home/home.ts";
import { hexId, type Program, type ProgramEntry, ROOT_PROGRAM_ID } from "../../home/programs.ts";
import { checkReferences } from "../../programs/references.ts";
import { createProgramNames, type ProgramNames } from "../../programs/text/names.ts";
import { readEntry, readProgram } from "../../programs/text/parse-program.ts";
import { printFolder, printProgram } from "../../programs/text/print-program.ts";
import { type EntryText, isFolderText, type ProgramText } from "../../programs/text/program-text.ts";
import { inSlices } from "../../util/slices.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, QueryParameters, Route } from "../route.ts";
import { bodyOf, type JsonSchema, object, textOrNull } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";
import { hexIdOf, versionSchema } from "./program-members.ts";
import { asIfSaved, folderAsIfSaved, PROGRAM_WRITE, savedReply } from "./verify/findings.ts";

const text = { type: "string", description: "The text form of docs/programs.md." } as const;
const id = { type: "string", pattern: "^[0-9A-F]{4}$" } as const;
const version = { type: "integer", description: "Changes with every edit of the program, not with its runs." } as const;
const problem = {
  invalid: { const: true, description: "Present when the program is not loaded; `error` says why." },
  error: { type: "string" },
} as const satisfies Record<string, JsonSchema>;

const programTextData = object({ id, version, text }, { optional: { ...problem } });

const programTextBody = object({ text }, { optional: { version: versionSchema }, additionalProperties: false });

const appliedTextData = object(
  {
    id: textOrNull("null: a dry run, and the program would be a new one."),
    version: { type: ["integer", "null"] },
    text,
    before: textOrNull("The text of the program that was replaced; null: it is a new one."),
  },
  { optional: { ...problem } },
);

const textQuery: QueryParameters = {
  dryRun: { enum: ["true", "false"], description: "Returns the program as it would be saved, without saving it." },
};

const route = apiRoute("programs", "read");

export const programTextRoutes: readonly Route[] = [
  route("GET /api/programs/:id/text", "A program as text.", getProgramText, { past: "at", data: programTextData }),
  route("PUT /api/programs/:id/text", "Replaces a program by its text.", putProgramText, {
    ...PROGRAM_WRITE,
    query: textQuery,
    body: programTextBody,
    data: programTextData,
  }),
  route("POST /api/programs/text", "Creates or replaces a program.", applyProgramText, {
    ...PROGRAM_WRITE,
    query: textQuery,
    body: programTextBody,
    data: appliedTextData,
  }),
];

function getProgramText(request: HttpRequest, services: Services): Reply {
  return envelope(textJson(requireEntry(services.home, hexIdOf(request)), namesOf(services)));
}

/** Replaces the program or folder; what the text leaves out has its default. */
async function putProgramText(request: HttpRequest, services: Services): Promise<Reply> {
  const entry = requireEntry(services.home, hexIdOf(request));
  const { text, version } = bodyOf(request, programTextBody);
  const placed = await inSlices(readEntry(text, namesOf(services), services.config.programLinesMax));
  const written = placed.entry;
  if (written.id !== null && written.id !== entry.id) {
    throw new ControllerError("BAD_BODY", `The text is that of program ${hexId(written.id)}.`);
  }
  checkKind(entry, written);
  if (isDryRun(request)) {
    programAsRevised(services, entry.id, revisionOf(entry.id, written), version ?? null);
    return savedReply(request, services, asIfApplied(written, entry), preview(services, written, entry), placed);
  }
  const replaced = await replace(services, entry.id, written, version ?? null, request.cause);
  return savedReply(request, services, replaced, textJson(replaced, namesOf(services)), placed);
}

/** Replaces what the text names by its id, or by name and folder; without one it is new. */
async function applyProgramText(request: HttpRequest, services: Services): Promise<Reply> {
  const { text, version } = bodyOf(request, programTextBody);
  const placed = await inSlices(readEntry(text, namesOf(services), services.config.programLinesMax));
  const written = placed.entry;
  const known = entryFor(services.home, written);
  // A request with a version refers to a program that existed, so a missing program is a conflict too.
  if (version !== undefined && version !== known?.version) throw new ControllerError("CONFLICT");
  const before = known && printEntry(known, namesOf(services));
  if (isDryRun(request)) {
    checkApplied(services, written, known);
    return savedReply(
      request,
      services,
      asIfApplied(written, known),
      { ...preview(services, written, known), before },
      placed,
    );
  }
  const entry = known
    ? await replace(services, known.id, written, null, request.cause)
    : await create(services, written, request.cause);
  return savedReply(request, services, entry, { ...textJson(entry, namesOf(services)), before }, placed);
}

function isDryRun({ query }: HttpRequest): boolean {
  return query.get("dryRun") === "true";
}

/** A text as a draft: the program as if it were saved, and the one that it would replace. @throws ControllerError as saving it */
export async function draftOf(services: Services, text: string) {
  const names = namesOf(services);
  const placed = await inSlices(readProgram(text, names, services.config.programLinesMax));
  const written = placed.entry;
  const known = programFor(services.home, written);
  checkApplied(services, written, known);
  const draft = asIfSaved(known, { ...edited(written), parentId: written.parentId ?? ROOT_PROGRAM_ID });
  const whole = printProgram({ ...written, id: known?.id ?? null }, names);
  return { known, draft, placed, text: whole, before: known && printEntry(known, names) };
}

/** @param version of the program that the text replaces; null: a new one. @throws ControllerError CONFLICT when it is another by now */
export async function applyDraft(
  services: Services,
  text: string,
  version: number | null,
  cause: Cause,
): Promise<void> {
  const { entry: written } = await inSlices(readProgram(text, namesOf(services), services.config.programLinesMax));
  const known = programFor(services.home, written);
  if ((known?.version ?? null) !== version) throw new ControllerError("CONFLICT");
  if (known) await replace(services, known.id, written, version, cause);
  else await create(services, written, cause);
}

async function create(services: Services, written: EntryText, cause: Cause): Promise<ProgramEntry> {
  if (isFolderText(written)) return createProgramFolder(services, written, cause);
  return createProgram(services, edited(written), cause);
}

async function replace(
  services: Services,
  id: number,
  written: EntryText,
  version: number | null,
  cause: Cause,
): Promise<ProgramEntry> {
  await reviseProgram(services, id, revisionOf(id, written), version, cause);
  return requireEntry(services.home, id);
}

/** The root folder lies nowhere, and its text does not say where. */
function revisionOf(id: number, written: EntryText): Revision {
  const { id: _id, parentId, ...others } = written;
  return id === ROOT_PROGRAM_ID ? others : { ...others, parentId };
}

/** @throws ControllerError that applying it would end with. */
function checkApplied(services: Services, written: EntryText, known: ProgramEntry | null): void {
  if (known) programAsRevised(services, known.id, revisionOf(known.id, written), null);
  else if (isFolderText(written)) folderToMake(services, written);
  else programToMake(services, edited(written));
}

/** @param known of the same kind. */
function asIfApplied(written: EntryText, known: ProgramEntry | null): ProgramEntry {
  if (!isFolderText(written)) {
    const before = known?.kind === "program" ? known : null;
    return asIfSaved(before, { ...edited(written), parentId: written.parentId ?? ROOT_PROGRAM_ID });
  }
  const { name, parentId, conditions } = written;
  return folderAsIfSaved(known?.kind === "folder" ? known : null, { name, parentId, conditions });
}

/** null: it would be a new one. @throws ControllerError PROGRAM_NOT_FOUND; CONFLICT when the text may mean several. */
export function programFor(home: Home, written: ProgramText): Program | null {
  const found = entryFor(home, written);
  return found?.kind === "program" ? found : null;
}

function entryFor(home: Home, written: EntryText): ProgramEntry | null {
  const kind = isFolderText(written) ? "folder" : "program";
  if (written.id !== null) {
    const entry = requireEntry(home, written.id);
    checkKind(entry, written);
    return entry;
  }
  const same = [...home.programs.values()].filter(
    (entry) => entry.kind === kind && entry.name === written.name && entry.parentId === written.parentId,
  );
  if (same.length > 1) {
    const sentence = `There is more than one ${kind} '${written.name}' in this folder: write the id behind the name.`;
    throw new ControllerError("CONFLICT", sentence);
  }
  return same[0] ?? null;
}

/** A program does not become a folder, nor the other way round. */
function checkKind({ kind }: ProgramEntry, written: EntryText): void {
  if ((kind === "folder") === isFolderText(written)) return;
  const sentence = `The text is that of a program${isFolderText(written) ? " folder" : ""}; this is ${kind === "folder" ? "a folder" : "none"}.`;
  throw new ControllerError("BAD_BODY", sentence);
}

function preview(services: Services, written: EntryText, known: ProgramEntry | null): object {
  const whole = { ...written, id: known?.id ?? null };
  const reason = isFolderText(written) ? null : checkReferences(services.home, { kind: "program", tree: written.tree });
  return {
    id: known ? hexId(known.id) : null,
    version: known?.version ?? null,
    text: isFolderText(whole) ? printFolder(whole, namesOf(services)) : printProgram(whole, namesOf(services)),
    ...problemJson(reason),
  };
}

function textJson(entry: ProgramEntry, names: ProgramNames): object {
  return {
    id: hexId(entry.id),
    version: entry.version,
    text: printEntry(entry, names),
    ...problemJson(entry.kind === "program" ? entry.invalid : null),
  };
}

export function printEntry(entry: ProgramEntry, names: ProgramNames): string {
  return entry.kind === "folder" ? printFolder(entry, names) : printProgram(entry, names);
}

function problemJson(reason: string | null): object {
  return reason === null ? {} : { invalid: true, error: reason };
}

function edited({ id: _id, ...written }: ProgramText): Omit<ProgramText, "id"> {
  return written;
}

export function namesOf({ home, profile, integrations }: Services): ProgramNames {
  return createProgramNames(home, profile, (type) => integrations.isChannel(type));
}
