/**
 * Runs the engine in the service: receives events, steps, carries out the effects of a step, holds the one timer.
 *
 * It never acts while it is called: an event waits for a turn of its own. A turn carries out a bounded number of
 * starts and statements, then the rest of the process gets its turn. All writes of a step to the home are done
 * together, so they reach the disk in one transaction with the progress of the program; then commands are sent. Some
 * commands wait until that transaction is on disk, but not for long, because the home works without the disk: one
 * that must not be repeated waits up to `programIntentWaitMs`, and one of a run that would not start again after an
 * end of the process up to `programStartWaitMs`.
 */

import type { Config } from "../config.ts";
import type { Cause } from "../home/cause.ts";
import type { Entry } from "../home/change.ts";
import type { ChangeFeed } from "../home/change-feed.ts";
import type { Durability } from "../home/durability.ts";
import type { Home } from "../home/home.ts";
import type { SentAction } from "../home/program-progress.ts";
import type { ProgramVerb } from "../home/programs.ts";
import { type Property, samePropertyValue } from "../home/property.ts";
import type { Profile } from "../profile/profile.ts";
import { type Clock, delay, type Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import { Agenda } from "./agenda.ts";
import { applyEffect } from "./apply-effect.ts";
import { step } from "./engine.ts";
import type { EngineEffect } from "./engine-effect.ts";
import type { EngineInput } from "./engine-input.ts";
import { type EngineState, engineState, hasPromptWork, hasWork, NOTHING_PENDING } from "./engine-state.ts";
import { HomeFacts, newestReportMs } from "./home-facts.ts";
import { conditionsOf, watchedProperties } from "./references.ts";
import { membersOf } from "./role-members.ts";
import type { StatementOutcome, TraceRecord } from "./trace-record.ts";
import { toEngineInput } from "./trigger-events.ts";

export type Sent = { readonly outcome: StatementOutcome; readonly commandId: string | null; readonly detail: string };

type RunnerPorts = {
  readonly config: Config;
  readonly home: Home;
  readonly feed: ChangeFeed;
  readonly profile: Profile;
  readonly durability: Durability;
  readonly clock: Clock;
  readonly log: Log;
  /** Sends a statement and resolves to its outcome. Never rejects. */
  readonly send: (action: SentAction, cause: Cause) => Promise<Sent>;
};

type Send = Extract<EngineEffect, { readonly kind: "send" }>;

type TraceListener = (record: TraceRecord) => void;

/** The interface of the runner for the rest of the controller. */
export type ProgramPort = Pick<ProgramRunner, "order" | "listenToTrace">;

/** Turns that the start of the controller waits for; what takes longer goes on behind it. */
const TURNS_AT_START = 100;
/**
 * Entries that may be ahead of the disk before what is left of earlier turns waits for it. A client's write is answered when
 * all entries before it are on disk, so this is the longest commit that it waits for.
 */
const AHEAD_OF_DISK_MAX = 64;
/** Longest wait for that, so that programs go on while the disk stalls. */
const BEHIND_DISK_MS = 50;
/** One in so many items of a turn is for what is left of earlier turns, however much comes new. */
const LEFTOVERS_SHARE = 2;
/** Carries out what waits before everything else, and nothing of what waits behind it. */
const NOTHING_NEW: EngineInput = { kind: "several", inputs: [] };
/** Pause before a failed write is waited for again. */
const KEPT_RETRY_MS = 100;
/** Left-out starts are logged again only after this long. */
const OVERLOAD_LOGGED_AGAIN_MS = 60_000;
/** The engine gets the time at least this often while anything is due, because the clock may be set. */
const WATCH_MS = 60_000;
/**
 * Inputs that come again when the process ends before the disk has them: a start evaluates again, waits and schedules
 * are still due. Any other cause of a run happens once and would be lost together with the run.
 */
const COMES_AGAIN: ReadonlySet<EngineInput["kind"]> = new Set(["start", "clock", "outcome"]);
/**
 * Commands whose run is remembered, to tell which run a report answers. Slow devices take their time, even in a loop.
 */
const COMMANDS_KEPT = 16_384;
const COMMANDS_KEPT_MS = 3_600_000;

export class ProgramRunner {
  readonly #ports: RunnerPorts;
  readonly #agenda = new Agenda();
  readonly #lanes = new SendQueues();
  readonly #traceListeners = new Set<TraceListener>();
  /** Oldest first. */
  readonly #runOfCommand = new Map<string, { readonly runId: string; readonly among: number; readonly atMs: number }>();
  /** Devices that runs command by room and role, while that is under way. */
  readonly #membersOfRun = new Map<string, number>();
  #facts: HomeFacts | null = null;
  #state: EngineState;
  #watched: readonly WatchedValue[] = [];
  #newestReportMs: number | null = null;
  #queue: EngineInput[] = [];
  #isTurnDue = false;
  /** Number of the last entry whose commit was requested. */
  #committedSeq = 0;
  #isDiskAwaited = false;
  #overloadLoggedAtMs = Number.NEGATIVE_INFINITY;
  #isApplying = false;
  #timer: Timer | null = null;
  #endListening: (() => void) | null = null;

  constructor(ports: RunnerPorts) {
    this.#ports = ports;
    this.#state = engineState([], 0);
  }

  /** Call it when drivers have declared what they know, before they report: `start` handles what changes in between. */
  watch(): void {
    this.#watched = watchedValues(this.#ports.home);
    this.#newestReportMs = newestReportMs(this.#ports.home);
  }

  /** @param isCold the machine has booted since the last run. */
  start(isCold: boolean): void {
    const { home, profile, config, clock, feed } = this.#ports;
    this.#facts = new HomeFacts(home, profile, config);
    this.#facts.isTraced = this.#traceListeners.size > 0;
    this.#state = engineState(home.programProgress.values(), clock.now(), home.programHolds.values());
    this.#endListening = feed.listen((entry) => this.#record(entry));
    const cause: Cause = { kind: "system", id: isCold ? "cold-start" : "warm-start", by: null };
    feed.commit({ type: "programs-started", isCold }, cause);
    this.#take({ kind: "start", isCold, newestReportMs: this.#newestReportMs ?? newestReportMs(home), cause });
    for (const { node, property } of changedSince(home, this.#watched)) {
      const driver = home.nodes.get(node)?.driver ?? null;
      this.#take({
        kind: "status",
        node,
        property,
        runId: null,
        cause: { kind: "report", id: driver ?? "", by: driver },
      });
    }
    this.#watched = [];
    this.#committedSeq = feed.lastSeq;
    for (let turns = 0; turns < TURNS_AT_START && this.#hasWork(); turns += 1) this.#work();
    this.#arm();
  }

  /** Runs under way stay so on disk, and go on with the next start. */
  stop(): void {
    this.#step({ kind: "several", inputs: this.#queue.splice(0) }, 0);
    this.#step({ kind: "keep" }, 0);
    this.#endListening?.();
    this.#endListening = null;
    this.#timer?.cancel();
    this.#timer = null;
    this.#facts = null;
    this.#queue = [];
  }

  /**
   * Does what a person asks of a program or folder; what it starts has happened when this returns, unless it takes many turns.
   * @returns number of the last entry, to wait for the disk.
   */
  order(id: number, verb: ProgramVerb, cause: Cause): number {
    this.#ports.feed.commit({ type: "program-ordered", id, verb }, cause);
    this.#take({ kind: "order", id, verb, cause });
    this.settle();
    return this.#ports.feed.lastSeq;
  }

  /**
   * Handles all waiting events, so that their consequences, or at least their waiting starts, reach the disk with
   * them. It carries out no more items than a turn.
   */
  settle(): void {
    const itemsLeft = this.#takeIn(this.#ports.config.programItemsPerTurn);
    const inputs = this.#queue.splice(0);
    if (inputs.length > 0) this.#step({ kind: "several", inputs }, itemsLeft);
    if (this.#state.unkept.size > 0) this.#step({ kind: "keep" }, 0);
    this.#arm();
  }

  /** Records are made only while there is a listener. @returns a function that removes the listener. */
  listenToTrace(listener: TraceListener): () => void {
    this.#traceListeners.add(listener);
    if (this.#facts) this.#facts.isTraced = true;
    return () => {
      this.#traceListeners.delete(listener);
      if (this.#facts) this.#facts.isTraced = this.#traceListeners.size > 0;
    };
  }

  #record(entry: Entry): void {
    const facts = this.#facts;
    if (!facts) return;
    const { change, cause } = entry;
    if (change.type === "command-moved") {
      if (change.state === "accepted" && cause.kind === "program") this.#rememberCommand(change.commandId, cause.id);
      return;
    }
    const input = toEngineInput(entry, facts);
    // The engine knows the changes that it made itself.
    if (input && !this.#isApplying) this.#take(this.#withRun(input));
  }

  #withRun(input: EngineInput): EngineInput {
    if (input.kind !== "status") return input;
    const { runId = null, among = 1 } = this.#runOfCommand.get(input.cause.id) ?? {};
    return { ...input, runId, among };
  }

  #rememberCommand(commandId: string, runId: string): void {
    const atMs = this.#ports.clock.now();
    this.#runOfCommand.set(commandId, { runId, among: this.#membersOfRun.get(runId) ?? 1, atMs });
    for (const [oldest, kept] of this.#runOfCommand) {
      if (this.#runOfCommand.size <= COMMANDS_KEPT && atMs - kept.atMs <= COMMANDS_KEPT_MS) break;
      this.#runOfCommand.delete(oldest);
    }
  }

  #take(input: EngineInput): void {
    this.#queue.push(input);
    if (this.#isTurnDue) return;
    this.#isTurnDue = true;
    queueMicrotask(() => this.#turn());
  }

  #turn(): void {
    this.#isTurnDue = false;
    if (!this.#facts) return;
    this.#work();
    this.#arm();
  }

  #hasWork(): boolean {
    return this.#queue.length > 0 || hasWork(this.#state);
  }

  /**
   * New events have priority; work left from earlier turns has a share of every turn. Late work waits for the disk
   * too.
   */
  #work(): void {
    const { programItemsPerTurn } = this.#ports.config;
    this.#takeIn(programItemsPerTurn);
    if (!hasWork(this.#state)) return;
    const itemsMax = Math.ceil(programItemsPerTurn / LEFTOVERS_SHARE);
    this.#step(this.#isTooFarAhead() ? NOTHING_NEW : { kind: "more" }, itemsMax);
  }

  /** One after the other, each with what follows from it. @returns what of the items is left. */
  #takeIn(itemsMax: number): number {
    let itemsLeft = itemsMax;
    while (itemsLeft > 0) {
      const input = this.#queue.shift();
      if (!input) break;
      itemsLeft = this.#step(input, itemsLeft);
    }
    return itemsLeft;
  }

  /** While programs write faster than the disk takes it, their work goes on when the disk has followed, or does not answer. */
  #isTooFarAhead(): boolean {
    const { feed, durability, clock } = this.#ports;
    if (this.#isDiskAwaited) return true;
    if (feed.lastSeq - this.#committedSeq < AHEAD_OF_DISK_MAX) return false;
    this.#isDiskAwaited = true;
    const { lastSeq } = feed;
    const goOn = () => {
      this.#committedSeq = lastSeq;
      this.#isDiskAwaited = false;
      this.#arm();
    };
    const kept = durability.committed(lastSeq).catch(() => {});
    void (atMost(clock, kept, BEHIND_DISK_MS) ?? kept).then(goOn);
    return true;
  }

  /** @returns what of the items is left. */
  #step(input: EngineInput, itemsMax: number): number {
    const { clock, log } = this.#ports;
    if (!this.#facts) return 0;
    const comesAgain = COMES_AGAIN.has(input.kind) && !hasWork(this.#state);
    for (const each of input.kind === "several" ? input.inputs : [input])
      if (each.kind === "status") this.#facts.note(each.node, each.property);
    try {
      const { state, effects, itemsLeft } = step(this.#state, input, clock.now(), this.#facts, itemsMax);
      this.#state = state;
      this.#apply(effects, comesAgain);
      // Also what starts nothing takes time.
      return Math.min(itemsLeft, itemsMax - 1);
    } catch (error) {
      // The other programs must go on, without what it may have failed over.
      this.#state = { ...this.#state, pending: NOTHING_PENDING };
      log.error("The program engine failed over something that happened.", { input: input.kind, error });
      return 0;
    }
  }

  #apply(effects: readonly EngineEffect[], comesAgain: boolean): void {
    const { feed, durability, config, clock } = this.#ports;
    this.#isApplying = true;
    try {
      for (const effect of effects) this.#applyOne(effect);
    } finally {
      this.#isApplying = false;
    }
    const isUrgent = effects.some((effect) => effect.kind === "progress" && effect.isUrgent);
    // Requesting the commit has it written soon, also when nothing waits for it.
    const kept = isUrgent ? durability.committed(feed.lastSeq).catch(() => {}) : Promise.resolve();
    const sends = effects.filter((effect) => effect.kind === "send");
    if (sends.length === 0) return;
    // Where another machine can take over, a statement that is sent before its progress is kept may be sent there again.
    const onceOnly = () =>
      durability.mayAct ? this.#untilKept(feed.lastSeq) : atMost(clock, kept, config.programIntentWaitMs);
    const repeatable = comesAgain ? null : atMost(clock, kept, config.programStartWaitMs);
    for (const send of sends) this.#send(send, send.statement.isIdempotent ? repeatable : onceOnly());
  }

  /** Settles when the entry is on disk, however long that takes, or when the runner has stopped. */
  async #untilKept(seq: number): Promise<void> {
    const { durability, clock } = this.#ports;
    while (this.#facts) {
      try {
        return await durability.committed(seq);
      } catch {
        await delay(clock, KEPT_RETRY_MS);
      }
    }
  }

  #applyOne(effect: EngineEffect): void {
    switch (effect.kind) {
      case "due":
        this.#agenda.set(effect.id, effect.atMs);
        break;
      case "trace":
        for (const listener of this.#traceListeners) listener(effect.record);
        break;
      case "send":
        break;
      case "overloaded":
        this.#logOverload(effect.id);
        break;
      default:
        applyEffect(this.#ports, effect);
    }
  }

  #send({ programId, statement, cause }: Send, ready: Promise<void> | null): void {
    const { action, statementId, runId } = statement;
    const perform = async () => {
      if (!this.#facts) return;
      if (action.kind === "roles") this.#membersOfRun.set(runId, this.#facts.members(action.selector).length);
      const { outcome, commandId, detail } = await this.#ports.send(action, cause);
      this.#membersOfRun.delete(runId);
      if (this.#facts) this.#take({ kind: "outcome", programId, statementId, outcome, commandId, detail });
    };
    this.#lanes.run(programId, perform, ready);
  }

  #logOverload(id: number): void {
    const { clock, log, config } = this.#ports;
    const nowMs = clock.now();
    if (nowMs - this.#overloadLoggedAtMs < OVERLOAD_LOGGED_AGAIN_MS) return;
    this.#overloadLoggedAtMs = nowMs;
    log.warn("Too many starts of programs wait for their turn. Further ones are left out.", {
      program: id,
      waitingMax: config.programStartsWaitingMax,
      causedWaitingMax: config.programCausedStartsWaitingMax,
    });
  }

  /** Sets the timer for what is due next, and a turn for what is left. */
  #arm(): void {
    const hasTurn = this.#isDiskAwaited ? this.#queue.length > 0 || hasPromptWork(this.#state) : this.#hasWork();
    if (this.#facts && hasTurn && !this.#isTurnDue) {
      this.#isTurnDue = true;
      setImmediate(() => this.#turn());
    }
    this.#timer?.cancel();
    this.#timer = null;
    const nextMs = this.#agenda.nextMs();
    if (nextMs === null || !this.#facts) return;
    const { clock } = this.#ports;
    const delayMs = Math.min(Math.max(0, nextMs - clock.now()), WATCH_MS);
    this.#timer = clock.setTimer(() => this.#ring(), delayMs);
  }

  /** A timer may ring a little early by the clock on the wall; then nothing is due, and it is set again. */
  #ring(): void {
    this.#take({ kind: "clock", due: this.#agenda.takeDue(this.#ports.clock.now()) });
  }
}

type WatchedValue = { readonly node: string; readonly property: Property };

/** Each known value once, in the order in which programs and their conditions name them. */
function watchedValues(home: Home): readonly WatchedValue[] {
  const values = new Map<string, WatchedValue>();
  for (const entry of home.programs.values()) {
    for (const { node, property: id } of watchedProperties(conditionsOf(entry), (each) => membersOf(home, each))) {
      const property = home.nodes.get(node)?.properties.get(id);
      if (property) values.set(`${id} ${node}`, { node, property });
    }
  }
  return [...values.values()];
}

/** Properties with a known value that has changed since. */
function changedSince(home: Home, before: readonly WatchedValue[]): readonly WatchedValue[] {
  return before.flatMap(({ node, property }) => {
    const now = home.nodes.get(node)?.properties.get(property.id);
    return now && !samePropertyValue(now, property) ? [{ node, property: now }] : [];
  });
}

/** The order in which statements go out, where one of them waits for the disk: a queue for each program. */
class SendQueues {
  readonly #queues = new Map<number, Promise<void>>();

  /**
   * Begins at once unless something of the program is waiting; it does not wait for what has begun. `perform` must not reject.
   * @param ready what to wait for before it begins, or null. Must not reject.
   */
  run(programId: number, perform: () => Promise<void>, ready: Promise<void> | null): void {
    const ahead = this.#queues.get(programId);
    if (!ahead && !ready) {
      void perform();
      return;
    }
    const last = Promise.all([ahead, ready]).then(() => {
      void perform();
      if (this.#queues.get(programId) === last) this.#queues.delete(programId);
    });
    this.#queues.set(programId, last);
  }
}

/** Settles with the promise, or after `maxMs` without it; null when no wait is needed. */
function atMost(clock: Clock, promise: Promise<void>, maxMs: number): Promise<void> | null {
  if (maxMs === 0) return null;
  return new Promise((resolve) => {
    const timer = clock.setTimer(resolve, maxMs);
    void promise.then(() => {
      timer.cancel();
      resolve();
    });
  });
}
