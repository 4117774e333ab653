/**
 * Plays programs against one another with the engine itself, from given values and starts, with devices that obey
 * their commands. Everything that is not written stays unchanged. Every step of a play really follows from the one
 * before, so the steps are the proof of a finding.
 *
 * Repeats are played for a turn or two only: an endless repeat is not a loop between programs.
 */

import type { Clause, Happening, ProgramProgress, RunProgress, Trigger } from "../../../home/program-progress.ts";
import type { Slices } from "../../../util/slices.ts";
import { freshEffort } from "../../engine/effort.ts";
import { step } from "../../engine.ts";
import type { EngineEffect } from "../../engine-effect.ts";
import type { EngineInput } from "../../engine-input.ts";
import { type EngineState, engineState, hasWork } from "../../engine-state.ts";
import { compareVariable } from "../../evaluate.ts";
import type { TraceRecord } from "../../trace-record.ts";
import { variableAxis } from "../model/axes.ts";
import type { Axis } from "../model/axis.ts";
import type { Write } from "../model/effects.ts";
import type { StartEvent } from "../model/starts.ts";
import { isCall, repeatEnd, TURNS_PLAYED } from "./played-program.ts";
import { type Stage, StageFacts } from "./stage.ts";

export type PlayStart = {
  readonly program: number;
  readonly mode: "conditions" | "if" | "then" | "else";
  /** The event that starts it; null where it is run, or any value has changed. */
  readonly by: StartEvent | null;
};

/** The beginning of a play. */
export type Beginning = { readonly values: ReadonlyMap<Axis, number>; readonly start: PlayStart };

export type PlayStep = {
  /** `woke`: a wait is over. `begin`: a clause begins. */
  readonly kind: "begin" | "write" | "call" | "woke";
  readonly program: number;
  readonly clause: Clause;
  /** Index of the statement in the clause; 0 of a `begin`. */
  readonly index: number;
  /** For a write: the axis, and the values before and after. */
  readonly write: { readonly axis: Axis; readonly before: number; readonly after: number } | null;
  /** For a begin: its cause, and the step that led to it; −1 for the start of the play. */
  readonly mode: PlayStart["mode"];
  readonly cause: number;
  /** For a begin: the run that it ended. */
  readonly interrupted: Interrupted | null;
};

/** `at`: the wait or repeat that is ended; `left`: whether anything would have followed. */
type Interrupted = { readonly clause: Clause; readonly at: number; readonly left: boolean };

/** `repeats`: it returns to an earlier state, or goes on without end; `steps` from `from` on are one turn of it. */
export type Play = { readonly steps: readonly PlayStep[]; readonly ends: "rests" | "repeats"; readonly from: number };

/** @param reports when devices report: when the programs have nothing left to do at once, or before anything else. */
export function play(
  stage: Stage,
  values: ReadonlyMap<Axis, number>,
  starts: readonly PlayStart[],
  reports: "late" | "prompt" = "late",
): Slices<Play> {
  return new Playing(stage, values, starts).run(reports === "prompt");
}

/** A step of the engine that is one statement or start, so that nothing happens unseen between two looks at the state. */
const ITEMS_A_STEP = 1;
const CAUSE = { kind: "system", id: "verification", by: null } as const;
const CALLS: ReadonlyMap<string, PlayStart["mode"]> = new Map([
  ["runthen", "then"],
  ["runelse", "else"],
]);
const VERBS = { if: "runIf", then: "runThen", else: "runElse" } as const;

type Assigned = Extract<EngineEffect, { readonly kind: "write-variable" }>;
type Spot = Pick<PlayStep, "program" | "clause" | "index">;

class Playing {
  readonly #stage: Stage;
  readonly #facts: StageFacts;
  readonly #steps: PlayStep[] = [];
  /** Commands to devices that have not reported yet. */
  readonly #commanded: { readonly spot: Spot; readonly runId: string; readonly write: Write }[] = [];
  /** Steps that led to starts, by what starts them. */
  readonly #causes = new Map<string, number>();
  /** The last write of an unpredictable value: a random one, or one of the clock. */
  readonly #unknown = new Set<Axis>();
  readonly #runs = new Map<number, RunProgress>();
  #state: EngineState;
  #nowMs: number;
  #assigned: Assigned | null = null;
  /** How it continues cannot be predicted, so what follows would prove nothing. */
  #isOpen = false;
  /** The engine has cut a program for its loop. */
  #isCut = false;
  #mark: { readonly begun: string; readonly state: string; readonly at: number } | null = null;
  #begins = 0;

