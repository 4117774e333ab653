/** One program: what it does, with its runs and non-runs laid over it, and what can be done with it. */

import type { Finding, Program } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { useLocation, useSearch } from "wouter-preact";
import { Card, Crumbs, Head } from "../parts/layout.tsx";
import { Options } from "../parts/options.tsx";
import { RemoveButton } from "../parts/remove.tsx";
import { Renamer } from "../parts/renamer.tsx";
import { useReturnedFocus } from "../parts/use-returned-focus.ts";
import { WhyPanel } from "../parts/why-panel.tsx";
import { pastMs, untilMoment } from "../past/moment.ts";
import { isOwner } from "../session/role.ts";
import { useHomeWithStates, useStore } from "../store/context.ts";
import { type Act, useAct } from "../store/use-act.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { t } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import { Findings } from "./findings.tsx";
import { keptDraft } from "./kept-draft.ts";
import { markOf, NOTHING } from "./marks.ts";
import { ProgramEditing } from "./program-editing.tsx";
import { markNow, useProgramNow } from "./program-now.ts";
import { Sentences } from "./sentences.tsx";
import { entryText, type TraceEntry, type TracePage } from "./trace-entry.ts";
import type { ProgramText } from "./use-draft.ts";

export function ProgramDetail({ program }: { program: Program }) {
  const act = useAct();
  // Nothing more is read of a program that is being removed.
  const [isGoing, setGoing] = useState(false);
  const [isEditing, setEditing] = useState(() => isOwner() && keptDraft(program.id) !== null);
  const moved = useMoved(program);
  const why = { path: isGoing ? null : `/api/why/program/${program.id}`, again: moved };
  return (
    <article class="columns">
      <div>
        <Crumbs of={[{ text: t("place.programs"), href: "/programs" }, ...folderCrumbs(program)]} />
        <Head title={<Renamer name={program.name} rename={(name) => program.update({ name })} />} />
        <State program={program} act={act} isEditing={isEditing} />
        <WhyPanel {...why} on="phone" />
        <p role="alert">{act.problem}</p>
        <ProgramBody program={program} isGoing={isGoing} moved={moved} isEditing={isEditing} setEditing={setEditing} />
      </div>
      <div>
        <WhyPanel {...why} on="desk" />
        {isOwner() && <Manage program={program} act={act} isEditing={isEditing} setGoing={setGoing} />}
      </div>
    </article>
  );
}

function folderCrumbs({ path }: Program) {
  return path
    .split("/")
    .slice(0, -1)
    .map((text) => ({ text }));
}

/** Moves when the program ran, did not run, or was edited: then its trace and the reasons are other ones. */
function useMoved({ enabled, lastFinishTime, lastRunTime, running }: Program): string {
  const { lines, revision } = useStore();
  return [enabled, lastFinishTime, lastRunTime, running, lines.value, revision.value].join(" ");
}

