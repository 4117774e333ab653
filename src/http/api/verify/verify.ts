/** `/api/programs/verify`: programs looked at before they are saved, or afterwards. @see docs/verification.md */

import { checkProgramSize, requireEntry } from "../../../commands/edit-programs.ts";
import { ControllerError } from "../../../errors.ts";
import { type Program, type ProgramEntry, ROOT_PROGRAM_ID } from "../../../home/programs.ts";
import { type PlacedEntry, readProgram } from "../../../programs/text/parse-program.ts";
import { printProgram } from "../../../programs/text/print-program.ts";
import { inSlices } from "../../../util/slices.ts";
import { envelope, type Reply } from "../../reply.ts";
import type { HttpRequest, Route } from "../../route.ts";
import { bodyOf, type Fits, list, object, orNull, partial } from "../../schema.ts";
import type { Services } from "../../services.ts";
import { apiRoute } from "../api-route.ts";
import { idSchema, programIdOf, revisionMembers, revisionOf } from "../program-members.ts";
import { namesOf, programFor } from "../program-text.ts";
import { parseWrittenTree, writtenStatements } from "../trigger-json.ts";
import { triggerData, triggerJson } from "../triggers.ts";
import { asIfSaved, findingsOf, findingsSchema, NEW_ID } from "./findings.ts";

const bothForms = object(
  {
    text: { type: "string", description: "The program as GET /api/programs/{id}/text would return it." },
    tree: {
      ...triggerData,
      description: "The program as GET /api/triggers/{id} would return it; `id` is 0 for a new program.",
    },
    enabled: { type: "boolean" },
    runAtStartup: { type: "boolean" },
  },
  { description: "The program in both forms, as it would be saved. Present when a tree or a text was sent." },
);

const verifyData = object(
  { verified: { type: "integer", description: "Programs and folders." }, findings: findingsSchema },
  { optional: { program: bothForms } },
);

const verifyBody = orNull(
  partial(
    {
      ids: list(idSchema),
      text: { type: "string", description: "The text form of docs/programs.md." },
      id: {
        ...idSchema,
        description: "Id of the program that the tree would replace. Without it the tree is a new program.",
      },
      if: writtenStatements,
      then: writtenStatements,
      else: writtenStatements,
      ...revisionMembers,
      parent: idSchema,
      invalid: { description: "Accepted and not looked at, as `error` and `version`." },
      error: { description: "Accepted and not looked at." },
      version: { description: "Accepted and not looked at." },
    },
    {
      additionalProperties: false,
      description: "Nothing: all programs. `ids`: these. A tree as of /api/trigger, or a text: as if it were saved.",
    },
  ),
);

const route = apiRoute("programs", "draft");

export const verifyRoutes: readonly Route[] = [
  route("POST /api/programs/verify", "Verifies programs without saving anything.", verify, {
    changes: false,
    body: verifyBody,
    holdsProgram: true,
    data: verifyData,
  }),
];

async function verify(request: HttpRequest, services: Services): Promise<Reply> {
  const { home } = services;
  const wanted = await wantedIn(bodyOf(request, verifyBody) ?? {}, services);
  const entries = wanted?.entries ?? [...home.programs.values()];
  return envelope({
    verified: entries.length,
    findings: await findingsOf(request, services, wanted?.entries, wanted?.written),
    ...(wanted?.unsaved && { program: inBothForms(services, wanted.unsaved) }),
  });
}

function inBothForms(services: Services, program: Program): Fits<typeof bothForms> {
  const { id, enabled, runAtStartup } = program;
  const text = printProgram({ ...program, id: id === NEW_ID ? null : id }, namesOf(services));
  return { text, tree: triggerJson(program), enabled, runAtStartup };
}

/** `unsaved`: the program that was sent. `written`: where things stand in its text, when a text was sent. */
type Wanted = {
  readonly entries: readonly ProgramEntry[];
  readonly unsaved?: Program;
  readonly written?: Pick<PlacedEntry, "place">;
};

type VerifyBody = NonNullable<Fits<typeof verifyBody>>;

/** null: all of them. */
async function wantedIn(body: VerifyBody, services: Services): Promise<Wanted | null> {
  if (body.ids) {
    const ids = new Set(body.ids.map(programIdOf));
    return { entries: [...ids].map((id) => requireEntry(services.home, id)) };
  }
  if (body.text !== undefined) return fromText(services, body.text);
  if (!body.if) return null;
  const program = fromTree(services, body);
  return { entries: [program], unsaved: program };
}

async function fromText(services: Services, text: string): Promise<Wanted> {
  const { home, config } = services;
  const { entry, place } = await inSlices(readProgram(text, namesOf(services), config.programLinesMax));
  checkProgramSize(config, entry.tree);
  const { id: _id, parentId, ...members } = entry;
  const program = asIfSaved(programFor(home, entry), { ...members, parentId: parentId ?? ROOT_PROGRAM_ID });
  return { entries: [program], unsaved: program, written: { place } };
}

function fromTree(services: Services, body: VerifyBody): Program {
  const before = body.id === undefined ? null : requireEntry(services.home, programIdOf(body.id));
  if (before?.kind === "folder") throw new ControllerError("PROGRAM_NOT_FOUND");
  const tree = parseWrittenTree({ if: body.if, then: body.then, else: body.else });
  checkProgramSize(services.config, tree);
  return asIfSaved(before, { ...revisionOf(body, body.parent), tree });
}
