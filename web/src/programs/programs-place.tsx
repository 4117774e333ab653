/** Programs in their folders, each with what its condition came to and whether it runs. */

import type { Program } from "@domovoi/client";
import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { useHome } from "../store/context.ts";
import { t, timeText } from "../text/text.ts";

export function ProgramsPlace() {
  const home = useHome();
  const [filter, setFilter] = useState("");
  const programs = [...home.programs].filter(({ path, isFolder }) => !isFolder && matches(path, filter));
  return (
    <>
      <h1>{t("place.programs")}</h1>
      <input type="search" aria-label={t("filter")} placeholder={t("filter")} value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
      {programs.length === 0 && <p>{t("programs.none")}</p>}
      <ul class="programs">
        {programs.map((program) => (
          <ProgramRow key={program.id} program={program} />
        ))}
      </ul>
    </>
  );
}

function ProgramRow({ program }: { program: Program }) {
  const state = program.enabled === false ? "programs.disabled" : program.status ? "programs.true" : "programs.false";
  return (
    <li>
      <Link href={`/program/${program.id}`}>{program.path}</Link>
      <span class="value">
        {t(state)}
        {program.running !== null && program.running !== "idle" && ` · ${t("programs.running")}`}
        {program.lastRunTime && ` · ${timeText(Date.parse(program.lastRunTime))}`}
      </span>
    </li>
  );
}

function matches(path: string, filter: string): boolean {
  return path.toLowerCase().includes(filter.trim().toLowerCase());
}