  constructor(stage: Stage, values: ReadonlyMap<Axis, number>, starts: readonly PlayStart[]) {
    this.#stage = stage;
    this.#facts = new StageFacts(stage, values);
    const fromMs = this.#facts.valueOf(stage.world.year.axis) * 1000;
    const happenings = starts.map(({ by }) => by?.happening(fromMs) ?? null);
    this.#nowMs = happenings.reduce((atMs, each) => (each?.kind === "schedule" ? each.instantMs : atMs), fromMs);
    const waiting = starts.map((start, index) => waitingStart(start, index + 1, happenings[index] ?? null));
    this.#state = engineState(waiting, this.#nowMs);
  }

  *run(isPrompt: boolean): Slices<Play> {
    while (this.#stage.budget > 0 && !this.#isOpen && !this.#isCut) {
      yield;
      const known = this.#steps.length;
      const hasReported = (isPrompt || !hasWork(this.#state)) && this.#report();
      if (!hasReported && hasWork(this.#state)) this.#step({ kind: "more" });
      else if (!hasReported && !this.#wake()) break;
      const isBegin = this.#steps.slice(known).some(({ kind }) => kind === "begin");
      const from = isBegin && !this.#isOpen && !this.#isCut ? this.#repeatsFrom() : null;
      if (from !== null) return { steps: this.#steps, ends: "repeats", from };
    }
    if (this.#isCut && !this.#isOpen) return { steps: this.#steps, ends: "repeats", from: this.#latestTurn() };
    return { steps: this.#steps, ends: "rests", from: 0 };
  }

  #step(input: EngineInput, itemsMax = ITEMS_A_STEP): void {
    this.#stage.budget -= 1;
    const { state, effects } = step(this.#state, input, this.#nowMs, this.#facts, itemsMax);
    this.#state = state;
    for (const effect of effects) {
      this.#take(effect);
      if (this.#isOpen) return;
    }
  }

  #take(effect: EngineEffect): void {
    switch (effect.kind) {
      case "trace":
        this.#takeRecord(effect.record);
        break;
      case "write-variable":
        // Its statement is in the record that follows.
        if (effect.field === "value") this.#assigned = effect;
        break;
      case "program-run":
        this.#facts.change(effect.id, effect.run);
        break;
      case "program-set":
        this.#facts.change(effect.id, effect.patch);
        break;
      case "send":
        this.#send(effect);
        break;
      case "progress":
        if (effect.progress?.run) this.#runs.set(effect.id, effect.progress.run);
        else this.#runs.delete(effect.id);
        if ((effect.progress?.run?.repeat?.turns ?? 0) > TURNS_PLAYED) this.#isOpen = true;
        break;
      case "overloaded":
        this.#isOpen = true;
        break;
      case "adjust-link":
      case "hold":
      case "cut":
      case "due":
    }
  }

  #takeRecord(record: TraceRecord): void {
    const { programId: program } = record;
    switch (record.kind) {
      case "run-began": {
        const { clause, trigger } = record;
        // Runs are as they were before this step until all of its effects are taken.
        const run = record.interrupted === null ? null : this.#runs.get(program);
        const interrupted = run ? this.#interrupted(program, run) : null;
        const cause = this.#causes.get(triggerKey(trigger, program)) ?? -1;
        const begun = { program, clause, index: 0, write: null, mode: this.#modeOf(trigger), cause, interrupted };
        this.#causes.set(`program ${program} ${clause === "then"}`, this.#steps.length);
        this.#steps.push({ kind: "begin", ...begun });
        break;
      }
      case "statement": {
        const { clause, position, action } = record;
        const spot = { program, clause, index: position };
        if (this.#assigned) this.#takeAssigned(this.#assigned, spot);
        this.#assigned = null;
        if (action.kind !== "program" || !isCall(action.control)) break;
        this.#causes.set(`call ${program} ${action.id}`, this.#steps.length);
        this.#push("call", spot, null);
        break;
      }
      case "cut":
        // A run without an end of its own is another finding.
        if (record.limit === "programStepsMax") this.#isOpen = true;
        else this.#isCut = true;
        break;
      case "evaluated":
      case "not-run":
      case "outcome":
      case "run-ended":
      case "resumed":
    }
  }

  #modeOf(trigger: Trigger): PlayStart["mode"] {
    if (trigger.kind === "call") return CALLS.get(trigger.control) ?? "if";
    if (trigger.kind !== "order") return "conditions";
    return trigger.verb === "runThen" ? "then" : trigger.verb === "runElse" ? "else" : "if";
  }

  #interrupted(program: number, { clause, position, repeat }: RunProgress): Interrupted {
    const entry = this.#facts.program(program);
    const actions = entry?.kind === "program" ? entry.tree[clause] : [];
    const action = actions[position];
    const turns = repeat?.at === position ? repeat.turns : 0;
    const isOver =
      (action?.kind === "repeat-times" && turns >= action.times) ||
      (action?.kind === "repeat-while" && !compareVariable(action, this.#facts));
    const next = isOver ? repeatEnd(actions, position) : position;
    const at = actions[position - 1]?.kind === "wait" ? position - 1 : position;
    return { clause, at, left: next < actions.length || (repeat !== null && !isOver) };
  }

  #takeAssigned({ type, id, value }: Assigned, spot: Spot): void {
    const { world, lookedAt } = this.#stage;
    const axis = variableAxis(world, type, id);
    const write = this.#writesAt(spot).find((each) => each.axis === axis);
    if (!axis || !write) return;
    const wasUnknown = this.#unknown.has(axis);
    const isUnknown =
      write.isUnknown ||
      (write.source !== null && this.#unknown.has(write.source)) ||
      (wasUnknown && write.constant === null);
    // Whether this is a change, and starts what a change starts, cannot be predicted either.
    if ((wasUnknown || isUnknown) && lookedAt.has(axis)) this.#isOpen = true;
    if (isUnknown) this.#unknown.add(axis);
    else this.#unknown.delete(axis);
    const before = this.#facts.valueOf(axis);
    this.#facts.values.set(axis, value);
    if (isUnknown || value === before || this.#isOpen) return;
    this.#causes.set(`variable ${type}/${id} ${value}`, this.#steps.length);
    this.#push("write", spot, { axis, before, after: value });
  }

  #writesAt({ program, clause, index }: Spot): readonly Write[] {
    return this.#stage.programs.get(program)?.clauses[clause][index]?.writes ?? [];
  }

  /** The outcome is known at once; what a device then reports comes later. */
  #send({ programId, statement }: Extract<EngineEffect, { readonly kind: "send" }>): void {
    const { statementId, runId, clause, position } = statement;
    const spot = { program: programId, clause, index: position };
    for (const write of this.#writesAt(spot)) this.#commanded.push({ spot, runId, write });
    this.#step({ kind: "outcome", programId, statementId, outcome: "done", commandId: null, detail: "" }, 0);
  }

  /** @returns false when no device has anything to report. */
  #report(): boolean {
    const first = this.#commanded.shift();
    if (!first) return false;
    const { axis, next } = first.write;
    const before = this.#facts.valueOf(axis);
    const after = next?.(before) ?? before;
    if (after === before || !axis.property) return true;
    const { node, id } = axis.property;
    this.#facts.values.set(axis, after);
    this.#causes.set(`status ${node} ${id} ${after}`, this.#steps.length);
    this.#push("write", first.spot, { axis, before, after });
    const property = this.#facts.property(node, id);
    if (property && this.#stage.triggers.onStatus(node, id).length > 0)
      this.#step({ kind: "status", node, property, runId: first.runId, cause: CAUSE });
    return true;
  }

  /** Time goes on to the end of the next wait. A "repeat every" has one turn. @returns false when nothing waits. */
  #wake(): boolean {
    const waits = [...this.#runs].filter(
      ([, { waitUntilMs, position, repeat }]) =>
        waitUntilMs !== null && !(repeat?.at === position && repeat.nextTurnAtMs !== null),
    );
    const atMs = Math.min(...waits.map(([, { waitUntilMs }]) => waitUntilMs ?? Number.POSITIVE_INFINITY));
    const due = waits.filter(([, { waitUntilMs }]) => waitUntilMs === atMs);
    if (due.length === 0) return false;
    for (const [program, { clause, position }] of due)
      this.#push("woke", { program, clause, index: position - 1 }, null);
    this.#nowMs = atMs;
    this.#step({ kind: "clock", due: due.map(([id]) => id) });
    return true;
  }

  #push(kind: "write" | "call" | "woke", spot: Spot, write: PlayStep["write"]): void {
    this.#steps.push({ kind, ...spot, write, mode: "conditions", cause: -1, interrupted: null });
  }

  /**
   * Finds the begin of a turn of an endless loop. The whole state is compared with one mark only, which is moved
   * after twice as many starts each time; a loop is found once the mark is inside of it.
   */
  #repeatsFrom(): number | null {
    const begin = this.#steps.findLast(({ kind }) => kind === "begin");
    const { pending } = this.#state;
    const begun = `${begin?.program} ${begin?.clause} ${pending.soon.size} ${this.#commanded.length}`;
    const mark = this.#mark;
    if (mark?.begun === begun && mark.state === this.#stateKey()) {
      if (hasWork(this.#state) || this.#commanded.length > 0 || this.#runs.size > 0) return mark.at;
    }
    this.#begins += 1;
    if (Number.isInteger(Math.log2(this.#begins)))
      this.#mark = { begun, state: this.#stateKey(), at: this.#steps.length };
    return null;
  }

  /** Two states with the same key have the same continuation. Times and counts of what happened are left out. */
  #stateKey(): string {
    const { pending } = this.#state;
    const items = [...pending.first.all(), ...pending.soon.all(), ...pending.late.all()].map((item) =>
      item.kind === "start" ? [item.id, item.mode, triggerKey(item.trigger, item.id)] : item.id,
    );
    const runs = [...this.#runs]
      .sort(([a], [b]) => a - b)
      .map(([id, { clause, position, waitUntilMs, repeat }]) => {
        const leftMs = waitUntilMs === null ? null : waitUntilMs - this.#nowMs;
        return [id, clause, position, leftMs, repeat?.at, repeat?.turns];
      });
    const commanded = this.#commanded.map(({ write, spot }) => [write.axis.key, spot]);
    const unknown = [...this.#unknown].map(({ key }) => key);
    return JSON.stringify([this.#facts.state(), runs, items, commanded, unknown]);
  }

  /** Values grow without end, so no state returns: a turn is the part between two equal begins. */
  #latestTurn(): number {
    const begins = this.#steps.flatMap((step, at) => (step.kind === "begin" ? [at] : []));
    const last = this.#steps[begins.at(-1) ?? 0];
    const isSame = (at: number) =>
      this.#steps[at]?.program === last?.program && this.#steps[at]?.clause === last?.clause;
    return begins.slice(0, -1).findLast(isSame) ?? 0;
  }
}

function waitingStart({ program, mode }: PlayStart, number: number, happening: Happening | null): ProgramProgress {
  const trigger: Trigger =
    happening ?? (mode === "conditions" ? { kind: "startup" } : { kind: "order", verb: VERBS[mode] });
  const start = { number, mode, trigger, cause: CAUSE, happening, effort: freshEffort(number) };
  return { id: program, run: null, inFlight: [], settledUntilMs: null, waiting: [start] };
}

/** The same for a start and for the step that led to it. @param id of the program that is started. */
function triggerKey(trigger: Trigger, id: number): string {
  switch (trigger.kind) {
    case "status":
      return `status ${trigger.node} ${trigger.property} ${trigger.value}`;
    case "variable":
      return `variable ${trigger.type}/${trigger.id} ${trigger.value}`;
    case "program":
      return `program ${trigger.id} ${trigger.status}`;
    case "call":
      return `call ${trigger.programId} ${id}`;
    case "control":
    case "held":
    case "schedule":
    case "order":
    case "startup":
      return trigger.kind;
  }
}
