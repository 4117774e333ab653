/**
 * The engine starts. It checks the loaded programs and evaluates folders; on a cold start it sets the status of programs, and
 * runs those marked for it. Then missed events happen in their original order: schedules fall due, waits end, and work in flight at the
 * end of the process continues.
 */

import type { Cause } from "../../home/cause.ts";
import type { InFlightStatement, ProgramProgress, Trigger } from "../../home/program-progress.ts";
import type { Program, ProgramEntry } from "../../home/programs.ts";
import type { InputOf } from "../engine-input.ts";
import type { Continuation } from "../engine-state.ts";
import { evaluateConditions } from "../evaluate.ts";
import { isInWindow as liesInWindow } from "../schedule/moments.ts";
import { takeMoments } from "./clock.ts";
import { evaluateAgain, updateValidity } from "./definitions.ts";
import { endRun } from "./end-run.ts";
import { forgetHolds, heldTrigger, resumeHolds, takeDueHolds } from "./held.ts";
import { type DueMoment, type EndedWait, settle, takeDueMoments } from "./schedules.ts";
import { ownCause } from "./statements.ts";
import type { Work } from "./work.ts";

/** For a run that an earlier version left in the middle of a group: before everything that waits. */
const MID_GROUP = 0;

export function takeStart(work: Work, { isCold, newestReportMs, cause }: InputOf<"start">): void {
  const entries = [...work.facts.programs()].sort((a, b) => a.id - b.id);
  const waiting = work.takeStarts();
  const left = [...work.allProgress()].map(([, progress]) => progress);
  for (const entry of entries) admit(work, entry, cause);
  const over = resumeAllHolds(work, entries, newestReportMs, cause);
  const missed = entries.flatMap(({ id }) => takeDueMoments(work, id));
  const held = entries.flatMap(({ id }) => takeDueHolds(work, id));
  if (isCold) for (const entry of entries) beginWithStatus(work, entry, missed, cause);
  for (const entry of entries) evaluateAgain(work, entry, cause);
  if (isCold) for (const entry of entries) startUp(work, entry, cause);
  for (const progress of left) sendAgain(work, progress);
  const goesOn = left.flatMap((progress) => resume(work, progress) ?? []);
  const inTurn = [...waiting, ...goesOn.filter((item) => "kind" in item)].sort((a, b) => a.number - b.number);
  work.pushFirst(inTurn.filter(({ number }) => number <= MID_GROUP));
  for (const item of inTurn) if (item.number > MID_GROUP) work.push(item);
  const ended = goesOn.filter((item): item is EndedWait => !("kind" in item));
  takeMoments(work, [...ended, ...missed, ...held]);
  for (const start of over) work.push(start);
}

/** @returns starts of programs of which a comparison had reached its time, and holds no longer */
function resumeAllHolds(
  work: Work,
  entries: readonly ProgramEntry[],
  newestReportMs: number,
  cause: Cause,
): readonly Parameters<Work["push"]>[0][] {
  const known = new Set(entries.map(({ id }) => id));
  for (const [id] of work.allHolds()) if (!known.has(id)) forgetHolds(work, id, cause);
  const timed = entries.filter(({ id }) => work.facts.triggers.timedOf(id).length > 0 || work.holdsOf(id).size > 0);
  if (timed.length === 0) return [];
  return timed.flatMap(({ id }) => {
    const ended = resumeHolds(work, id, newestReportMs, cause);
    work.reschedule(id, cause);
    if (!ended) return [];
    const trigger = heldTrigger(work, ended, true);
    const start = { mode: "conditions", trigger, cause, happening: null, effort: work.freshEffort() } as const;
    return [{ ...start, kind: "start", id } as const];
  });
}

function admit(work: Work, entry: ProgramEntry, cause: Cause): void {
  const { id } = entry;
  if (entry.kind === "program") {
    updateValidity(work, entry, cause);
    // Its record was lost with the process, so its position is unknown.
    if (entry.running !== "idle" && !work.runOf(id)) work.showRun(id, { running: "idle" }, cause);
  }
  const isScheduled = work.facts.triggers.schedulesOf(id).length > 0;
  if (isScheduled && work.progressOf(id).settledUntilMs === null) settle(work, id, work.nowMs, cause);
  else if (isScheduled || entry.nextRunAtMs !== null || work.runOf(id)) work.reschedule(id, cause);
}

/**
 * After a boot a program is False, or True inside its window when all its conditions hold; nothing runs for that. One
 * that runs, or is about to, has the status of its run.
 */
function beginWithStatus(work: Work, entry: ProgramEntry, missed: readonly DueMoment[], cause: Cause): void {
  const { id } = entry;
  if (entry.kind === "folder" || entry.runAtStartup || work.runOf(id) || missed.some((moment) => moment.id === id))
    return;
  const status = entry.enabled && entry.invalid === null && isInWindow(work, entry);
  if (status !== entry.status) work.showRun(id, { status }, cause);
}

function isInWindow(work: Work, { id, tree }: Program): boolean {
  const moment = { atMs: work.nowMs, happening: null };
  const lastRun = (of: number) => work.program(of)?.lastRunAtMs ?? null;
  const windows = work.facts.triggers.schedulesOf(id);
  if (!windows.some((window) => liesInWindow(window, work.nowMs, work.calendar, lastRun))) return false;
  return evaluateConditions(tree.if, work.factsFor(id), moment);
}

function startUp(work: Work, entry: ProgramEntry, cause: Cause): void {
  if (entry.kind !== "program" || !entry.runAtStartup) return;
  const trigger: Trigger = { kind: "startup" };
  const effort = work.freshEffort();
  work.push({ kind: "start", id: entry.id, mode: "startup", trigger, cause, happening: null, effort });
}

/** Statements in flight at the end of the process: whether they arrived is unknown. */
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

/**
 * The remaining time counts from the original moment.
 * @returns when it would have gone on, where that is over; its turn, when it only waited for that.
 */
function resume(work: Work, { id, run }: ProgramProgress): EndedWait | Continuation | null {
  const current = work.runOf(id);
  if (!run || current?.runId !== run.runId) return null;
  const program = work.program(id);
  if (program?.kind !== "program" || run.position > program.tree[run.clause].length) {
    endRun(work, id, "stopped");
    return null;
  }
  const { runId, position, waitUntilMs, cause } = run;
  work.trace(() => ({ kind: "resumed", atMs: work.nowMs, programId: id, cause, runId, position, waitUntilMs }));
  if (program.running !== run.clause) work.showRun(id, { running: run.clause }, cause);
  if (waitUntilMs === null) return { kind: "continue", id, runId, number: run.turn ?? MID_GROUP };
  return waitUntilMs <= work.nowMs ? { id, atMs: waitUntilMs, runId } : null;
}
