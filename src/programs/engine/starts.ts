/**
 * From an event to the clause that runs: which programs it concerns, whether each may start, and what its `if`
 * evaluates to.
 */

import type { Clause, Trigger } from "../../home/program-progress.ts";
import type { Program, ProgramEntry, ProgramFolder } from "../../home/programs.ts";
import type { QueuedStart } from "../engine-state.ts";
import { type ConditionFacts, evaluateConditions } from "../evaluate.ts";
import { conditionsOf, leafConditions } from "../references.ts";
import type { ConditionValue, NonRunReason } from "../trace-record.ts";
import { endRun } from "./end-run.ts";
import { causeStarts } from "./limits.ts";
import { runGroup } from "./run-group.ts";
import type { Work } from "./work.ts";

/** Notes that programs are concerned; each is looked at in its turn. */
export function startAll(
  work: Work,
  ids: readonly number[],
  start: Omit<QueuedStart, "kind" | "id" | "mode" | "number">,
): void {
  for (const id of ids) work.push({ ...start, kind: "start", id, mode: "conditions" });
}

export function begin(work: Work, start: QueuedStart): void {
  const entry = work.program(start.id);
  // The trace already has the reason why it was stopped and disabled.
  if (!entry || work.isCut(start.id, start.effort)) return;
  if (waitsForGroup(work, start)) return;
  work.spend(start.id, conditionCount(work, entry));
  if (entry.kind === "folder") {
    evaluateFolder(work, entry, start);
    return;
  }
  const refusal = refusalOf(work, entry, start);
  if (refusal) {
    refuse(work, start, refusal);
    return;
  }
  const isTrue = start.mode === "then" || (start.mode !== "else" && evaluate(work, entry.tree.if, start));
  beginClause(work, entry, start, isTrue ? "then" : "else");
}

/** Each node that a selector means is looked at like a condition of its own. */
function conditionCount(work: Work, entry: ProgramEntry): number {
  return leafConditions(conditionsOf(entry)).reduce((sum, condition) => {
    return sum + (condition.kind === "roles" ? work.facts.members(condition.selector).length : 1);
  }, 0);
}

/** Nothing interrupts a group: the start takes effect behind it, also when the group has not begun yet. */
function waitsForGroup(work: Work, start: QueuedStart): boolean {
  const { id } = start;
  const run = work.runOf(id);
  if (!run || run.turn === null) return false;
  const { turn, position, statements, repeat } = run;
  const isAtBegin = position === 0 && statements === 0 && repeat === null;
  if (turn > 0 && !isAtBegin) return false;
  if (isFirst(start)) work.push(start);
  else {
    work.spend(id);
    work.putBack(start, turn);
  }
  return true;
}

/** The nearest folder above it whose `if` is false; null when all let programs start. */
function closedFolder(work: Work, { parentId }: { readonly parentId: number | null }): ProgramFolder | null {
  for (let id = parentId, depth = 0; id !== null && depth < DEPTH_MAX; depth += 1) {
    const folder = work.program(id);
    if (folder?.kind !== "folder") return null;
    if (!isFolderTrue(work, folder)) return folder;
    id = folder.parentId;
  }
  return null;
}

/** Folders in folders; only a loop of them is deeper. */
const DEPTH_MAX = 100;

function isFolderTrue(work: Work, { id, status, conditions }: ProgramFolder): boolean {
  return status ?? evaluateConditions(conditions, work.factsFor(id), { atMs: work.nowMs, happening: null });
}

type Refusal = { readonly reason: NonRunReason; readonly detail: string };

/** A closed folder refuses every start, by whichever way. */
function refusalOf(work: Work, program: Program, { mode }: QueuedStart): Refusal | null {
  if (mode === "conditions" && !program.enabled) return { reason: "disabled", detail: "" };
  if (program.invalid !== null) return { reason: "not-loaded", detail: program.invalid };
  const folder = closedFolder(work, program);
  return folder && { reason: "folder-false", detail: folder.name };
}

