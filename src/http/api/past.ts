/** `/api/past`: what is known of an instant, and how much changed around it. @see docs/interface/past.md */

import { badValue } from "../../errors.ts";
import { isoTime, isoTimeOrNull } from "../../wire/times.ts";
import { instantInQuery, wholeNumber } from "../query.ts";
import { envelope, type Reply } from "../reply.ts";
import type { HttpRequest, QueryParameters, Route } from "../route.ts";
import { integer, list, object, text, textOrNull, time } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";

const PARTS = 200;
const PARTS_MAX = 2000;
const HALF_DAY_MS = 43_200_000;

const near = textOrNull("ISO 8601 in UTC; null when no change is near.");

const pastQuery: QueryParameters = {
  at: { type: "string", description: "The time, ISO 8601.", isRequired: true },
  from: text("Begin of the span; half a day before `at` without it."),
  to: text("End of the span, exclusive; half a day after `at` without it."),
  parts: integer(1, PARTS_MAX, `Equal parts of the span; ${PARTS} without it.`),
};

const pastData = object(
  {
    at: time,
    begins: textOrNull("Time of the first journal entry; null when the journal is empty."),
    before: { ...near, description: "The last change before `at`; null when there is none nearby." },
    after: { ...near, description: "The first change after `at`; null when there is none nearby." },
    unknown: object(
      { properties: { type: "integer" }, others: { type: "integer" } },
      { description: "Number of things whose value at this time is not in the journal." },
    ),
    from: time,
    to: time,
    parts: list(
      object({ time: { ...time, description: "Begin of the part." }, count: { type: "integer", minimum: 1 } }),
      { description: "Parts of the span with at least one change, in order." },
    ),
  },
  { title: "PastMoment" },
);

const route = apiRoute("past", "read", { past: "always" });

export const pastRoutes: readonly Route[] = [
  route(
    "GET /api/past",
    "Whether the home at a time can be reconstructed, and the number of changes around it.",
    getPast,
    {
      query: pastQuery,
      data: pastData,
    },
  ),
];

async function getPast({ query }: HttpRequest, { past, clock }: Services): Promise<Reply> {
  const atMs = instantInQuery(query, "at");
  if (atMs === null) throw badValue("at is missing: a time in ISO 8601.");
  if (atMs > clock.now()) throw badValue("at is not in the future.");
  const fromMs = instantInQuery(query, "from") ?? atMs - HALF_DAY_MS;
  const toMs = instantInQuery(query, "to") ?? atMs + HALF_DAY_MS;
  if (fromMs >= toMs) throw badValue("from is earlier than to.");
  const parts = wholeNumber(query, "parts", PARTS_MAX) || PARTS;
  const changes = await past.changes({ atMs, fromMs, toMs, parts });
  const { unknown } = await past.homeAt(atMs);
  return envelope({
    at: isoTime(atMs),
    begins: isoTimeOrNull(changes.beginsMs),
    before: isoTimeOrNull(changes.beforeMs),
    after: isoTimeOrNull(changes.afterMs),
    unknown,
    from: isoTime(fromMs),
    to: isoTime(toMs),
    parts: changes.parts.map((part) => ({ time: isoTime(part.fromMs), count: part.count })),
  });
}
