/** `/api/alerts`: what rings, and answers to it; `/api/alert-look` and `/api/alert-answer`: by a message's token. @see docs/interface/alerts.md */

import {
  ALERT_STATUSES,
  type Alert,
  type AlertLook,
  type AlertPort,
  ANSWER_WAYS,
  type Answered,
  type AnswerFacts,
  URGENCIES,
} from "../../drivers/alert-port.ts";
import { ControllerError, invariant } from "../../errors.ts";
import { isoTime, isoTimeOrNull } from "../../wire/times.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, Route } from "../route.ts";
import { bodyOf, type Fits, integer, list, object, partial, text, textOrNull, time } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute, VIEW } from "./api-route.ts";

const TOKEN_CHARS_MAX = 100;

const answerData = object(
  {
    by: text("Login name, or the channel where that belongs to no account; empty: a program, or not for this account."),
    way: { type: "string", enum: ANSWER_WAYS, description: "The page or the API, a channel's message, or a command." },
    channel: text("Channel whose message was answered, or empty."),
    at: time,
    button: text("Label of the button; empty: it was only confirmed."),
    outcome: text("What came of the button, as a sentence; empty: nothing yet, or no button."),
  },
  { title: "AlertAnswer" },
);
const answerOrNull = { ...answerData, type: ["object", "null"] } as const;
const status = { type: "string", enum: ALERT_STATUSES } as const;

const alertData = object(
  {
    node: text("Address of its node."),
    name: text("That of its node."),
    kind: text("water, smoke, gas, carbon-monoxide, break-in or jam; empty: its owner added it."),
    status,
    text: text("What rings, as a sentence; empty: it does not ring."),
    urgency: { type: "string", enum: URGENCIES },
    since: textOrNull("ISO 8601 in UTC; null: it does not ring."),
    sources: list(text("Address."), { description: "Nodes that say so, as far as the account sees them." }),
    order: text("Who gets it, and when."),
    buttons: list(object({ label: text("For people."), action: text("What it does, as programs write it.") })),
    told: list(object({ channel: text("Name."), at: time, failure: text("Why it was not delivered, or empty.") }), {
      description: "Who got it. Empty for accounts with limits.",
    }),
    nextAt: textOrNull("When the next step of the order comes, ISO 8601 in UTC; null: none does."),
    answer: answerOrNull,
  },
  { title: "Alert" },
);
const lookData = object(
  {
    name: text("Of the alert."),
    status,
    text: text("What rings."),
    since: textOrNull("ISO 8601 in UTC."),
    buttons: list(text("Label."), { description: "Those that the holder of the token may press; they count from 1." }),
    answer: answerOrNull,
  },
  { title: "AlertLook" },
);
const answeredData = object(
  {
    first: { type: "boolean", description: "false: another answer was first, which `answer` shows." },
    answer: answerData,
  },
  { title: "AlertAnswered" },
);

const button = integer(0, 3, "Number of the button; 0, the default: it only confirms.");
const answerBody = partial({ button }, { additionalProperties: false });
const token = { type: "string", minLength: 1, maxLength: TOKEN_CHARS_MAX, description: "From the message." } as const;
const lookBody = object({ token }, { additionalProperties: false });
const tokenBody = object({ token }, { optional: { button }, additionalProperties: false });

const route = apiRoute("alerts", "read");

export const alertRoutes: readonly Route[] = [
  route("GET /api/alerts", "The alerts: what rings, who got it, who answered.", listAlerts, {
    ...VIEW,
    data: list(alertData),
  }),
  route("POST /api/alerts/:node/answer", "Confirms an alert, or presses one of its buttons.", answerAlert, {
    access: "operate-lock",
    limited: ({ params }) => ({ kind: "node", address: params.node ?? "", command: "CONFIRM" }),
    body: answerBody,
    data: answeredData,
  }),
  route("POST /api/alert-look", "What the token of a message answers.", lookAtAlert, {
    access: "public",
    body: lookBody,
    data: lookData,
  }),
  route("POST /api/alert-answer", "Answers an alert by the token of a message.", answerByToken, {
    access: "public",
    body: tokenBody,
    data: answeredData,
  }),
];

function listAlerts({ principal }: HttpRequest, services: Services): Reply {
  const { home } = services;
  const isLimited = principal?.view !== null;
  const all = findPort(services)?.alerts() ?? [];
  return envelope(all.filter(({ node }) => home.nodes.has(node)).map((each) => alertJson(each, services, isLimited)));
}

async function answerAlert(request: HttpRequest, services: Services): Promise<Reply> {
  const { principal, params } = request;
  const { button: number = 0 } = request.body === null ? {} : bodyOf(request, answerBody);
  const node = params.node ?? "";
  invariant(principal, "The route requires a login.");
  if (principal.isAssistant) throw new ControllerError("FORBIDDEN", "A person answers alerts, not an assistant.");
  const answered = await portOf(services).answer(node, principal.accountId, number);
  return envelope(answeredJson(answered, principal.view !== null && !answered.isFirst));
}

function lookAtAlert(request: HttpRequest, services: Services): Reply {
  const { sinceMs, answer, ...look }: AlertLook = portOf(services).look(bodyOf(request, lookBody).token);
  const data: Fits<typeof lookData> = {
    ...look,
    since: isoTimeOrNull(sinceMs),
    answer: answer && answerJson(answer, false),
  };
  return envelope(data);
}

async function answerByToken(request: HttpRequest, services: Services): Promise<Reply> {
  const { token: given, button: number = 0 } = bodyOf(request, tokenBody);
  return envelope(answeredJson(await portOf(services).answerByToken(given, number), false));
}

function findPort({ drivers }: Services): AlertPort | null {
  return (
    drivers.list().find(({ alerts, state }) => alerts && state !== "failed" && state !== "stopped")?.alerts ?? null
  );
}

/** @throws ControllerError ALERT_NOT_FOUND */
function portOf(services: Services): AlertPort {
  const port = findPort(services);
  if (!port) throw new ControllerError("ALERT_NOT_FOUND");
  return port;
}

function alertJson(
  { sinceMs, nextAtMs, told, answer, sources, ...alert }: Alert,
  { home }: Services,
  isLimited: boolean,
): Fits<typeof alertData> {
  return {
    ...alert,
    since: isoTimeOrNull(sinceMs),
    sources: sources.filter((address) => home.nodes.has(address)),
    told: isLimited ? [] : told.map(({ atMs, ...each }) => ({ ...each, at: isoTime(atMs) })),
    nextAt: isoTimeOrNull(nextAtMs),
    answer: answer && answerJson(answer, isLimited),
  };
}

/** Accounts with limits learn no names of others. */
function answerJson({ atMs, ...answer }: AnswerFacts, isLimited: boolean): Fits<typeof answerData> {
  return { ...answer, ...(isLimited && { by: "", channel: "" }), at: isoTime(atMs) };
}

function answeredJson({ isFirst, answer }: Answered, isLimited: boolean): Fits<typeof answeredData> {
  return { first: isFirst, answer: answerJson(answer, isLimited) };
}
