/** `/rest/programs`: programs and folders as XML, and the verbs that work them. @see docs/interface/programs.md */

import type { Right } from "../../auth/policy.ts";
import { reviseProgram } from "../../commands/edit-programs.ts";
import { runProgram } from "../../commands/run-program.ts";
import { ControllerError } from "../../errors.ts";
import { findProgram, hexId, type ProgramEntry, programsBelow, ROOT_PROGRAM_ID } from "../../home/programs.ts";
import { escapeXml } from "../../util/xml.ts";
import { createZone, type Zone } from "../../util/zone.ts";
import { legacyProgramTime } from "../../wire/times.ts";
import { parseProgramId } from "../../wire/tree.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { Services } from "../services.ts";
import { succeeded, xmlDocument, xmlReply } from "./rest-reply.ts";

/** The root folder and what lies directly in it; with `subfolders=true` everything, with `folderContents=false` the folder alone. */
export function getPrograms(request: HttpRequest, services: Services): Reply {
  const depth = depthOf(request);
  const version = `${services.home.version("programs")}.${services.home.version("controller")}`;
  return xmlDocument(services, `/rest/programs ${depth}`, version, () =>
    encodePrograms(services, ROOT_PROGRAM_ID, depth),
  );
}

/** One program, or a folder with what its query asks for. */
export function getProgram(request: HttpRequest, services: Services): Reply {
  return xmlReply(encodePrograms(services, existingId(request, services), depthOf(request)));
}

export async function commandProgram(request: HttpRequest, services: Services): Promise<Reply> {
  await runProgram(services, existingId(request, services), request.params.verb ?? "", request.cause);
  return succeeded();
}

/** `/set/parent/{folder}`: moves it; both ids are hex. */
export async function moveProgram(request: HttpRequest, services: Services): Promise<Reply> {
  const parentId = parseProgramId(request.params.folder ?? "");
  if (parentId === null) throw new ControllerError("PROGRAM_NOT_FOUND");
  await reviseProgram(services, existingId(request, services), { parentId }, null, request.cause);
  return succeeded();
}

/** Running and stopping is living in the home; enabling and startup is rebuilding it. */
export function programAccess(request: HttpRequest): Right {
  return /^(enable|disable)/i.test(request.params.verb ?? "") ? "enable-program" : "run-program";
}

function existingId(request: HttpRequest, { home }: Services): number {
  const id = parseProgramId(request.params.id ?? "");
  if (id === null || !findProgram(home, id)) throw new ControllerError("PROGRAM_NOT_FOUND");
  return id;
}

type Depth = "alone" | "children" | "all";

function depthOf({ query }: HttpRequest): Depth {
  if (query.get("folderContents") === "false") return "alone";
  return query.get("subfolders") === "true" ? "all" : "children";
}

function encodePrograms({ home }: Services, id: number, depth: Depth): string {
  const entry = findProgram(home, id);
  const below = depth === "alone" || entry?.kind !== "folder" ? [] : programsBelow(home, id);
  const listed = depth === "all" ? below : below.filter(({ parentId }) => parentId === id);
  const zone = createZone(home.controller.timeZone);
  const elements = [...(entry ? [entry] : []), ...listed].map((program) => programElement(program, zone));
  return `<programs>${elements.join("")}</programs>`;
}

function programElement(entry: ProgramEntry, zone: Zone): string {
  const parent = entry.parentId === null ? "" : ` parentId="${hexId(entry.parentId)}"`;
  const own =
    entry.kind === "folder"
      ? ""
      : ` enabled="${entry.enabled}" runAtStartup="${entry.runAtStartup}" running="${entry.running}"`;
  const next =
    entry.kind === "folder" ? "" : element("nextScheduledRunTime", legacyProgramTime(entry.nextRunAtMs, zone));
  return (
    `<program id="${hexId(entry.id)}"${parent} status="${entry.status === true}" folder="${entry.kind === "folder"}"${own}>` +
    element("name", escapeXml(entry.name)) +
    element("lastRunTime", legacyProgramTime(entry.lastRunAtMs, zone)) +
    `${element("lastFinishTime", legacyProgramTime(entry.lastFinishAtMs, zone))}${next}</program>`
  );
}

function element(name: string, text: string): string {
  return `<${name}>${text}</${name}>`;
}
