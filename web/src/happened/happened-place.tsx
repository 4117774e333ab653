/** What programs did and did not do, what devices reported, and what people changed, newest first. The address holds the filters. */

import type { NodeRole } from "@domovoi/client";
import { Bot, Pencil } from "lucide-preact";
import { Link, useLocation, useSearch } from "wouter-preact";
import { roomsOf } from "../home/rooms.ts";
import { Card, Head } from "../parts/layout.tsx";
import { Options } from "../parts/options.tsx";
import { ALARMS, lookOf, purposeOf } from "../parts/roles.ts";
import { pastMs, showMoment } from "../past/moment.ts";
import { useHome, useStore } from "../store/context.ts";
import { folded as foldedText } from "../text/folded.ts";
import { dayOf, fromLocalInput, hourOf } from "../text/home-zone.ts";
import { type TextKey, t, tn } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import type { Entry, Kind } from "./entries.ts";
import { folded, type Group } from "./fold.ts";
import { useEntries } from "./use-entries.ts";

const KINDS: readonly { readonly kind: Kind | null; readonly text: TextKey }[] = [
  { kind: null, text: "happened.all" },
  { kind: "device", text: "happened.devices" },
  { kind: "run", text: "happened.runs" },
  { kind: "not-run", text: "happened.notRuns" },
  { kind: "edit", text: "happened.edits" },
];

/** Another moment is another list. */
export function HappenedPlace() {
  return <Happened key={pastMs(useSearch())} />;
}

function Happened() {
  const home = useHome();
  const store = useStore();
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const [kind, query, room, person] = ["kind", "q", "room", "person"].map((name) => search.get(name) ?? "");
  const { entries, problem, more } = useEntries();
  const choose = (name: string, value: string | null) => {
    if (value) search.set(name, value);
    else search.delete(name);
    navigate(search.size === 0 ? "/happened" : `/happened?${search}`, { replace: true });
  };
  const rooms = roomsOf(home).filter(({ nodes }) => nodes.length > 0);
  const inRoom = new Set(rooms.find(({ key }) => key === room)?.nodes.map(({ address }) => address));
  const isInRoom = (address: string) => inRoom.has(address) || inRoom.has(home.nodes.find(address)?.primary ?? "");
  const people = [...new Set(entries?.flatMap((entry) => entry.person ?? []))].sort();
  const wanted = foldedText((query ?? "").trim());
  const shown = entries?.filter(
    (entry) =>
      (kind === "" ? !entry.isQuiet : entry.kind === kind) &&
      (room === "" || entry.addresses.some(isInRoom)) &&
      (person === "" || entry.person === person) &&
      foldedText(`${entry.name} ${entry.sentence}`).includes(wanted),
  );
  const isWhole = pastMs() === null && [kind, query, room, person].every((filter) => filter === "");
  return (
    <>
      <Head title={t("place.happened")}>
        <input
          type="date"
          aria-label={t("happened.day")}
          max={dayOf(store.nowMs())}
          value={dayOf(pastMs() ?? store.nowMs())}
          onChange={({ currentTarget: { value } }) => {
            const endMs = fromLocalInput(`${value}T23:59:59`);
            if (Number.isFinite(endMs)) showMoment(endMs >= store.nowMs() ? null : endMs);
          }}
        />
      </Head>
      <div class="buttons happened-filters">
        <input
          type="search"
          aria-label={t("filter")}
          placeholder={t("filter")}
          value={query}
          onInput={(event) => choose("q", event.currentTarget.value)}
        />
        {KINDS.map(({ kind: own, text }) => (
          <button
            key={text}
            type="button"
            class="chip"
            aria-pressed={(own ?? "") === kind}
            onClick={() => choose("kind", own)}
          >
            {t(text)}
          </button>
        ))}
        <select
          aria-label={t("happened.room")}
          value={room}
          onChange={({ currentTarget }) => choose("room", currentTarget.value)}
        >
          <option value="">{t("happened.anyRoom")}</option>
          {rooms.map(
            ({ key, name }) =>
              key !== "" && (
                <option key={key} value={key}>
                  {name}
                </option>
              ),
          )}
        </select>
        <select
          aria-label={t("happened.person")}
          value={person}
          onChange={({ currentTarget }) => choose("person", currentTarget.value)}
        >
          <option value="">{t("happened.anyone")}</option>
          <Options of={[...new Set([...people, ...(person ? [person] : [])])].map((name) => [name, name])} />
        </select>
      </div>
      <p role="alert">{problem}</p>
      {isWhole && entries && <StoryCard entries={entries} />}
      {shown?.length === 0 && <p class="empty">{t("happened.none")}</p>}
      <Days groups={folded(shown ?? [])} />
      {more && (
        <p>
          <button type="button" onClick={more}>
            {t("more")}
          </button>
        </p>
      )}
    </>
  );
}

