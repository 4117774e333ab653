/** `/api/triggers`, `/api/trigger`: every program's syntax tree, read and written. @see docs/interface/triggers.md */

import { createProgram, removeProgram, requireOwnStatements, reviseProgram } from "../../commands/edit-programs.ts";
import { ControllerError } from "../../errors.ts";
import { findProgram, type Program, ROOT_PROGRAM_ID } from "../../home/programs.ts";
import { envelope, JSON_TYPE, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, type Fits, type JsonSchema, list, object } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute, PAST } from "./api-route.ts";
import {
  decimalIdOf,
  idSchema,
  programIdOf,
  revisionMembers,
  revisionOf,
  versionOfQuery,
  versionQuery,
  versionSchema,
} from "./program-members.ts";
import {
  actionData,
  actionJson,
  conditionData,
  conditionJson,
  parseWrittenTree,
  writtenStatements,
} from "./trigger-json.ts";
import { PROGRAM_WRITE, savedReply } from "./verify/findings.ts";

const tree = { if: writtenStatements, then: writtenStatements, else: writtenStatements };

export const triggerData = object(
  {
    id: { type: "integer", description: "The program's id in decimal." },
    name: { type: "string" },
    parent: { type: "integer", description: "Id of the folder in decimal; 0 = the root folder." },
    if: list(conditionData),
    then: list(actionData),
    else: list(actionData),
    version: { type: "integer", description: "Changes with every edit of the program, not with its runs." },
  },
  {
    optional: {
      comment: { type: "string" },
      invalid: { const: true, description: "Present when the program is not loaded; `error` says why." },
      error: { type: "string" },
    },
  },
);

const triggersData = list(triggerData);

const { name, ...flags } = revisionMembers;
const written = {
  parent: idSchema,
  ...flags,
  invalid: { description: "Accepted and not looked at: the controller finds out by itself." },
  error: { description: "Accepted and not looked at." },
} as const satisfies Record<string, JsonSchema>;

const triggerCreateBody = object(
  { name, ...tree },
  {
    optional: {
      ...written,
      version: { description: "Accepted and ignored: a copy gets a version of its own." },
    },
    additionalProperties: false,
  },
);

const triggerReplaceBody = object(
  { id: idSchema, ...tree },
  {
    optional: { name, ...written, version: versionSchema },
    description: "The whole tree; name, parent, comment and flags that are left out stay as they are.",
    additionalProperties: false,
  },
);

const route = apiRoute("triggers", "read");

export const triggerRoutes: readonly Route[] = [
  route("GET /api/triggers", "The syntax tree of every program.", getTriggers, { ...PAST, data: triggersData }),
  route("GET /api/triggers/:id", "The syntax tree of one program.", getTrigger, { ...PAST, data: triggerData }),
  route("PUT /api/trigger", "Creates a program.", addTrigger, {
    ...PROGRAM_WRITE,
    body: triggerCreateBody,
    data: triggerData,
  }),
  route("POST /api/trigger", "Replaces the tree of a program.", replaceTrigger, {
    ...PROGRAM_WRITE,
    body: triggerReplaceBody,
    data: triggerData,
  }),
  route("DELETE /api/trigger/:id", "Removes a program.", removeTrigger, {
    access: "edit-program",
    query: versionQuery,
  }),
];

function getTriggers(_request: HttpRequest, { home, documents }: Services): Reply {
  return documents.serve("/api/triggers", String(home.version("programs")), JSON_TYPE, () => {
    const programs = [...home.programs.values()].filter((entry) => entry.kind === "program");
    return JSON.stringify({ successful: true, data: programs.sort((a, b) => a.id - b.id).map(triggerJson) });
  });
}

function getTrigger(request: HttpRequest, services: Services): Reply {
  return envelope(triggerJson(requireProgram(services, decimalIdOf(request))));
}

async function addTrigger(request: HttpRequest, services: Services): Promise<Reply> {
  const body = bodyOf(request, triggerCreateBody);
  const defaults = { comment: "", enabled: true, runAtStartup: false, parentId: null };
  const program = {
    ...defaults,
    ...revisionOf(body, body.parent),
    name: body.name,
    tree: parseWrittenTree(body),
  };
  const made = await createProgram(services, program, request.cause);
  return savedReply(request, services, made, triggerJson(made));
}

async function replaceTrigger(request: HttpRequest, services: Services): Promise<Reply> {
  const body = bodyOf(request, triggerReplaceBody);
  const id = programIdOf(body.id);
  const revision = { ...revisionOf(body, body.parent), tree: parseWrittenTree(body) };
  requireProgram(services, id);
  requireOwnStatements(services.home, id, revision, body.version ?? null);
  await reviseProgram(services, id, revision, body.version ?? null, request.cause);
  const replaced = requireProgram(services, id);
  return savedReply(request, services, replaced, triggerJson(replaced));
}

async function removeTrigger(request: HttpRequest, services: Services): Promise<Reply> {
  const { id } = requireProgram(services, decimalIdOf(request));
  await removeProgram(services, id, versionOfQuery(request), request.cause);
  return envelope(null);
}

function requireProgram({ home }: Services, id: number): Program {
  const entry = findProgram(home, id);
  if (entry?.kind !== "program") throw new ControllerError("PROGRAM_NOT_FOUND");
  return entry;
}

export function triggerJson(program: Program): Fits<typeof triggerData> {
  return {
    id: program.id,
    name: program.name,
    parent: program.parentId === ROOT_PROGRAM_ID ? 0 : (program.parentId ?? 0),
    ...(program.comment === "" ? {} : { comment: program.comment }),
    if: program.tree.if.map(conditionJson),
    then: program.tree.then.map(actionJson),
    else: program.tree.else.map(actionJson),
    ...(program.invalid === null ? {} : { invalid: true, error: program.invalid }),
    version: program.version,
  };
}
