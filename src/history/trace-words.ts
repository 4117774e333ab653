/** Trace records as sentences: what a program did, or why it did not run. */

import type { NonRunReason, TraceRecord } from "../programs/trace-record.ts";
import { capital, type HistoryWords } from "./history-words.ts";
import { type Start, triggerText } from "./runs.ts";

type Began = Extract<TraceRecord, { kind: "run-began" }>;
type NotRun = Extract<TraceRecord, { kind: "not-run" }>;
type Ended = Extract<TraceRecord, { kind: "run-ended" }>;
type Cut = Extract<TraceRecord, { kind: "cut" }>;
type Outcome = Extract<TraceRecord, { kind: "outcome" }>;

/** @param records of one entry, oldest first. */
export function entrySentence(words: HistoryWords, records: readonly TraceRecord[]): string {
  const began = records.find((record) => record.kind === "run-began");
  if (began) return runSentence(words, began, records);
  const notRun = records.find((record) => record.kind === "not-run");
  if (notRun) return notRunSentence(words, notRun);
  const cut = records.find((record) => record.kind === "cut");
  if (cut) return cutSentence(cut);
  if (records.some((record) => record.kind === "resumed")) return `Continued after a restart${endWords(records)}.`;
  const evaluated = records.find((record) => record.kind === "evaluated");
  if (evaluated)
    return `Its conditions are ${evaluated.isTrue ? "true" : "false"}, evaluated because ${startWords(words, evaluated, records)}.`;
  return `Continued${endWords(records)}; its start is no longer stored.`;
}

/** A record as a line for who follows what happens; null for what the program's own frames say. */
export function traceLine(words: HistoryWords, record: TraceRecord): string | null {
  const line = lineWords(words, record);
  return line && `${capital(words.program(record.programId))}: ${line}`;
}

function lineWords(words: HistoryWords, record: TraceRecord): string | null {
  switch (record.kind) {
    case "run-began":
      return `Runs ${capital(record.clause)}, because ${startWords(words, record)}.`;
    case "not-run":
      return notRunSentence(words, record);
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
export function startWords(words: HistoryWords, start: Start, records: readonly TraceRecord[] = []): string {
  return triggerText(words, start, records, "a person or client");
}

export const BECAUSE: Readonly<Record<NonRunReason, string>> = {
  disabled: "the program is disabled",
  "not-loaded": "the program is not loaded",
  "folder-false": "the conditions of a folder above it are false",
  missed: "its time was missed",
  cut: "a limit was reached",
  overloaded: "too many starts of programs waited already (programStartsWaitingMax, programCausedStartsWaitingMax)",
};

function notRunSentence(words: HistoryWords, notRun: NotRun): string {
  const { reason, detail } = notRun;
  const more = detail === "" ? "" : `: ${detail.replace(/\.$/, "")}`;
  return `Did not run, because ${BECAUSE[reason]}${more}. It was triggered because ${startWords(words, notRun)}.`;
}

function cutSentence({ detail }: Cut): string {
  return `Was stopped and disabled, because a limit was reached: ${detail}`;
}

function outcomeWords({ outcome, detail }: Outcome): string | null {
  if (outcome === "failed") return `A statement failed: ${detail}`;
  return outcome === "uncertain" ? `It is unknown whether a statement was carried out: ${detail}` : null;
}

function runSentence(words: HistoryWords, began: Began, records: readonly TraceRecord[]): string {
  const outcomes = records.filter((record) => record.kind === "outcome");
  const failed = outcomes.filter(({ outcome }) => outcome === "failed").length;
  const uncertain = outcomes.filter(({ outcome }) => outcome === "uncertain").length;
  const troubles = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(uncertain > 0 ? [`of ${uncertain} it is not known whether they were done`] : []),
  ];
  const trouble = troubles.length > 0 ? `; of its commands ${troubles.join(", ")}` : "";
  return `Ran ${capital(began.clause)}, because ${startWords(words, began, records)}${endWords(records)}${trouble}.`;
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