function StoryCard({ entries }: { entries: readonly Entry[] }) {
  const { title, sentences } = storyOf(entries, useStore().nowMs());
  return (
    <Card title={title}>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Card>
  );
}

/** A card a day. */
function Days({ groups }: { groups: readonly Group<Entry>[] }) {
  const days = Map.groupBy(groups, ({ newest }) => dayOf(newest.atMs));
  return (
    <>
      {Array.from(days, ([day, own]) => (
        <section key={day} class="card" aria-label={timeText(own[0]?.newest.atMs ?? 0, "day")}>
          <h2>{timeText(own[0]?.newest.atMs ?? 0, "day")}</h2>
          <ol class="rows trace">
            {own.map(({ newest, others }) => (
              // By its oldest entry, which stays the same when newer ones are folded into it.
              <li key={(others.at(-1) ?? newest).key}>
                <Row entry={newest} />
                {others.length > 0 && (
                  <details class="below">
                    <summary>{tn("happened.more", others.length)}</summary>
                    <ol class="rows trace">
                      {others.map((entry) => (
                        <li key={entry.key}>
                          <Row entry={entry} />
                        </li>
                      ))}
                    </ol>
                  </details>
                )}
              </li>
            ))}
          </ol>
        </section>
      ))}
    </>
  );
}

function Row({ entry: { atMs, kind, name, href, sentence, tag, role } }: { entry: Entry }) {
  const Icon = kind === "edit" ? Pencil : kind === "device" ? lookOf(role).Icon : Bot;
  return (
    <>
      <time dateTime={new Date(atMs).toISOString()}>{timeText(atMs, "minute")}</time>
      <Icon size={16} aria-hidden />
      <span class="main">
        <Link href={href}>{name}</Link>{" "}
        {tag && <span class={tag.isBad ? "tag bad" : tag.isGood ? "tag good" : "tag"}>{tag.text}</span>}
        <small>{sentence}</small>
      </span>
    </>
  );
}

const DAY_MS = 86_400_000;
/** Before noon the night is told: from this hour of the day before. */
const [NOON, EVENING] = [12, 20];
const DEVICES_MAX = 5;

type Story = { readonly title: string; readonly sentences: readonly string[] };

/**
 * The last night, or today, in a few sentences: what of the home's doors, locks and alarms moved, and what ran or was changed.
 * @param entries newest first
 */
function storyOf(entries: readonly Entry[], nowMs: number): Story {
  const isMorning = hourOf(nowMs) < NOON;
  const day = dayOf(isMorning ? nowMs - DAY_MS : nowMs);
  const sinceMs = fromLocalInput(`${day}T${isMorning ? `${EVENING}:00` : "00:00"}:00`);
  const of = entries.filter(({ atMs }) => atMs >= sinceMs);
  const told = of.filter(({ kind, role }) => kind === "device" && role !== null && isTold(role));
  const devices = Array.from(Map.groupBy(told, ({ subject }) => subject).values(), (own) => deviceSentence(own));
  const count = (kind: Entry["kind"]) => of.filter((entry) => entry.kind === kind).length;
  const [runs, edits] = [count("run"), count("edit")];
  const sentences = [
    ...devices.slice(0, DEVICES_MAX),
    devices.length > DEVICES_MAX ? tn("story.more", devices.length - DEVICES_MAX) : "",
    runs > 0 ? tn("story.runs", runs) : "",
    edits > 0 ? tn("story.edits", edits) : "",
  ].filter(Boolean);
  return {
    title: t(isMorning ? "story.night" : "story.today"),
    sentences: sentences.length > 0 ? sentences : [t("story.quiet")],
  };
}

function isTold(role: string): boolean {
  return ALARMS.has(role) || purposeOf({ role: role as NodeRole, use: null }) === "safety";
}

/** "Front Door: 3 times, last Closed at 22:15." */
function deviceSentence(own: readonly Entry[]): string {
  const [newest] = own;
  if (!newest) return "";
  const last = { name: newest.name, state: newest.tag?.text ?? "", time: timeText(newest.atMs, "minute") };
  return own.length === 1 ? t("story.once", last) : t("story.often", { ...last, count: own.length });
}
