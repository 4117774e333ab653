/**
 * The near end of the trace: takes rows without waiting and hands them to the store's thread in batches, after the
 * journal's turn. What comes faster than that is dropped and counted, as is what the disk does not take.
 */

import type { Config } from "../config.ts";
import { ControllerError } from "../errors.ts";
import type { KeptPage, TraceQuery, TraceRow } from "../programs/trace/stored-trace.ts";
import type { Clock, Timer } from "../util/clock.ts";
import type { Log } from "../util/log.ts";
import type { JournalThread } from "./journal-thread.ts";

type TracePorts = {
  readonly config: Pick<Config, "reportFlushMs" | "traceBacklogMax">;
  readonly clock: Clock;
  readonly log: Log;
  readonly thread: Pick<JournalThread, "request" | "readTrace">;
  /** Has the thread do something between two commits. */
  readonly exclusively: (work: () => Promise<void>) => Promise<void>;
};

/** Some milliseconds of the thread; the journal's commits go in between. */
const ROWS_A_TURN = 256;

export class TraceLog {
  readonly #ports: TracePorts;
  #rows: TraceRow[] = [];
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
   * @param isUrgent written before whatever is committed from now on, so that no end of the process comes in between, and
   * never dropped.
   */
  append(row: TraceRow, isUrgent = false): void {
    if (!isUrgent && this.#rows.length >= this.#ports.config.traceBacklogMax) {
      this.#dropped += 1;
      return;
    }
    this.#rows.push(row);
    if (isUrgent) void this.#flush();
    else this.#timer ??= this.#ports.clock.setTimer(() => void this.#flush(), this.#ports.config.reportFlushMs);
  }

  /** Of everything that was appended until now. @throws ControllerError STORE_UNAVAILABLE when the disk does not answer. */
  async read(query: TraceQuery): Promise<KeptPage> {
    await this.#flush();
    let page: KeptPage = { entries: [], lastRecordId: 0 };
    try {
      await this.#ports.exclusively(async () => {
        page = await this.#ports.thread.readTrace(query);
      });
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

  #flush(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = null;
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const { thread, exclusively, log } = this.#ports;
    const rows = this.#rows;
    if (rows.length === 0) return;
    this.#rows = [];
    this.#tellDropped();
    try {
      for (let at = 0; at < rows.length; at += ROWS_A_TURN) {
        const batch = rows.slice(at, at + ROWS_A_TURN);
        await exclusively(() => thread.request({ kind: "trace", rows: batch }));
      }
      this.#isFailing = false;
      for (const callback of this.#grown.splice(0)) callback();
    } catch (error) {
      if (!this.#isFailing)
        log.warn("The trace of the programs cannot be written. The programs go on without it.", { error });
      this.#isFailing = true;
    }
  }

  #tellDropped(): void {
    if (this.#dropped === 0) return;
    this.#ports.log.warn("More happened in the programs than the trace takes; a part of it is missing.", {
      recordsDropped: this.#dropped,
    });
    this.#dropped = 0;
  }
}
