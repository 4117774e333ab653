/** What programs did and did not do, and what people changed, newest first. The address holds filter and search. */

import type { EditSummary } from "@domovoi/client";
import { Bot, Pencil } from "lucide-preact";
import { useEffect, useState } from "preact/hooks";
import { Link, useLocation, useSearch } from "wouter-preact";
import { Head } from "../parts/layout.tsx";
import { pastMs, untilMoment } from "../past/moment.ts";
import { entryText, type TraceEntry, type TracePage } from "../programs/trace-entry.ts";
import { hasOwnerRights } from "../session/role.ts";
import { useHome, useStore } from "../store/context.ts";
import { useAct } from "../store/use-act.ts";
import { type TextKey, t } from "../text/text.ts";
import { dayOf } from "../text/home-zone.ts";
import { timeText } from "../text/time.ts";
import { folded } from "../text/folded.ts";

const PAGE = 100;
const POLL_MS = 5_000;

type Kind = "run" | "not-run" | "edit";
type Entry = {
  readonly key: string;
  readonly atMs: number;
  readonly kind: Kind;
  readonly name: string;
  readonly href: string;
  readonly sentence: string;
  readonly tag: TextKey | null;
};

const KINDS: readonly { readonly kind: Kind | null; readonly text: TextKey }[] = [
  { kind: null, text: "happened.all" },
  { kind: "run", text: "happened.runs" },
  { kind: "not-run", text: "happened.notRuns" },
  { kind: "edit", text: "happened.edits" },
];

export function HappenedPlace() {
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const [kind, query] = [search.get("kind"), search.get("q") ?? ""];
  const { entries, problem, more } = useEntries();
  const choose = (name: string, value: string | null) => {
    if (value) search.set(name, value);
    else search.delete(name);
    navigate(search.size === 0 ? "/happened" : `/happened?${search}`, { replace: true });
  };
  const wanted = folded(query.trim());
  const shown = entries?.filter(
    (entry) => (kind === null || entry.kind === kind) && folded(`${entry.name} ${entry.sentence}`).includes(wanted),
  );
  return (
    <>
      <Head title={t("place.happened")} />
      <div class="buttons">
        <input type="search" aria-label={t("filter")} placeholder={t("filter")} value={query} onInput={(event) => choose("q", event.currentTarget.value)} />
        {KINDS.map(({ kind: own, text }) => (
          <button key={text} type="button" class="chip" aria-pressed={own === kind} onClick={() => choose("kind", own)}>
            {t(text)}
          </button>
        ))}
      </div>
      <p role="alert">{problem}</p>
      {shown?.length === 0 && <p class="empty">{t("happened.none")}</p>}
      <Days entries={shown ?? []} />
      {more && <p><button type="button" onClick={more}>{t("more")}</button></p>}
    </>
  );
}

/** A card a day. */
function Days({ entries }: { entries: readonly Entry[] }) {
  const days = Map.groupBy(entries, ({ atMs }) => dayOf(atMs));
  return (
    <>
      {Array.from(days, ([day, own]) => (
        <section key={day} class="card" aria-label={timeText(own[0]?.atMs ?? 0, "day")}>
          <h2>{timeText(own[0]?.atMs ?? 0, "day")}</h2>
          <ol class="rows trace">
            {own.map(({ key, atMs, kind, name, href, sentence, tag }) => (
              <li key={key}>
                <time dateTime={new Date(atMs).toISOString()}>{timeText(atMs, "clock")}</time>
                {kind === "edit" ? <Pencil size={16} aria-hidden /> : <Bot size={16} aria-hidden />}
                <span class="main">
                  <Link href={href}>{name}</Link> {tag && <span class={kind === "not-run" ? "tag" : "tag good"}>{t(tag)}</span>}
                  <small>{sentence}</small>
                </span>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

/** Trace and edits as one list, read again every few seconds from the newest. */
function useEntries() {
  const home = useHome();
  const { revision } = useStore();
  const act = useAct();
  const [trace, setTrace] = useState<ReadonlyMap<number, TraceEntry>>(new Map());
  const [edits, setEdits] = useState<readonly EditSummary[]>([]);
  const [isLoaded, setLoaded] = useState(false);
  const [isMore, setMore] = useState(false);
  const read = async (query: string) => {
    const { data } = await home.request("GET", `/api/trace?limit=${PAGE}${query}${untilMoment()}`);
    const { entries } = data as TracePage;
    setTrace((known) => new Map([...known, ...entries.map((entry): [number, TraceEntry] => [entry.id, entry])]));
    return entries.length === PAGE;
  };
  useEffect(() => {
    void act.run(async () => {
      if (hasOwnerRights()) setEdits(await home.edits.history({ limit: PAGE }));
      setMore(await read(""));
      setLoaded(true);
    });
    const timer = setInterval(() => void read("").catch(() => {}), POLL_MS);
    return () => clearInterval(timer);
  }, [revision.value, home]);
  const older = () => void act.run(async () => setMore(await read(`&before=${Math.min(...trace.keys())}`)));
  const nameOf = ({ programId, name }: TraceEntry) => home.programs.find(programId)?.path ?? name;
  const entries = [...[...trace.values()].map((entry) => traceEntry(entry, nameOf(entry))), ...edits.map(editEntry)].filter(({ atMs }) => atMs <= (pastMs() ?? Number.POSITIVE_INFINITY));
  return {
    entries: isLoaded ? entries.sort((a, b) => b.atMs - a.atMs) : null,
    problem: act.problem,
    more: isMore ? older : null,
  };
}

function traceEntry({ id, programId, time, result, ...said }: TraceEntry, name: string): Entry {
  const isRun = result === "then" || result === "else" || result === "resumed";
  return {
    key: `trace ${id}`,
    atMs: Date.parse(time),
    kind: isRun ? "run" : "not-run",
    name,
    href: `/program/${programId}?run=${id}`,
    sentence: entryText(said),
    tag: `result.${result}`,
  };
}

function editEntry({ edit, at, by, title }: EditSummary): Entry {
  return { key: `edit ${edit}`, atMs: Date.parse(at), kind: "edit", name: title, href: "/system/history", sentence: by ?? "", tag: null };
}
