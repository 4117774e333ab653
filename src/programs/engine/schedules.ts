/**
 * Schedules in a step: which moments have come and may still be acted on, and when the next one is. Every moment is acted
 * on once: what a program has settled is remembered, also when the clock is set back.
 */

import type { Cause } from "../../home/cause.ts";
import type { Trigger } from "../../home/program-progress.ts";
import type { ProgramEntry } from "../../home/programs.ts";
import { nextMoment, type ScheduleCondition } from "../schedule/moments.ts";
import { nextHeldMs } from "./held.ts";
import type { Work } from "./work.ts";

/** A clock set back by no more than this lives through the same hours twice; further back, it was wrong before. */
export const SET_BACK_MS = 7_200_000;
/** Later than this is missed at any setting. */
const LATE_MS = 60_000;

export type DueMoment = { readonly id: number; readonly atMs: number };
/** A run that goes on at that time. */
export type EndedWait = DueMoment & { readonly runId: string };

/** The moments of a program that have come, oldest first; after this they are settled. */
export function takeDueMoments(work: Work, id: number): readonly DueMoment[] {
  const entry = work.program(id);
  const conditions = work.facts.triggers.schedulesOf(id);
  if (conditions.length === 0 || !entry || !isAwake(entry)) return [];
  const { nowMs } = work;
  const settledMs = settledOf(work, entry);
  const from = Math.max(settledMs, nowMs - graceMs(work) - 1);
  const missedMs = from > settledMs ? nextMomentOf(work, conditions, settledMs) : null;
  const isMissed = missedMs !== null && missedMs <= from;
  if (isMissed) traceMissed(work, id, missedMs);
  const due: DueMoment[] = [];
  for (let at = nextMomentOf(work, conditions, from); at !== null && at <= nowMs; ) {
    due.push({ id, atMs: at });
    at = nextMomentOf(work, conditions, at);
  }
  if (due.length > 0 || isMissed) settle(work, id, nowMs);
  return due;
}

/** In the order in which they fell due; of the same instant, folders come before programs, then the lower id. */
export function inDueOrder<T extends DueMoment>(work: Work, moments: readonly T[]): readonly T[] {
  const rank = ({ id }: T) => (work.program(id)?.kind === "folder" ? 0 : 65_536) + id;
  return moments.toSorted((a, b) => a.atMs - b.atMs || rank(a) - rank(b));
}

export function pushMoment(work: Work, { id, atMs }: DueMoment): void {
  work.push({
    kind: "start",
    id,
    mode: "conditions",
    trigger: { kind: "schedule", instantMs: atMs },
    cause: scheduleCause(atMs),
    happening: { kind: "schedule", instantMs: atMs },
    effort: work.freshEffort(),
  });
}

/** Nothing before now is due: it is new, or was edited or enabled just now. */
export function settle(work: Work, id: number, atMs: number, cause: Cause = scheduleCause(atMs)): void {
  work.patchProgress(id, { settledUntilMs: atMs }, cause);
  work.reschedule(id, cause);
}

/** Publishes when each touched program is next due, and updates the agenda. */
export function planNext(work: Work): void {
  for (const [id, cause] of work.rescheduled) {
    const entry = work.program(id);
    const next = entry && nextRun(work, entry);
    if (entry && entry.nextRunAtMs !== next) work.showRun(id, { nextRunAtMs: next }, cause);
    const waitMs = work.runOf(id)?.waitUntilMs ?? null;
    const times = [waitMs, next, nextHeldMs(work, id)].filter((atMs) => atMs !== null);
    work.effects.push({ kind: "due", id, atMs: times.length === 0 ? null : Math.min(...times) });
  }
}

function nextRun(work: Work, entry: ProgramEntry): number | null {
  const conditions = work.facts.triggers.schedulesOf(entry.id);
  if (conditions.length === 0 || !isAwake(entry)) return null;
  const { nowMs } = work;
  const settledMs = work.progressOf(entry.id).settledUntilMs ?? nowMs;
  const from = wasClockWrong(settledMs, nowMs) ? nowMs : Math.max(settledMs, nowMs);
  return nextMomentOf(work, conditions, from);
}

function nextMomentOf(work: Work, conditions: readonly ScheduleCondition[], afterMs: number): number | null {
  return nextMoment(conditions, afterMs, work.calendar, (id) => work.program(id)?.lastRunAtMs ?? null);
}

/** Whether schedules may start it at all. */
function isAwake(entry: ProgramEntry): boolean {
  return entry.kind === "folder" || (entry.enabled && entry.invalid === null);
}

/**
 * Until when the scheduled times of the program are handled. A clock that was far ahead has handled times that come again; the next run
 * that was planned after the clock was set back is not handled yet.
 */
function settledOf(work: Work, { id, nextRunAtMs }: ProgramEntry): number {
  const { nowMs } = work;
  const settledMs = work.progressOf(id).settledUntilMs ?? nowMs;
  // Such a next run was planned after the clock was set back. One older than the grace period is from a clock that was far behind.
  const isPlannedAgain = nextRunAtMs !== null && nextRunAtMs <= settledMs && nextRunAtMs >= nowMs - graceMs(work);
  if (!isPlannedAgain && !wasClockWrong(settledMs, nowMs)) return settledMs;
  return Math.min(nowMs, (nextRunAtMs ?? nowMs + 1) - 1);
}

function wasClockWrong(settledMs: number, nowMs: number): boolean {
  return settledMs > nowMs + SET_BACK_MS;
}

/** How late a moment may be handled; with catch-up, all those since local midnight. */
function graceMs({ facts, nowMs, calendar }: Work): number {
  const { scheduleCatchUp, scheduleGraceS } = facts.limits;
  const sinceMidnightMs = scheduleCatchUp ? nowMs - calendar.localInstant(calendar.dayOf(nowMs), 0) : 0;
  return Math.max(LATE_MS, scheduleGraceS * 1000, sinceMidnightMs);
}

function traceMissed(work: Work, id: number, firstMs: number): void {
  const trigger: Trigger = { kind: "schedule", instantMs: firstMs };
  work.trace(() => ({
    kind: "not-run",
    atMs: work.nowMs,
    programId: id,
    cause: scheduleCause(firstMs),
    trigger,
    reason: "missed",
    detail: "",
  }));
}

function scheduleCause(atMs: number): Cause {
  return { kind: "schedule", id: String(atMs), by: null };
}
