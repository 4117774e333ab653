/**
 * The trace in the main thread: takes rows without waiting and sends them to the store's thread in batches, after the
 * journal's turn. Rows beyond the backlog, and rows that the disk refuses, are dropped and counted; rows of busy
 * programs first.
 */

import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import type { StoredPage, TraceImportance, TraceQuery, TraceRow } from "../programs/trace/stored-trace.ts";
import type { Clock, Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { Engine } from "./engine.ts";

type TracePorts = {
  readonly config: Pick<Config, "reportFlushMs" | "traceBacklogMax">;
  readonly clock: Clock;
  readonly log: Log;
  readonly engine: Pick<Engine, "request" | "readTrace">;
  /** Runs work in the thread between two commits; after a commit that is due, when `isPatient` returns true. */
  readonly exclusively: (work: () => Promise<void>, isPatient?: () => boolean) => Promise<void>;
};

/** Some 5 ms of the thread with a full trace; the commits of the journal go in between. */
const ROWS_A_TURN = 64;
/** With this many rows the flush does not wait for more. */
const ROWS_AT_ONCE = 1024;
/**
 * Rows of one program that are accepted even when the backlog is full. The total is limited to `FULL_FACTOR` times
 * the backlog.
 */
const ROWS_OF_A_PROGRAM = 16;
const FULL_FACTOR = 8;

export class TraceLog {
  readonly #ports: TracePorts;
  #rows: TraceRow[] = [];
  /** Rows that must be on disk before the next commit, and are not yet. */
  #urgent = 0;
  /** Number of waiting rows of each program. */
  #rowsOf = new Map<number, number>();
  #timer: Timer | null = null;
  #writing: Promise<void> = Promise.resolve();
  #grown: (() => void)[] = [];
  #isFailing = false;
  #dropped = 0;

  constructor(ports: TracePorts) {
    this.#ports = ports;
  }

  /**
   * Never throws, never waits.
   * @param importance `kept`: never dropped; `before-commit`: also written before all later commits, so that an end
   * of the process cannot come in between.
   */
  append(row: TraceRow, importance: TraceImportance = "usual"): void {
    const [programId] = row;
    const count = this.#rowsOf.get(programId) ?? 0;
    if (importance === "usual" && this.#isFull(count)) {
      this.#dropped += 1;
      return;
    }
    this.#rows.push(row);
    this.#rowsOf.set(programId, count + 1);
    if (importance === "before-commit") this.#urgent += 1;
    if (importance === "before-commit" || this.#rows.length === ROWS_AT_ONCE) void this.#flush();
    else this.#timer ??= this.#ports.clock.setTimer(() => void this.#flush(), this.#ports.config.reportFlushMs);
  }

  /**
   * Reads everything that was appended before the call. @throws ControllerError STORE_UNAVAILABLE when the disk does
   * not answer.
   */
  async read(query: TraceQuery): Promise<StoredPage> {
    await this.#flush();
    let page: StoredPage = { entries: [], lastRecordId: 0 };
    try {
      await this.#ports.exclusively(
        async () => {
          page = await this.#ports.engine.readTrace(query);
        },
        // However many read, a commit waits for one of them.
        () => true,
      );
      return page;
    } catch (cause) {
      throw new ControllerError("STORE_UNAVAILABLE", { cause, sentence: "The trace cannot be read from the disk." });
    }
  }

  /** Calls back once, when more is on disk. @returns what ends the wait. */
  onceGrown(callback: () => void): () => void {
    this.#grown.push(callback);
    return () => {
      this.#grown = this.#grown.filter((other) => other !== callback);
    };
  }

  /** Writes what is left. */
  close(): Promise<void> {
    return this.#flush();
  }

  #isFull(rowsOfProgram: number): boolean {
    const { traceBacklogMax } = this.#ports.config;
    const waiting = this.#rows.length;
    return (
      waiting >= traceBacklogMax && (rowsOfProgram >= ROWS_OF_A_PROGRAM || waiting >= FULL_FACTOR * traceBacklogMax)
    );
  }

  #flush(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = null;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const { engine, exclusively, log } = this.#ports;
    const rows = this.#rows;
    if (rows.length === 0) return;
    const urgent = this.#urgent;
    this.#rows = [];
    this.#rowsOf = new Map();
    this.#logDropped();
    try {
      for (let at = 0; at < rows.length; at += ROWS_A_TURN) {
        const batch = rows.slice(at, at + ROWS_A_TURN);
        await exclusively(
          () => engine.request({ kind: "trace", rows: batch }),
          () => this.#urgent === 0,
        );
      }
      this.#isFailing = false;
      for (const callback of this.#grown.splice(0)) callback();
    } catch (error) {
      if (!this.#isFailing)
        log.warn("The trace of the programs cannot be written. The programs go on without it.", { error });
      this.#isFailing = true;
    } finally {
      this.#urgent -= urgent;
    }
  }

  #logDropped(): void {
    if (this.#dropped === 0) return;
    this.#ports.log.warn("Programs produced more trace records than can be stored. Some are missing.", {
      recordsDropped: this.#dropped,
    });
    this.#dropped = 0;
  }
}
