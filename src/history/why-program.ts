/** "Why did it run, or not?": what a program did at a time, the conditions as they were found, and the causes, as sentences. */

import { ControllerError } from "../errors.ts";
import type { ProgramEntry } from "../home/programs.ts";
import { shownValue } from "../home/variables.ts";
import { type Message, message, type SpokenProperty } from "../messages.ts";
import { conditionsOf, leafConditions } from "../programs/references.ts";
import type { TraceEntry } from "../programs/trace/program-trace.ts";
import type { ConditionValue, FoundRoles, TraceRecord } from "../programs/trace-record.ts";
import { becauseOf, chainOf, type Inquiry } from "./cause-chain.ts";
import type { HistoryWords } from "./history-words.ts";
import { cutReason, storedDetail } from "./trace-words.ts";
import type { WhyStep } from "./why-step.ts";

type FoundCondition = {
  /** The condition as in the program's text. */
  readonly text: string;
  readonly isTrue: boolean;
  /** The compared value in words; null without one. */
  readonly found: SpokenProperty | string | null;
};

type WhyProgram = {
  /** `nothing`: nothing made the controller look at the program. */
  readonly answer: "then" | "else" | "not-run" | "cut" | "evaluated" | "nothing";
  readonly atMs: number | null;
  readonly sentences: readonly Message[];
  readonly conditions: readonly FoundCondition[];
  readonly steps: readonly WhyStep[];
  /** A sentence about missing records; null when nothing is missing. */
  readonly missing: Message | null;
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
    headOf(words, entry, because?.start ?? null),
    ...endSentences(words, entry.records),
    ...failing.map(({ text, found }) => {
      const condition = { line: text };
      return found === null
        ? message("why.conditionFalse", { condition })
        : message("why.conditionFound", { condition, found });
    }),
    ...steps.map(({ sentence }) => sentence),
    ...(missing === null ? [] : [missing]),
    ...(cut && program?.kind === "program" && !program.enabled ? [message("why.staysDisabled")] : []),
  ];
  return { answer, atMs: entry.atMs, sentences, conditions, steps, missing };
}

