/** Runs of programs in the trace, and what started them. */

import type { Cause } from "../home/cause.ts";
import type { Trigger } from "../home/program-progress.ts";
import { type Message, message } from "../messages.ts";
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
export function triggerMessage(
  words: HistoryWords,
  { trigger, atMs }: Start,
  records: readonly TraceRecord[],
  who: Message,
): Message {
  const time = words.time(atMs);
  switch (trigger.kind) {
    case "status": {
      const { node, property, value } = trigger;
      const report = { node: words.name(node), value: words.spokenThen(node, property, value), time };
      if (property === MAIN_PROPERTY) return message("start.status", report);
      return message("start.property", { ...report, property: words.propertyName(node, property) });
    }
    case "held": {
      const { node, property, value, sinceMs, lastingMs, isOver } = trigger;
      const report = { node: words.name(node), value: words.spokenThen(node, property, value), time };
      const span = clockSpan(lastingMs);
      return isOver
        ? message("start.heldNoLonger", { ...report, span })
        : message("start.held", { ...report, span, since: words.time(sinceMs) });
    }
    case "control": {
      const { node, command } = trigger;
      const label = words.names.sends(node).nameOf(command) ?? command;
      return message("start.control", { node: words.name(node), command: label, time });
    }
    case "variable": {
      const { type, id, value } = trigger;
      return message("start.variable", {
        variable: words.variable(type, id),
        value: words.shown(type, id, value),
        time,
      });
    }
    case "program": {
      const { status } = trigger;
      const code = status === null ? "start.programUnknown" : status ? "start.programTrue" : "start.programFalse";
      return message(code, { program: words.program(trigger.id), time });
    }
    case "schedule": {
      const which = scheduleOf(records);
      const came = words.time(trigger.instantMs);
      if (!which) return message("start.schedule", { time: came });
      return message("start.scheduleOf", { time: came, condition: words.conditionLine(which) });
    }
    case "call":
      return message("start.call", { program: words.program(trigger.programId), time });
    case "order":
      return message("start.order", { who, verb: message(`order.${trigger.verb}`), time });
    case "startup":
      return message("start.startup", { time });
  }
}

/** `0:10:00`, the same in every language. */
function clockSpan(spanMs: number): string {
  const seconds = Math.round(spanMs / 1000);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}

export const MAIN_PROPERTY = "ST";

/** The condition whose time it was. */
function scheduleOf(records: readonly TraceRecord[]): ReturnType<typeof leafConditions>[number] | null {
  const evaluated = records.find((record) => record.kind === "evaluated");
  const schedules = evaluated?.conditions.filter(({ condition }) => condition.kind === "schedule") ?? [];
  const came = schedules.find(({ isTrue }) => isTrue) ?? (schedules.length === 1 ? schedules[0] : undefined);
  return (came && leafConditions([came.condition])[0]) ?? null;
}
