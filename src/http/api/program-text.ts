/** `/api/programs/{id}/text`, `/api/programs/text`: programs as people read and write them. @see docs/programs.md */

import { createProgram, reviseProgram } from "../../commands/edit-programs.ts";
import { ControllerError } from "../../errors.ts";
import type { Home } from "../../home/home.ts";
import { findProgram, type Program, ROOT_PROGRAM_ID } from "../../home/programs.ts";
import { checkReferences } from "../../programs/references.ts";
import { createProgramNames, type ProgramNames } from "../../programs/text/names.ts";
import { parseProgram } from "../../programs/text/parse-program.ts";
import { printProgram } from "../../programs/text/print-program.ts";
import type { ProgramText } from "../../programs/text/program-text.ts";
import { programId } from "../../wire/tree.ts";
import { envelope } from "../envelope.ts";
import type { House } from "../house.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest } from "../route.ts";
import type { JsonSchema } from "../schema.ts";
import { hexIdOf, versionSchema } from "./program-members.ts";
import { asIfSaved, savedReply } from "./verify/findings.ts";

const text: JsonSchema = { type: "string", description: "The text form of docs/programs.md." };
const id: JsonSchema = { type: "string", pattern: "^[0-9A-F]{4}$" };
const version: JsonSchema = { type: "integer", description: "Moves with every change of what a person wrote." };
const problem = {
  invalid: { const: true, description: "Only on a program that is not loaded; `error` says why." },
  error: { type: "string" },
} as const satisfies Record<string, JsonSchema>;

export const programTextData: JsonSchema = {
  type: "object",
  required: ["id", "version", "text"],
  properties: { id, version, text, ...problem },
};

export const programTextBody: JsonSchema = {
  type: "object",
  required: ["text"],
  additionalProperties: false,
  properties: { text, version: versionSchema },
};

export const appliedTextData: JsonSchema = {
  type: "object",
  required: ["id", "version", "text", "before"],
  properties: {
    id: { type: ["string", "null"], description: "null: a dry run, and the program would be a new one." },
    version: { type: ["integer", "null"] },
    text,
    before: {
      type: ["string", "null"],
      description: "The text of the program that was replaced; null: it is a new one.",
    },
    ...problem,
  },
};

export function getProgramText(request: HttpRequest, house: House): Reply {
  return envelope(textJson(requireProgram(house.home, hexIdOf(request)), namesOf(house)));
}

type Body = { readonly text: string; readonly version?: number };

/** Replaces the program; what the text leaves out has its default. */
export async function putProgramText(request: HttpRequest, house: House): Promise<Reply> {
  const program = requireProgram(house.home, hexIdOf(request));
  const body = request.body as Body; // Fits programTextBody: checked at the door.
  const written = parseProgram(body.text, namesOf(house));
  if (written.id !== null && written.id !== program.id) {
    throw new ControllerError("BAD_BODY", { sentence: `The text is that of program ${programId(written.id)}.` });
  }
  const replaced = await replace(house, program.id, written, request);
  return savedReply(house, replaced, textJson(replaced, namesOf(house)));
}

/** Replaces the program that the text names by its id, or by name and folder; without one it is a new program. */
export async function applyProgramText(request: HttpRequest, house: House): Promise<Reply> {
  const { text, version } = request.body as Body; // Fits programTextBody: checked at the door.
  const written = parseProgram(text, namesOf(house));
  const known = programFor(house.home, written);
  // Who has seen a version has seen a program: that it is gone, or another one, is the same news.
  if (version !== undefined && version !== known?.version) throw new ControllerError("CONFLICT");
  const before = known && printProgram(known, namesOf(house));
  if (request.query.get("dryRun") === "true") {
    const program = asIfSaved(known, { ...edited(written), parentId: written.parentId ?? ROOT_PROGRAM_ID });
    return savedReply(house, program, { ...preview(house, written, known), before });
  }
  const program = known
    ? await replace(house, known.id, written, request)
    : await createProgram(house, edited(written), request.cause);
  return savedReply(house, program, { ...textJson(program, namesOf(house)), before });
}

async function replace(
  house: House,
  programNumber: number,
  written: ProgramText,
  request: HttpRequest,
): Promise<Program> {
  const body = request.body as Body; // Fits programTextBody: checked at the door.
  await reviseProgram(house, programNumber, edited(written), body.version ?? null, request.cause);
  return requireProgram(house.home, programNumber);
}

/** null: it would be a new one. @throws ControllerError PROGRAM_NOT_FOUND; CONFLICT when the text may mean several. */
export function programFor(home: Home, written: ProgramText): Program | null {
  if (written.id !== null) return requireProgram(home, written.id);
  const same = [...home.programs.values()].filter(
    (entry) => entry.kind === "program" && entry.name === written.name && entry.parentId === written.parentId,
  );
  if (same.length > 1) {
    const sentence = `There is more than one program '${written.name}' in this folder: write the id behind the name.`;
    throw new ControllerError("CONFLICT", { sentence });
  }
  const [found] = same;
  return found?.kind === "program" ? found : null;
}

function preview(house: House, written: ProgramText, known: Program | null): object {
  const whole = { ...written, id: known?.id ?? null };
  const reason = checkReferences(house.home, { kind: "program", tree: written.tree });
  return {
    id: known ? programId(known.id) : null,
    version: known?.version ?? null,
    text: printProgram(whole, namesOf(house)),
    ...problemJson(reason),
  };
}

function textJson(program: Program, names: ProgramNames): object {
  return {
    id: programId(program.id),
    version: program.version,
    text: printProgram(program, names),
    ...problemJson(program.invalid),
  };
}

function problemJson(reason: string | null): object {
  return reason === null ? {} : { invalid: true, error: reason };
}

function edited({ id: _id, ...written }: ProgramText): Omit<ProgramText, "id"> {
  return written;
}

function namesOf({ home, profile }: House): ProgramNames {
  return createProgramNames(home, profile);
}

function requireProgram(home: Home, programNumber: number): Program {
  const entry = findProgram(home, programNumber);
  if (entry?.kind !== "program") throw new ControllerError("PROGRAM_NOT_FOUND");
  return entry;
}
