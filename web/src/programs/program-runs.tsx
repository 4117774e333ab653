/** Runs and non-runs of a program, newest first; one can be chosen and is then laid over the program. */

import { Card } from "../parts/layout.tsx";
import { t } from "../text/text.ts";
import { timeText } from "../text/time.ts";
import { entryText, type TraceEntry } from "./trace-entry.ts";

type RunsProps = {
  readonly entries: readonly TraceEntry[];
  readonly problem: string | null;
  readonly chosen: number | null;
  readonly choose: (id: number | null) => void;
};

export function ProgramRuns({ entries, problem, chosen, choose }: RunsProps) {
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
