/**
 * The state of the engine between two steps. It is a value: a step makes a new one and leaves the old one unchanged,
 * so a state can be stored, compared and returned to. The progress of programs and their waiting starts are durable
 * (home/program-progress.ts); the rest may be lost with the process.
 */

import type { Cause } from "../home/cause.ts";
import type { ProgramHold } from "../home/program-holds.ts";
import type { Effort, ProgramLimit, ProgramProgress, WaitingStart } from "../home/program-progress.ts";
import { freshEffort } from "./engine/effort.ts";
import { IdMap } from "./engine/id-map.ts";
import { Queue } from "./engine/queue.ts";

/** A stack that is never changed: `push` and `pop` give a new one that shares the items below. */
class Stack<T> {
  readonly size: number;
  readonly #top: T | null;
  readonly #below: Stack<T> | null;

  private constructor(top: T | null, below: Stack<T> | null) {
    this.#top = top;
    this.#below = below;
    this.size = below === null ? 0 : below.size + 1;
  }

  /** @param items from the top down. */
  static of<T>(items: readonly T[]): Stack<T> {
    return items.reduceRight((below: Stack<T>, item) => below.push(item), new Stack<T>(null, null));
  }

  first(): T | null {
    return this.#top;
  }

  push(item: T): Stack<T> {
    return new Stack(item, this);
  }

  /** Without the top. */
  pop(): Stack<T> {
    return this.#below ?? this;
  }

