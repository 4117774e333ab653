/** `/api/why`: why a node is as it is, and why a program ran or did not. @see docs/interface/why.md */

import { ControllerError } from "../../errors.ts";
import type { Inquiry } from "../../history/cause-chain.ts";
import { HistoryWords } from "../../history/history-words.ts";
import { whyNode } from "../../history/why-node.ts";
import { whyProgram } from "../../history/why-program.ts";
import type { WhyStep } from "../../history/why-step.ts";
import { findProgram, hexId } from "../../home/programs.ts";
import { type Message, textOf } from "../../messages.ts";
import { isoTimeOrNull } from "../../wire/times.ts";
import { instantInQuery } from "../query.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { type Fits, type JsonSchema, list, object, text, textOrNull } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";
import { hidesLogins } from "./cause-json.ts";
import { messageJson, messagesData } from "./message-json.ts";
import { hexIdOf } from "./program-members.ts";

const time = textOrNull("ISO 8601 in UTC; null when it is not known.");
const stepData = object(
  {
    kind: { type: "string", enum: ["program", "account", "device", "controller"] },
    sentence: { type: "string" },
    time,
    program: textOrNull("Id of the program that acted."),
    line: { type: ["integer", "null"], description: "Line of its text that acted." },
    runId: { type: ["string", "null"] },
    commandId: { type: ["string", "null"] },
  },
  { title: "WhyStep" },
);

const shared: Readonly<Record<string, JsonSchema>> = {
  name: { type: "string" },
  sentences: list(
    { type: "string" },
    { description: "The whole answer for a person; times are those of the zone of the home." },
  ),
  messages: messagesData,
  steps: list(stepData, { description: "Steps of the cause chain, from the event back to its origin." }),
  missing: textOrNull("A sentence about missing records; null when nothing is missing."),
};

const at = text("A time, ISO 8601. Default: now.");
const property = text("Default: ST, or else the property that the node reported last.");

const whyNodeData = object({
  address: { type: "string" },
  property: { type: "string" },
  value: textOrNull("The value at that time, in words; null when it is no longer stored."),
  since: time,
  ...shared,
});

const whyProgramData = object({
  id: { type: "string", pattern: "^[0-9A-F]{4}$" },
  answer: {
    type: "string",
    enum: ["then", "else", "not-run", "cut", "evaluated", "nothing"],
    description: "`nothing`: nothing made the controller look at it.",
  },
  time,
  conditions: list(
    object({
      text: { type: "string", description: "The statement as in the program's text." },
      isTrue: { type: "boolean" },
      found: textOrNull("The value that was compared, in words."),
    }),
    { description: "Every condition with its result at that time." },
  ),
  ...shared,
});

const route = apiRoute("why", "read", { past: "always" });

export const whyRoutes: readonly Route[] = [
  route("GET /api/why/node/:address", "The cause of a node's state, now or at a time.", getWhyNode, {
    query: { at, property },
    data: whyNodeData,
  }),
  route("GET /api/why/program/:id", "Why a program ran, or did not.", getWhyProgram, {
    query: { at },
    data: whyProgramData,
  }),
];

async function getWhyNode(request: HttpRequest, services: Services): Promise<Reply> {
  const { query, params } = request;
  const { address = "" } = params;
  const why = await whyNode(inquiryOf(request, services), address, query.get("property"), instantInQuery(query, "at"));
  const { property, value, sinceMs, sentences, steps, missing } = why;
  return envelope({
    address,
    name: services.home.nodes.get(address)?.name ?? "",
    property,
    value,
    since: isoTimeOrNull(sinceMs),
    ...spoken(sentences, missing),
    steps: steps.map(stepJson),
  });
}

async function getWhyProgram(request: HttpRequest, services: Services): Promise<Reply> {
  const number = hexIdOf(request);
  // A program that was deleted may still have a trace.
  if (number === 0) throw new ControllerError("PROGRAM_NOT_FOUND");
  const why = await whyProgram(inquiryOf(request, services), number, instantInQuery(request.query, "at"));
  const { answer, atMs, sentences, conditions, steps, missing } = why;
  return envelope({
    id: hexId(number),
    name: findProgram(services.home, number)?.name ?? "",
    answer,
    time: isoTimeOrNull(atMs),
    ...spoken(sentences, missing),
    conditions: conditions.map(({ found, ...rest }) => ({ ...rest, found: found === null ? null : textOf(found) })),
    steps: steps.map(stepJson),
  });
}

export function inquiryOf({ principal }: HttpRequest, { past, home, profile, clock }: Services): Inquiry {
  return { past, words: new HistoryWords(home, profile, clock.now()), showsLogins: !hidesLogins(principal) };
}

function spoken(sentences: readonly Message[], missing: Message | null) {
  return {
    sentences: sentences.map(({ text }) => text),
    messages: sentences.map(messageJson),
    missing: missing?.text ?? null,
  };
}

function stepJson({ atMs, program, sentence, ...rest }: WhyStep): Fits<typeof stepData> {
  return {
    ...rest,
    sentence: sentence.text,
    time: isoTimeOrNull(atMs),
    program: program === null ? null : hexId(program),
  };
}
