/**
 * The trace of the programs: takes the engine's records as they are made, puts together what belongs to one run, and gives
 * them back as entries. Where they are kept is the business of the port.
 */

import type { TraceRecord } from "../trace-record.ts";
import type { TraceImportance, TracePort, TraceQuery } from "./stored-trace.ts";

/** The records of a run; or those of a look at a program that led to none. */
export type TraceEntry = {
  readonly id: number;
  readonly programId: number;
  readonly atMs: number;
  readonly records: readonly TraceRecord[];
};

/** Newest first. `lastRecordId` is the number of the newest record of all. */
export type TracePage = { readonly entries: readonly TraceEntry[]; readonly lastRecordId: number };

type Evaluated = Extract<TraceRecord, { kind: "evaluated" }>;

export class ProgramTrace {
  readonly #port: TracePort;
  /** Evaluations whose run, if there is to be one, has not begun yet; within one step of the engine. */
  readonly #evaluated = new Map<number, Evaluated>();
  #looks = 0;

  constructor(port: TracePort) {
    this.#port = port;
  }

  readonly record = (record: TraceRecord): void => {
    const { programId } = record;
    if (record.kind === "evaluated") {
      this.#settle(programId, null);
      // A step makes all its records in one go; what is still waiting after it led to no run.
      if (this.#evaluated.size === 0) queueMicrotask(() => this.#settleAll());
      this.#evaluated.set(programId, record);
      return;
    }
    const key = this.#keyOf(record);
    if (record.kind === "run-began" || record.kind === "not-run") this.#settle(programId, key);
    this.#append(record, key);
  };

  /** Reads everything that was recorded before the call. */
  async read(query: TraceQuery): Promise<TracePage> {
    this.#settleAll();
    const { entries, lastRecordId } = await this.#port.read(query);
    return {
      lastRecordId,
      entries: entries.map(({ bodies, ...entry }) => ({
        ...entry,
        // The checksum of the body was right, so it is a record that was appended here.
        records: bodies.map((body) => JSON.parse(body) as TraceRecord),
      })),
    };
  }

  /** Settles when something was added, or when the signal comes first. */
  grown(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        forget();
        signal.removeEventListener("abort", end);
        resolve();
      };
      const forget = this.#port.onceGrown(end);
      signal.addEventListener("abort", end, { once: true });
      if (signal.aborted) end();
    });
  }

  #settleAll(): void {
    for (const programId of [...this.#evaluated.keys()]) this.#settle(programId, null);
  }

  #settle(programId: number, key: string | null): void {
    const evaluated = this.#evaluated.get(programId);
    if (!evaluated) return;
    this.#evaluated.delete(programId);
    this.#append(evaluated, key);
  }

  #append(record: TraceRecord, key: string | null): void {
    this.#port.append([record.programId, key, record.atMs, JSON.stringify(record)], importanceOf(record));
  }

  /** A run's id; what led to no run shares a key of its own with the evaluation before it. */
  #keyOf(record: Exclude<TraceRecord, Evaluated>): string | null {
    if (record.kind === "cut") return null;
    if (record.kind !== "not-run") return record.runId;
    if (!this.#evaluated.has(record.programId)) return null;
    this.#looks += 1;
    return `look ${record.atMs} ${this.#looks}`;
  }
}

/**
 * The next commit removes the statement from the progress, so its mark has to be on disk before. The reason why a
 * program was cut has to be found even among the thousands of records that led to it.
 */
function importanceOf(record: TraceRecord): TraceImportance {
  if (record.kind === "outcome" && record.outcome === "uncertain") return "before-commit";
  return record.kind === "cut" ? "kept" : "usual";
}
