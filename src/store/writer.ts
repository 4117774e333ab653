/**
 * Group commit: everything that arrives while the disk is busy shares the next commit. Nothing is acknowledged that
 * is not on disk. While the disk refuses writes, waiting callers get an error, the backlog is kept, and the write is
 * retried.
 */

import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import type { JournalEntry } from "../home/change.ts";
import type { Clock, Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { Backlog, Taken } from "./backlog.ts";
import type { DiskReserve } from "./disk-reserve.ts";
import type { Engine } from "./engine.ts";
import { WriteFailure } from "./journal-thread.ts";
import { isTransient, mayWait } from "./rows.ts";

type WriterPorts = {
  readonly config: Pick<Config, "commitIntervalMs" | "reportFlushMs" | "reportFlushEntries">;
  readonly clock: Clock;
  readonly log: Log;
  readonly backlog: Backlog;
  readonly engine: Pick<Engine, "request" | "authority">;
  /** Marks every state row as outdated, for a rebuilt database. */
  readonly touchAll: () => void;
  readonly reserve: Pick<DiskReserve, "giveUp">;
};

type Waiter = { readonly seq: number; readonly resolve: () => void; readonly reject: (error: unknown) => void };

const RETRY_MS = 100;
/** Until the next try every write is refused, also when the disk is back: clients try again after a second. */
const RETRY_MS_MAX = 1000;
const STALL_MS = 3000;
/** A disk that damages every new database is not answered with ever more of them. */
const REBUILDS_MAX = 3;

export class Writer {
  readonly #ports: WriterPorts;
  #durableSeq: number;
  #recordedSeq: number;
  #waiters: Waiter[] = [];
  /** Callers that wait for state rows of the next batch, and of the batch that is being written (null: no batch). */
  #nextSaved: Waiter[] = [];
  #savedOnTheWay: Waiter[] | null = null;
  #busy: Promise<void> | null = null;
  #soon: Timer | null = null;
  #later: Timer | null = null;
  #retryMs = RETRY_MS;
  #isUrgent = false;
  /** The time of a commit came while the thread did other work. */
  #isDue = false;
  #isLost = false;
  #isStalled = false;
  #isDamaged = false;
  #rebuilds = 0;
  #isClosed = false;
  /** Runs while a client waits for the disk, even when the disk is busy with other work. */
  #stall: Timer | null = null;
  #beforeCommit = noop;

  /** @param durableSeq number of the last entry on disk. */
  constructor(ports: WriterPorts, durableSeq: number) {
    this.#ports = ports;
    this.#durableSeq = durableSeq;
    this.#recordedSeq = durableSeq;
  }

  get #keeper(): "disk" | "database" {
    return this.#ports.engine.authority ? "database" : "disk";
  }

  /** The disk did not take the last write. */
  get isFailing(): boolean {
    return this.#isLost;
  }

  /** Never throws; `committed` rejects on failures. */
  readonly record = (entry: JournalEntry): void => {
    if (isTransient(entry)) return;
    this.#ports.backlog.add(entry);
    this.#recordedSeq = entry.seq;
    if (!mayWait(entry)) this.#flushSoon();
    else this.#flushFacts();
  };

  /**
   * Has something done before entries go to the disk, so that what follows from them goes along in the same transaction.
   * @param act must not throw.
   */
  beforeCommit(act: () => void): void {
    this.#beforeCommit = act;
  }

  /** A state row beside the home is out of date; it is written with the next commit, or after the time of a report. */
  touch(...row: Parameters<Backlog["touch"]>): void {
    this.#ports.backlog.touch(...row);
    this.#flushLater();
  }

  /** Settles when the entry with this number is on disk. @throws ControllerError STORE_UNAVAILABLE */
  committed(seq: number): Promise<void> {
    const needed = Math.min(seq, this.#recordedSeq);
    if (needed <= this.#durableSeq) return Promise.resolve();
    return this.#wait(this.#waiters, needed);
  }

  /** Settles when all rows touched until now are on disk. @throws ControllerError STORE_UNAVAILABLE */
  saved(): Promise<void> {
    if (!this.#ports.backlog.isEmpty) return this.#wait(this.#nextSaved, 0);
    const onTheWay = this.#savedOnTheWay;
    if (!onTheWay) return Promise.resolve();
    return new Promise((resolve, reject) => onTheWay.push({ seq: 0, resolve, reject }));
  }

  /** Settles when everything until now is on disk, entries and rows. @throws ControllerError STORE_UNAVAILABLE */
  async settled(): Promise<void> {
    await this.committed(this.#recordedSeq);
    await this.saved();
  }

  /**
   * Has the thread do something of its own between two commits.
   * @param isPatient looked at when the thread is free: whether a commit that is due may come first.
   * @throws WriteFailure
   */
  async exclusively(work: () => Promise<void>, isPatient = () => false): Promise<void> {
    while (this.#busy) await this.#busy;
    if (this.#soon && isPatient()) this.#begin();
    while (this.#busy) await this.#busy;
    const done = work();
    this.#busy = done.then(noop, noop).then(() => this.#settleBusy());
    await done;
  }

  /** Writes what is left, once. @returns false when the disk did not take it. */
  async close(): Promise<boolean> {
    this.#cancelTimers();
    while (this.#busy) await this.#busy;
    this.#isClosed = true;
    while (!this.#ports.backlog.isEmpty) {
      await this.#flush();
      if (this.#isLost) return false;
    }
    return true;
  }

  #wait(list: Waiter[], seq: number): Promise<void> {
    if (this.#isLost || this.#isClosed) return Promise.reject(unavailable());
    this.#watchForStall();
    this.#flushSoon();
    return new Promise((resolve, reject) => list.push({ seq, resolve, reject }));
  }

  /** A few facts wait for company; so many that a commit is worth its while need none. */
  #flushFacts(): void {
    const { backlog, config } = this.#ports;
    if (backlog.size >= config.reportFlushEntries) this.#flushSoon();
    else this.#flushLater();
  }

  #flushSoon(): void {
    this.#isUrgent = true;
    if (this.#soon || this.#busy || this.#isLost || this.#isClosed) return;
    const { commitIntervalMs } = this.#ports.config;
    // Without a wait of its own a commit still takes in all that this turn of the event loop brings.
    this.#soon =
      commitIntervalMs > 0 ? this.#ports.clock.setTimer(this.#begin, commitIntervalMs) : nextTurn(this.#begin);
  }

  #flushLater(): void {
    if (this.#later || this.#isLost || this.#isClosed) return;
    this.#later = this.#ports.clock.setTimer(this.#begin, this.#ports.config.reportFlushMs);
  }

  readonly #begin = (): void => {
    this.#cancelTimers();
    this.#isDue = this.#busy !== null;
    if (this.#isDue || this.#ports.backlog.isEmpty) return;
    this.#beforeCommit();
    this.#busy = this.#flush().then(() => this.#settleBusy());
  };

  #settleBusy(): void {
    this.#busy = null;
    if (this.#isClosed) return;
    if (this.#isDue) this.#soon = nextTurn(this.#begin);
    else if (this.#isLost) this.#retry();
    else if (this.#isUrgent) this.#flushSoon();
    else if (!this.#ports.backlog.isEmpty) this.#flushFacts();
  }

  async #flush(): Promise<void> {
    const { backlog, engine, clock } = this.#ports;
    if (this.#isDamaged) this.#ports.touchAll();
    const taken = backlog.take(clock.now());
    this.#isUrgent = !taken.isAll;
    const saved = this.#nextSaved;
    this.#nextSaved = [];
    this.#savedOnTheWay = saved;
    this.#watchForStall();
    try {
      await engine.request({ kind: this.#isDamaged ? "rebuild" : "write", batch: taken.batch });
      this.#succeeded(taken, saved);
    } catch (error) {
      this.#failed(taken, saved, error);
    } finally {
      this.#savedOnTheWay = null;
      this.#stall?.cancel();
      this.#stall = null;
    }
  }

  #watchForStall(): void {
    this.#stall ??= this.#ports.clock.setTimer(this.#nameStall, STALL_MS);
  }

  #succeeded(taken: Taken, saved: readonly Waiter[]): void {
    this.#durableSeq = Math.max(this.#durableSeq, taken.lastSeq);
    const sentence = this.#isDamaged
      ? "The damaged database was replaced."
      : `The ${this.#keeper} accepts writes again.`;
    if (this.#isLost || this.#isStalled) this.#ports.log.info(sentence);
    this.#isStalled = false;
    this.#isLost = false;
    this.#isDamaged = false;
    this.#retryMs = RETRY_MS;
    const done = this.#waiters.filter(({ seq }) => seq <= this.#durableSeq);
    this.#waiters = this.#waiters.filter(({ seq }) => seq > this.#durableSeq);
    for (const { resolve } of [...done, ...saved]) resolve();
  }

  #failed(taken: Taken, saved: readonly Waiter[], error: unknown): void {
    const { backlog, log } = this.#ports;
    backlog.giveBack(taken);
    if (error instanceof WriteFailure && error.isFull) this.#ports.reserve.giveUp();
    if (error instanceof WriteFailure && error.isDamage && this.#rebuilds < REBUILDS_MAX) {
      this.#isDamaged = true;
      this.#rebuilds += 1;
    }
    const sentence = this.#isDamaged
      ? "The database is damaged. It is moved aside and rebuilt."
      : `The ${this.#keeper} refuses writes. Devices and programs keep working; changes are not acknowledged until it works again.`;
    if (!this.#isLost) log.error(sentence, { error });
    this.#isLost = true;
    this.#cancelTimers();
    for (const { reject } of [...this.#waiters.splice(0), ...saved, ...this.#nextSaved.splice(0)])
      reject(unavailable(error));
  }

  readonly #nameStall = (): void => {
    if (this.#isLost) return;
    this.#isStalled = true;
    this.#ports.log.warn(
      `A write to the ${this.#keeper} has taken several seconds so far. Devices and programs keep working.`,
      {
        stallMs: STALL_MS,
      },
    );
  };

  #retry(): void {
    if (this.#later) return;
    this.#later = this.#ports.clock.setTimer(this.#begin, this.#retryMs);
    this.#retryMs = Math.min(2 * this.#retryMs, RETRY_MS_MAX);
  }

  #cancelTimers(): void {
    this.#soon?.cancel();
    this.#later?.cancel();
    this.#soon = null;
    this.#later = null;
  }
}

function unavailable(cause?: unknown): ControllerError {
  return new ControllerError("STORE_UNAVAILABLE", { cause });
}

function nextTurn(callback: () => void): Timer {
  const handle = setImmediate(callback);
  return { cancel: () => clearImmediate(handle) };
}

function noop(): void {}
