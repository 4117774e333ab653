/** `/api/replays`: recorded spans through the programs once more, as they were and changed. @see docs/interface/replays.md */

import { ControllerError } from "../../errors.ts";
import type { ReplayJob } from "../../replay/replay-job.ts";
import { isoTime } from "../../wire/times.ts";
import { instantOf, wholeNumber } from "../query.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, integer, type JsonSchema, list, object, orNull, time } from "../schema.ts";
import type { Services } from "../services.ts";
import { waitFor } from "../wait-for.ts";
import { apiRoute } from "./api-route.ts";

/** Seconds that an answer waits for a replay that runs, at most. */
const WAIT_MAX_S = 15;

const count = { type: "integer", minimum: 0 } as const;
const text = { type: "string" } as const;
const named = { id: text, name: text };
const action = {
  time,
  localTime: { type: "string", description: "Local time of the home." },
  program: object(named),
  action: { type: "string", enum: ["command", "resource", "notify", "variable", "link"] },
  target: orNull(object(named), { description: "Node, scene, network resource or variable; null for a notification." }),
  command: orNull(object(named), { description: "null for anything but commands." }),
  values: list(text, { description: "Parameters of the command, or the value of the variable." }),
  text: { type: "string", description: "The statement as in the text of a program." },
  certain: { type: "boolean", description: "false: it rests on a device that was commanded otherwise than recorded." },
} as const satisfies Readonly<Record<string, JsonSchema>>;

const resultData = object(
  {
    from: time,
    until: time,
    zone: { type: "string", description: "IANA time zone of the local times." },
    journalEnds: { ...time, description: "When the last recorded entry was made." },
    entries: count,
    missing: { ...count, description: "Entries that the journal lacks." },
    unknown: object(
      { properties: count, others: count },
      { description: "Unknown parts of the home at the beginning." },
    ),
    faithful: object(
      { recorded: count, repeated: count },
      { description: "Commands that programs sent, and those of them that the unchanged programs send again." },
    ),
    programs: list(object({ ...named, changed: { type: "boolean" }, runsBefore: count, runsAfter: count })),
    actions: list(object(action, { title: "ReplayedAction" }), {
      description: "The actions of the programs; empty with changes.",
    }),
    differences: list(
      object(
        {
          kind: { type: "string", enum: ["added", "removed", "moved", "changed"] },
          ...action,
          was: orNull(time, { description: "When it really took place; null unless it is moved." }),
          localWas: orNull(text, { description: "The same in the time zone of the home." }),
          wasText: orNull(text, { description: "What was done in its place; null unless it is changed." }),
        },
        { title: "ReplayedDifference" },
      ),
    ),
    actionsTotal: { ...count, description: "Also those that are left out." },
    differencesTotal: { ...count, description: "Also those that are left out." },
  },
  { title: "ReplayResult" },
);

const jobMembers = {
  id: text,
  state: { type: "string", enum: ["running", "done", "failed"] },
  progress: { type: "number", minimum: 0, maximum: 1 },
  from: time,
  until: time,
  failure: orNull(text, { description: "A sentence; null unless it failed." }),
} as const satisfies Readonly<Record<string, JsonSchema>>;

const jobData = object(
  { ...jobMembers, result: orNull(resultData, { description: "null until it is done." }) },
  { title: "Replay" },
);

const orderBody = object(
  { from: time },
  {
    optional: {
      until: { ...time, description: "Now when it is left out." },
      changes: list(
        object(
          { text: { type: "string", description: "The text form of docs/programs.md." } },
          {
            optional: {
              program: {
                type: "string",
                description: "Id or name. Without it the text names the program, or it is a new one.",
              },
            },
            additionalProperties: false,
          },
        ),
      ),
    },
    additionalProperties: false,
  },
);

const route = apiRoute("replays", "draft");

export const replayRoutes: readonly Route[] = [
  route(
    "GET /api/replays",
    "The replays, without their results.",
    (_request, { replays }) => envelope(replays.list().map(headJson)),
    { access: "administer", data: list(object(jobMembers), { description: "Newest first." }) },
  ),
  route("POST /api/replays", "Starts a replay.", beginReplay, { body: orderBody, holdsProgram: true, data: jobData }),
  route("GET /api/replays/:id", "One replay, with its progress or its result.", getReplay, {
    query: { wait: integer(0, WAIT_MAX_S, "Seconds to wait while it runs.") },
    data: jobData,
  }),
  route("DELETE /api/replays/:id", "Cancels a replay, or removes its result.", ({ params }, { replays }) => {
    replays.remove(params.id ?? "");
    return envelope(null);
  }),
];

async function beginReplay(request: HttpRequest, { replays, clock, config }: Services): Promise<Reply> {
  const { from, until, changes = [] } = bodyOf(request, orderBody);
  if (changes.length > config.replayChangesMax) {
    throw new ControllerError("BAD_BODY", `A replay has at most ${config.replayChangesMax} changed programs.`);
  }
  const fromMs = instantOf(from, "from");
  const untilMs = until === undefined ? clock.now() : instantOf(until, "until");
  const texts = changes.map((change) => ({ program: null, ...change }));
  return envelope(jobJson(await replays.begin({ fromMs, untilMs, changes: texts })));
}

async function getReplay({ params, query, signal }: HttpRequest, services: Services): Promise<Reply> {
  const { id = "" } = params;
  services.replays.read(id);
  await waitFor(services.clock, wholeNumber(query, "wait", WAIT_MAX_S) ?? 0, signal, (enough) =>
    services.replays.settled(id, enough),
  );
  return envelope(jobJson(services.replays.read(id)));
}

function headJson({ fromMs, untilMs, result: _result, ...job }: ReplayJob): object {
  return { ...job, from: isoTime(fromMs), until: isoTime(untilMs) };
}

function jobJson(job: ReplayJob): object {
  return { ...headJson(job), result: job.result };
}
