/** What programs did and did not do, newest first. */

import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useHome } from "../store/context.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { t, timeText } from "../text/text.ts";

type Entry = {
  readonly id: number;
  readonly programId: string;
  readonly name: string;
  readonly time: string;
  readonly result: string;
  readonly sentence: string;
};

export function HappenedPlace() {
  const home = useHome();
  const [filter, setFilter] = useState("");
  const { data, problem, reload } = useLoaded<{ readonly entries: readonly Entry[] }>("/api/trace?limit=200");
  const nameOf = ({ programId, name }: Entry) => home.programs.find(programId)?.path ?? name;
  const entries = (data?.entries ?? []).filter((entry) =>
    `${nameOf(entry)} ${entry.sentence}`.toLowerCase().includes(filter.trim().toLowerCase()),
  );
  return (
    <>
      <h1>{t("place.happened")}</h1>
      <div class="buttons">
        <input type="search" aria-label={t("filter")} placeholder={t("filter")} value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
        <button type="button" onClick={reload}>{t("reload")}</button>
      </div>
      {problem && <p role="alert">{problem}</p>}
      {data && entries.length === 0 && <p>{t("happened.none")}</p>}
      <ol class="trace">
        {entries.map((entry) => (
          <li key={entry.id} class={entry.result}>
            <time dateTime={entry.time}>{timeText(Date.parse(entry.time))}</time>{" "}
            <Link href={`/program/${entry.programId}`}>{nameOf(entry)}</Link> <span>{entry.sentence}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
