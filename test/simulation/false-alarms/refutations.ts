/**
 * Refutes findings: an event that verification calls impossible has happened, or a condition that it calls always
 * true was false. showings.ts tests findings that only call something possible.
 */

import type { ConditionValue, TraceRecord } from "../../../src/programs/trace-record.ts";
import type { Finding, FindingCode } from "../../../src/programs/verify/finding.ts";

type Record<K extends TraceRecord["kind"]> = Extract<TraceRecord, { readonly kind: K }>;
type Refutes = (finding: Finding, record: TraceRecord) => boolean;

/** @returns the first record that contradicts the finding, or null. */
export function refutationOf(finding: Finding, trace: readonly TraceRecord[]): TraceRecord | null {
  const refutes = REFUTES[finding.code];
  return refutes ? (trace.find((record) => refutes(finding, record)) ?? null) : null;
}

const REFUTES: { readonly [C in FindingCode]?: Refutes } = {
  NODE_UNKNOWN: hasRun,
  VARIABLE_UNKNOWN: hasRun,
  PROGRAM_UNKNOWN: hasRun,
  RESOURCE_UNKNOWN: hasRun,
  FOREIGN_STATEMENT: hasRun,
  VALUE_OUT_OF_REACH: isOtherThanSaid,
  CONDITION_NEVER: (finding, record) => ofProgram(finding, record, "evaluated") && provenTogether(finding, record),
  CONDITION_ALWAYS: (finding, record) => ofProgram(finding, record, "evaluated") && isFalse(finding, record),
  SCHEDULE_NO_SUCH_DATE: isTrueThere,
  SCHEDULE_EMPTY: isTrueThere,
  SCHEDULE_PAST: isTrueThere,
  THEN_NEVER_RUNS: (finding, record) => began(finding, record, "then"),
  ELSE_NEVER_RUNS: (finding, record) => began(finding, record, "else"),
  ELSE_ONLY_BY_COMMAND: (finding, record) => began(finding, record, "else"),
  NEVER_STARTS: (finding, record) => isStarted(finding, record),
  INTEGER_VARIABLES_ONLY: (finding, record) => isStarted(finding, record),
  STATEMENT_UNREACHABLE: (finding, record) => isPerformed(finding, record),
  VARIABLE_OVERFLOW: (finding, record) => isPerformed(finding, record) && hasResult(record),
  ARITHMETIC_IMPOSSIBLE: (finding, record) => isPerformed(finding, record) && hasResult(record),
};

function ofProgram<K extends TraceRecord["kind"]>(finding: Finding, record: TraceRecord, kind: K): record is Record<K> {
  return record.programId === finding.program && record.kind === kind;
}

function hasRun(finding: Finding, record: TraceRecord): boolean {
  return ofProgram(finding, record, "run-began");
}

/** Caused by anything but a person. */
function began(finding: Finding, record: TraceRecord, clause: "then" | "else"): boolean {
  return ofProgram(finding, record, "run-began") && record.clause === clause && record.trigger.kind !== "order";
}

/** A program's effect on itself starts with a person when nothing else starts the program. */
function isStarted(finding: Finding, record: TraceRecord): boolean {
  if (!ofProgram(finding, record, "run-began")) return false;
  const { trigger } = record;
  return trigger.kind !== "order" && !(trigger.kind === "call" && trigger.programId === finding.program);
}

function isPerformed(finding: Finding, record: TraceRecord): record is Record<"statement"> {
  if (!ofProgram(finding, record, "statement")) return false;
  return finding.path === `${record.clause}[${record.position}]`;
}

/** A refusal is a sentence. */
function hasResult(record: TraceRecord): boolean {
  return record.kind === "statement" && /^(init )?-?\d+$/.test(record.detail);
}

function isTrueThere(finding: Finding, record: TraceRecord): boolean {
  return ofProgram(finding, record, "evaluated") && valueAt(finding.path, record)?.isTrue === true;
}

function isOtherThanSaid(finding: Finding, record: TraceRecord): boolean {
  if (!ofProgram(finding, record, "evaluated")) return false;
  const value = valueAt(finding.path, record);
  return value !== undefined && value.isTrue === finding.sentence.text.includes("never holds");
}

function isFalse({ path }: Finding, record: Record<"evaluated">): boolean {
  if (path === "if") return !record.isTrue;
  const list = path.endsWith(".conditions") ? path.slice(0, -".conditions".length) : path;
  return valueAt(list, record)?.isTrue === false;
}

/** The conditions of the proof all held at the same time. */
function provenTogether({ chain }: Finding, record: Record<"evaluated">): boolean {
  const proof = chain.filter(({ kind }) => kind === "condition");
  return proof.length > 0 && proof.every(({ path }) => valueAt(path ?? "", record)?.isTrue === true);
}

function valueAt(path: string, { conditions }: Record<"evaluated">): ConditionValue | undefined {
  return conditions.find((each) => `if[${each.path.join("].conditions[")}]` === path);
}
