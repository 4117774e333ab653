/** Programs as files, as old clients write them, and the uploads that are refused. @see docs/interface/soap.md */

import {
  createProgram,
  createProgramFolder,
  removeProgram,
  requireOwnStatements,
  reviseProgram,
} from "../../commands/edit-programs.ts";
import { ControllerError } from "../../errors.ts";
import type { Condition } from "../../home/program-syntax.ts";
import { findProgram, hexId, type Program } from "../../home/programs.ts";
import { parseProgramId } from "../../wire/tree.ts";
import { programXml, readTriggers, requireRead, type WrittenTrigger } from "../api/trigger-xml.ts";
import type { Reply } from "../reply.ts";
import { succeeded } from "../rest/rest-reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import type { Services } from "../services.ts";

/** Reading more in one go would hold up the controller. */
const PROGRAM_CHARS_MAX = 131_072;
const PROGRAM_FILE = /^CONF\/D2D\/([0-9A-Fa-f]{1,4})\.PGM$/;
/** Pages of an owner's own, at the address of the controller. */
const PAGES = /^(?:WEB|USER)(?:\/|$)/;

const SHARED = { method: "POST", listener: "both", access: "edit-program", changes: true, page: "soap" } as const;
const UPLOAD = { ...SHARED, holdsProgram: true, readText: (text: string) => text } as const;

export const uploadRoutes: readonly Route[] = [
  {
    ...UPLOAD,
    path: "/program/upload/:id",
    summary: "Writes a program as XML.",
    handle: (request, services) => writeProgram(request, services, request.params.id ?? ""),
  },
  { ...SHARED, path: "/program/delete/:id", summary: "Removes a program.", handle: deleteProgram },
  {
    ...UPLOAD,
    path: "/file/upload/*",
    summary: "Writes the file of a program; others are refused.",
    handle: writeFile,
  },
  { ...SHARED, path: "/file/delete/*", summary: "Refused.", handle: refuseFile },
];

function idOf(text: string): number {
  const id = parseProgramId(text);
  if (!id) throw new ControllerError("PROGRAM_NOT_FOUND");
  return id;
}

/** What the document leaves out stays as it is. A number that no program ever had makes a new one. */
async function writeProgram(request: HttpRequest, services: Services, hex: string): Promise<Reply> {
  const id = idOf(hex);
  const written = readOne(String(request.body), services);
  if (written.id !== null && written.id !== id) {
    throw new ControllerError("BAD_BODY", `The XML is that of program ${hexId(written.id)}, not ${hexId(id)}.`);
  }
  services.programKeys.require(request.principal, services.home, request.query.get("key"));
  if (findProgram(services.home, id)) await revise(request, services, id, written);
  else await create(request, services, id, written);
  services.programKeys.keep(request.principal, services.home);
  return succeeded();
}

function readOne(text: string, { config }: Services): WrittenTrigger {
  const budget = { charsMax: PROGRAM_CHARS_MAX, programsMax: 1, statementsMax: config.programStatementsMax };
  const [written] = readTriggers(text, budget).triggers;
  if (!written) throw new ControllerError("BAD_BODY", "The XML holds no program.");
  requireRead(written);
  return written;
}

async function revise(request: HttpRequest, services: Services, id: number, written: WrittenTrigger): Promise<void> {
  const { kind, name, parentId, comment, tree } = written;
  if (findProgram(services.home, id)?.kind !== kind) {
    throw new ControllerError("BAD_BODY", `${hexId(id)} is a ${kind === "folder" ? "program" : "folder"}.`);
  }
  const revision = {
    ...(name !== null && { name }),
    ...(parentId !== null && { parentId }),
    ...(kind === "folder" ? { conditions: tree.if } : { tree, ...(comment !== null && { comment }) }),
  };
  requireOwnStatements(services.home, id, revision, null);
  requireUnseenParts(services, id, written);
  await reviseProgram(services, id, revision, null, request.cause);
}