  /** From the top down. */
  all(): readonly T[] {
    const items: T[] = [];
    for (let at: Stack<T> = this; at.#below !== null; at = at.#below) if (at.#top !== null) items.push(at.#top);
    return items;
  }
}

export type EngineState = {
  /** Only programs with something to remember. */
  readonly progress: IdMap<ProgramProgress>;
  /** Since when comparisons with "for" have held, by program and by key. */
  readonly holds: IdMap<Holds>;
  /** Time of the latest step. A step with an earlier time shows that the clock was set back. */
  readonly nowMs: number;
  /** Runs that were begun in the millisecond `nowMs`; makes their ids unique. */
  readonly runsInInstant: number;
  /** The latest run of each program: what it causes by way of a device is held against the same limits. */
  readonly latestRuns: IdMap<LatestRun>;
  readonly activity: IdMap<Activity>;
  /** The latest chains in which programs start programs, each at its number modulo `CHAINS_KEPT`. */
  readonly chains: IdMap<ChainWork>;
  readonly nextChain: number;
  /** Chains of which programs were cut that are not named yet. */
  readonly cutChains: readonly number[];
  readonly pending: Pending;
  /** Programs whose records do not show yet which starts wait for them, with the cause of the latest start. */
  readonly unkept: ReadonlyMap<number, Cause>;
  readonly nextNumber: number;
};

export type Holds = ReadonlyMap<string, ProgramHold>;

export type QueuedStart = WaitingStart & { readonly kind: "start"; readonly id: number };
export type Continuation = {
  readonly kind: "continue";
  readonly id: number;
  readonly runId: string;
  readonly number: number;
};
export type WorkItem = QueuedStart | Continuation;

export type Pending = {
  /**
   * Before everything else: groups of statements that are not finished, above each one what starts between two of its
   * statements. Their numbers are negative, and grow from the top down.
   */
  readonly first: Stack<WorkItem>;
  readonly soon: Queue<WorkItem>;
  /** Items behind everything in `soon`: starts that programs cause, long runs, and items of a busy program. */
  readonly late: Queue<WorkItem>;
  /** How many of these concern each program, how many starts in all, and how many of those evaluate its conditions. */
  readonly lateItems: IdMap<number>;
  readonly starts: IdMap<number>;
  readonly evaluations: IdMap<number>;
};

export const NOTHING_PENDING: Pending = pendingOf([], [], []);

export type LatestRun = { readonly runId: string; readonly effort: Effort };

/** Work of a program in the second that began at `sinceMs`: starts and statements. */
export type Activity = { readonly sinceMs: number; readonly items: number };

export type ChainWork = {
  readonly chain: number;
  readonly starts: number;
  readonly cut: Cut | null;
  /** Statements by room and role that were carried out: each is only once, by its program, place and turn. */
  readonly sent: readonly string[];
};

/** Programs of the chain that were cut, and those of them that are not named yet. */
export type Cut = {
  readonly members: readonly number[];
  readonly unnamed: readonly number[];
  readonly limit: ProgramLimit;
  readonly loop: readonly number[];
  /** Id of the program whose start exceeded the limit. */
  readonly cause: Cause;
};

export const CHAINS_KEPT = 4096;

/** Whether starts wait for their turn; then a step with `more` is to follow. */
export function hasWork(state: EngineState): boolean {
  return hasPromptWork(state) || state.pending.late.size > 0;
}

/** Whether some of it does not wait behind everything else. */
export function hasPromptWork({ pending }: EngineState): boolean {
  return pending.first.size > 0 || pending.soon.size > 0;
}

/** @param first from the top down. */
export function pendingOf(first: readonly WorkItem[], soon: readonly WorkItem[], late: readonly WorkItem[]): Pending {
  const all = [...first, ...soon, ...late];
  return {
    first: Stack.of(first),
    soon: Queue.of(soon),
    late: Queue.of(late),
    lateItems: countsOf(late),
    starts: countsOf(all.filter(({ kind }) => kind === "start")),
    evaluations: countsOf(all.filter(isEvaluation)),
  };
}

/** Whether it evaluates the conditions as they are when its turn comes. */
export function isEvaluation(item: WorkItem): boolean {
  return item.kind === "start" && item.mode === "conditions" && item.trigger.kind !== "status";
}

function countsOf(items: readonly WorkItem[]): IdMap<number> {
  let counts: IdMap<number> = IdMap.empty();
  for (const { id } of items) counts = counts.with(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/**
 * @param progress where the programs stood when the process ended.
 * @param holds since when comparisons with "for" had held then.
 */
export function engineState(
  progress: Iterable<ProgramProgress>,
  nowMs: number,
  holds: Iterable<ProgramHold> = [],
): EngineState {
  let map: IdMap<ProgramProgress> = IdMap.empty();
  const waiting: QueuedStart[] = [];
  let chain = 0;
  let number = 0;
  for (const record of progress) {
    // A record of an earlier version has neither chains nor starts that wait.
    const run = record.run && {
      ...record.run,
      turn: record.run.turn ?? null,
      effort: { ...freshEffort(0), ...record.run.effort },
    };
    map = map.with(record.id, { ...record, run, waiting: record.waiting ?? [] });
    for (const start of record.waiting ?? []) waiting.push({ ...start, kind: "start", id: record.id });
    number = Math.max(number, run?.turn ?? 0);
    chain = Math.max(chain, run?.effort.chain ?? 0, ...(record.waiting ?? []).map(({ effort }) => effort.chain));
  }
  return {
    progress: map,
    holds: holdsById(holds),
    nowMs,
    runsInInstant: 0,
    latestRuns: IdMap.empty(),
    activity: IdMap.empty(),
    chains: IdMap.empty(),
    nextChain: chain + 1,
    cutChains: [],
    pending: pendingOf(
      [],
      waiting.sort((a, b) => a.number - b.number),
      [],
    ),
    unkept: new Map(),
    nextNumber: Math.max(number, waiting.at(-1)?.number ?? 0) + 1,
  };
}

function holdsById(holds: Iterable<ProgramHold>): IdMap<Holds> {
  const byId = new Map<number, Map<string, ProgramHold>>();
  for (const hold of holds) {
    const known = byId.get(hold.id);
    if (known) known.set(hold.key, hold);
    else byId.set(hold.id, new Map([[hold.key, hold]]));
  }
  let map: IdMap<Holds> = IdMap.empty();
  for (const [id, each] of byId) map = map.with(id, each);
  return map;
}
