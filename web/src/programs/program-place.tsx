/** One program: its text with findings while it is edited, its commands, and the trace of runs and non-runs. */

import type { Finding, Program } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Lazy } from "../parts/lazy.tsx";
import { WhyPanel } from "../parts/why-panel.tsx";
import { useHome } from "../store/context.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { t, timeText } from "../text/text.ts";

const editor = () => import("./program-editor.tsx").then((module) => module.ProgramEditor);

export function ProgramPlace({ id }: { id: string }) {
  const home = useHome();
  const program = home.programs.find(id);
  if (!program) return <p role="alert">{t("programs.unknown")}</p>;
  return (
    <article class="detail">
      <p class="crumb">
        <Link href="/programs">{t("place.programs")}</Link> / {program.path}
      </p>
      <h1>{program.name}</h1>
      <Actions program={program} />
      <Text program={program} />
      <WhyPanel path={`/api/why/program/${program.id}`} />
      <Trace program={program} />
    </article>
  );
}

function Actions({ program }: { program: Program }) {
  const [problem, setProblem] = useState<string | null>(null);
  const act = (work: Promise<void>) => {
    setProblem(null);
    work.catch((error: Error) => setProblem(error.message));
  };
  return (
    <div class="buttons">
      <button type="button" onClick={() => act(program.runIf())}>{t("program.run")}</button>
      <button type="button" onClick={() => act(program.runThen())}>{t("program.runThen")}</button>
      <button type="button" onClick={() => act(program.stop())}>{t("program.stop")}</button>
      <button type="button" onClick={() => act(program.enabled ? program.disable() : program.enable())}>
        {t(program.enabled ? "program.disable" : "program.enable")}
      </button>
      {problem && <p role="alert">{problem}</p>}
    </div>
  );
}

/** Saving is never blocked by findings; an error of the text is. */
function Text({ program }: { program: Program }) {
  const home = useHome();
  const [stored, setStored] = useState<string | null>(null);
  const [draft, setDraft] = useState<string | null>(null);
  const [findings, setFindings] = useState<readonly Finding[]>([]);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    program.text().then(setStored, (error: Error) => setProblem(error.message));
  }, [program.id]);
  useEffect(() => {
    if (draft === null) return;
    const timer = setTimeout(() => {
      home.programs.verify({ text: draft }).then(
        (found) => {
          setFindings(found);
          setProblem(null);
        },
        (error: Error) => setProblem(error.message),
      );
    }, 400);
    return () => clearTimeout(timer);
  }, [draft]);
  const save = async () => {
    try {
      const applied = await home.programs.applyText(draft ?? "");
      setStored(applied.text);
      setFindings(applied.findings);
      setDraft(null);
      setProblem(null);
    } catch (error) {
      setProblem((error as Error).message);
    }
  };
  return (
    <section>
      <h2>{t("program.text")}</h2>
      {stored === null && !problem && <p>{t("starting")}</p>}
      {draft === null ? (
        <>
          <pre class="program-text">{stored}</pre>
          {stored !== null && (
            <button type="button" onClick={() => setDraft(stored)}>
              {t("edit")}
            </button>
          )}
        </>
      ) : (
        <>
          <Lazy load={editor} text={draft} findings={findings} change={setDraft} />
          <div class="buttons">
            <button type="button" class="primary" onClick={() => void save()}>{t("save")}</button>
            <button type="button" onClick={() => setDraft(null)}>{t("cancel")}</button>
          </div>
        </>
      )}
      {problem && <pre role="alert" class="problem">{problem}</pre>}
      <ul class="findings">
        {findings.map(({ code, path, severity, sentence }) => (
          <li key={`${code} ${path}`} class={severity}>
            <strong>{t(`severity.${severity as "error" | "warning" | "hint"}`)}</strong> {sentence}
          </li>
        ))}
      </ul>
    </section>
  );
}

type TraceEntry = {
  readonly id: number;
  readonly time: string;
  readonly result: string;
  readonly sentence: string;
};

function Trace({ program }: { program: Program }) {
  const { data, problem, reload } = useLoaded<{ readonly entries: readonly TraceEntry[] }>(
    `/api/programs/${program.id}/trace?limit=20`,
    program.lastRunTime,
  );
  return (
    <section>
      <h2>{t("program.trace")}</h2>
      <button type="button" class="link" onClick={reload}>{t("reload")}</button>
      {problem && <p role="alert">{problem}</p>}
      {data?.entries.length === 0 && <p>{t("program.noTrace")}</p>}
      <ol class="trace">
        {data?.entries.map(({ id, time, result, sentence }) => (
          <li key={id} class={result}>
            <time dateTime={time}>{timeText(Date.parse(time))}</time> {sentence}
          </li>
        ))}
      </ol>
    </section>
  );
}
