/** `/api/programs`: programs and their folders, read and written. @see docs/interface/programs.md */

import {
  createProgramFolder,
  removeProgram,
  requireEntry,
  requireOwnStatements,
  reviseProgram,
} from "../../commands/edit-programs.ts";
import { ControllerError } from "../../errors.ts";
import { hexId, type ProgramEntry } from "../../home/programs.ts";
import { conditionsOf } from "../../programs/references.ts";
import { absentSun } from "../../programs/schedule/absent-sun.ts";
import { Calendar } from "../../programs/schedule/calendar.ts";
import { createZone } from "../../util/zone.ts";
import { runningWords } from "../../wire/program-status.ts";
import { isoTime } from "../../wire/times.ts";
import { envelope, JSON_TYPE, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, type Fits, type JsonSchema, list, object, partial } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute, PAST, VIEW } from "./api-route.ts";
import { LocatedValue } from "./located-value.ts";
import {
  hexIdOf,
  idSchema,
  parentIdOf,
  revisionMembers,
  revisionOf,
  versionOfQuery,
  versionQuery,
  versionSchema,
} from "./program-members.ts";
import { conditionData, conditionJson, parseConditions, writtenStatements } from "./trigger-json.ts";
import { PROGRAM_WRITE, savedReply } from "./verify/findings.ts";

const time = { type: "string", description: "ISO 8601 in UTC, or empty." } as const;
const conditions = list(conditionData);

const listed = {
  id: { type: "string", pattern: "^[0-9A-F]{4}$" },
  status: { type: "string", enum: ["true", "false"], description: "Result of the last evaluation." },
  folder: { type: "boolean" },
  name: { type: "string" },
  lastRunTime: time,
  lastFinishTime: time,
  nextScheduledRunTime: time,
  version: { type: "integer", description: "Changes with every edit of the program, not with its runs." },
} as const satisfies Record<string, JsonSchema>;

const programMembers = {
  parentId: { type: "string", description: "Left out on the root folder only." },
  enabled: { type: "boolean", description: "Programs only." },
  runAtStartup: { type: "boolean", description: "Programs only." },
  running: { type: "string", enum: ["idle", "running then", "running else"], description: "Programs only." },
} as const satisfies Record<string, JsonSchema>;

const listedData = object(listed, { optional: programMembers });

const programsData = list(listedData);

const programData = object(
  { ...listed, if: conditions },
  {
    optional: {
      ...programMembers,
      comment: { type: "string", description: "Programs only." },
      invalid: { const: true, description: "Present when the program is not loaded; `error` says why." },
      error: { type: "string" },
      absentSun: list(object({ sun: { enum: ["sunrise", "sunset"] }, next: time }), {
        description: "Present when the `if` waits for a sunrise or sunset that does not occur today.",
      }),
    },
  },
);

const folderCreateBody = object(
  { name: { type: "string" }, folder: { const: true } },
  {
    optional: { parentId: idSchema, if: writtenStatements },
    description: "Makes a folder; programs are made with PUT /api/trigger or as text.",
    additionalProperties: false,
  },
);

const programUpdateBody = partial(
  {
    ...revisionMembers,
    parentId: idSchema,
    if: writtenStatements,
    version: versionSchema,
  },
  { description: "Any of the members. Absent members stay unchanged.", additionalProperties: false },
);

const route = apiRoute("programs", "read");

export const programRoutes: readonly Route[] = [
  route("GET /api/programs", "Programs and their folders.", getPrograms, { ...PAST, data: programsData }),
  route("GET /api/programs/:id", "One program or folder, with its conditions.", getProgram, {
    ...PAST,
    data: programData,
  }),
  route("GET /api/ai/program/:number", "One program by its decimal id, as a list.", getListed, {
    ...VIEW,
    data: programsData,
  }),
  route("POST /api/programs", "Creates a folder.", addFolder, {
    ...PROGRAM_WRITE,
    body: folderCreateBody,
    data: programData,
  }),
  route("POST /api/programs/:id", "Changes a program or folder.", updateProgram, {
    ...PROGRAM_WRITE,
    body: programUpdateBody,
    data: programData,
  }),
  route("DELETE /api/programs/:id", "Removes a program or an empty folder.", deleteProgram, {
    access: "edit-program",
    query: versionQuery,
  }),
];

