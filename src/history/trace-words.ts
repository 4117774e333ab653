/** Trace records as sentences: what a program did, or why it did not run. */

import { codeOfSentence } from "../errors.ts";
import { capital, type Message, type MessageValue, message } from "../messages.ts";
import type { TraceRecord } from "../programs/trace-record.ts";
import type { HistoryWords } from "./history-words.ts";
import { type Start, triggerMessage } from "./runs.ts";

type Began = Extract<TraceRecord, { kind: "run-began" }>;
type NotRun = Extract<TraceRecord, { kind: "not-run" }>;
type Cut = Extract<TraceRecord, { kind: "cut" }>;
type Outcome = Extract<TraceRecord, { kind: "outcome" }>;

/**
 * @param records of one entry, oldest first.
 * @param login of the account that commanded it; null where it is not known or not shown.
 */
export function entryMessage(words: HistoryWords, records: readonly TraceRecord[], login: string | null): Message {
  const began = records.find((record) => record.kind === "run-began");
  if (began) return runMessage(words, began, records, login);
  const notRun = records.find((record) => record.kind === "not-run");
  if (notRun) return notRunMessage(words, notRun, login);
  const cut = records.find((record) => record.kind === "cut");
  if (cut) return message("run.cut", { detail: cutReason(words, cut) });
  const end = endMessage(records);
  if (records.some((record) => record.kind === "resumed")) return message("run.resumed", { end });
  const evaluated = records.find((record) => record.kind === "evaluated");
  if (!evaluated) return message("run.unknownStart", { end });
  return message(evaluated.isTrue ? "run.true" : "run.false", {
    start: startMessage(words, evaluated, records, login),
  });
}

/** A record as a line for who follows what happens; null for what the program's own frames say. */
export function traceLine(words: HistoryWords, record: TraceRecord): string | null {
  const line = lineOf(words, record);
  return line && `${capital(words.program(record.programId).text)}: ${line.text}`;
}

function lineOf(words: HistoryWords, record: TraceRecord): Message | null {
  switch (record.kind) {
    case "run-began":
      return message(`run.${record.clause}Begins`, { start: startMessage(words, record) });
    case "not-run":
      return notRunMessage(words, record);
    case "cut":
      return message("run.cut", { detail: cutReason(words, record) });
    case "outcome":
      return outcomeMessage(record);
    case "evaluated":
    case "statement":
    case "run-ended":
    case "resumed":
      return null;
  }
}

/** The part of a sentence that follows "because". */
export function startMessage(
  words: HistoryWords,
  start: Start,
  records: readonly TraceRecord[] = [],
  login: string | null = null,
): Message {
  const who = login === null ? message("thing.someone") : message("thing.account", { login });
  return triggerMessage(words, start, records, who);
}

function notRunMessage(words: HistoryWords, notRun: NotRun, login: string | null = null): Message {
  const detail = notRun.detail === "" ? "" : message("run.detail", { detail: notRun.detail.replace(/\.$/, "") });
  const reason = message(`notRun.${notRun.reason}`);
  return message("run.not", { reason, detail, start: startMessage(words, notRun, [], login) });
}

/** Why a limit stopped a program. */
export function cutReason(words: HistoryWords, { limit, loop, detail }: Cut): Message {
  if (limit === "programStepsMax") return message("cut.statements", { count: /\d+/.exec(detail)?.[0] ?? "" });
  const programs = loop.map((id) => `"${words.home.programs.get(id)?.name ?? id}"`).join(" → ");
  return message(limit === "programCallsMax" ? "cut.calls" : "cut.loop", { programs });
}

function outcomeMessage({ outcome, detail }: Outcome): Message | null {
  if (outcome === "failed") return message("run.statementFailed", { detail: storedDetail(detail) });
  return outcome === "uncertain" ? message("run.statementUncertain", { detail: storedDetail(detail) }) : null;
}

/** The trace stores how a statement ended as a sentence: one of the catalogue of errors, or what the device said. */
export function storedDetail(detail: string): MessageValue {
  const code = codeOfSentence(detail);
  return code ? { error: code, text: detail } : detail;
}

function runMessage(words: HistoryWords, began: Began, records: readonly TraceRecord[], login: string | null): Message {
  const outcomes = records.filter((record) => record.kind === "outcome");
  const failed = outcomes.filter(({ outcome }) => outcome === "failed").length;
  const uncertain = outcomes.filter(({ outcome }) => outcome === "uncertain").length;
  const trouble = troubleMessage(failed, uncertain) ?? "";
  return message(`run.${began.clause}`, {
    start: startMessage(words, began, records, login),
    end: endMessage(records),
    trouble,
  });
}

function troubleMessage(failed: number, uncertain: number): Message | null {
  if (failed > 0 && uncertain > 0) return message("run.failedAndUncertain", { failed, uncertain });
  if (failed > 0) return message("run.failed", { failed });
  return uncertain > 0 ? message("run.uncertain", { uncertain }) : null;
}

function endMessage(records: readonly TraceRecord[]): Message {
  const ended = records.findLast((record) => record.kind === "run-ended");
  return message(`run.end.${ended?.how ?? "underWay"}`);
}
