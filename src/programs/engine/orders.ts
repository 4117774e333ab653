/** Commands of a person to a program, or to all programs in a folder. */

import type { Cause } from "../../home/cause.ts";
import type { StartMode } from "../../home/program-progress.ts";
import type { Program, ProgramEntry, ProgramVerb } from "../../home/programs.ts";
import type { InputOf } from "../engine-input.ts";
import { endRun } from "./end-run.ts";
import { enableProgram } from "./statements.ts";
import type { Work } from "./work.ts";

/** A folder passes the verb on to those programs in it, at any depth, for which `inFolder` is true. */
type Rule = {
  readonly act: (work: Work, program: Program, cause: Cause) => void;
  readonly inFolder: (program: Program) => boolean;
};

const isEnabled = ({ enabled }: Program) => enabled;
const none = () => false;

const RULES: Readonly<Record<ProgramVerb, Rule>> = {
  run: { act: starting("run", "if"), inFolder: ({ enabled, invalid }) => enabled && invalid === null },
  runIf: { act: starting("runIf", "if"), inFolder: none },
  runThen: { act: starting("runThen", "then"), inFolder: none },
  runElse: { act: starting("runElse", "else"), inFolder: none },
  stop: { act: stop, inFolder: isEnabled },
  enable: { act: enabling(true), inFolder: ({ enabled }) => !enabled },
  disable: { act: enabling(false), inFolder: isEnabled },
  enableRunAtStartup: { act: startingUp(true), inFolder: none },
  disableRunAtStartup: { act: startingUp(false), inFolder: none },
};

export function takeOrder(work: Work, { id, verb, cause }: InputOf<"order">): void {
  const entry = work.program(id);
  if (!entry) return;
  const { act, inFolder } = RULES[verb];
  for (const program of entry.kind === "program" ? [entry] : programsIn(work, entry.id).filter(inFolder))
    act(work, program, cause);
}

function programsIn(work: Work, folderId: number): readonly Program[] {
  const children: ProgramEntry[] = [];
  for (const entry of work.facts.programs()) if (entry.parentId === folderId) children.push(entry);
  children.sort((a, b) => a.id - b.id);
  return children.flatMap((entry) => (entry.kind === "program" ? [entry] : programsIn(work, entry.id)));
}

function starting(verb: ProgramVerb, mode: StartMode): Rule["act"] {
  return (work, { id }, cause) =>
    work.push({
      kind: "start",
      id,
      mode,
      trigger: { kind: "order", verb },
      cause,
      happening: null,
      effort: work.freshEffort(),
    });
}

/**
 * Leaves the status unchanged and drops waiting starts of the program. Published also when nothing ran, because clients wait
 * for the frame.
 */
function stop(work: Work, { id, running }: Program, cause: Cause): void {
  const finish = running === "idle" ? {} : { lastFinishAtMs: work.nowMs };
  work.dropStarts(id);
  if (work.runOf(id)) endRun(work, id, "stopped");
  else work.showRun(id, { running: "idle", ...finish }, cause);
  work.reschedule(id, cause);
}

/** Published also without a change. */
function enabling(enabled: boolean): Rule["act"] {
  return (work, program, cause) => {
    if (program.enabled === enabled) work.setProgram(program.id, { enabled }, cause);
    else enableProgram(work, program.id, enabled, cause);
  };
}

function startingUp(runAtStartup: boolean): Rule["act"] {
  return (work, { id }, cause) => work.setProgram(id, { runAtStartup }, cause);
}