/** Folders first, both in the order of their ids. */
function getPrograms(_request: HttpRequest, { home, documents }: Services): Reply {
  return documents.serve("/api/programs", String(home.version("programs")), JSON_TYPE, () => {
    const rank = (entry: ProgramEntry) => (entry.kind === "folder" ? 0 : 1);
    const entries = [...home.programs.values()].sort((a, b) => rank(a) - rank(b) || a.id - b.id);
    return JSON.stringify({ successful: true, data: entries.map(programJson) });
  });
}

/** One of them, with its conditions. */
function getProgram(request: HttpRequest, services: Services): Reply {
  const entry = requireEntry(services.home, hexIdOf(request));
  return envelope({ ...wholeProgramJson(entry), ...absentSunJson(entry, services) });
}

/** As in the list of all. */
function getListed({ params }: HttpRequest, { home }: Services): Reply {
  const { number = "" } = params;
  if (!/^\d{1,5}$/.test(number)) throw new ControllerError("PROGRAM_NOT_FOUND");
  return envelope([programJson(requireEntry(home, Number(number)))]);
}

async function addFolder(request: HttpRequest, services: Services): Promise<Reply> {
  const { name, parentId, if: conditions = [] } = bodyOf(request, folderCreateBody);
  const folder = {
    name,
    parentId: parentId === undefined ? null : parentIdOf(parentId),
    conditions: parseConditions(new LocatedValue(conditions, "if")),
  };
  const made = await createProgramFolder(services, folder, request.cause);
  return savedReply(request, services, made, wholeProgramJson(made));
}

async function updateProgram(request: HttpRequest, services: Services): Promise<Reply> {
  const id = hexIdOf(request);
  const { version = null, parentId, if: conditions, ...body } = bodyOf(request, programUpdateBody);
  const revision = {
    ...revisionOf(body, parentId),
    ...(conditions && { conditions: parseConditions(new LocatedValue(conditions, "if")) }),
  };
  requireOwnStatements(services.home, id, revision, version);
  const revised = await reviseProgram(services, id, revision, version, request.cause);
  return savedReply(request, services, revised, wholeProgramJson(revised));
}

async function deleteProgram(request: HttpRequest, services: Services): Promise<Reply> {
  await removeProgram(services, hexIdOf(request), versionOfQuery(request), request.cause);
  return envelope(null);
}

function programJson(entry: ProgramEntry): Fits<typeof listedData> {
  const program =
    entry.kind === "program"
      ? { enabled: entry.enabled, runAtStartup: entry.runAtStartup, running: runningWords(entry) }
      : {};
  return {
    id: hexId(entry.id),
    ...(entry.parentId === null ? {} : { parentId: hexId(entry.parentId) }),
    status: entry.status === true ? "true" : "false",
    folder: entry.kind === "folder",
    ...program,
    name: entry.name,
    lastRunTime: isoTime(entry.lastRunAtMs),
    lastFinishTime: isoTime(entry.lastFinishAtMs),
    nextScheduledRunTime: isoTime(entry.nextRunAtMs),
    version: entry.version,
  };
}

function wholeProgramJson(entry: ProgramEntry): Fits<typeof programData> {
  const listedPart = programJson(entry);
  if (entry.kind === "folder") return { ...listedPart, if: entry.conditions.map(conditionJson) };
  return {
    ...listedPart,
    comment: entry.comment,
    if: entry.tree.if.map(conditionJson),
    ...(entry.invalid === null ? {} : { invalid: true, error: entry.invalid }),
  };
}

/** A schedule without a date for months is valid, but it looks like a mistake. */
function absentSunJson(entry: ProgramEntry, { home, clock }: Services): object {
  const { timeZone, latitude, longitude } = home.controller;
  const calendar = new Calendar(createZone(timeZone), latitude, longitude);
  const absent = absentSun(conditionsOf(entry), clock.now(), calendar);
  return absent.length === 0 ? {} : { absentSun: absent.map(({ sun, nextMs }) => ({ sun, next: isoTime(nextMs) })) };
}
