/** "Why did it run, or not?": what a program did at a time, the conditions as they were found, and the causes, as sentences. */

import { ControllerError } from "../errors.ts";
import type { ProgramEntry } from "../home/programs.ts";
import { conditionsOf, leafConditions } from "../programs/references.ts";
import type { TraceEntry } from "../programs/trace/program-trace.ts";
import type { ConditionValue, TraceRecord } from "../programs/trace-record.ts";
import { becauseOf, chainOf, type Inquiry } from "./cause-chain.ts";
import { capital, type HistoryWords } from "./history-words.ts";
import type { WhyStep } from "./why-step.ts";
import { BECAUSE } from "./trace-words.ts";

export type FoundCondition = {
  /** The condition as in the program's text. */
  readonly text: string;
  readonly isTrue: boolean;
  /** The compared value in words; null without one. */
  readonly found: string | null;
};

export type WhyProgram = {
  /** `nothing`: nothing made the controller look at the program. */
  readonly answer: "then" | "else" | "not-run" | "cut" | "evaluated" | "nothing";
  readonly atMs: number | null;
  readonly sentences: readonly string[];
  readonly conditions: readonly FoundCondition[];
  readonly steps: readonly WhyStep[];
  /** A sentence about missing records; null when nothing is missing. */
  readonly missing: string | null;
};

/** Events this close to the time in question count as the ones that the question means. */
const NEAR_MS = 60_000;
const ENTRIES_NEAR = 20;

/** @param atMs null: the last time. @throws ControllerError PROGRAM_NOT_FOUND, STORE_UNAVAILABLE */
export async function whyProgram(inquiry: Inquiry, id: number, atMs: number | null): Promise<WhyProgram> {
  const { past, words } = inquiry;
  const program = words.home.programs.get(id) ?? null;
  const untilMs = atMs === null ? null : atMs + NEAR_MS;
  const query = { programId: id, beforeId: null, afterRecordId: null, untilMs, limit: ENTRIES_NEAR };
  const { entries } = await past.trace(query);
  if (!program && entries.length === 0) throw new ControllerError("PROGRAM_NOT_FOUND");
  const entry = closest(entries, atMs);
  if (!entry || (atMs !== null && Math.abs(entry.atMs - atMs) > NEAR_MS && !isUnderWay(entry, atMs))) {
    return nothingHappened(words, id, program, atMs, entries[0] ?? null);
  }
  return answerOf(inquiry, entry, program);
}

/** The entry that began closest to the time. Entries are sorted newest first. */
function closest(entries: readonly TraceEntry[], atMs: number | null): TraceEntry | null {
  if (atMs === null) return entries[0] ?? null;
  const byDistance = entries.toSorted((a, b) => Math.abs(a.atMs - atMs) - Math.abs(b.atMs - atMs));
  return byDistance[0] ?? null;
}

function isUnderWay({ atMs: beganAtMs, records }: TraceEntry, atMs: number): boolean {
  const isRun = records.some(({ kind }) => kind === "run-began" || kind === "resumed");
  const ended = records.findLast(({ kind }) => kind === "run-ended");
  return isRun && beganAtMs <= atMs && (!ended || ended.atMs >= atMs);
}

async function answerOf(inquiry: Inquiry, entry: TraceEntry, program: ProgramEntry | null): Promise<WhyProgram> {
  const { words } = inquiry;
  const because = becauseOf(inquiry, entry);
  const cut = entry.records.find((record) => record.kind === "cut");
  const { steps, missing } = await causesOf(inquiry, entry);
  const evaluated = entry.records.find((record) => record.kind === "evaluated");
  const conditions = (evaluated?.conditions ?? []).flatMap((value) => foundCondition(words, value) ?? []);
  const answer = kindOf(entry);
  const failing = answer === "then" ? [] : conditions.filter(({ isTrue }) => !isTrue);
  const sentences = [
    headOf(words, entry, because?.text ?? null),
    ...endSentences(words, entry.records),
    ...failing.map(({ text, found }) => `${text} was false${found === null ? "" : `: it was ${found}`}.`),
    ...steps.map(({ sentence }) => sentence),
    ...(missing === null ? [] : [missing]),
    ...(cut && program?.kind === "program" && !program.enabled ? ["It stays disabled until you enable it."] : []),
  ];
  return { answer, atMs: entry.atMs, sentences, conditions, steps, missing };
}

async function causesOf(inquiry: Inquiry, entry: TraceEntry) {
  const because = becauseOf(inquiry, entry);
  if (because) return because.next ? chainOf(inquiry, because.next) : { steps: [], missing: null };
  const cut = entry.records.find((record) => record.kind === "cut");
  if (cut) return chainOf(inquiry, { cause: cut.cause, atMs: cut.atMs, did: "began it" });
  return { steps: [], missing: "The trace no longer contains its trigger." };
}

function kindOf({ records }: TraceEntry): WhyProgram["answer"] {
  const kinds = new Set(records.map(({ kind }) => kind));
  if (kinds.has("cut")) return "cut";
  const began = records.find((record) => record.kind === "run-began");
  if (began) return began.clause;
  if (kinds.has("not-run")) return "not-run";
  const statement = records.find((record) => record.kind === "statement");
  if (statement) return statement.clause;
  return kinds.has("evaluated") ? "evaluated" : "then";
}