function State({ program, act, isEditing }: { program: Program; act: Act; isEditing: boolean }) {
  const isRunning = program.running !== null && program.running !== "idle";
  return (
    <section class="card" aria-label={t("node.now")}>
      <div class="head">
        <span class="buttons">
          <span class={program.status ? "tag good" : "tag"}>
            {t(program.status ? "programs.true" : "programs.false")}
          </span>
          {isRunning && <span class="tag lit">{t("programs.running")}</span>}
        </span>
        <span class="buttons">
          <Enabled program={program} act={act} isEditing={isEditing} />
        </span>
        <span class="hint">
          {[
            program.lastRunTime && t("program.lastRun", { time: timeText(Date.parse(program.lastRunTime)) }),
            program.nextScheduledRunTime &&
              t("program.nextRun", { time: timeText(Date.parse(program.nextScheduledRunTime)) }),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </div>
      {pastMs() === null && (
        <div class="buttons">
          <button type="button" class="primary" onClick={() => void act.run(() => program.runThen())}>
            {t("program.runThen")}
          </button>
          {isRunning && (
            <button type="button" onClick={() => void act.run(() => program.stop())}>
              {t("program.stop")}
            </button>
          )}
          <details>
            <summary>{t("program.more")}</summary>
            <div class="buttons">
              <button type="button" onClick={() => void act.run(() => program.runIf())}>
                {t("program.run")}
              </button>
              <button type="button" onClick={() => void act.run(() => program.runElse())}>
                {t("program.runElse")}
              </button>
            </div>
          </details>
        </div>
      )}
    </section>
  );
}

/** Not while it is edited: the text has this switch too, and would be that of an older version. */
function Enabled({ program, act, isEditing }: { program: Program; act: Act; isEditing: boolean }) {
  const { enabled } = program;
  if (!isOwner() || pastMs() !== null)
    return enabled === false ? <span class="tag bad">{t("programs.disabled")}</span> : null;
  return (
    <span class="switch-line">
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={enabled === true}
        aria-label={t("program.enabled")}
        disabled={isEditing}
        onClick={() => void act.run(() => (enabled ? program.disable() : program.enable()))}
      >
        <span />
      </button>
      <span aria-hidden="true">{t("program.enabled")}</span>
    </span>
  );
}

type BodyProps = {
  readonly program: Program;
  readonly isGoing: boolean;
  readonly moved: string;
  readonly isEditing: boolean;
  readonly setEditing: (isEditing: boolean) => void;
};

/** The lines of the program with a run marked on them, or the editor. The address names the run. */
function ProgramBody({ program, isGoing, moved, isEditing, setEditing }: BodyProps) {
  const { revision } = useStore();
  const home = useHomeWithStates();
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const [path, navigate] = useLocation();
  const wanted = new URLSearchParams(useSearch()).get("run");
  const loaded = useLoaded<ProgramText>(isGoing ? null : `/api/programs/${program.id}/text`, revision.value);
  const [saved, setSaved] = useState<ProgramText | null>(null);
  // An edit that begins right after a save begins with what was saved.
  const isNewer = saved !== null && loaded.data !== null && saved.version > loaded.data.version;
  const stored = isNewer ? { ...loaded, data: saved } : loaded;
  const trace = useLoaded<TracePage>(
    isGoing ? null : `/api/programs/${program.id}/trace?limit=20${untilMoment()}`,
    moved,
  );
  useEffect(() => {
    home.programs.verify({ ids: [program.id] }).then(setFindings, () => setFindings([]));
  }, [stored.data?.version]);
  const editButton = useReturnedFocus(isEditing);
  const entries = trace.data?.entries ?? [];
  const run = entries.find(({ id }) => String(id) === wanted) ?? null;
  const now = useProgramNow(program, !isGoing && !isEditing && run === null && pastMs() === null, moved);
  const choose = (id: number | null) => navigate(id === null ? path : `${path}?run=${id}`, { replace: true });
  const runs = <ProgramRuns entries={entries} problem={trace.problem} chosen={run?.id ?? null} choose={choose} />;
  const edit = isOwner() && stored.data && (
    <button type="button" ref={editButton} onClick={() => setEditing(true)}>
      {t("edit")}
    </button>
  );
  const end = (text: ProgramText | null) => {
    setSaved(text);
    setEditing(false);
  };
  if (isEditing && stored.data) {
    return (
      <>
        <ProgramEditing program={program} stored={stored.data} run={run} onEnd={end} />
        {runs}
      </>
    );
  }
  return (
    <>
      <Card title={run ? t("program.at", { time: timeText(Date.parse(run.time)) }) : t("program.does")} actions={edit}>
        {stored.problem && <p role="alert">{stored.problem}</p>}
        {run && <p>{entryText(run)}</p>}
        {stored.data && (
          <Sentences
            text={stored.data.text}
            markOf={(line) => (run ? markOf(line, run) : now ? markNow(line, now) : NOTHING)}
            marked={new Set(findings.map((finding) => finding.path))}
          />
        )}
        <Findings findings={findings} text={stored.data?.text ?? ""} />
      </Card>
      {runs}
    </>
  );
}

type ManageProps = {
  readonly program: Program;
  readonly act: Act;
  readonly isEditing: boolean;
  readonly setGoing: (isGoing: boolean) => void;
};

function Manage({ program, act, isEditing, setGoing }: ManageProps) {
  const home = useHomeWithStates();
  const [, navigate] = useLocation();
  const folders = [...home.programs].filter(({ isFolder }) => isFolder);
  return (
    <Card title={t("program.manage")}>
      <label class="check">
        <input
          type="checkbox"
          checked={program.runAtStartup === true}
          disabled={isEditing}
          onChange={() =>
            void act.run(() => (program.runAtStartup ? program.disableRunAtStartup() : program.enableRunAtStartup()))
          }
        />
        {t("program.atStartup")}
      </label>
      <label>
        {t("programs.folder")}
        <select
          value={program.parentId ?? ""}
          onChange={({ currentTarget }) =>
            void act.edit(t("done.moved"), () => program.update({ parentId: currentTarget.value }))
          }
        >
          <Options of={folders.map(({ id, path, name }) => [id, path || name])} />
        </select>
      </label>
      <div class="buttons">
        <RemoveButton
          kind="program"
          key_={program.id}
          name={program.name}
          remove={async () => {
            setGoing(true);
            await program.remove().catch((error: unknown) => {
              setGoing(false);
              throw error;
            });
            navigate("/programs");
          }}
        />
      </div>
    </Card>
  );
}

type RunsProps = {
  readonly entries: readonly TraceEntry[];
  readonly problem: string | null;
  readonly chosen: number | null;
  readonly choose: (id: number | null) => void;
};

/** Runs and non-runs of a program, newest first; one can be chosen and is then laid over the program. */
function ProgramRuns({ entries, problem, chosen, choose }: RunsProps) {
  return (
    <Card title={t("program.trace")}>
      {problem && <p role="alert">{problem}</p>}
      {entries.length === 0 && !problem && <p class="empty">{t("program.noTrace")}</p>}
      <ol class="rows trace">
        {entries.map(({ id, time, result, ...said }) => (
          <li key={id}>
            <button type="button" aria-pressed={chosen === id} onClick={() => choose(chosen === id ? null : id)}>
              <time dateTime={time}>{timeText(Date.parse(time))}</time>
            </button>
            <span class="main">
              <span class={`tag ${result === "then" ? "good" : result === "cut" ? "bad" : ""}`}>
                {t(`result.${result}`)}
              </span>
              <small>{entryText(said)}</small>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
