/**
 * What a person can tell a program or a folder of programs: run, stop, take part or not.
 *
 * A folder passes run and stop on to the enabled programs in it, at any depth; enable and disable go to all of them,
 * because a folder has no such flag of its own.
 *
 * @see docs/interface/programs.md
 */

import { ControllerError } from "../errors.ts";
import type { Cause } from "../home/cause.ts";
import type { Entry } from "../home/change.ts";
import { findProgram, type Program, type ProgramEntry, programsBelow } from "../home/programs.ts";
import { evaluateConditions } from "../programs/evaluate.ts";
import type { CommandPorts } from "./ports.ts";

export type ProgramVerb =
  | "run"
  | "runIf"
  | "runThen"
  | "runElse"
  | "stop"
  | "enable"
  | "disable"
  | "enableRunAtStartup"
  | "disableRunAtStartup";

type ProgramPorts = Pick<CommandPorts, "home" | "feed" | "durability" | "clock">;
type Step = (ports: ProgramPorts, program: Program, cause: Cause) => Entry;

/** What a verb does to one program, and to which programs of a folder; null = not for folders. */
type Rule = { readonly step: Step; readonly inFolder: ((program: Program) => boolean) | null };

const isEnabled = (program: Program) => program.enabled && program.invalid === null;

const RULES: Readonly<Record<ProgramVerb, Rule>> = {
  run: { step: runMatching, inFolder: isEnabled },
  runIf: { step: runMatching, inFolder: null },
  runThen: { step: (ports, program, cause) => runClause(ports, program, true, cause), inFolder: null },
  runElse: { step: (ports, program, cause) => runClause(ports, program, false, cause), inFolder: null },
  stop: { step: stop, inFolder: (program) => program.enabled },
  enable: { step: changeTo({ enabled: true }), inFolder: (program) => !program.enabled },
  disable: { step: changeTo({ enabled: false }), inFolder: (program) => program.enabled },
  enableRunAtStartup: { step: changeTo({ runAtStartup: true }), inFolder: null },
  disableRunAtStartup: { step: changeTo({ runAtStartup: false }), inFolder: null },
};

const VERBS = new Map(Object.entries(RULES).map(([verb, rule]) => [verb.toLowerCase(), rule]));

/**
 * Works on disabled programs too, except in a folder.
 *
 * @param id of a program or a folder, 1 … 65,535
 * @param verb one of `ProgramVerb`, in any case.
 * @throws ControllerError PROGRAM_NOT_FOUND; PROGRAM_COMMAND_UNKNOWN; COMMAND_NOT_FOR_FOLDERS; CONFLICT when an invalid
 * program is to run; STORE_UNAVAILABLE
 */
export async function runProgram(ports: ProgramPorts, id: number, verb: string, cause: Cause): Promise<void> {
  const entry = findProgram(ports.home, id);
  if (!entry) throw new ControllerError("PROGRAM_NOT_FOUND");
  const rule = VERBS.get(verb.toLowerCase());
  if (!rule) throw new ControllerError("PROGRAM_COMMAND_UNKNOWN");
  const entries = targets(ports, entry, rule).map((program) => rule.step(ports, program, cause));
  const last = entries.at(-1);
  if (last) await ports.durability.committed(last.seq);
}

function targets({ home }: ProgramPorts, entry: ProgramEntry, { inFolder }: Rule): readonly Program[] {
  if (entry.kind === "program") return [entry];
  if (!inFolder) throw new ControllerError("COMMAND_NOT_FOR_FOLDERS");
  return programsBelow(home, entry.id)
    .filter((below) => below.kind === "program")
    .filter(inFolder);
}

function runMatching(ports: ProgramPorts, program: Program, cause: Cause): Entry {
  const { home, clock } = ports;
  const at = { nowMs: clock.now(), timeZone: home.controller.timeZone };
  return runClause(ports, program, evaluateConditions(program.tree.if, home, at), cause);
}

/** Two entries, because clients know a run by both: the clause that runs, then the end of it. */
function runClause({ feed, clock }: ProgramPorts, program: Program, status: boolean, cause: Cause): Entry {
  const { id, invalid } = program;
  if (invalid !== null) throw new ControllerError("CONFLICT", { sentence: `The program is not loaded: ${invalid}` });
  const running = status ? "then" : "else";
  feed.commit({ type: "program-ran", id, run: { status, running, lastRunAtMs: clock.now() } }, cause);
  return feed.commit({ type: "program-ran", id, run: { running: "idle", lastFinishAtMs: clock.now() } }, cause);
}

/** Leaves the status as it is. Told also when nothing ran, for clients wait for the frame. */
function stop({ feed, clock }: ProgramPorts, { id, running }: Program, cause: Cause): Entry {
  const finish = running === "idle" ? {} : { lastFinishAtMs: clock.now() };
  return feed.commit({ type: "program-ran", id, run: { running: "idle", ...finish } }, cause);
}

function changeTo(patch: Partial<Pick<Program, "enabled" | "runAtStartup">>): Step {
  return ({ feed }, program, cause) =>
    feed.commit({ type: "program-changed", program: { ...program, ...patch } }, cause);
}
