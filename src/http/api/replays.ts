/** `/api/replays`: recorded spans through the programs once more, as they were and changed; for owners. @see docs/interface/replays.md */

import { ControllerError } from "../../errors.ts";
import type { ReplayJob } from "../../replay/replay-job.ts";
import { isoTime } from "../../wire/times.ts";
import { envelope } from "../envelope.ts";
import { instantOf, wholeNumber } from "../query.ts";
import type { Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import type { JsonSchema } from "../schema.ts";
import type { Services } from "../services.ts";
import { waitFor } from "../wait-for.ts";

/** Seconds that an answer waits for a replay that runs, at most. */
const WAIT_MAX_S = 15;

const time: JsonSchema = { type: "string", description: "ISO 8601 in UTC." };
const count: JsonSchema = { type: "integer", minimum: 0 };
const text: JsonSchema = { type: "string" };
const orNull = (schema: JsonSchema, description: string): JsonSchema => ({
  ...schema,
  type: [String(schema.type), "null"],
  description,
});
const whole = (properties: Readonly<Record<string, JsonSchema>>, description?: string): JsonSchema => ({
  type: "object",
  ...(description !== undefined && { description }),
  required: Object.keys(properties),
  properties,
});
const named = { id: text, name: text };
const action = {
  time,
  localTime: { type: "string", description: "In the time zone of the home." },
  program: whole(named),
  action: { type: "string", enum: ["command", "resource", "notify", "variable", "link"] },
  target: orNull(whole(named), "Node, scene, network resource or variable; null for a notification."),
  command: orNull(whole(named), "null for what is no command."),
  values: { type: "array", items: text, description: "Parameters of the command, or the value of the variable." },
  text: { type: "string", description: "As in the text of a program." },
  certain: { type: "boolean", description: "false: it rests on a device that was commanded otherwise than recorded." },
} as const satisfies Readonly<Record<string, JsonSchema>>;

const resultData = whole({
  from: time,
  until: time,
  zone: { type: "string", description: "IANA time zone of the local times." },
  journalEnds: { ...time, description: "When the last recorded entry was made." },
  entries: count,
  missing: { ...count, description: "Entries that the journal lacks." },
  unknown: whole({ properties: count, others: count }, "What was not known of the home at the beginning."),
  faithful: whole(
    { recorded: count, repeated: count },
    "Commands that programs sent, and those of them that the unchanged programs send again.",
  ),
  programs: {
    type: "array",
    items: whole({ ...named, changed: { type: "boolean" }, runsBefore: count, runsAfter: count }),
  },
  actions: { type: "array", items: whole(action), description: "What the programs did; empty with changes." },
  differences: {
    type: "array",
    items: whole({
      kind: { type: "string", enum: ["added", "removed", "moved"] },
      ...action,
      was: orNull(time, "When it really took place; null unless it is moved."),
      localWas: orNull(text, "The same in the time zone of the home."),
    }),
  },
  actionsTotal: { ...count, description: "Also those that are left out." },
  differencesTotal: { ...count, description: "Also those that are left out." },
});

const jobMembers = {
  id: text,
  state: { type: "string", enum: ["running", "done", "failed"] },
  progress: { type: "number", minimum: 0, maximum: 1 },
  from: time,
  until: time,
  failure: orNull(text, "A sentence; null unless it failed."),
} as const satisfies Readonly<Record<string, JsonSchema>>;

const jobData = whole({ ...jobMembers, result: orNull(resultData, "null until it is done.") });

const orderBody: JsonSchema = {
  type: "object",
  required: ["from"],
  additionalProperties: false,
  properties: {
    from: time,
    until: { ...time, description: "Now when it is left out." },
    changes: {
      type: "array",
      items: {
        type: "object",
        required: ["text"],
        additionalProperties: false,
        properties: {
          program: { type: "string", description: "Id or name; left out, the text says it, or it is a new program." },
          text: { type: "string", description: "The text form of docs/programs.md." },
        },
      },
    },
  },
};

const SHARED = { listener: "portal", access: "administer", page: "replays" } as const;

export const replayRoutes: readonly Route[] = [
  {
    ...SHARED,
    method: "GET",
    path: "/api/replays",
    changes: false,
    summary: "The replays that the controller holds, without their results.",
    data: { type: "array", items: whole(jobMembers), description: "Newest first." },
    handle: (_request, { replays }) => envelope(replays.list().map(headJson)),
  },
  {
    ...SHARED,
    method: "POST",
    path: "/api/replays",
    changes: true,
    summary: "Begins a replay.",
    body: orderBody,
    holdsProgram: true,
    data: jobData,
    handle: beginReplay,
  },
  {
    ...SHARED,
    method: "GET",
    path: "/api/replays/:id",
    changes: false,
    summary: "One replay: how far it is, or its result.",
    query: [
      {
        name: "wait",
        description: "Seconds to wait while it runs.",
        schema: { type: "integer", minimum: 0, maximum: WAIT_MAX_S },
      },
    ],
    data: jobData,
    handle: getReplay,
  },
  {
    ...SHARED,
    method: "DELETE",
    path: "/api/replays/:id",
    changes: true,
    summary: "Cancels a replay, or removes its result.",
    handle({ params }, { replays }) {
      replays.remove(params.id ?? "");
      return envelope(null);
    },
  },
];

type Order = { readonly from: string; readonly until?: string; readonly changes?: readonly Change[] };
type Change = { readonly program?: string; readonly text: string };

async function beginReplay({ body }: HttpRequest, { replays, clock, config }: Services): Promise<Reply> {
  const { from, until, changes = [] } = body as Order; // Fits orderBody: checked before.
  if (changes.length > config.replayChangesMax) {
    const sentence = `A replay has at most ${config.replayChangesMax} changed programs.`;
    throw new ControllerError("BAD_BODY", { sentence });
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