/** Only an editor that shows a part of a program leaves out what the program is. */
function requireUnseenParts({ home }: Services, id: number, { id: named, name, tree }: WrittenTrigger): void {
  const before = findProgram(home, id);
  if (named !== null || name !== null || before?.kind !== "program") return;
  const lost = lostUnseenParts(before, { ...before, tree });
  if (lost === 0) return;
  const parts = lost === 1 ? "a part" : `${lost} parts`;
  const sentence = `This program has ${parts} that the editor does not show and would remove. Change it on the page or as text.`;
  throw new ControllerError("CONFLICT", sentence);
}

async function create(request: HttpRequest, services: Services, id: number, written: WrittenTrigger): Promise<void> {
  const { kind, name, parentId, comment, tree } = written;
  const entry = { name: name ?? `${kind === "folder" ? "Folder" : "Program"} ${hexId(id)}`, parentId };
  if (kind === "folder") {
    await createProgramFolder(services, { ...entry, conditions: tree.if }, request.cause, id);
    return;
  }
  const program = { ...entry, comment: comment ?? "", enabled: true, runAtStartup: false, tree };
  await createProgram(services, program, request.cause, id);
}

async function deleteProgram(request: HttpRequest, services: Services): Promise<Reply> {
  services.programKeys.require(request.principal, services.home, request.query.get("key"));
  await removeProgram(services, idOf(request.params.id ?? ""), null, request.cause);
  services.programKeys.keep(request.principal, services.home);
  return succeeded();
}

function writeFile(request: HttpRequest, services: Services): Promise<Reply> {
  const [, hex] = PROGRAM_FILE.exec(request.params["*"] ?? "") ?? [];
  return hex === undefined ? refuseFile(request) : writeProgram(request, services, hex);
}

function refuseFile({ params }: HttpRequest): never {
  if (!PAGES.test(params["*"] ?? "")) throw new ControllerError("OPERATION_UNAVAILABLE");
  const sentence = "Pages are not stored here: one at this address could act with the credentials of its reader.";
  throw new ControllerError("FORBIDDEN", sentence);
}

/** Elements that such an editor shows. */
const SHOWN = new Set(
  (
    "trigger id name parent folder if then else comment and or paren status control schedule from to time sunrise sunset day " +
    "daysofweek mon tue wed thu fri sat sun val cmd p wait hours minutes seconds notify runif runthen runelse enable disable"
  ).split(" "),
);
const ELEMENT = /<([a-z0-9]+)/g;
/** Parts of elements that it shows: decimal places, the opposite of a control, named parameters. */
const WITHIN = [/ prec="[1-9]/g, /<control [^<>]*op="ISNOT"/g, /<p id="[^"]/g] as const;

/**
 * What a simple editor of programs would lose. One admin of the originals reads the statements that it can show, and writes those back:
 * comparisons of variables, repetitions and decimal places are gone after a save in which nothing was changed, and a control that is *not*
 * switched on becomes one that is. Its owner cannot have meant that, because its editor shows none of it.
 * How many parts of the program that such an editor does not show are no longer there.
 */
function lostUnseenParts(before: Program, after: Program): number {
  const left = partsOf(after);
  let lost = 0;
  for (const [part, count] of partsOf(before)) lost += Math.max(0, count - (left.get(part) ?? 0));
  return lost;
}

function partsOf(program: Program): ReadonlyMap<string, number> {
  const text = programXml(program);
  const elements = [...text.matchAll(ELEMENT)].map(([, element = ""]) => element);
  const parts = new Map<string, number>();
  for (const element of elements) if (!SHOWN.has(element)) parts.set(element, (parts.get(element) ?? 0) + 1);
  parts.set(
    "nested paren",
    parensWithin(program.tree.if) - program.tree.if.filter(({ kind }) => kind === "paren").length,
  );
  for (const part of WITHIN) parts.set(part.source, text.match(part)?.length ?? 0);
  return parts;
}

function parensWithin(conditions: readonly Condition[]): number {
  return conditions.reduce((sum, each) => sum + (each.kind === "paren" ? 1 + parensWithin(each.conditions) : 0), 0);
}
