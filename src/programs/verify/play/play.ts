/**
 * Plays a few programs against one another by the classic rules, from given values and one start, with devices that do what
 * they are told and report it as soon as the programs have nothing left to do at once. Everything that is not written stays as it is. What a play shows has happened in it step by step,
 * so its steps are the proof.
 *
 * Repeats are played for a turn or two only: what a repeat does for ever is no loop between programs. A play ends where a
 * "repeat while" goes on after those, for nobody has seen whether it ever comes to an end.
 */

import type { Clause } from "../../../home/program-progress.ts";
import { EVENT_AXIS } from "../model/axes.ts";
import type { Axis } from "../model/axis.ts";
import type { Write } from "../model/effects.ts";
import { type Formula, isTrue } from "../model/formula.ts";
import { anyOf } from "../model/number-set.ts";
import { isCall, type PlayedProgram, type Statement } from "./machine.ts";

export type PlayStart = {
  readonly program: number;
  readonly mode: "conditions" | "if" | "then" | "else";
  /** Number of the event on the event axis; 0 for a change of a value. */
  readonly event: number;
};

/** What a play was played from. */
export type Beginning = { readonly values: ReadonlyMap<Axis, number>; readonly start: PlayStart };

export type PlayStep = {
  /** `woke`: a wait is over. `begin`: a clause begins. */
  readonly kind: "begin" | "write" | "call" | "woke";
  readonly program: number;
  readonly clause: Clause;
  /** Index of the statement in the clause; of the one that was reached where a `begin` ends a run. */
  readonly index: number;
  /** Of a write: what, and from which value to which. */
  readonly write: { readonly axis: Axis; readonly before: number; readonly after: number } | null;
  /** Of a begin: how it came to it, and the step that led to it; −1 for the start of the play. */
  readonly mode: PlayStart["mode"];
  readonly cause: number;
  /** Of a begin: the run that it put an end to. */
  readonly interrupted: { readonly clause: Clause; readonly at: number; readonly left: boolean } | null;
};

/** `repeats`: it comes back to where it was, or goes on without end; `steps` from `from` on are one turn of it. */
export type Play = { readonly steps: readonly PlayStep[]; readonly ends: "rests" | "repeats"; readonly from: number };

export type Stage = {
  readonly programs: ReadonlyMap<number, PlayedProgram>;
  /** Ids of those that the change of an axis starts, by its key. */
  readonly startedBy: ReadonlyMap<string, readonly number[]>;
  /** Those that conditions do not start. */
  readonly disabled: readonly number[];
  /** Number of starts that may still be played, over all plays on this stage. */
  budget: number;
};

/** Starts without a wait after which it is called endless: the engine cuts programs there. */
const STARTS_MAX = 1000;
const STEPS_MAX = 5000;
/** Turns of a repeat that are played. */
const TURNS_MAX = 2;

type WriteStep = Pick<PlayStep, "program" | "clause" | "index" | "interrupted" | "cause" | "mode">;

type Run = {
  readonly clause: Clause;
  position: number;
  wakeAtMs: number | null;
  repeat: { at: number; turn: number } | null;
};

export function stageOf(programs: readonly PlayedProgram[], budget: number): Stage {
  const startedBy = new Map<string, number[]>();
  for (const { program, starts } of programs) {
    for (const key of starts) startedBy.set(key, [...(startedBy.get(key) ?? []), program.id]);
  }
  const disabled = programs.filter(({ mayStart }) => !mayStart).map(({ program }) => program.id);
  return { programs: new Map(programs.map((played) => [played.program.id, played])), startedBy, disabled, budget };
}

/** A "repeat every" of no time without a wait in it. */
function spins(statements: readonly Statement[], at: number): boolean {
  const statement = statements[at];
  if (statement?.kind !== "repeat" || statement.turns.kind !== "every" || statement.turns.lengthMs > 0) return false;
  return !statements.slice(at + 1, statement.end).some((each) => each.kind === "wait" && each.lengthMs > 0);
}

/** Index behind the statements of a repeat. */
function endOf(statements: readonly Statement[], at: number): number {
  const statement = statements[at];
  return statement?.kind === "repeat" ? statement.end : at;
}

