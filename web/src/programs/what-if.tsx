/** Replays recorded time with the edited text, and shows the result beside what took place. */

import type { Program, ReplayedDifference, ReplayResult } from "@domovoi/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Options } from "../parts/options.tsx";
import { hrefOf } from "../parts/things.ts";
import { useHome } from "../store/context.ts";
import { problemText } from "../text/problem.ts";
import { number, t, tn } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import { localLine } from "./local-line.ts";

const DAY_MS = 86_400_000;
const SPANS = { day: DAY_MS, week: 7 * DAY_MS, month: 31 * DAY_MS } as const;
type SpanName = keyof typeof SPANS;

type State =
  | { readonly kind: "idle" }
  | { readonly kind: "running"; readonly progress: number }
  | { readonly kind: "failed"; readonly problem: string }
  | { readonly kind: "done"; readonly result: ReplayResult; readonly text: string };

export function WhatIf({ program, text }: { program: Program; text: string }) {
  const home = useHome();
  const [span, setSpan] = useState<SpanName>("week");
  const [state, setState] = useState<State>({ kind: "idle" });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const replay = async () => {
    const controller = new AbortController();
    running.current = controller;
    setState({ kind: "running", progress: 0 });
    const order = { from: new Date(Date.now() - SPANS[span]), changes: [{ program: program.id, text }] };
    const onProgress = (progress: number) => setState({ kind: "running", progress });
    try {
      const result = await home.replays.run(order, { onProgress, signal: controller.signal });
      setState({ kind: "done", result, text });
    } catch (error) {
      setState(controller.signal.aborted ? { kind: "idle" } : { kind: "failed", problem: problemText(error) });
    }
  };
  return (
    <section class="what-if" aria-label={t("replay.title")}>
      <div class="buttons">
        <button type="button" disabled={state.kind === "running"} onClick={() => void replay()}>
          {t("replay.title")}
        </button>
        <select
          aria-label={t("replay.span")}
          value={span}
          onChange={({ currentTarget }) => setSpan(currentTarget.value as SpanName)}
        >
          <Options of={(Object.keys(SPANS) as SpanName[]).map((name) => [name, t(`replay.${name}`)])} />
        </select>
        {state.kind === "running" && (
          <button type="button" onClick={() => running.current?.abort()}>
            {t("cancel")}
          </button>
        )}
      </div>
      {state.kind === "running" && (
        <progress class="progress" aria-label={t("replay.progress")} value={state.progress} />
      )}
      {state.kind === "failed" && (
        <p role="alert" class="problem">
          {state.problem}
        </p>
      )}
      {state.kind === "done" && <Result result={state.result} program={program} isOld={state.text !== text} />}
    </section>
  );
}

/** @param isOld the text was changed since */
function Result({ result, program, isOld }: { result: ReplayResult; program: Program; isOld: boolean }) {
  const { faithful, differences, differencesTotal, missing, unknown } = result;
  const runs = result.programs.find(({ id }) => id === program.id);
  const doubts = [
    missing > 0 && tn("replay.missing", missing),
    unknown.properties + unknown.others > 0 && tn("past.unknown", unknown.properties + unknown.others),
    isOld && t("replay.old"),
  ].filter((text) => text !== false);
  return (
    <>
      <p role="status">
        <strong>
          {faithful.recorded === 0
            ? t("replay.nothingSent")
            : t("replay.faithful", { repeated: number(faithful.repeated), recorded: number(faithful.recorded) })}
        </strong>{" "}
        {runs && t("replay.runs", { before: number(runs.runsBefore), after: number(runs.runsAfter) })}{" "}
        {tn("replay.differences", differencesTotal)}
      </p>
      {doubts.map((text) => (
        <p key={text} class="hint">
          {text}
        </p>
      ))}
      {differences.length > 0 && <DifferenceTable differences={differences} />}
      {differencesTotal > differences.length && (
        <p class="hint">{tn("replay.more", differencesTotal - differences.length)}</p>
      )}
    </>
  );
}

function DifferenceTable({ differences }: { differences: readonly ReplayedDifference[] }) {
  return (
    <div class="scrolled">
      <table>
        <thead>
          <tr>
            <th scope="col">{t("replay.time")}</th>
            <th scope="col">{t("replay.target")}</th>
            <th scope="col">{t("replay.was")}</th>
            <th scope="col">{t("replay.would")}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map((difference) => (
            <tr key={`${difference.time} ${difference.program.id} ${difference.kind} ${difference.text}`}>
              <td>{timeText(Date.parse(difference.time))}</td>
              <td>
                <Target difference={difference} /> <small class="hint">{difference.program.name}</small>
              </td>
              <td data-label={t("replay.was")}>{shownWas(difference)}</td>
              <td data-label={t("replay.would")}>
                {difference.kind === "removed" ? t("history.absent") : localLine(difference.text)}{" "}
                {!difference.certain && <span class="tag lit">{t("replay.uncertain")}</span>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const KINDS = { command: "node", link: "scene", resource: "resource", variable: "variable", notify: "" } as const;

function Target({ difference: { target, action } }: { difference: ReplayedDifference }) {
  const home = useHome();
  if (!target) return <span>{t("system.notifications")}</span>;
  const href = hrefOf(home, KINDS[action], target.id) ?? hrefOf(home, "scene", target.id);
  return href ? <Link href={href}>{target.name}</Link> : <span>{target.name}</span>;
}

function shownWas({ kind, text, was, wasText }: ReplayedDifference): string {
  if (kind === "added") return t("history.absent");
  if (kind === "changed") return localLine(wasText ?? "");
  return kind === "moved" ? t("replay.at", { time: was === null ? "" : timeText(Date.parse(was)) }) : localLine(text);
}
