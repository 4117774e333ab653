/**
 * The one port to what keeps the home: the SQLite file of this directory, or a PostgreSQL server with that file as its copy.
 * It takes one request at a time.
 */

import type { Fence } from "../home/durability.ts";
import type { StoredPage, TraceQuery } from "../programs/trace/stored-trace.ts";
import type { JournalWindow, WindowQuery } from "./database/journal-window.ts";
import type { WorkerRequest } from "./journal-worker.ts";
import type { LoadedState } from "./load-state.ts";

export type Engine = {
  /** Begins to start the thread that writes, so that the first request need not wait for it. */
  start(): void;
  /** The state as it was left. @throws SQLite's error for what is no damage, or ControllerError. */
  load(): Promise<LoadedState>;
  /** @throws WriteFailure */
  request(request: WorkerRequest): Promise<void>;
  /** Writes some samples. @returns whether there are more in the journal. @throws WriteFailure */
  project(): Promise<boolean>;
  /** @throws WriteFailure */
  readTrace(query: TraceQuery): Promise<StoredPage>;
  /** @throws WriteFailure */
  readJournal(query: WindowQuery): Promise<JournalWindow>;
  stop(): Promise<void>;
  /** Secrets that are also kept elsewhere than in this directory; the next write takes them along. Absent: nowhere else. */
  keepSecret?(name: string, body: string | null): void;
  /** Absent: the home is this process's alone. */
  readonly authority?: Authority;
};

/** Whether this process may act on the world. Asked at the last moment before it does. */
export type Authority = {
  mayAct(fence: Fence): boolean;
  /** Null once the home was given up. */
  readonly epoch: number | null;
  /** Tells other machines where clients reach this one. Never throws. */
  reachableAt(url: string): Promise<void>;
};
