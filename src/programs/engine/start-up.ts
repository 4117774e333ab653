/**
 * The engine starts. What is loaded is checked, folders learn whether they are open, on a cold start programs marked for it
 * run, missed schedules are caught up, and what was under way when the process ended goes on.
 */

import type { Cause } from "../../home/cause.ts";
import type { InFlightStatement, ProgramProgress } from "../../home/program-progress.ts";
import type { ProgramEntry } from "../../home/programs.ts";
import type { InputOf } from "../engine-input.ts";
import type { Trigger } from "../trace-record.ts";
import { checkReferences, evaluateAnew } from "./definitions.ts";
import { endRun } from "./end-run.ts";
import { freshEffort } from "./limits.ts";
import { type DueMoment, inDueOrder, pushMoment, settle, takeDueMoments } from "./schedules.ts";
import { ownCause } from "./statements.ts";
import type { Work } from "./work.ts";

export function takeStart(work: Work, { isCold, cause }: InputOf<"start">): void {
  const entries = [...work.facts.programs()].sort((a, b) => a.id - b.id);
  const left = [...work.allProgress()].map(([, progress]) => progress);
  for (const entry of entries) admit(work, entry, cause);
  for (const entry of entries) evaluateAnew(work, entry, cause);
  if (isCold) for (const entry of entries) startUp(work, entry, cause);
  for (const moment of missed(work, entries)) pushMoment(work, moment);
  for (const progress of left) sendAgain(work, progress);
  for (const progress of left.sort(byWait)) resume(work, progress);
}

function admit(work: Work, entry: ProgramEntry, cause: Cause): void {
  const { id } = entry;
  if (entry.kind === "program") {
    checkReferences(work, entry, cause);
    // Its record was lost with the process, so nobody knows where it was.
    if (entry.running !== "idle" && !work.runOf(id)) work.showRun(id, { running: "idle" }, cause);
  }
  const isScheduled = work.facts.triggers.schedulesOf(id).length > 0;
  if (isScheduled && work.progressOf(id).settledUntilMs === null) settle(work, id, work.nowMs, cause);
  else if (isScheduled || entry.nextRunAtMs !== null || work.runOf(id)) work.reschedule(id, cause);
}

function startUp(work: Work, entry: ProgramEntry, cause: Cause): void {
  if (entry.kind !== "program" || !entry.runAtStartup) return;
  const trigger: Trigger = { kind: "startup" };
  const effort = freshEffort(work.nowMs);
  work.push({ kind: "start", id: entry.id, mode: "startup", trigger, cause, happening: null, effort });
}

function missed(work: Work, entries: readonly ProgramEntry[]): readonly DueMoment[] {
  const due = entries.flatMap(({ id }) => {
    const entry = work.program(id);
    return entry ? takeDueMoments(work, entry) : [];
  });
  return inDueOrder(work, due);
}

/** What was in flight: nobody knows whether it arrived. */
function sendAgain(work: Work, { id, inFlight }: ProgramProgress): void {
  for (const statement of inFlight) {
    const cause = ownCause(id, statement);
    if (statement.isIdempotent && work.program(id)) {
      work.effects.push({ kind: "send", programId: id, statement, cause });
      traceAgain(work, id, statement, cause);
    } else leaveUncertain(work, id, statement, cause);
  }
}

function traceAgain(work: Work, programId: number, statement: InFlightStatement, cause: Cause): void {
  const { statementId, runId, clause, position, action } = statement;
  const common = { atMs: work.nowMs, programId, cause, runId, statementId, clause, position, action } as const;
  work.trace(() => ({ ...common, kind: "statement", detail: "", isRepeated: true }));
}

function leaveUncertain(work: Work, id: number, { statementId, runId }: InFlightStatement, cause: Cause): void {
  const { inFlight } = work.progressOf(id);
  work.patchProgress(id, { inFlight: inFlight.filter((other) => other.statementId !== statementId) }, cause);
  const detail = "It was under way when the controller ended, and is not repeated.";
  const common = { atMs: work.nowMs, programId: id, cause, runId, statementId } as const;
  work.trace(() => ({ ...common, kind: "outcome", outcome: "uncertain", commandId: null, detail }));
}

/** The remaining time counts from the original moment; what is over goes on at once, in the order of the waits. */
function resume(work: Work, { id, run }: ProgramProgress): void {
  const current = work.runOf(id);
  if (!run || current?.runId !== run.runId) return;
  const program = work.program(id);
  if (program?.kind !== "program" || run.position > program.tree[run.clause].length) {
    endRun(work, id, "stopped");
    return;
  }
  const { runId, position, waitUntilMs, cause } = run;
  work.trace(() => ({ kind: "resumed", atMs: work.nowMs, programId: id, cause, runId, position, waitUntilMs }));
  if (program.running !== run.clause) work.showRun(id, { running: run.clause }, cause);
  if (waitUntilMs === null || waitUntilMs <= work.nowMs) work.push({ kind: "continue", id, runId });
}

function byWait(a: ProgramProgress, b: ProgramProgress): number {
  return (a.run?.waitUntilMs ?? 0) - (b.run?.waitUntilMs ?? 0) || a.id - b.id;
}
