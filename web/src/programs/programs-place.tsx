/** Programs in their folders beside the one that is open, each with what its condition came to and whether it runs. */

import type { Home, Program } from "@domovoi/client";
import { Plus, Replace } from "lucide-preact";
import { useState } from "preact/hooks";
import { Link, useLocation, useSearch } from "wouter-preact";
import { DialogButton } from "../parts/dialog.tsx";
import { Head, Missing, Split } from "../parts/layout.tsx";
import { Lazy } from "../parts/lazy.tsx";
import { Options } from "../parts/options.tsx";
import { isOwner } from "../session/role.ts";
import { useHomeWithStates } from "../store/context.ts";
import { folded } from "../text/folded.ts";
import { loadMessages } from "../text/messages.ts";
import { t } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import { ProgramDetail } from "./program-detail.tsx";
import { touchedBy } from "./touched.ts";

const newProgram = () => import("./new-program.tsx").then((module) => module.NewProgram);
const replaceDevice = () => import("./replace-device.tsx").then((module) => module.ReplaceDevice);

/** The place, with what its sentences need. */
export async function openPrograms(): Promise<typeof ProgramsPlace> {
  await loadMessages();
  return ProgramsPlace;
}

function ProgramsPlace({ id }: { id: string | null }) {
  const home = useHomeWithStates();
  const program = id === null ? null : home.programs.find(id);
  const detail = program ? (
    <ProgramDetail key={program.id} program={program} />
  ) : (
    <Missing text={t("programs.unknown")} />
  );
  return (
    <Split list={<ProgramList home={home} open={id} />} detail={id === null ? null : detail}>
      <p class="empty">{t("programs.choose")}</p>
    </Split>
  );
}

function ProgramList({ home, open }: { home: Home; open: string | null }) {
  const [filter, setFilter] = useState("");
  const [, navigate] = useLocation();
  const touches = new URLSearchParams(useSearch()).get("touches") ?? "";
  const touched = touchedBy(home);
  const wanted = folded(filter.trim());
  const all = [...home.programs];
  const root = all.find(({ isFolder, parentId }) => isFolder && parentId === null);
  const isTouching = ({ id }: Program) => touches === "" || touched.get(touches)?.has(id) === true;
  const found = all.filter(
    (program) => !program.isFolder && folded(program.path).includes(wanted) && isTouching(program),
  );
  return (
    <>
      <Head title={open === null ? t("place.programs") : <h2>{t("place.programs")}</h2>}>
        {isOwner() && (
          <>
            <DialogButton class="icon" name={t("programs.replace")} label={<Replace size={20} aria-hidden />}>
              <Lazy load={replaceDevice} />
            </DialogButton>
            <DialogButton class="icon" name={t("programs.new")} label={<Plus size={22} aria-hidden />}>
              <Lazy load={newProgram} />
            </DialogButton>
          </>
        )}
      </Head>
      <input
        type="search"
        aria-label={t("filter")}
        placeholder={t("filter")}
        value={filter}
        onInput={(event) => setFilter(event.currentTarget.value)}
      />
      <select
        aria-label={t("programs.touches")}
        value={touches}
        onChange={({ currentTarget: { value } }) =>
          navigate(value === "" ? "?" : `?touches=${encodeURIComponent(value)}`, { replace: true })
        }
      >
        <option value="">{t("programs.touchesAny")}</option>
        <Options
          of={[...touched.keys()]
            .flatMap((key) => {
              const name = touchedName(home, key);
              return name === null ? [] : [[key, name] as const];
            })
            .sort(([, one], [, other]) => one.localeCompare(other))
            .map(([key, name]) => [key, name])}
        />
      </select>
      {found.length === 0 && <p class="empty">{t("programs.none")}</p>}
      <nav class="card tree" aria-label={t("place.programs")}>
        {wanted === "" && touches === "" ? (
          <Branch all={all} parent={root?.id ?? null} open={open} />
        ) : (
          <ul>
            {found.sort(enabledFirst).map((program) => (
              <li key={program.id}>
                <Leaf program={program} isOpen={program.id === open} text={program.path} />
              </li>
            ))}
          </ul>
        )}
      </nav>
    </>
  );
}

/** null: it is not in the home any more. */
function touchedName(home: Home, key: string): string | null {
  const [, type, id] = /^variable (\d)\/(\d+)$/.exec(key) ?? [];
  const variable = [...home.variables].find((each) => `${each.type}` === type && `${each.id}` === id);
  return variable?.name ?? home.nodes.find(key)?.path ?? home.groups.find(key)?.name ?? null;
}

/** Folders, then programs that can run, then disabled ones. */
function enabledFirst(one: Program, other: Program): number {
  const rank = ({ isFolder, enabled }: Program) => (isFolder ? 0 : enabled === false ? 2 : 1);
  return rank(one) - rank(other) || one.name.localeCompare(other.name);
}

function Branch({ all, parent, open }: { all: readonly Program[]; parent: string | null; open: string | null }) {
  const own = all.filter(({ parentId, id }) => parentId === parent && id !== parent).sort(enabledFirst);
  return (
    <ul>
      {own.map((program) => (
        <li key={program.id}>
          {program.isFolder ? (
            <details open>
              <summary>
                <span class={program.status ? "dot true" : "dot"} />
                <strong>{program.name}</strong>
              </summary>
              <Branch all={all} parent={program.id} open={open} />
            </details>
          ) : (
            <Leaf program={program} isOpen={program.id === open} text={program.name} />
          )}
        </li>
      ))}
    </ul>
  );
}

function Leaf({ program, isOpen, text }: { program: Program; isOpen: boolean; text: string }) {
  // Its handle stays the same while it runs, so a new rendering above does not reach here.
  useHomeWithStates();
  const state = program.enabled === false ? "programs.disabled" : program.status ? "programs.true" : "programs.false";
  const isRunning = program.running !== null && program.running !== "idle";
  const dot = program.enabled === false ? "dot off" : program.status ? "dot true" : "dot";
  return (
    <Link class="leaf" href={`/program/${program.id}`} aria-current={isOpen ? "page" : undefined}>
      <span class={dot} title={t(state)}>
        <span class="hidden">{t(state)}</span>
      </span>
      <span>
        {text}
        <small class="hint">{[ranText(program), nextText(program)].filter(Boolean).join(" · ")}</small>
      </span>
      {isRunning && <span class="tag lit">{t("programs.running")}</span>}
    </Link>
  );
}

function ranText({ lastRunTime }: Program): string {
  return lastRunTime ? t("program.lastRun", { time: timeText(Date.parse(lastRunTime)) }) : "";
}

function nextText({ enabled, nextScheduledRunTime }: Program): string {
  return enabled !== false && nextScheduledRunTime
    ? t("program.nextRun", { time: timeText(Date.parse(nextScheduledRunTime)) })
    : "";
}
