/** Questions about the past, in portal mode. @see docs/interface/why.md, docs/interface/trace.md, docs/interface/history.md */

import { readChart, readPast, readTrace, readWhyNode, readWhyProgram } from "../documents/history.ts";
import { readEnvelope } from "../documents/json.ts";
import type {
  ChartPoint,
  ChartQuery,
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

export async function whyNode(session: Session, address: string, { at, property }: WhyOptions): Promise<WhyNode> {
  return readWhyNode(await read(session, `/api/why/node/${segment(address)}`, { at: isoOf(at), property }));
}

export async function whyProgram(session: Session, id: string, { at }: WhyOptions): Promise<WhyProgram> {
  return readWhyProgram(await read(session, `/api/why/program/${segment(id)}`, { at: isoOf(at) }));
}

export async function trace(session: Session, id: string, query: TraceQuery): Promise<readonly TraceEntry[]> {
  const { limit, before, until } = query;
  return readTrace(await read(session, `/api/programs/${segment(id)}/trace`, { limit, before, until: isoOf(until) }));
}

export async function chart(
  session: Session,
  address: string,
  property: string,
  { from, to, points }: ChartQuery,
): Promise<readonly ChartPoint[]> {
  const path = `/api/history/${segment(address)}/${segment(property)}`;
  return readChart(await read(session, path, { from: isoOf(from), to: isoOf(to), points }));
}

export async function past(session: Session, { at, from, to, parts }: PastQuery): Promise<PastMoment> {
  return readPast(await read(session, "/api/past", { at: isoOf(at), from: isoOf(from), to: isoOf(to), parts }));
}

async function read(
  session: Session,
  path: string,
  query: Readonly<Record<string, string | number | undefined>>,
): Promise<unknown> {
  requirePortal(session, "Asking about the past");
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  const text = given.toString();
  return readEnvelope(await session.get(text === "" ? path : `${path}?${text}`), path);
}

export function isoOf<T extends Date | string | undefined>(at: T): Exclude<T, Date> | string {
  return at instanceof Date ? at.toISOString() : (at as Exclude<T, Date>);
}
