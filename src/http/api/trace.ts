/** `/api/trace`: what programs did and why, and why they did not. @see docs/interface/trace.md */

import type { Principal } from "../../auth/principal.ts";
import { ControllerError } from "../../errors.ts";
import { HistoryWords } from "../../history/history-words.ts";
import { entryMessage, startMessage, storedDetail } from "../../history/trace-words.ts";
import { foundValue } from "../../history/why-program.ts";
import { findProgram, hexId } from "../../home/programs.ts";
import { message, textOf } from "../../messages.ts";
import { programNow } from "../../programs/program-now.ts";
import type { TraceEntry, TracePage } from "../../programs/trace/program-trace.ts";
import type { TraceQuery } from "../../programs/trace/stored-trace.ts";
import type { ConditionValue, TraceRecord } from "../../programs/trace-record.ts";
import { isoTime } from "../../wire/times.ts";
import { instantInQuery, wholeNumber } from "../query.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, QueryParameters, Route } from "../route.ts";
import { type Fits, integer, list, object, orNull, text, textOrNull, time } from "../schema.ts";
import type { Services } from "../services.ts";
import { waitFor } from "../wait-for.ts";
import { apiRoute } from "./api-route.ts";
import { causeData, causeJson } from "./cause-json.ts";
import { messageData, messageJson } from "./message-json.ts";
import { hexIdOf } from "./program-members.ts";
import { actionData, actionJson, conditionData, conditionJson } from "./trigger-json.ts";

const LIMIT = 50;
const LIMIT_MAX = 200;
const WAIT_MAX_S = 15;

const count = { type: "integer", minimum: 0 } as const;
const traceQuery: QueryParameters = {
  before: { ...count, description: "Entries before this `id`." },
  after: { ...count, description: "Entries of which something was recorded after this `last`." },
  until: text("Entries up to this time, ISO 8601."),
  limit: integer(0, LIMIT_MAX, `Entries of the answer; ${LIMIT} without it.`),
  wait: integer(0, WAIT_MAX_S, "Seconds to wait for a new entry. Requires `after`."),
};

const conditionValueData = object({
  path: list({ type: "integer" }, { description: "Place in the `if`, from the outside in, counted from 0." }),
  isTrue: { type: "boolean" },
  found: orNull(object({ value: { type: "number" }, prec: { type: "integer" } }), {
    description: "The compared value; null when it is unknown or there is none.",
  }),
  foundText: { type: ["string", "null"], description: "The compared value in words." },
  text: { type: "string", description: "The statement as in the text of the program." },
  condition: conditionData,
});

const statementData = object(
  {
    id: { type: "string" },
    clause: { type: "string", enum: ["then", "else"] },
    position: { type: "integer" },
    time,
    text: { type: "string", description: "The statement as in the text of the program." },
    action: actionData,
    detail: { type: "string" },
    isRepeated: { type: "boolean", description: "It was sent again after the process had ended." },
  },
  {
    optional: {
      outcome: object({
        outcome: { type: "string", enum: ["done", "queued", "failed", "uncertain"] },
        commandId: { type: ["string", "null"] },
        detail: { type: "string" },
        message: messageData,
        time,
      }),
    },
  },
);

const entryData = object(
  {
    id: { type: "integer", description: "Grows with time; for `before`." },
    programId: { type: "string", pattern: "^[0-9A-F]{4}$" },
    name: { type: "string" },
    time,
    sentence: { type: "string", description: "The event as a sentence." },
    message: messageData,
    result: { type: "string", enum: ["then", "else", "not-run", "evaluated", "cut", "resumed"] },
    conditions: list(conditionValueData, { description: "Every condition with its result." }),
    statements: list(statementData, { description: "Every statement with its outcome." }),
  },
  {
    optional: {
      reason: text("Why the program did not run: disabled, not-loaded, folder-false, missed, cut or overloaded."),
      runId: { type: "string", description: "The cause of everything that the run did." },
      trigger: object(
        { kind: { type: "string" }, sentence: { type: "string", description: "The origin as a sentence." } },
        {
          additionalProperties: {
            description: "Details of this kind of origin, such as the node, the program or the schedule.",
          },
          description: "The trigger of the evaluation.",
        },
      ),
      cause: { ...causeData, description: "The report, request or schedule at the beginning of the chain." },
      ended: object(
        { how: { type: "string", enum: ["finished", "stopped", "interrupted", "cut"] }, time },
        { description: "Left out while it runs." },
      ),
    },
  },
);

const traceData = object({
  entries: list(entryData, { description: "Newest first." }),
  last: { type: "integer", description: "Number of the newest record of all; for `after`." },
});

const route = apiRoute("trace", "read", { query: traceQuery, data: traceData });

const nowData = object({
  isTrue: { type: "boolean", description: "Whether the conditions hold; those that only an event makes true do not." },
  conditions: list(conditionValueData, { description: "In the order of the `if`." }),
  run: orNull(
    object({
      clause: { type: "string", enum: ["then", "else"] },
      position: { type: "integer", description: "Index of the statement that is under way." },
      until: textOrNull("When its wait, or the turn of its repeat, is over; null: it does not wait."),
    }),
    { description: "null: it does not run." },
  ),
});

const nowRoute = apiRoute("trace", "read", { data: nowData });

export const traceRoutes: readonly Route[] = [
  route("GET /api/trace", "The actions of programs and their causes.", getTrace),
  route("GET /api/programs/:id/trace", "The actions of one program and their causes.", getProgramTrace),
  nowRoute("GET /api/programs/:id/now", "A program now: each condition with its value, and what is under way.", getNow),
];

