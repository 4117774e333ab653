/** A program at this moment, as the controller sends it. It is read again when something that it depends on moves. */

import type { Program } from "@domovoi/client";
import { useEffect, useState } from "preact/hooks";
import { useStore } from "../store/context.ts";
import { useLoaded } from "../store/use-loaded.ts";
import { foundText, type Mark, NOTHING } from "./marks.ts";
import { conditionPath, type ProgramLine } from "./program-lines.ts";
import type { FoundCondition } from "./trace-entry.ts";

type ProgramNow = {
  readonly conditions: readonly FoundCondition[];
  readonly run: { readonly clause: "then" | "else"; readonly position: number; readonly until: string | null } | null;
};

/** The controller has begun the next statement by then. */
const AFTER_WAIT_MS = 700;

/** @param isShown false: nothing is read @param moved moves when the program ran, or was edited */
export function useProgramNow(program: Program, isShown: boolean, moved: string): ProgramNow | null {
  const store = useStore();
  const [waits, setWaits] = useState(0);
  const [watched, setWatched] = useState<readonly (readonly [node: string, id: string])[]>([]);
  const values = watched.map(([node, id]) => store.property(node, id).value?.value ?? "").join();
  const reports = program.running === "idle" ? 0 : store.reports.value;
  const { data } = useLoaded<ProgramNow>(
    isShown ? `/api/programs/${program.id}/now` : null,
    `${moved} ${values} ${store.states.value} ${reports} ${waits}`,
  );
  useEffect(() => {
    const named = (data?.conditions ?? []).flatMap(({ condition: { node, id } }) =>
      typeof node === "string" && typeof id === "string" ? [[node, id] as const] : [],
    );
    setWatched((before) => (String(before) === String(named) ? before : named));
    const until = data?.run?.until;
    if (!until) return;
    const timer = setTimeout(() => setWaits((count) => count + 1), Date.parse(until) - Date.now() + AFTER_WAIT_MS);
    return () => clearTimeout(timer);
  }, [data]);
  return isShown ? data : null;
}

/** What a condition is at this moment, and which statement is under way. */
export function markNow({ clause, path }: Pick<ProgramLine, "clause" | "path">, now: ProgramNow): Mark {
  if (path === null) return NOTHING;
  if (clause === "if") {
    const condition = now.conditions.find((some) => conditionPath(some.path) === path);
    const found = condition && foundText(condition, "trace.now");
    if (!condition || found === "") return NOTHING;
    return condition.isTrue
      ? { sign: "✓", kind: "yes", found: found ?? "", label: "trace.true" }
      : { sign: "✗", kind: "no", found: found ?? "", label: "trace.false" };
  }
  const { run } = now;
  if (!run || `${run.clause}[${run.position}]` !== path) return NOTHING;
  return {
    sign: "▶",
    kind: "under-way",
    found: "",
    label: "programs.running",
    untilMs: run.until ? Date.parse(run.until) : null,
  };
}
