/** Questions about the past, in portal mode. @see docs/interface/why.md, docs/interface/trace.md, docs/interface/history.md */

import { readTrace } from "../documents/history.ts";
import { readEnvelope } from "../documents/json.ts";
import type {
  ChartPoint,
  ChartQuery,
  NodeEvent,
  NodeEventsQuery,
  PastMoment,
  PastQuery,
  TraceEntry,
  TraceQuery,
  WhyNode,
  WhyOptions,
  WhyProgram,
} from "../model/history.ts";
import type { Session } from "../transport/session.ts";
import { requirePortal } from "./acknowledge.ts";
import { segment } from "./paths.ts";
import { portalRequest, queryText } from "./portal-request.ts";

const WORK = "Asking about the past";

export async function whyNode(session: Session, address: string, { at, property }: WhyOptions): Promise<WhyNode> {
  const query = { at: isoOf(at), property };
  return {
    kind: "node",
    ...(await portalRequest(session, WORK)("GET /api/why/node/:address", { address }, { query })),
  };
}

export async function whyProgram(session: Session, id: string, { at }: WhyOptions): Promise<WhyProgram> {
  const query = { at: isoOf(at) };
  return { kind: "program", ...(await portalRequest(session, WORK)("GET /api/why/program/:id", { id }, { query })) };
}

export async function trace(session: Session, id: string, query: TraceQuery): Promise<readonly TraceEntry[]> {
  requirePortal(session, WORK);
  const path = `/api/programs/${segment(id)}/trace${queryText({ ...query, until: isoOf(query.until) })}`;
  return readTrace(readEnvelope(await session.get(path), path));
}

export async function nodeEvents(
  session: Session,
  address: string,
  { from, until, ...rest }: NodeEventsQuery,
): Promise<readonly NodeEvent[]> {
  const query = { ...rest, from: isoOf(from), until: isoOf(until) };
  return (await portalRequest(session, WORK)("GET /api/nodes/:address/events", { address }, { query })).events;
}

/** Raw values become displayed ones. */
export async function chart(
  session: Session,
  address: string,
  property: string,
  { from, to, points }: ChartQuery,
): Promise<readonly ChartPoint[]> {
  const query = { from: isoOf(from), to: isoOf(to), points };
  const data = await portalRequest(session, WORK)(
    "GET /api/history/:address/:property",
    { address, property },
    { query },
  );
  return data.points.map(({ time, count, uom, prec, ...raw }) => {
    const displayed = (value: number | null) => (value === null ? null : value / 10 ** prec);
    const { min, max, mean, last } = raw;
    return {
      ...{ time, count, uom },
      min: displayed(min),
      max: displayed(max),
      mean: displayed(mean),
      last: displayed(last),
    };
  });
}

export function past(session: Session, { at, from, to, parts }: PastQuery): Promise<PastMoment> {
  const query = { at: isoOf(at), from: isoOf(from), to: isoOf(to), parts };
  return portalRequest(session, WORK)("GET /api/past", {}, { query });
}

export function isoOf<T extends Date | string | undefined>(at: T): Exclude<T, Date> | string {
  return at instanceof Date ? at.toISOString() : (at as Exclude<T, Date>);
}
