/**
 * The draft of one step: its changes so far, the remaining items of this instant, its effects. The state and the
 * facts at its begin are not touched.
 */

import type { Cause } from "../../home/cause.ts";
import type { ProgramHold } from "../../home/program-holds.ts";
import type { Effort, ProgramProgress, RunProgress, WaitingStart } from "../../home/program-progress.ts";
import { type Program, type ProgramEntry, type ProgramRun, withRun } from "../../home/programs.ts";
import type { Property } from "../../home/property.ts";
import type { Variable, VariableType } from "../../home/variables.ts";
import type { EngineEffect } from "../engine-effect.ts";
import {
  type Activity,
  CHAINS_KEPT,
  type ChainWork,
  type Continuation,
  type EngineState,
  type Holds,
  isEvaluation,
  type LatestRun,
  type QueuedStart,
  type WorkItem,
} from "../engine-state.ts";
import type { ConditionFacts } from "../evaluate.ts";
import type { Facts } from "../facts.ts";
import type { Calendar } from "../schedule/calendar.ts";
import type { TraceRecord } from "../trace-record.ts";
import { freshEffort } from "./effort.ts";
import { HoldsDraft } from "./holds-draft.ts";
import { IdMapDraft } from "./id-map.ts";
import { WorkQueue } from "./work-queue.ts";

const NOTHING: Omit<ProgramProgress, "id"> = {
  run: null,
  inFlight: [],
  settledUntilMs: null,
  waiting: [],
};

/** While fewer than this wait, everything is done in the order in which it came. */
const LATE_FROM_WAITING = 64;
/**
 * Above this number of waiting items, programs no longer start a program that already waits for its evaluation. Every
 * commit writes all that waits, and one evaluation sees the newest values.
 */
const EVALUATED_ONCE_FROM_WAITING = 256;
/** Starts that programs cause in the time of a statement. */
const STARTS_AN_ITEM = 16;
/** Statements of a run without a wait from which on it waits behind the others. */
const LATE_FROM_STEPS = 16;
/** Starts and statements of a program in a second from which on it waits behind the others. */
const LATE_FROM_ITEMS = 64;
const SECOND_MS = 1000;
/** Conditions that are looked at in the time of a statement. */
const CONDITIONS_AN_ITEM = 16;

const NONE: EngineState["unkept"] = new Map();

type NewItem = Omit<QueuedStart, "number"> | Omit<Continuation, "number">;

export class Work {
  readonly facts: Facts;
  readonly nowMs: number;
  readonly effects: EngineEffect[] = [];
  readonly #before: EngineState;
  readonly #queue: WorkQueue;
  #itemsLeft: number;
  readonly #progress: IdMapDraft<ProgramProgress>;
  readonly #holds: HoldsDraft;
  readonly #latestRuns: IdMapDraft<LatestRun>;
  readonly #chains: IdMapDraft<ChainWork>;
  #nextChain: number;
  #cutChains: ReadonlySet<number>;
  #nextNumber: number;
  #runsInInstant: number;
  readonly #spent = new Map<number, number>();
  readonly #programs = new Map<number, ProgramEntry>();
  readonly #variables = new Map<string, Variable>();
  /** Programs whose progress was touched, with the cause of the latest change. */
  readonly #touched = new Map<number, Cause>();
  readonly #urgent = new Set<number>();
  /** Starts that came in this step and had no turn yet. */
  readonly #pushed = new Map<number, QueuedStart>();
  /** Programs of whose starts from before this step some had their turn, with the cause of the latest one. */
  readonly #changed = new Map<number, Cause>();
  #isKept = false;
  /** Programs whose schedule is to be looked at again. */
  readonly #rescheduled = new Map<number, Cause>();

  /** @param itemsMax starts and statements that this step may carry out. */
  constructor(state: EngineState, nowMs: number, facts: Facts, itemsMax: number) {
    this.#before = state;
    this.#queue = new WorkQueue(state.pending);
    this.#itemsLeft = itemsMax;
    this.#progress = new IdMapDraft(state.progress);
    this.#holds = new HoldsDraft(state.holds);
    this.#latestRuns = new IdMapDraft(state.latestRuns);
    this.#chains = new IdMapDraft(state.chains);
    this.#nextChain = state.nextChain;
    this.#cutChains = new Set(state.cutChains);
    this.#nextNumber = state.nextNumber;
    this.#runsInInstant = state.nowMs === nowMs ? state.runsInInstant : 0;
    this.nowMs = nowMs;
    this.facts = facts;
  }