export function play(stage: Stage, values: ReadonlyMap<Axis, number>, start: PlayStart): Play {
  return new Playing(stage, values).run(start);
}

class Playing {
  readonly #stage: Stage;
  readonly #values: Map<Axis, number>;
  readonly #disabled: Set<number>;
  readonly #runs = new Map<number, Run>();
  readonly #queue: (PlayStart & { readonly cause: number })[] = [];
  /** What devices were told and have not reported yet. */
  readonly #told: { readonly step: WriteStep; readonly write: Write }[] = [];
  readonly #steps: PlayStep[] = [];
  /** What was written last with a value that nobody can tell: a random one, one of the clock. */
  readonly #unknown = new Set<Axis>();
  /** Such a value decides how it goes on, so that what follows would prove nothing. */
  #isOpen = false;
  #mark: { readonly begun: string; readonly state: string; readonly at: number } | null = null;
  #played = 0;
  #nowMs = 0;
  #starts = 0;

  constructor(stage: Stage, values: ReadonlyMap<Axis, number>) {
    this.#stage = stage;
    this.#values = new Map(values);
    this.#disabled = new Set(stage.disabled);
  }

  run(start: PlayStart): Play {
    this.#queue.push({ ...start, cause: -1 });
    while (this.#steps.length < STEPS_MAX && this.#stage.budget > 0 && !this.#isOpen) {
      const next = this.#queue.shift();
      if (!next) {
        if (!(this.#wake(this.#nowMs) || this.#report() || this.#wake(Number.MAX_VALUE))) break;
        continue;
      }
      this.#stage.budget -= 1;
      this.#starts += 1;
      this.#start(next);
      const from = this.#isOpen ? null : this.#repeatsFrom();
      if (from !== null) return { steps: this.#steps, ends: "repeats", from };
    }
    return { steps: this.#steps, ends: "rests", from: 0 };
  }

  #start({ program: id, mode, event, cause }: PlayStart & { readonly cause: number }): void {
    const played = this.#stage.programs.get(id);
    if (!played || (mode === "conditions" && !this.#mayStart(played, event))) return;
    const holds = mode === "then" || (mode !== "else" && this.#holds(played.isTrue, event));
    if (this.#isOpen) return;
    const clause = holds ? "then" : "else";
    const before = this.#runs.get(id);
    const interrupted = before ? this.#interrupted(played, before) : null;
    this.#steps.push({ kind: "begin", program: id, clause, index: 0, write: null, mode, cause, interrupted });
    this.#runs.set(id, { clause, position: 0, wakeAtMs: null, repeat: null });
    if (played.status) this.#change(played.status, holds ? 1 : 0, this.#steps.length - 1);
    this.#group(id, played);
  }

  #mayStart({ program, gate }: PlayedProgram, event: number): boolean {
    return !this.#disabled.has(program.id) && this.#holds(gate, event);
  }

  #holds(formula: Formula, event: number): boolean {
    return isTrue(formula, (axis) => (axis === EVENT_AXIS ? event : this.#valueAt(axis)));
  }

  #valueAt(axis: Axis): number {
    if (this.#unknown.has(axis)) this.#isOpen = true;
    return this.#lastOf(axis);
  }

  #lastOf(axis: Axis): number {
    return this.#values.get(axis) ?? anyOf(axis.domain, axis.step);
  }

  /** `at`: the wait or repeat that is ended; `left`: whether anything would have followed. */
  #interrupted({ clauses }: PlayedProgram, { clause, position, repeat }: Run) {
    const statements = clauses[clause];
    const waited = statements[position - 1]?.kind === "wait" ? position - 1 : position;
    const turn = repeat?.at === position ? repeat.turn : 0;
    const isOver = statements[position]?.kind === "repeat" && !this.#hasTurn(statements, { at: position, turn });
    const next = isOver ? endOf(statements, position) : position;
    const left = next < statements.length || (repeat !== null && !isOver);
    return { clause, at: waited, left };
  }

  /** Statements up to the next wait, repeat, or the end: what starts in the meantime comes in between. */
  #group(id: number, played: PlayedProgram): void {
    for (let done = 0; ; done += 1) {
      const run = this.#runs.get(id);
      if (!run || this.#steps.length >= STEPS_MAX || this.#isOpen) return;
      const statements = played.clauses[run.clause];
      if (run.repeat && run.position >= endOf(statements, run.repeat.at)) {
        this.#endTurn(run, run.repeat, statements);
        if (spins(statements, run.repeat.at)) this.#cut(id);
        return;
      }
      const statement = statements[run.position];
      if (!statement) {
        this.#runs.delete(id);
        return;
      }
      if (statement.kind === "repeat") {
        if (done > 0) {
          run.wakeAtMs = this.#nowMs;
          return;
        }
        this.#beginTurn(run, statements);
        continue;
      }
      run.position += 1;
      if (statement.kind === "wait") {
        run.wakeAtMs = this.#nowMs + statement.lengthMs;
        return;
      }
      this.#perform(played.program.id, run.clause, run.position - 1, statement);
    }
  }

  #beginTurn(run: Run, statements: readonly Statement[]): void {
    const at = run.position;
    const repeat = run.repeat?.at === at ? run.repeat : { at, turn: 0 };
    const hasTurn = this.#hasTurn(statements, repeat);
    if (hasTurn && repeat.turn >= TURNS_MAX) this.#isOpen = true;
    run.repeat = hasTurn ? { at, turn: repeat.turn + 1 } : null;
    run.position = hasTurn ? at + 1 : endOf(statements, at);
  }

  #hasTurn(statements: readonly Statement[], { at, turn }: { readonly at: number; readonly turn: number }): boolean {
    const statement = statements[at];
    if (statement?.kind !== "repeat") return false;
    const { turns } = statement;
    if (turns.kind === "while") return this.#holds(turns.test, 0);
    return turn < TURNS_MAX && (turns.kind === "every" || turn < turns.times);
  }

  /** A "repeat every" is played for one turn: where it goes on, it does so for ever. */
  #endTurn(run: Run, { at }: { readonly at: number }, statements: readonly Statement[]): void {
    const statement = statements[at];
    const isEvery = statement?.kind === "repeat" && statement.turns.kind === "every";
    run.position = at;
    run.wakeAtMs = isEvery ? Number.POSITIVE_INFINITY : this.#nowMs;
  }

  /** As the engine does with what takes no time and has no end. */
  #cut(id: number): void {
    this.#runs.delete(id);
    this.#disabled.add(id);
  }

  #perform(id: number, clause: Clause, index: number, statement: Statement): void {
    const common = { program: id, clause, index, interrupted: null, cause: -1, mode: "conditions" } as const;
    if (statement.kind === "control") this.#control(common, statement);
    else if (statement.kind === "writes") {
      for (const write of statement.writes) {
        if (write.isReported) this.#told.push({ step: common, write });
        else this.#write(common, write);
      }
    }
  }

