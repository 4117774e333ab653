/**
 * A group of statements: everything up to the next wait, repeat or end of the clause, carried out at once. A start of
 * the program in the meantime takes effect at the end of the group. A program that it calls begins between two of its
 * statements, and so does what the status of the called program starts; the called program's statements come after it.
 *
 * A repeat repeats all statements that follow it, up to the next repeat or the end of the clause.
 */

import type { RepeatProgress, RunProgress } from "../../home/program-progress.ts";
import type { Action } from "../../home/program-syntax.ts";
import type { Continuation } from "../engine-state.ts";
import { compareVariable } from "../evaluate.ts";
import { spanMs } from "../schedule/moments.ts";
import { draw } from "./draw.ts";
import { endRun } from "./end-run.ts";
import { cutRun } from "./limits.ts";
import { runStatement, traceStatement } from "./statements.ts";
import type { Work } from "./work.ts";

type Repeat = Extract<Action, { readonly kind: "repeat-times" | "repeat-every" | "repeat-while" }>;

/** @param before statements of the group that were carried out before. */
export function runGroup(work: Work, id: number, before = 0): void {
  for (let done = before; ; done += 1) {
    const run = work.runOf(id);
    const program = work.program(id);
    if (!run || program?.kind !== "program") return;
    const clause = program.tree[run.clause];
    if (run.repeat && run.position >= sectionEnd(clause, run.repeat.at)) {
      endTurn(work, id, run, run.repeat);
      return;
    }
    const action = clause[run.position];
    if (!action) {
      endRun(work, id, "finished");
      return;
    }
    if (isRepeat(action)) {
      // Reaching a repeat ends the group before it.
      if (done > 0) {
        work.push({ kind: "continue", id, runId: run.runId });
        return;
      }
      if (!takeStep(work, id, run)) return;
      beginTurn(work, id, run, action, clause);
    } else if (done > before && work.isSpent) {
      work.leaveUnfinished(id, run.runId);
      return;
    } else {
      if (!takeStep(work, id, run)) return;
      if (action.kind === "wait" && isLast(clause, run)) {
        traceStatement(work, id, action, "Nothing follows, so it does not wait.");
        work.patchRun(id, { position: run.position + 1, statements: run.statements + 1 });
        continue;
      }
      if (action.kind === "wait") {
        wait(work, id, run, action);
        return;
      }
      runStatement(work, id, action);
      if (isSuspended(work, id)) return;
    }
  }
}

/** The last group has ended, or a wait that `endWait` ended; or (below 0) a group goes on. */
export function continueRun(work: Work, { id, runId, number }: Continuation): void {
  const run = work.runOf(id);
  if (run?.runId !== runId || run.turn !== number) return;
  work.patchRun(id, { turn: null });
  const isInGroup = number < 0;
  if (!isInGroup) work.spend(id);
  runGroup(work, id, isInGroup ? 1 : 0);
}

/** Whether the run waits until the programs that its last statement started have run. */
function isSuspended(work: Work, id: number): boolean {
  return (work.runOf(id)?.turn ?? 0) < 0;
}

/** A wait, or a pause between turns, is over: the run goes on in its turn, with a chain of its own. */
export function endWait(work: Work, id: number, runId: string): void {
  const run = work.runOf(id);
  if (run?.runId !== runId) return;
  if (run.waitUntilMs !== null) {
    const effort = work.freshEffort();
    work.patchRun(id, { waitUntilMs: null, effort });
    work.rememberRun(id, { runId, effort });
  }
  work.push({ kind: "continue", id, runId });
}

function isRepeat(action: Action): action is Repeat {
  return action.kind === "repeat-times" || action.kind === "repeat-every" || action.kind === "repeat-while";
}

function sectionEnd(clause: readonly Action[], repeatAt: number): number {
  const next = clause.findIndex((action, index) => index > repeatAt && isRepeat(action));
  return next < 0 ? clause.length : next;
}

