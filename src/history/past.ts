/** The data that questions about the past need, as a port to the store. This module does no I/O. */

import type { Cause } from "../home/cause.ts";
import type { JournalAnswer, JournalQuestion, PastHomes } from "../home/past.ts";
import type { TracePage } from "../programs/trace/program-trace.ts";
import type { TraceQuery } from "../programs/trace/stored-trace.ts";

export type PastCommand = {
  readonly id: string;
  /** Address of a node or a scene. */
  readonly address: string;
  readonly command: string;
  readonly acceptedAtMs: number;
  readonly cause: Cause;
};

export type Past = PastHomes & {
  /** The latest matching entries of the journal, newest first. @throws ControllerError STORE_UNAVAILABLE */
  latest(question: JournalQuestion): Promise<JournalAnswer>;
  trace(query: TraceQuery): Promise<TracePage>;
  /** A command that is still in memory; null for any other. */
  recentCommand(id: string): PastCommand | null;
  /** The commands in memory that a request or program run sent, newest first. */
  commandsOf(causeId: string): readonly PastCommand[];
};
