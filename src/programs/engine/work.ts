/**
 * The draft of one step: what was changed so far, what is still to be worked off in this instant, what is asked for. The
 * state and the facts it began with are not touched.
 */

import type { Cause } from "../../home/cause.ts";
import type { Effort, ProgramProgress, RunProgress } from "../../home/program-progress.ts";
import type { Program, ProgramEntry, ProgramRun } from "../../home/programs.ts";
import type { Property } from "../../home/property.ts";
import type { Variable, VariableType } from "../../home/variables.ts";
import type { Effect } from "../engine-effect.ts";
import type { EngineState, LatestRun } from "../engine-state.ts";
import type { Happening } from "../evaluate.ts";
import type { Facts } from "../facts.ts";
import type { Calendar } from "../schedule/calendar.ts";
import type { TraceRecord, Trigger } from "../trace-record.ts";

/** How a start treats the `if`: `conditions` only of what may be started by them, `if` in any case, or not at all. */
export type StartMode = "conditions" | "startup" | "if" | "then" | "else";

export type Start = {
  readonly kind: "start";
  readonly id: number;
  readonly mode: StartMode;
  readonly trigger: Trigger;
  readonly cause: Cause;
  readonly happening: Happening | null;
  /** Of the chain that led to it; of its own when it came from outside. */
  readonly effort: Effort;
};

type Item = Start | { readonly kind: "continue"; readonly id: number; readonly runId: string };

const NOTHING: Omit<ProgramProgress, "id"> = { run: null, inFlight: [], settledUntilMs: null };

export class Work {
  readonly facts: Facts;
  readonly nowMs: number;
  readonly effects: Effect[] = [];
  readonly #before: EngineState;
  #progress: EngineState["progress"];
  #latestRuns: EngineState["latestRuns"];
  #runsInInstant: number;
  readonly #queue: Item[] = [];
  #next = 0;
  readonly #programs = new Map<number, ProgramEntry>();
  readonly #variables = new Map<string, Variable>();
  /** Programs whose progress was touched, with the cause of the latest change. */
  readonly #touched = new Map<number, Cause>();
  readonly #urgent = new Set<number>();
  readonly #closed = new Set<number>();
  /** Programs whose schedule is to be looked at again. */
  readonly #rescheduled = new Map<number, Cause>();

  constructor(state: EngineState, nowMs: number, facts: Facts) {
    this.#before = state;
    this.#progress = state.progress;
    this.#latestRuns = state.latestRuns;
    this.#runsInInstant = state.nowMs === nowMs ? state.runsInInstant : 0;
    this.nowMs = nowMs;
    this.facts = facts;
  }

  /** The state that follows, without what is due. */
  get state(): EngineState {
    return {
      progress: this.#progress,
      nowMs: this.nowMs,
      runsInInstant: this.#runsInInstant,
      latestRuns: this.#latestRuns,
    };
  }

  /** When the step before was made. */
  get beforeMs(): number {
    return this.#before.nowMs;
  }

  push(item: Item): void {
    this.#queue.push(item);
  }

  shift(): Item | null {
    const item = this.#queue[this.#next] ?? null;
    this.#next += 1;
    return item;
  }

  program(id: number): ProgramEntry | null {
    return this.#programs.get(id) ?? this.facts.program(id);
  }

  variable(type: VariableType, id: number): Variable | null {
    return this.#variables.get(`${type}/${id}`) ?? this.facts.variable(type, id);
  }

  property(node: string, id: string): Property | null {
    return this.facts.property(node, id);
  }

  get calendar(): Calendar {
    return this.facts.calendar;
  }

  progressOf(id: number): ProgramProgress {
    return this.#progress.get(id) ?? { id, ...NOTHING };
  }

  runOf(id: number): RunProgress | null {
    return this.#progress.get(id)?.run ?? null;
  }

  allProgress(): Iterable<readonly [number, ProgramProgress]> {
    return this.#progress.entries();
  }

  latestRunOf(id: number): LatestRun | null {
    return this.#latestRuns.get(id);
  }

  /** @param urgent false: when it were lost, nothing would be done wrong after a restart. */
  patchProgress(id: number, patch: Partial<Omit<ProgramProgress, "id">>, cause: Cause, urgent = true): void {
    const progress = { ...this.progressOf(id), ...patch };
    const isNothing = !progress.run && progress.inFlight.length === 0 && progress.settledUntilMs === null;
    this.#progress = this.#progress.with(id, isNothing ? null : progress);
    this.#touched.set(id, cause);
    if (urgent) this.#urgent.add(id);
  }

  patchRun(id: number, patch: Partial<RunProgress>): void {
    const run = this.runOf(id);
    if (run) this.patchProgress(id, { run: { ...run, ...patch } }, run.cause);
  }

  forget(id: number, cause: Cause): void {
    this.#progress = this.#progress.with(id, null);
    this.#latestRuns = this.#latestRuns.with(id, null);
    this.#touched.set(id, cause);
  }

  /** Unique, also over restarts, and the same when the same things are stepped through again. */
  newRunId(id: number): string {
    const count = this.#runsInInstant;
    this.#runsInInstant += 1;
    return `${id}-${this.nowMs}-${count}`;
  }

  rememberRun(id: number, run: LatestRun): void {
    this.#latestRuns = this.#latestRuns.with(id, run);
  }

  /** Nothing starts it any more in this instant. */
  close(id: number): void {
    this.#closed.add(id);
  }

  isClosed(id: number): boolean {
    return this.#closed.has(id);
  }

  showRun(id: number, run: Partial<ProgramRun>, cause: Cause): void {
    const entry = this.program(id);
    if (!entry) return;
    const { running: _running, ...common } = run;
    this.#programs.set(id, entry.kind === "program" ? { ...entry, ...run } : { ...entry, ...common });
    this.effects.push({ kind: "program-run", id, run, cause });
  }

  setProgram(id: number, patch: Partial<Pick<Program, "enabled" | "runAtStartup" | "invalid">>, cause: Cause): void {
    const entry = this.program(id);
    if (entry?.kind !== "program") return;
    this.#programs.set(id, { ...entry, ...patch });
    this.effects.push({ kind: "program-set", id, patch, cause });
  }

  setVariable(variable: Variable, field: "value" | "init", cause: Cause): void {
    const { type, id } = variable;
    this.#variables.set(`${type}/${id}`, variable);
    this.effects.push({ kind: "write-variable", type, id, field, value: variable[field], cause });
  }

  reschedule(id: number, cause: Cause): void {
    this.#rescheduled.set(id, cause);
  }

  get rescheduled(): ReadonlyMap<number, Cause> {
    return this.#rescheduled;
  }

  get touched(): ReadonlyMap<number, Cause> {
    return this.#touched;
  }

  isUrgent(id: number): boolean {
    return this.#urgent.has(id);
  }

  progressAfter(id: number): ProgramProgress | null {
    return this.#progress.get(id);
  }

  /** As it was before this step. */
  progressBefore(id: number): ProgramProgress | null {
    return this.#before.progress.get(id);
  }

  /** The record is made only when somebody listens. */
  trace(record: () => TraceRecord): void {
    if (this.facts.isTraced) this.effects.push({ kind: "trace", record: record() });
  }
}