/** @returns false when the run was cut. */
function takeStep(work: Work, id: number, run: RunProgress): boolean {
  const { programStepsMax } = work.facts.limits;
  const steps = run.effort.steps + 1;
  if (steps > programStepsMax) {
    cutRun(work, id, "programStepsMax", `More than ${programStepsMax} statements without a wait.`, run.cause);
    return false;
  }
  work.spend(id);
  work.patchRun(id, { effort: { ...run.effort, steps } });
  return true;
}

/** A wait with nothing behind it, outside of a repeat, is not carried out. */
function isLast(clause: readonly Action[], { position, repeat }: RunProgress): boolean {
  return repeat === null && position === clause.length - 1;
}

function wait(work: Work, id: number, run: RunProgress, action: Extract<Action, { kind: "wait" }>): void {
  const { lengthMs, draws } = lengthOf(action, run);
  const untilMs = work.nowMs + lengthMs;
  traceStatement(work, id, action, "", untilMs);
  work.patchRun(id, { position: run.position + 1, statements: run.statements + 1, draws });
  pause(work, id, run, untilMs);
}

/** A wait of no time ends the group and nothing else, so that endless loops over such waits are found. */
function pause(work: Work, id: number, run: RunProgress, untilMs: number): void {
  if (untilMs <= work.nowMs) {
    work.push({ kind: "continue", id, runId: run.runId });
    return;
  }
  work.patchRun(id, { waitUntilMs: untilMs });
  work.reschedule(id, run.cause);
}

/** A random length is a whole number of milliseconds up to the span. */
function lengthOf(
  { span, random }: { readonly span: { hours: number; minutes: number; seconds: number }; readonly random: boolean },
  run: RunProgress,
): { readonly lengthMs: number; readonly draws: number } {
  const longestMs = Math.max(0, Math.round(spanMs(span)));
  if (!random) return { lengthMs: longestMs, draws: run.draws };
  return { lengthMs: draw(run.runId, run.draws, longestMs + 1), draws: run.draws + 1 };
}

/** Arriving at a repeat: another turn of it, or on behind its statements. */
function beginTurn(work: Work, id: number, run: RunProgress, action: Repeat, clause: readonly Action[]): void {
  const before = run.repeat?.at === run.position ? run.repeat : null;
  const { repeat, draws } = turnOf(work, run, action, before);
  if (!before) {
    traceStatement(work, id, action, repeat?.turnsMax ? `${repeat.turnsMax} times` : "");
    work.patchRun(id, { statements: run.statements + 1 });
  }
  const position = repeat ? run.position + 1 : sectionEnd(clause, run.position);
  work.patchRun(id, { position, repeat, draws });
}

/** null: no (further) turn. */
function turnOf(
  work: Work,
  run: RunProgress,
  action: Repeat,
  before: RepeatProgress | null,
): { readonly repeat: RepeatProgress | null; readonly draws: number } {
  const { nowMs } = work;
  const turns = (before?.turns ?? 0) + 1;
  const turn = { at: run.position, turns, turnsMax: null, turnAtMs: nowMs, nextTurnAtMs: null };
  switch (action.kind) {
    case "repeat-times": {
      const isDrawn = action.random && !before && action.times > 0;
      const drawn = isDrawn ? draw(run.runId, run.draws, action.times + 1) : action.times;
      const turnsMax = before?.turnsMax ?? drawn;
      return { repeat: turns <= turnsMax ? { ...turn, turnsMax } : null, draws: run.draws + (isDrawn ? 1 : 0) };
    }
    case "repeat-while":
      return { repeat: compareVariable(action, work) ? turn : null, draws: run.draws };
    case "repeat-every": {
      const { lengthMs, draws } = lengthOf(action, run);
      const dueMs = before?.nextTurnAtMs ?? nowMs;
      // Turns keep their rhythm; after an outage longer than a turn the rhythm starts again.
      const turnAtMs = nowMs - dueMs < lengthMs ? dueMs : nowMs;
      return { repeat: { ...turn, turnAtMs, nextTurnAtMs: turnAtMs + lengthMs }, draws };
    }
  }
}

/** The end of a turn is the end of a group. */
function endTurn(work: Work, id: number, run: RunProgress, repeat: RepeatProgress): void {
  work.patchRun(id, { position: repeat.at });
  pause(work, id, run, repeat.nextTurnAtMs ?? work.nowMs);
}