async function causesOf(inquiry: Inquiry, entry: TraceEntry) {
  const because = becauseOf(inquiry, entry);
  if (because) return because.next ? chainOf(inquiry, because.next) : { steps: [], missing: null };
  const cut = entry.records.find((record) => record.kind === "cut");
  if (cut) return chainOf(inquiry, { cause: cut.cause, atMs: cut.atMs, did: message("did.began") });
  return { steps: [], missing: message("why.missing.trigger") };
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

/** `Program "Hall Motion Light" ran at 14:02:10, because "Hall Motion" sent On at 14:02:10.` */
function headOf(words: HistoryWords, { atMs, programId, records }: TraceEntry, start: Message | null): Message {
  const program = words.program(programId);
  const time = words.time(atMs);
  const because = start === null ? "" : message("cause.because", { start });
  const cut = records.find((record) => record.kind === "cut");
  if (cut) return message("why.cut", { program, time: words.time(cut.atMs), detail: cutReason(words, cut) });
  const began = records.find((record) => record.kind === "run-began");
  if (began) return message(`why.${began.clause}`, { program, time, because });
  const notRun = records.find((record) => record.kind === "not-run");
  if (notRun) {
    const stored = notRun.detail.replace(/\.$/, "");
    const detail = stored === "" ? "" : message("why.notRun.detail", { detail: stored });
    const trigger = start === null ? "" : message("why.notRun.trigger", { start });
    return message("why.notRun", { program, time, reason: message(`notRun.${notRun.reason}`), detail, trigger });
  }
  const evaluated = records.find((record) => record.kind === "evaluated");
  if (evaluated) return message(evaluated.isTrue ? "why.true" : "why.false", { program, because });
  return message("why.running", { program, time });
}

const ENDS = {
  finished: "why.finished",
  stopped: "why.stopped",
  interrupted: "why.interrupted",
  cut: "why.limited",
} as const;

function endSentences(words: HistoryWords, records: readonly TraceRecord[]): readonly Message[] {
  if (records.some(({ kind }) => kind === "cut")) return [];
  const isRun = records.some(({ kind }) => kind === "run-began" || kind === "resumed");
  const ended = records.findLast((record) => record.kind === "run-ended");
  const end = ended ? message(ENDS[ended.how], { time: words.time(ended.atMs) }) : message("why.underWay");
  const failures = records.flatMap((record) =>
    record.kind === "outcome" && record.outcome === "failed" ? [record.detail] : [],
  );
  const failed = [...new Set(failures)].map((detail) => message("why.failed", { detail: storedDetail(detail) }));
  return [...(isRun ? [end] : []), ...failed];
}

function foundCondition(words: HistoryWords, value: ConditionValue): FoundCondition | null {
  const { condition, isTrue } = value;
  if (condition.kind === "paren") return null;
  return { text: words.condition(condition), isTrue, found: foundValue(words, value) };
}

/** The value that was compared, as people see it; null where a condition compares none, or its value was not known. */
export function foundValue(
  words: HistoryWords,
  { condition, found, roles }: ConditionValue,
): SpokenProperty | string | null {
  if (roles) return rolesText(words, condition, found, roles);
  if (condition.kind === "status" || condition.kind === "held")
    return words.spokenThen(condition.node, condition.property, found?.value ?? null);
  if (condition.kind !== "variable" || !found) return null;
  return String(
    shownValue({ ...words.home.variables[condition.type].get(condition.id), prec: found.prec }, found.value),
  );
}

/** `1 of 6: Bed Left`, or the number of a summary. */
function rolesText(
  words: HistoryWords,
  condition: ConditionValue["condition"],
  found: ConditionValue["found"],
  { members, matches, unknown, decided }: FoundRoles,
): string {
  const names = decided.map((address) => words.name(address)).join(", ");
  const isSummary = condition.kind === "roles" && "value" in condition.test;
  if (isSummary) return found ? `${Number((found.value / 10 ** found.prec).toFixed(2))} (${names})` : `0 / ${members}`;
  const open = unknown === 0 ? "" : ` + ${unknown}?`;
  return `${matches}${open} / ${members}${names === "" ? "" : ` (${names})`}`;
}

function nothingHappened(
  words: HistoryWords,
  id: number,
  program: ProgramEntry | null,
  atMs: number | null,
  last: TraceEntry | null,
): WhyProgram {
  const of = words.program(id);
  const sentences = [
    atMs === null
      ? message("why.nothing", { program: of })
      : message("why.nothingAt", { program: of, time: words.time(atMs) }),
    ...(last ? [message("why.before", { last: headOf(words, last, null) })] : []),
    ...(program ? stateSentences(program) : [message("why.deleted")]),
    ...(program ? startSentences(words, program) : []),
  ];
  return { answer: "nothing", atMs: null, sentences, conditions: [], steps: [], missing: null };
}

/** The reasons why it cannot start now. */
function stateSentences(program: ProgramEntry): readonly Message[] {
  if (program.kind === "folder") return [];
  if (program.invalid !== null) return [message("why.notLoaded", { detail: program.invalid })];
  return program.enabled ? [] : [message("why.disabled")];
}

type LeafCondition = ReturnType<typeof leafConditions>[number];

/** Its possible triggers, and their current state. */
function startSentences(words: HistoryWords, program: ProgramEntry): readonly Message[] {
  const starts = leafConditions(conditionsOf(program)).flatMap((condition) => startsOf(words, program, condition));
  if (starts.length === 0) return [message("why.onlyCommands")];
  return [message("why.starts", { starts })];
}

function startsOf(words: HistoryWords, program: ProgramEntry, leaf: LeafCondition): readonly Message[] {
  const condition = words.conditionLine(leaf);
  switch (leaf.kind) {
    case "status": {
      const property = words.home.nodes.get(leaf.node)?.properties.get(leaf.property);
      if (!property) return [message("why.start", { condition })];
      const [value, time] = [words.spoken(leaf.node, property), words.time(property.changedAtMs)];
      return [message("why.startIs", { condition, value, time })];
    }
    case "variable": {
      const variable = words.home.variables[leaf.type].get(leaf.id);
      // Integer variables start nothing.
      if (leaf.type === 1 || !variable) return [];
      const value = shownValue(variable, variable.value);
      return [message("why.startWritten", { condition, value, time: words.time(variable.writtenAtMs) })];
    }
    case "schedule":
      if (program.nextRunAtMs === null) return [message("why.start", { condition })];
      return [message("why.startNext", { condition, time: words.time(program.nextRunAtMs) })];
    case "control":
    case "program":
    case "held":
    case "roles":
      return [message("why.start", { condition })];
    case "foreign":
      return [];
  }
}