function refuse(work: Work, { id, trigger, cause }: QueuedStart, refusal: Refusal): void {
  work.trace(() => ({ kind: "not-run", atMs: work.nowMs, programId: id, cause, trigger, ...refusal }));
}

function evaluate(
  work: Work,
  conditions: Program["tree"]["if"],
  { id, trigger, cause, happening }: QueuedStart,
): boolean {
  const atMs = happening?.kind === "schedule" ? happening.instantMs : work.nowMs;
  const found: ConditionValue[] | null = work.facts.isTraced ? [] : null;
  const isTrue = evaluateConditions(conditions, factsAt(work, id, trigger), { atMs, happening }, found);
  work.trace(() => ({
    kind: "evaluated",
    atMs: work.nowMs,
    programId: id,
    cause,
    trigger,
    isTrue,
    conditions: found ?? [],
  }));
  return isTrue;
}

/** Reports are seen one at a time: also where a newer one has come while the start waited. */
function factsAt(work: Work, programId: number, trigger: Trigger): ConditionFacts {
  const facts = work.factsFor(programId);
  if (trigger.kind !== "status") return facts;
  const { node, property, value } = trigger;
  const newest = work.property(node, property);
  if (!newest || newest.value === value) return facts;
  const seen = { ...newest, value };
  return { ...facts, property: (of, id) => (of === node && id === property ? seen : work.property(of, id)) };
}

function evaluateFolder(work: Work, folder: ProgramFolder, start: QueuedStart): void {
  const status = folder.conditions.length === 0 || evaluate(work, folder.conditions, start);
  if (status === folder.status) return;
  work.showRun(folder.id, { status }, start.cause);
  // A first known value is not a change of the home.
  if (folder.status !== null) publishStatus(work, folder.id, status, start);
}

function beginClause(work: Work, { id, status: before }: Program, start: QueuedStart, clause: Clause): void {
  const { trigger, cause, effort } = start;
  const interrupted = work.runOf(id)?.runId ?? null;
  endRun(work, id, "interrupted");
  const runId = work.newRunId(id);
  const { nowMs } = work;
  const run = {
    runId,
    clause,
    position: 0,
    waitUntilMs: null,
    turn: null,
    repeat: null,
    ...aboutOf(work, trigger),
    startedAtMs: nowMs,
    statements: 0,
    draws: 0,
    effort,
    cause,
  };
  work.patchProgress(id, { run }, cause);
  work.rememberRun(id, { runId, effort });
  const status = clause === "then";
  work.showRun(id, { status, running: clause, lastRunAtMs: nowMs }, cause);
  for (const counting of work.facts.triggers.onRun(id)) work.reschedule(counting, cause);
  work.trace(() => ({
    kind: "run-began",
    atMs: nowMs,
    programId: id,
    cause,
    runId,
    clause,
    trigger,
    interrupted,
  }));
  if (status !== before) publishStatus(work, id, status, start);
  if (isFirst(start) && trigger.kind === "call") work.push({ kind: "continue", id, runId });
  else runGroup(work, id);
}

/** A called program is about what its caller is about. */
function aboutOf(work: Work, trigger: Trigger): { readonly about?: string } {
  if (trigger.kind === "status" || trigger.kind === "control" || trigger.kind === "held")
    return { about: trigger.node };
  const about = trigger.kind === "call" ? work.runOf(trigger.programId)?.about : undefined;
  return about === undefined ? {} : { about };
}

/** Whether it begins between two statements of another program. */
function isFirst({ number }: QueuedStart): boolean {
  return number < 0;
}

function publishStatus(work: Work, id: number, status: boolean, start: QueuedStart): void {
  const { effort, cause } = start;
  const concerned = work.facts.triggers.onProgram(id);
  if (concerned.length === 0) return;
  const trigger: Trigger = { kind: "program", id, status };
  causeStarts(work, { id, effort }, concerned, { mode: "conditions", trigger, cause }, "change", isFirst(start));
}
