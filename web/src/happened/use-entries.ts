/** Trace, edits and events of devices as one list. It follows the stream: only what can be newer is read again. */

import type { EditSummary, NodeEvent } from "@domovoi/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { pastMs, untilMoment } from "../past/moment.ts";
import { touchedBy } from "../programs/touched.ts";
import type { TraceEntry, TracePage } from "../programs/trace-entry.ts";
import { hasOwnerRights } from "../session/role.ts";
import { useHome, useStore } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { deviceEntry, type Entry, editEntry, runEntry } from "./entries.ts";

const PAGE = 100;
/** Reports come in groups. */
const PAUSE_MS = 1_000;

const SOURCES = ["trace", "events", "edits"] as const;
type Source = (typeof SOURCES)[number];
type Item = { readonly id: number; readonly atMs: number; readonly of: TraceEntry | NodeEvent | EditSummary };
/** `hasMore`: there are older ones than those that were read. */
type Read = { readonly items: ReadonlyMap<number, Item>; readonly hasMore: boolean };

const PATHS: Readonly<Record<Source, (query: string) => string>> = {
  trace: (query) => `/api/trace?limit=${PAGE}${query}${untilMoment()}`,
  events: (query) => `/api/events?states=true&limit=${PAGE}${query}${untilMoment()}`,
  edits: (query) => `/api/edits?limit=${PAGE}${query}`,
};

const NOTHING: Read = { items: new Map(), hasMore: false };

export function useEntries() {
  const home = useHome();
  const store = useStore();
  const { revision, lines, reports } = store;
  const act = useAct();
  const [reads, setReads] = useState<Readonly<Record<Source, Read>>>({
    trace: NOTHING,
    events: NOTHING,
    edits: NOTHING,
  });
  const [isLoaded, setLoaded] = useState(false);
  const read = async (source: Source, before: number | null = null) => {
    if (source === "edits" && !hasOwnerRights()) return;
    const { data } = await home.request("GET", PATHS[source](before === null ? "" : `&before=${before}`));
    const found = itemsOf(source, data);
    setReads((known) => {
      const { items, hasMore } = known[source];
      const isFirst = before !== null || items.size === 0;
      return {
        ...known,
        [source]: {
          items: new Map([...items, ...found.map((item) => [item.id, item] as const)]),
          hasMore: isFirst ? found.length === PAGE : hasMore,
        },
      };
    });
  };
  const again = (source: Source) => void read(source).catch(() => {});
  useEffect(() => {
    void act.run(async () => {
      await Promise.all(SOURCES.map((source) => read(source)));
      setLoaded(true);
    });
  }, [home]);
  useLater(revision.value, () => again("edits"));
  useLater(lines.value, () => again("trace"));
  useLater(reports.value, () => again("events"));
  const withMore = SOURCES.filter((source) => reads[source].hasMore);
  const oldest = (source: Source) => Math.min(...Array.from(reads[source].items.values(), ({ atMs }) => atMs));
  // Before this time something may be missing.
  const sinceMs = Math.max(Number.NEGATIVE_INFINITY, ...withMore.map(oldest));
  const older = () =>
    void act.run(() => Promise.all(withMore.map((source) => read(source, Math.min(...reads[source].items.keys())))));
  const touched = touchedBy(home);
  const addressesOf = (id: string) => [...touched].filter(([, programs]) => programs.has(id)).map(([key]) => key);
  const items = (source: Source) => [...reads[source].items.values()];
  const entries: readonly (Entry | null)[] = [
    ...items("trace").map(({ of }) => runEntry(home, of as TraceEntry, addressesOf((of as TraceEntry).programId))),
    ...items("events").map(({ of }) => deviceEntry(home, of as NodeEvent)),
    ...items("edits").map(({ of }) => editEntry(of as EditSummary)),
  ];
  const untilMs = pastMs() ?? Number.POSITIVE_INFINITY;
  const shown = entries.filter(
    (entry) => entry !== null && entry.atMs >= sinceMs && entry.atMs <= untilMs,
  ) as readonly Entry[];
  return {
    entries: isLoaded ? shown.toSorted((a, b) => b.atMs - a.atMs || b.key.localeCompare(a.key)) : null,
    problem: act.problem,
    more: withMore.length > 0 ? older : null,
  };
}

function itemsOf(source: Source, data: unknown): readonly Item[] {
  if (source === "edits")
    return (data as readonly EditSummary[]).map((of) => ({ id: of.edit, atMs: Date.parse(of.at), of }));
  const list =
    source === "trace" ? (data as TracePage).entries : (data as { readonly events: readonly NodeEvent[] }).events;
  return list.map((of) => ({ id: of.id, atMs: Date.parse(of.time), of }));
}

/** Once for all moves within a short time; not for the first value. */
function useLater(moved: number, work: () => void): void {
  const first = useRef(moved);
  const timer = useRef(0);
  useEffect(() => {
    if (moved === first.current || timer.current !== 0) return;
    timer.current = window.setTimeout(() => {
      timer.current = 0;
      work();
    }, PAUSE_MS);
  }, [moved]);
  useEffect(() => () => clearTimeout(timer.current), []);
}