  /** @returns false when no device has anything to report. */
  #report(): boolean {
    const told = this.#told.shift();
    if (told) this.#write(told.step, told.write);
    return told !== undefined;
  }

  #write(step: WriteStep, { axis, constant, next }: Write): void {
    const before = this.#lastOf(axis);
    const isUnknown = this.#unknown.has(axis);
    const after =
      isUnknown && constant === null
        ? null
        : next(before, (other) => (this.#unknown.has(other) ? null : this.#lastOf(other)));
    // Nobody can tell either whether this is a change, and starts what a change starts.
    if ((isUnknown || after === null) && this.#stage.startedBy.has(axis.key)) this.#isOpen = true;
    if (after === null) this.#unknown.add(axis);
    else this.#unknown.delete(axis);
    if (after === null || after === before || this.#isOpen) return;
    this.#steps.push({ ...step, kind: "write", write: { axis, before, after } });
    this.#change(axis, after, this.#steps.length - 1);
  }

  #control(common: WriteStep, { id, control }: Extract<Statement, { kind: "control" }>): void {
    if (isCall(control)) {
      this.#steps.push({ ...common, kind: "call", write: null });
      const mode = control === "runif" ? "if" : control === "runthen" ? "then" : "else";
      this.#queue.push({ program: id, mode, event: 0, cause: this.#steps.length - 1 });
    } else if (control === "stop") this.#runs.delete(id);
    else if (control === "disable") this.#disabled.add(id);
    else if (control === "enable") this.#disabled.delete(id);
  }

  #change(axis: Axis, value: number, cause: number): void {
    if (this.#values.get(axis) === value) return;
    this.#values.set(axis, value);
    for (const id of this.#stage.startedBy.get(axis.key) ?? []) {
      if (!this.#isAwaited(id)) this.#queue.push({ program: id, mode: "conditions", event: 0, cause });
    }
  }

  /** A start that has not been worked off yet will see the new value too. */
  #isAwaited(id: number): boolean {
    return this.#queue.some(({ program, mode, event }) => program === id && mode === "conditions" && event === 0);
  }

  /** The wait that ends first is over. @param untilMs what ends later than this is left alone. @returns false without one. */
  #wake(untilMs: number): boolean {
    let first: [id: number, run: Run, atMs: number] | null = null;
    for (const [id, run] of this.#runs) {
      const atMs = run.wakeAtMs ?? Number.POSITIVE_INFINITY;
      if (atMs <= untilMs && (first === null || atMs < first[2])) first = [id, run, atMs];
    }
    const played = first && this.#stage.programs.get(first[0]);
    if (!first || !played) return false;
    const [id, run, atMs] = first;
    if (atMs > this.#nowMs) {
      const { clause, position } = run;
      const woke = { kind: "woke", program: id, clause, index: position - 1, write: null } as const;
      this.#steps.push({ ...woke, mode: "conditions", cause: -1, interrupted: null });
      this.#nowMs = atMs;
      this.#starts = 0;
    }
    run.wakeAtMs = null;
    this.#group(id, played);
    return true;
  }

  /**
   * Where the turn of an endless loop begins, when this is one. The whole state is compared with one mark only, which is set
   * anew after twice as many starts each time; so a loop is met once the mark lies in it.
   */
  #repeatsFrom(): number | null {
    const step = this.#steps.at(-1);
    const open = `${this.#queue.length} ${this.#told.length} ${this.#runs.size}`;
    const begun = step && `${step.program} ${step.clause} ${open}`;
    const mark = this.#mark;
    if (mark && mark.begun === begun && mark.state === this.#state()) {
      if (this.#queue.length + this.#told.length + this.#runs.size > 0) return mark.at;
    }
    this.#played += 1;
    if (begun && Number.isInteger(Math.log2(this.#played))) {
      this.#mark = { begun, state: this.#state(), at: this.#steps.length };
    }
    return this.#starts >= STARTS_MAX ? this.#latestTurn() : null;
  }

  #state(): string {
    const values = [...this.#values].map(([{ key }, value]) => `${key}=${value}`);
    const runs = [...this.#runs].map(([id, { clause, position, wakeAtMs, repeat }]) => {
      return `${id} ${clause} ${position} ${wakeAtMs === null ? "" : wakeAtMs - this.#nowMs} ${repeat?.at} ${repeat?.turn}`;
    });
    const queue = this.#queue.map(({ program, mode, event }) => `${program} ${mode} ${event}`);
    const unknown = [...this.#unknown].map(({ key }) => key);
    const told = this.#told.map(({ write, step }) => `${write.axis.key} ${step.program} ${step.clause} ${step.index}`);
    return [...values, "|", ...runs.sort(), "|", ...queue, "|", ...told, "|", ...unknown, "|", ...this.#disabled].join(
      ";",
    );
  }

  /** Values grow without end, so no state comes back: the turn is what lies between two equal beginnings. */
  #latestTurn(): number {
    const begins = this.#steps.flatMap((step, at) => (step.kind === "begin" ? [at] : []));
    const last = this.#steps[begins.at(-1) ?? 0];
    const isSame = (at: number) =>
      this.#steps[at]?.program === last?.program && this.#steps[at]?.clause === last?.clause;
    return begins.slice(0, -1).findLast(isSame) ?? 0;
  }
}
