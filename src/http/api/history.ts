/** `/api/history`: what a property was over a span, in as many points as a chart needs. @see docs/interface/history.md */

import { badValue, ControllerError } from "../../errors.ts";
import { DAY_MS } from "../../util/clock.ts";
import { isoTime } from "../../wire/times.ts";
import { instantInQuery, wholeNumber } from "../query.ts";
import { JSON_TYPE, type Reply } from "../reply.ts";
import type { HttpRequest, QueryParameters, Route } from "../route.ts";
import { integer, list, object, orNull, text, time } from "../schema.ts";
import type { Services } from "../services.ts";
import { apiRoute } from "./api-route.ts";

const POINTS = 300;
const POINTS_MAX = 2000;

const raw = (what: string) => orNull({ type: "number" }, { description: `${what}, raw; displayed = value / 10^prec.` });

const seriesQuery: QueryParameters = {
  from: text("Begin of the span, ISO 8601; a day before its end without it."),
  to: text("End of the span, ISO 8601, exclusive; now without it."),
  points: integer(1, POINTS_MAX, `Equal parts of the span; ${POINTS} without it.`),
};

const pointData = object({
  time: { ...time, description: "Begin of the part, ISO 8601 in UTC." },
  count: { type: "integer", minimum: 0, description: "Changes in this part." },
  min: raw("Smallest value that held; null when the value was unknown in all of the part"),
  max: raw("Largest value that held; null as min"),
  mean: raw("Mean, weighted by the time that each value held; null as min"),
  last: raw("Value at the end of the part; null when it is unknown"),
  uom: { type: "integer", description: "Unit of measure." },
  prec: { type: "integer", description: "Decimal places." },
});

const seriesData = object({
  address: { type: "string" },
  property: { type: "string" },
  from: time,
  to: time,
  points: list(pointData, {
    description: "Parts of the span in order, without those before the first value and after now.",
  }),
});

const route = apiRoute("history", "read", { past: "always" });

export const historyRoutes: readonly Route[] = [
  route("GET /api/history/:address/:property", "The values of a property over a span.", getSeries, {
    query: seriesQuery,
    data: seriesData,
  }),
];

async function getSeries({ params, query }: HttpRequest, services: Services): Promise<Reply> {
  const { address = "", property = "" } = params;
  if (!services.home.nodes.has(address)) throw new ControllerError("NODE_NOT_FOUND");
  const nowMs = services.clock.now();
  const toMs = instantInQuery(query, "to") ?? nowMs;
  const fromMs = instantInQuery(query, "from") ?? toMs - DAY_MS;
  if (fromMs >= toMs) throw badValue("from is earlier than to.");
  const points = wholeNumber(query, "points", POINTS_MAX) || POINTS;
  const series = await services.history.series({ address, property, fromMs, toMs, points, nowMs });
  const span = JSON.stringify({ address, property, from: isoTime(fromMs), to: isoTime(toMs) });
  // The points are text already. They become the last member.
  const before = Buffer.from(`{"successful":true,"data":${span.slice(0, -1)},"points":`);
  return { status: 200, contentType: JSON_TYPE, body: Buffer.concat([before, series, Buffer.from("}}")]) };
}
