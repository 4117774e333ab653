/** Runs of programs in the trace, and what started them. */

import type { Cause } from "../home/cause.ts";
import type { Trigger } from "../home/program-progress.ts";
import { leafConditions } from "../programs/references.ts";
import type { TraceEntry } from "../programs/trace/program-trace.ts";
import type { TraceRecord } from "../programs/trace-record.ts";
import type { HistoryWords } from "./history-words.ts";
import type { Past } from "./past.ts";

/** Runs of one program in the same millisecond. */
const RUNS_A_PAGE = 50;
const PAGES_MAX = 20;

/** null when the trace no longer holds it. @param runId program, start, number: `5-1781085600000-0`. */
export async function runOf(past: Past, runId: string): Promise<TraceEntry | null> {
  const [programId = Number.NaN, beganAtMs = Number.NaN] = runId.split("-").map(Number);
  let beforeId: number | null = null;
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const query = { programId, beforeId, afterRecordId: null, untilMs: beganAtMs, limit: RUNS_A_PAGE };
    const { entries } = await past.trace(query);
    const found = entries.find(({ records }) => records.some((record) => "runId" in record && record.runId === runId));
    if (found) return found;
    const last = entries.at(-1);
    if (!last || last.atMs < beganAtMs) return null;
    beforeId = last.id;
  }
  return null;
}

/** The latest entry of a program up to a time. */
export async function latestRun(past: Past, programId: number, untilMs: number): Promise<TraceEntry | null> {
  const query = { programId, beforeId: null, afterRecordId: null, untilMs, limit: 1 };
  return (await past.trace(query)).entries[0] ?? null;
}

export type Start = { readonly trigger: Trigger; readonly cause: Cause; readonly atMs: number };

/** The trigger of the evaluation; null when the trace no longer has it. */
export function startOf({ records }: TraceEntry): Start | null {
  for (const record of records) {
    if ("trigger" in record) return { trigger: record.trigger, cause: record.cause, atMs: record.atMs };
  }
  return null;
}

/** The part of a sentence behind "because", with its time. @param who of a command to the program. */
export function triggerText(
  words: HistoryWords,
  { trigger, atMs }: Start,
  records: readonly TraceRecord[],
  who: string,
): string {
  switch (trigger.kind) {
    case "status": {
      const { node, property, value } = trigger;
      const what = property === MAIN_PROPERTY ? "" : `${words.propertyName(node, property)} `;
      return `"${words.name(node)}" reported ${what}${words.valueThen(node, property, value)} at ${words.time(atMs)}`;
    }
    case "control": {
      const { node, command } = trigger;
      const label = words.names.sends(node).nameOf(command) ?? command;
      return `"${words.name(node)}" sent ${label} at ${words.time(atMs)}`;
    }
    case "variable": {
      const { type, id, value } = trigger;
      const prec = words.home.variables[type].get(id)?.prec ?? 0;
      return `${words.variable(type, id)} became ${value / 10 ** prec} at ${words.time(atMs)}`;
    }
    case "program": {
      const status = trigger.status === null ? "unknown" : trigger.status ? "true" : "false";
      return `the status of ${words.program(trigger.id)} became ${status} at ${words.time(atMs)}`;
    }
    case "schedule": {
      const which = scheduleText(words, records);
      return `its time came at ${words.time(trigger.instantMs)}${which === null ? "" : ` (${which})`}`;
    }
    case "call":
      return `${words.program(trigger.programId)} called it at ${words.time(atMs)}`;
    case "order":
      return `${who} commanded it (${trigger.verb}) at ${words.time(atMs)}`;
    case "startup":
      return `the controller started at ${words.time(atMs)}`;
  }
}

export const MAIN_PROPERTY = "ST";

/** The condition whose time it was. */
function scheduleText(words: HistoryWords, records: readonly TraceRecord[]): string | null {
  const evaluated = records.find((record) => record.kind === "evaluated");
  const schedules = evaluated?.conditions.filter(({ condition }) => condition.kind === "schedule") ?? [];
  const came = schedules.find(({ isTrue }) => isTrue) ?? (schedules.length === 1 ? schedules[0] : undefined);
  const [leaf] = came ? leafConditions([came.condition]) : [];
  return leaf ? words.condition(leaf) : null;
}