  /** The state that follows, without what is due. */
  get state(): EngineState {
    return {
      progress: this.#progress.finish(),
      holds: this.#holds.finish(),
      nowMs: this.nowMs,
      runsInInstant: this.#runsInInstant,
      latestRuns: this.#latestRuns.finish(),
      activity: this.#activity(),
      chains: this.#chains.finish(),
      nextChain: this.#nextChain,
      cutChains: [...this.#cutChains],
      pending: this.#queue.pending,
      unkept: this.#unkeptAfter(),
      nextNumber: this.#nextNumber,
    };
  }

  /** When the step before was made. */
  get beforeMs(): number {
    return this.#before.nowMs;
  }

  /** Whether this step has done as much as it may. */
  get isSpent(): boolean {
    return this.#itemsLeft <= 0;
  }

  get itemsLeft(): number {
    return Math.max(0, this.#itemsLeft);
  }

  /** Counts the starts that a program causes. */
  spendOnStarts(id: number, starts: number): void {
    if (starts >= STARTS_AN_ITEM) this.spendItems(id, Math.floor(starts / STARTS_AN_ITEM));
  }

  /** Counts what is done for a program. */
  spend(id: number, conditions = 0): void {
    this.spendItems(id, 1 + Math.floor(conditions / CONDITIONS_AN_ITEM));
  }

  /** Counts statements of a program; one to many nodes counts as one for each. */
  spendItems(id: number, items: number): void {
    this.#itemsLeft -= items;
    this.#spent.set(id, (this.#spent.get(id) ?? 0) + items);
  }

  /** A start is left out when too many wait already: each of them is written with every commit. */
  push(item: NewItem): void {
    const isMuch = this.#queue.size >= LATE_FROM_WAITING;
    const isBusy = this.#itemsOf(item.id) > LATE_FROM_ITEMS;
    if (item.kind === "continue") {
      this.patchRun(item.id, { turn: this.#nextNumber });
      const isLong = (this.runOf(item.id)?.effort.steps ?? 0) > LATE_FROM_STEPS;
      this.#queue.push({ ...item, number: this.#nextNumber }, isLong ? isMuch || isBusy : isMuch && isBusy);
      this.#nextNumber += 1;
      return;
    }
    const start = { ...item, number: this.#nextNumber };
    const isCaused = item.effort.starts > 0;
    if (
      isCaused &&
      this.#queue.size >= EVALUATED_ONCE_FROM_WAITING &&
      isEvaluation(start) &&
      this.#queue.hasEvaluation(item.id)
    )
      return;
    if (this.#isFullFor(item.id, isCaused)) {
      this.#leaveOut(start);
      return;
    }
    this.#nextNumber += 1;
    this.#queue.push(start, isCaused ? isMuch || isBusy : isMuch && (isBusy || this.isWaiting(item.id)));
    this.#pushed.set(start.number, start);
  }

  /**
   * Puts back a start behind the group that waits with this number. A group that is older and still waits does so in
   * front of the late items.
   */
  putBack(start: QueuedStart, groupNumber: number): void {
    const again = { ...start, number: this.#nextNumber };
    this.#nextNumber += 1;
    if (groupNumber < start.number) this.#queue.pushSoon(again);
    else this.#queue.push(again, false);
    this.#pushed.set(again.number, again);
  }

  /** Puts them before everything else, in this order. */
  pushFirst(items: readonly NewItem[]): void {
    const topNumber = this.#queue.firstNumber;
    for (const [at, item] of [...items.entries()].reverse()) {
      const number = topNumber - items.length + at;
      if (item.kind === "continue") {
        this.patchRun(item.id, { turn: number });
        this.#queue.pushFirst({ ...item, number });
        continue;
      }
      const start = { ...item, number };
      if (this.#queue.size >= this.facts.limits.programStartsWaitingMax) {
        this.#leaveOut(start);
        continue;
      }
      this.#queue.pushFirst(start);
      this.#pushed.set(number, start);
    }
  }

  #isFullFor(id: number, isCaused: boolean): boolean {
    const { programStartsWaitingMax, programCausedStartsWaitingMax } = this.facts.limits;
    if (this.#queue.size >= programStartsWaitingMax) return true;
    return isCaused && this.#queue.lateSize >= programCausedStartsWaitingMax && this.isWaiting(id);
  }

  #leaveOut({ id: programId, trigger, cause }: QueuedStart): void {
    const common = { atMs: this.nowMs, programId, cause, trigger } as const;
    this.effects.push({ kind: "overloaded", id: programId });
    this.trace(() => ({ ...common, kind: "not-run", reason: "overloaded", detail: "" }));
  }

  /** @param isLateToo what waits behind others has its turn too, when nothing else is left. */
  shift(isLateToo: boolean): WorkItem | null {
    const item = this.#queue.shiftFirst() ?? this.#queue.shiftSoon() ?? (isLateToo ? this.#queue.shiftLate() : null);
    return this.#shifted(item);
  }

  /** The next item of the groups that are not finished. */
  shiftFirst(): WorkItem | null {
    return this.#shifted(this.#queue.shiftFirst());
  }

  /** Whether a start of the program waits. */
  isWaiting(id: number): boolean {
    return this.#queue.startsOf(id) > 0;
  }

  startsOfChain(chain: number): readonly QueuedStart[] {
    return this.#queue
      .all()
      .filter((item): item is QueuedStart => item.kind === "start" && item.effort.chain === chain);
  }

  /** The first late item, before everything else. */
  shiftLate(): WorkItem | null {
    return this.#shifted(this.#queue.shiftLate());
  }

  #shifted(item: WorkItem | null): WorkItem | null {
    if (item?.kind === "start" && !this.#pushed.delete(item.number)) this.#changed.set(item.id, item.cause);
    return item;
  }

  /** Drops the waiting starts of a program. */
  dropStarts(id: number): void {
    for (const start of this.#queue.dropStarts(id)) this.#shifted(start);
  }

  /** Takes out all starts that wait, to be pushed again behind something else. */
  takeStarts(): readonly QueuedStart[] {
    const starts = this.#queue.dropStarts(null);
    for (const start of starts) this.#shifted(start);
    return starts;
  }

  /** A group of statements goes on before everything else that is not put before it. */
  leaveUnfinished(id: number, runId: string): void {
    this.pushFirst([{ kind: "continue", id, runId }]);
  }

  /** Items of this program in the current second. */
  #itemsOf(id: number): number {
    const activity = this.#before.activity.get(id);
    const isSame = activity !== null && this.nowMs - activity.sinceMs < SECOND_MS;
    return (isSame ? activity.items : 0) + (this.#spent.get(id) ?? 0);
  }

  #activity(): EngineState["activity"] {
    let activity = this.#before.activity;
    for (const id of this.#spent.keys()) {
      const known: Activity | null = activity.get(id);
      const isSame = known !== null && this.nowMs - known.sinceMs < SECOND_MS;
      activity = activity.with(id, { sinceMs: isSame ? known.sinceMs : this.nowMs, items: this.#itemsOf(id) });
    }
    return activity;
  }

  /** Effort of something that no program has caused. */
  freshEffort(): Effort {
    const chain = this.#nextChain;
    this.#nextChain += 1;
    return freshEffort(chain);
  }

  /** null where it has caused no start yet, or so many others did since that it is forgotten. */
  chain(number: number): ChainWork | null {
    const chain = this.#chains.get(number % CHAINS_KEPT);
    return chain?.chain === number ? chain : null;
  }

  rememberChain(chain: ChainWork): void {
    this.#chains.set(chain.chain % CHAINS_KEPT, chain);
  }

  /** Programs of this chain were cut. */
  nameLater(chain: number): void {
    this.#cutChains = new Set([...this.#cutChains, chain]);
  }

  /** Chains of which programs were cut, and of which nothing waits any more; they are given out once. */
  takeCutChains(): readonly number[] {
    if (this.#cutChains.size === 0) return [];
    const waiting = new Set(this.#queue.all().map((item) => (item.kind === "start" ? item.effort.chain : 0)));
    const over = [...this.#cutChains].filter((chain) => !waiting.has(chain));
    this.#cutChains = new Set([...this.#cutChains].filter((chain) => waiting.has(chain)));
    return over;
  }

  /** Starts that wait are put into the records of their programs. */
  keepWaiting(): void {
    const unkept = this.#unkeptAfter();
    if (unkept.size === 0) return;
    const waiting = new Map([...unkept.keys()].map((id) => [id, [] as WaitingStart[]]));
    for (const item of this.#queue.all()) {
      if (item.kind !== "start") continue;
      const { kind: _kind, id, ...start } = item;
      waiting.get(id)?.push(start);
    }
    for (const [id, cause] of unkept) this.patchProgress(id, { waiting: waiting.get(id) ?? [] }, cause);
    this.#isKept = true;
  }

  /** Programs whose records do not show yet which starts wait for them. */
  #unkeptAfter(): EngineState["unkept"] {
    if (this.#isKept) return NONE;
    const { unkept } = this.#before;
    for (const { id, cause } of this.#pushed.values()) this.#changed.set(id, cause);
    const isNew = [...this.#changed.keys()].some((id) => !unkept.has(id));
    return isNew ? new Map([...unkept, ...this.#changed]) : unkept;
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
    return this.#progress.finish().entries();
  }

  holdsOf(id: number): Holds {
    return this.#holds.of(id);
  }

  allHolds(): Iterable<readonly [number, Holds]> {
    return this.#holds.finish().entries();
  }

  /** @param hold null: the comparison no longer holds. */
  setHold(id: number, key: string, hold: ProgramHold | null, cause: Cause): void {
    this.#holds.set(id, key, hold);
    this.effects.push({ kind: "hold", id, key, hold, cause });
    this.reschedule(id, cause);
  }

  /** The facts for the conditions of a program. */
  factsFor(id: number): ConditionFacts {
    const holds = this.holdsOf(id);
    return {
      calendar: this.calendar,
      property: (node, property) => this.property(node, property),
      variable: (type, variable) => this.variable(type, variable),
      program: (other) => this.program(other),
      members: (selector) => this.facts.members(selector),
      heldSinceMs: (key) => holds.get(key)?.sinceMs ?? null,
    };
  }

  latestRunOf(id: number): LatestRun | null {
    return this.#latestRuns.get(id);
  }

  /** @param urgent false: when it were lost, nothing would be done wrong after a restart. */
  patchProgress(id: number, patch: Partial<Omit<ProgramProgress, "id">>, cause: Cause, urgent = true): void {
    const progress = { ...this.progressOf(id), ...patch };
    const { run, inFlight, settledUntilMs, waiting } = progress;
    const isNothing = !run && inFlight.length === 0 && settledUntilMs === null && waiting.length === 0;
    this.#progress.set(id, isNothing ? null : progress);
    this.#touched.set(id, cause);
    if (urgent) this.#urgent.add(id);
  }

  patchRun(id: number, patch: Partial<RunProgress>): void {
    const run = this.runOf(id);
    if (run) this.patchProgress(id, { run: { ...run, ...patch } }, run.cause);
  }

  forget(id: number, cause: Cause): void {
    this.#progress.set(id, null);
    this.#latestRuns.set(id, null);
    this.#touched.set(id, cause);
  }

  /** Unique, also over restarts, and the same when the same things are stepped through again. */
  newRunId(id: number): string {
    const count = this.#runsInInstant;
    this.#runsInInstant += 1;
    return `${id}-${this.nowMs}-${count}`;
  }

  rememberRun(id: number, run: LatestRun): void {
    this.#latestRuns.set(id, run);
  }

  /** Cut: nothing of this chain starts it any more, whether it is enabled or not. */
  isCut(id: number, { chain }: Effort): boolean {
    return this.chain(chain)?.cut?.members.includes(id) ?? false;
  }

  showRun(id: number, run: Partial<ProgramRun>, cause: Cause): void {
    const entry = this.program(id);
    if (!entry) return;
    this.#programs.set(id, withRun(entry, run));
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

  /** The progress before this step. */
  progressBefore(id: number): ProgramProgress | null {
    return this.#before.progress.get(id);
  }

  /** The record is made only while there is a listener. */
  trace(record: () => TraceRecord): void {
    if (this.facts.isTraced) this.effects.push({ kind: "trace", record: record() });
  }
}