/** `Program "Hall Motion Light" ran Then at 14:02:10, because "Hall Motion" sent On at 14:02:10.` */
function headOf(words: HistoryWords, { atMs, programId, records }: TraceEntry, because: string | null): string {
  const name = capital(words.program(programId));
  const why = because === null ? "" : `, because ${because}`;
  const cut = records.find((record) => record.kind === "cut");
  if (cut) return `${name} was stopped and disabled at ${words.time(cut.atMs)}: ${cut.detail}`;
  const began = records.find((record) => record.kind === "run-began");
  if (began) return `${name} ran ${capital(began.clause)} at ${words.time(atMs)}${why}.`;
  const notRun = records.find((record) => record.kind === "not-run");
  if (notRun) {
    const detail = notRun.detail === "" ? "" : ` (${notRun.detail.replace(/\.$/, "")})`;
    const looked = because === null ? "" : ` It was to run, because ${because}.`;
    return `${name} did not run at ${words.time(atMs)}: ${BECAUSE[notRun.reason]}${detail}.${looked}`;
  }
  const evaluated = records.find((record) => record.kind === "evaluated");
  if (evaluated) return `The conditions of ${words.program(programId)} became ${evaluated.isTrue}${why}.`;
  return `${name} was running at ${words.time(atMs)}; the trace no longer holds how the run began.`;
}

const ENDS = {
  finished: "It finished",
  stopped: "It was stopped",
  interrupted: "Another start interrupted it",
  cut: "A limit stopped it",
} as const;

function endSentences(words: HistoryWords, records: readonly TraceRecord[]): readonly string[] {
  if (records.some(({ kind }) => kind === "cut")) return [];
  const isRun = records.some(({ kind }) => kind === "run-began" || kind === "resumed");
  const ended = records.findLast((record) => record.kind === "run-ended");
  const end = ended ? `${ENDS[ended.how]} at ${words.time(ended.atMs)}.` : "It is still running.";
  const failed = records.flatMap((record) =>
    record.kind === "outcome" && record.outcome === "failed" ? [`A command of it failed: ${record.detail}`] : [],
  );
  return [...(isRun ? [end] : []), ...new Set(failed)];
}

function foundCondition(words: HistoryWords, { condition, isTrue, found }: ConditionValue): FoundCondition | null {
  if (condition.kind === "paren") return null;
  return { text: words.condition(condition), isTrue, found: foundText(words, condition, found) };
}

function foundText(
  words: HistoryWords,
  condition: ConditionValue["condition"],
  found: ConditionValue["found"],
): string | null {
  if (condition.kind === "status") return words.valueThen(condition.node, condition.property, found?.value ?? null);
  return condition.kind === "variable" && found ? String(found.value / 10 ** found.prec) : null;
}

function nothingHappened(
  words: HistoryWords,
  id: number,
  program: ProgramEntry | null,
  atMs: number | null,
  last: TraceEntry | null,
): WhyProgram {
  const when = atMs === null ? "" : ` at ${words.time(atMs)}`;
  const sentences = [
    `Nothing started ${words.program(id)}${when}, as far back as the trace goes.`,
    ...(last ? [`Before that: ${headOf(words, last, null)}`] : []),
    ...(program ? stateSentences(program) : ["It was deleted."]),
    ...(program ? startSentences(words, program) : []),
  ];
  return { answer: "nothing", atMs: null, sentences, conditions: [], steps: [], missing: null };
}

/** The reasons why it cannot start now. */
function stateSentences(program: ProgramEntry): readonly string[] {
  if (program.kind === "folder") return [];
  if (program.invalid !== null) return [`It is not loaded: ${program.invalid}`];
  return program.enabled ? [] : ["It is disabled, so nothing starts it."];
}

type LeafCondition = ReturnType<typeof leafConditions>[number];

/** Its possible triggers, and their current state. */
function startSentences(words: HistoryWords, program: ProgramEntry): readonly string[] {
  const starts = leafConditions(conditionsOf(program)).flatMap((condition) => startsOf(words, program, condition));
  if (starts.length === 0) return ["Only a command or another program starts it."];
  return [`These start it: ${starts.join("; ")}.`];
}

function startsOf(words: HistoryWords, program: ProgramEntry, condition: LeafCondition): readonly string[] {
  const text = words.condition(condition);
  switch (condition.kind) {
    case "status": {
      const property = words.home.nodes.get(condition.node)?.properties.get(condition.property);
      const value = property && words.value(condition.node, property);
      return [property ? `${text} (it is ${value} since ${words.time(property.changedAtMs)})` : text];
    }
    case "variable": {
      const variable = words.home.variables[condition.type].get(condition.id);
      // Integer variables start nothing.
      if (condition.type === 1 || !variable) return [];
      const value = variable.value / 10 ** variable.prec;
      return [`${text} (it is ${value}, written at ${words.time(variable.writtenAtMs)})`];
    }
    case "schedule":
      return [program.nextRunAtMs === null ? text : `${text} (next at ${words.time(program.nextRunAtMs)})`];
    case "control":
    case "program":
      return [text];
    case "foreign":
      return [];
  }
}
