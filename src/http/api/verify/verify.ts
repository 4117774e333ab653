/** `/api/programs/verify`: programs looked at before they are saved, or afterwards. @see docs/verification.md */

import { ControllerError } from "../../../errors.ts";
import { findProgram, type Program, type ProgramEntry, ROOT_PROGRAM_ID } from "../../../home/programs.ts";
import { createProgramNames } from "../../../programs/text/names.ts";
import { type PlacedEntry, parsePlacedProgram } from "../../../programs/text/parse-program.ts";
import { printProgram } from "../../../programs/text/print-program.ts";
import { envelope } from "../../envelope.ts";
import type { Services } from "../../services.ts";
import type { Reply } from "../../reply.ts";
import type { HttpRequest } from "../../route.ts";
import { type Fits, list, object, orNull, partial } from "../../schema.ts";
import { type Members, LocatedValue } from "../located-value.ts";
import { idSchema, readProgramId, readRevision } from "../program-members.ts";
import { programFor } from "../program-text.ts";
import { writtenStatements } from "../trigger-json.ts";
import { parseTree } from "../trigger-parse.ts";
import { triggerData, triggerJson } from "../triggers.ts";
import { asIfSaved, findingsOf, findingsSchema, NEW_ID } from "./findings.ts";

const bothForms = object(
  {
    text: { type: "string", description: "As GET /api/programs/{id}/text would answer." },
    tree: { ...triggerData, description: "As GET /api/triggers/{id} would answer; `id` is 0 on a new program." },
    enabled: { type: "boolean" },
    runAtStartup: { type: "boolean" },
  },
  { description: "Only when a tree or a text was sent: the program in both forms, as if it were saved." },
);

export const verifyData = object(
  { verified: { type: "integer", description: "Programs and folders." }, findings: findingsSchema },
  { optional: { program: bothForms } },
);

export const verifyBody = orNull(
  partial(
    {
      ids: list(idSchema),
      text: { type: "string", description: "The text form of docs/programs.md." },
      id: { ...idSchema, description: "Of the program that the tree would replace; without it, a new one." },
      if: writtenStatements,
      then: writtenStatements,
      else: writtenStatements,
    },
    { description: "Nothing: all programs. `ids`: these. A tree as of /api/trigger, or a text: as if it were saved." },
  ),
);

export function verify(request: HttpRequest, services: Services): Reply {
  const { home } = services;
  const asked =
    request.body === null ? null : new LocatedValue(request.body, "").object((body) => readAsked(body, services));
  const entries = asked?.entries ?? [...home.programs.values()];
  return envelope({
    verified: entries.length,
    findings: findingsOf(services, asked?.entries, asked?.written),
    ...(asked?.unsaved && { program: inBothForms(services, asked.unsaved) }),
  });
}

function inBothForms({ home, profile }: Services, program: Program): Fits<typeof bothForms> {
  const { id, enabled, runAtStartup } = program;
  const text = printProgram({ ...program, id: id === NEW_ID ? null : id }, createProgramNames(home, profile));
  return { text, tree: triggerJson(program), enabled, runAtStartup };
}

/** `unsaved`: the program that was sent. `written`: where things stand in its text, when a text was sent. */
type Asked = {
  readonly entries: readonly ProgramEntry[];
  readonly unsaved?: Program;
  readonly written?: Pick<PlacedEntry, "place">;
};

/** null: all of them. */
function readAsked(body: Members, services: Services): Asked | null {
  const ids = body.find("ids");
  if (ids) return { entries: ids.list((each) => requireEntry(services, readProgramId(each))) };
  const text = body.find("text");
  if (text) return fromText(services, text.string());
  const tree = body.find("if");
  if (!tree) return null;
  const program = fromTree(services, body);
  return { entries: [program], unsaved: program };
}

function fromText({ home, profile }: Services, text: string): Asked {
  const { entry, place } = parsePlacedProgram(text, createProgramNames(home, profile));
  const { id: _id, parentId, ...members } = entry;
  const program = asIfSaved(programFor(home, entry), { ...members, parentId: parentId ?? ROOT_PROGRAM_ID });
  return { entries: [program], unsaved: program, written: { place } };
}

function fromTree(services: Services, body: Members): Program {
  const given = body.find("id");
  for (const ignored of ["invalid", "error", "version"]) body.find(ignored);
  const before = given ? requireEntry(services, readProgramId(given)) : null;
  if (before?.kind === "folder") throw new ControllerError("PROGRAM_NOT_FOUND");
  return asIfSaved(before, { ...readRevision(body, "parent"), tree: parseTree(body) });
}

function requireEntry({ home }: Services, programNumber: number): ProgramEntry {
  const entry = findProgram(home, programNumber);
  if (!entry) throw new ControllerError("PROGRAM_NOT_FOUND");
  return entry;
}
