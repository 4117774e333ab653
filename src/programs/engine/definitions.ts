/** Programs, and the things they name, come, change and go. */

import type { Cause } from "../../home/cause.ts";
import type { Trigger } from "../../home/program-progress.ts";
import type { Program, ProgramEntry } from "../../home/programs.ts";
import type { InputOf } from "../engine-input.ts";
import { endRun } from "./end-run.ts";
import { forgetHolds, recount } from "./held.ts";
import { settle } from "./schedules.ts";
import type { Work } from "./work.ts";

/** A new tree ends what runs of the old one; a new name or place does not. */
export function takeDefinition(work: Work, { id, isNewTree, wasEnabled, cause }: InputOf<"definition">): void {
  const entry = work.program(id);
  if (!entry) {
    forget(work, id, cause);
    return;
  }
  if (isNewTree) endRun(work, id, "stopped");
  if (entry.kind === "program") updateValidity(work, entry, cause);
  const isEnabledAnew = entry.kind === "program" && entry.enabled && !wasEnabled;
  if (isNewTree || isEnabledAnew) beginSchedule(work, id, cause);
  else work.reschedule(id, cause);
  if (entry.kind === "folder") evaluateAgain(work, entry, cause);
  if (isNewTree) recount(work, id, cause);
  if (isNewTree) recheck(work, work.facts.triggers.naming({ kind: "program", id }), cause);
}

/** Whether what they name exists may have changed. */
export function recheck(work: Work, ids: readonly number[], cause: Cause): void {
  for (const id of ids) {
    const entry = work.program(id);
    if (entry?.kind === "program") updateValidity(work, entry, cause);
  }
}

/** All moments are others now; what lies before is settled. */
export function takeNewPlace(work: Work, cause: Cause): void {
  for (const { id } of work.facts.programs()) beginSchedule(work, id, cause);
}

/** Sets the reason why it is not loaded, or takes it away; what is not loaded does not run. */
export function updateValidity(work: Work, program: Program, cause: Cause): void {
  const invalid = work.facts.danglingReference(program);
  if (invalid === program.invalid) return;
  if (invalid !== null) endRun(work, program.id, "stopped");
  work.setProgram(program.id, { invalid }, cause);
  beginSchedule(work, program.id, cause);
}

function beginSchedule(work: Work, id: number, cause: Cause): void {
  if (work.facts.triggers.schedulesOf(id).length > 0) settle(work, id, work.nowMs, cause);
  else if (work.progressOf(id).settledUntilMs !== null) {
    work.patchProgress(id, { settledUntilMs: null }, cause);
    work.reschedule(id, cause);
  } else work.reschedule(id, cause);
}

function forget(work: Work, id: number, cause: Cause): void {
  work.forget(id, cause);
  forgetHolds(work, id, cause);
  work.reschedule(id, cause);
  recheck(work, work.facts.triggers.naming({ kind: "program", id }), cause);
}

/** A folder's status is the result of its `if` at all times. */
export function evaluateAgain(work: Work, { id, kind }: ProgramEntry, cause: Cause): void {
  if (kind !== "folder") return;
  const trigger: Trigger = { kind: "startup" };
  work.push({ kind: "start", id, mode: "if", trigger, cause, happening: null, effort: work.freshEffort() });
}
