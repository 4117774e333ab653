/** Trace records as sentences: what a program did, or why it did not run. */

import type { Home } from "../../home/home.ts";
import type { Trigger } from "../../home/program-progress.ts";
import type { NonRunReason, TraceRecord } from "../trace-record.ts";

type Names = Pick<Home, "nodes" | "groups" | "programs" | "variables">;
type Began = Extract<TraceRecord, { kind: "run-began" }>;
type NotRun = Extract<TraceRecord, { kind: "not-run" }>;
type Ended = Extract<TraceRecord, { kind: "run-ended" }>;
type Cut = Extract<TraceRecord, { kind: "cut" }>;
type Outcome = Extract<TraceRecord, { kind: "outcome" }>;

/** @param records of one entry, oldest first. */
export function entrySentence(names: Names, records: readonly TraceRecord[]): string {
  const began = records.find((record) => record.kind === "run-began");
  if (began) return runSentence(names, began, records);
  const notRun = records.find((record) => record.kind === "not-run");
  if (notRun) return notRunSentence(names, notRun);
  const cut = records.find((record) => record.kind === "cut");
  if (cut) return cutSentence(cut);
  if (records.some((record) => record.kind === "resumed")) return `Went on after a restart${endWords(records)}.`;
  const evaluated = records.find((record) => record.kind === "evaluated");
  if (evaluated)
    return `Its conditions are ${evaluated.isTrue ? "true" : "false"}, looked at because ${triggerWords(names, evaluated.trigger)}.`;
  return `Went on${endWords(records)}; its start is no longer stored.`;
}

/** A record as a line for who follows what happens; null for what the program's own frames say. */
export function traceLine(names: Names, record: TraceRecord): string | null {
  const words = lineWords(names, record);
  return words && `Program ${programName(names, record.programId)}: ${words}`;
}

function lineWords(names: Names, record: TraceRecord): string | null {
  switch (record.kind) {
    case "run-began":
      return `Runs ${record.clause === "then" ? "Then" : "Else"}, because ${triggerWords(names, record.trigger)}.`;
    case "not-run":
      return notRunSentence(names, record);
    case "cut":
      return cutSentence(record);
    case "outcome":
      return outcomeWords(record);
    case "evaluated":
    case "statement":
    case "run-ended":
    case "resumed":
      return null;
  }
}

/** The part of a sentence that follows "because". */
export function triggerWords(names: Names, trigger: Trigger): string {
  switch (trigger.kind) {
    case "status":
      return `${trigger.property} of ${nodeName(names, trigger.node)} became ${displayed(names, trigger)}`;
    case "control":
      return `${nodeName(names, trigger.node)} sent ${trigger.command}`;
    case "variable":
      return `the variable ${variableName(names, trigger)} became ${trigger.value}`;
    case "program":
      return `the status of ${programName(names, trigger.id)} became ${trigger.status ?? "unknown"}`;
    case "schedule":
      return `its time came (${new Date(trigger.instantMs).toISOString()})`;
    case "call":
      return `${programName(names, trigger.programId)} called it (${trigger.control})`;
    case "order":
      return `a person or client requested it (${trigger.verb})`;
    case "startup":
      return "the controller started";
  }
}

export const BECAUSE: Readonly<Record<NonRunReason, string>> = {
  disabled: "the program is disabled",
  "not-loaded": "the program is not loaded",
  "folder-false": "the conditions of a folder above it are false",
  missed: "its time was missed",
  cut: "a limit was reached",
  overloaded: "too many starts of programs waited already (programStartsWaitingMax, programCausedStartsWaitingMax)",
};

function notRunSentence(names: Names, { reason, detail, trigger }: NotRun): string {
  const more = detail === "" ? "" : `: ${detail.replace(/\.$/, "")}`;
  return `Did not run, because ${BECAUSE[reason]}${more}. It was looked at because ${triggerWords(names, trigger)}.`;
}

function cutSentence({ detail }: Cut): string {
  return `Was stopped and disabled, because a limit was reached: ${detail}`;
}

function outcomeWords({ outcome, detail }: Outcome): string | null {
  if (outcome === "failed") return `A statement failed: ${detail}`;
  return outcome === "uncertain" ? `It is unknown whether a statement was carried out: ${detail}` : null;
}

function runSentence(names: Names, { clause, trigger }: Began, records: readonly TraceRecord[]): string {
  const outcomes = records.filter((record) => record.kind === "outcome");
  const failed = outcomes.filter(({ outcome }) => outcome === "failed").length;
  const uncertain = outcomes.filter(({ outcome }) => outcome === "uncertain").length;
  const troubles = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(uncertain > 0 ? [`of ${uncertain} it is not known whether they were done`] : []),
  ];
  const trouble = troubles.length > 0 ? `; of its commands ${troubles.join(", ")}` : "";
  return `Ran ${clause === "then" ? "Then" : "Else"}, because ${triggerWords(names, trigger)}${endWords(records)}${trouble}.`;
}

const ENDS: Readonly<Record<Ended["how"], string>> = {
  finished: "finished",
  stopped: "was stopped",
  interrupted: "was interrupted by another start",
  cut: "was stopped by a limit",
};

function endWords(records: readonly TraceRecord[]): string {
  const ended = records.findLast((record) => record.kind === "run-ended");
  return ended ? `; ${ENDS[ended.how]}` : "; under way";
}

/** By the precision that the property has now. */
function displayed({ nodes }: Names, { node, property, value }: Extract<Trigger, { kind: "status" }>): string {
  if (value === null) return "unknown";
  return String(value / 10 ** (nodes.get(node)?.properties.get(property)?.prec ?? 0));
}

function nodeName({ nodes, groups }: Names, address: string): string {
  return `"${nodes.get(address)?.name ?? groups.get(address)?.name ?? address}"`;
}

function programName({ programs }: Names, id: number): string {
  return `"${programs.get(id)?.name ?? id}"`;
}

function variableName({ variables }: Names, { type, id }: Extract<Trigger, { kind: "variable" }>): string {
  return `"${variables[type].get(id)?.name ?? `${type}/${id}`}"`;
}