function getNow(request: HttpRequest, { home, profile, clock }: Services): Reply {
  const entry = findProgram(home, hexIdOf(request));
  if (!entry) throw new ControllerError("PROGRAM_NOT_FOUND");
  const { isTrue, conditions, run } = programNow(home, entry, clock.now());
  const words = new HistoryWords(home, profile, clock.now());
  return envelope({
    isTrue,
    conditions: conditions.map((value) => conditionValueJson(words, value)),
    run: run && {
      clause: run.clause,
      position: run.position,
      until: run.untilMs === null ? null : isoTime(run.untilMs),
    },
  } satisfies Fits<typeof nowData>);
}

function getTrace(request: HttpRequest, services: Services): Promise<Reply> {
  return answer(request, services, null);
}

function getProgramTrace(request: HttpRequest, services: Services): Promise<Reply> {
  const number = hexIdOf(request);
  // A program that was removed may still have a trace.
  if (number === 0) throw new ControllerError("PROGRAM_NOT_FOUND");
  return answer(request, services, number);
}

async function answer(request: HttpRequest, services: Services, id: number | null): Promise<Reply> {
  const { query, signal } = request;
  const asked: TraceQuery = {
    programId: id,
    beforeId: wholeNumber(query, "before", Number.MAX_SAFE_INTEGER),
    afterRecordId: wholeNumber(query, "after", Number.MAX_SAFE_INTEGER),
    untilMs: instantInQuery(query, "until"),
    limit: Math.max(1, wholeNumber(query, "limit", LIMIT_MAX) ?? LIMIT),
  };
  const waitS = wholeNumber(query, "wait", WAIT_MAX_S) ?? 0;
  let page = await services.trace.read(asked);
  if (page.entries.length === 0 && waitS > 0 && asked.afterRecordId !== null) {
    await waitFor(services.clock, waitS, signal, (enough) => services.trace.grown(enough));
    page = await services.trace.read(asked);
  }
  return envelope(await pageJson(request, services, page));
}

async function pageJson(request: HttpRequest, services: Services, page: TracePage): Promise<Fits<typeof traceData>> {
  const words = new HistoryWords(services.home, services.profile, services.clock.now());
  const entries: Fits<typeof entryData>[] = [];
  for (const entry of page.entries) {
    entries.push(await request.inTurn(() => entryJson(words, entry, request.principal)));
  }
  return { entries, last: page.lastRecordId };
}

function entryJson(
  words: HistoryWords,
  { id, programId: program, atMs, records }: TraceEntry,
  principal: Principal | null,
): Fits<typeof entryData> {
  const { home } = words;
  const evaluated = records.find((record) => record.kind === "evaluated");
  const began = records.find((record) => record.kind === "run-began");
  const notRun = records.find((record) => record.kind === "not-run");
  const ended = records.findLast((record) => record.kind === "run-ended");
  const first = records[0];
  const start = began ?? notRun ?? evaluated;
  const cause = first ? causeJson(first.cause, principal) : null;
  const login = cause?.kind === "request" ? cause.by : null;
  const said = entryMessage(words, records, login);
  const runId = first && "runId" in first ? first.runId : began?.runId;
  return {
    id,
    programId: hexId(program),
    name: findProgram(home, program)?.name ?? "",
    time: isoTime(atMs),
    sentence: said.text,
    message: messageJson(said),
    result: resultOf(records),
    ...(notRun ? { reason: notRun.reason } : {}),
    ...(runId ? { runId } : {}),
    ...(start ? { trigger: { ...start.trigger, sentence: startMessage(words, start, records, login).text } } : {}),
    ...(cause ? { cause } : {}),
    conditions: evaluated?.conditions.map((value) => conditionValueJson(words, value)) ?? [],
    statements: statementsJson(words, records),
    ...(ended ? { ended: { how: ended.how, time: isoTime(ended.atMs) } } : {}),
  };
}

function resultOf(records: readonly TraceRecord[]): Fits<typeof entryData>["result"] {
  const kinds = new Map(records.map((record) => [record.kind, record]));
  const began = records.find((record) => record.kind === "run-began");
  if (began) return began.clause;
  const kind = (["not-run", "cut", "resumed", "evaluated"] as const).find((name) => kinds.has(name));
  return kind ?? "resumed";
}

function conditionValueJson(words: HistoryWords, value: ConditionValue): Fits<typeof conditionValueData> {
  const { path, condition, isTrue, found } = value;
  const text = condition.kind === "paren" ? "( … )" : words.condition(condition);
  const spoken = foundValue(words, value);
  return {
    path,
    isTrue,
    found,
    foundText: spoken === null ? null : textOf(spoken),
    text,
    condition: conditionJson(condition),
  };
}

function statementsJson(words: HistoryWords, records: readonly TraceRecord[]): readonly Fits<typeof statementData>[] {
  const outcomes = new Map(
    records.filter((record) => record.kind === "outcome").map((record) => [record.statementId, record]),
  );
  return records
    .filter((record) => record.kind === "statement")
    .map(({ statementId, clause, position, action, detail, untilMs, isRepeated, atMs }) => {
      const came = outcomes.get(statementId);
      const outcome = came && {
        outcome: came.outcome,
        commandId: came.commandId,
        detail: came.detail,
        message: messageJson(message("plain", { text: storedDetail(came.detail) })),
        time: isoTime(came.atMs),
      };
      return {
        id: statementId,
        clause,
        position,
        time: isoTime(atMs),
        text: words.action(action),
        action: actionJson(action),
        detail: untilMs === undefined ? detail : `until ${words.time(untilMs).text}`,
        isRepeated,
        ...(outcome ? { outcome } : {}),
      };
    });
}
