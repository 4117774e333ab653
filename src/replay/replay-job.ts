/** Replays that the controller runs on request, as the API sees them. */

import type { ReplayResult } from "./replay-result.ts";
import type { ChangeText } from "./revision.ts";

export type ReplayOrder = {
  readonly fromMs: number;
  readonly untilMs: number;
  /** Empty: the programs as they were. */
  readonly changes: readonly ChangeText[];
};

export type ReplayJob = {
  readonly id: string;
  readonly state: "running" | "done" | "failed";
  readonly fromMs: number;
  readonly untilMs: number;
  /** 0 … 1. */
  readonly progress: number;
  /** A sentence; null unless it failed. */
  readonly failure: string | null;
  /** null until it is done. */
  readonly result: ReplayResult | null;
};

export type ReplayJobs = {
  /** Newest first. */
  list(): readonly ReplayJob[];
  /** A running replay is canceled when its status is not read for a while. @throws ControllerError REPLAY_NOT_FOUND */
  read(id: string): ReplayJob;
  /**
   * @throws ControllerError REPLAYS_UNDER_WAY; STORE_UNAVAILABLE; BAD_VALUE for the times; for a text BAD_PROGRAM_TEXT,
   * PROGRAM_NOT_FOUND, CONFLICT.
   */
  begin(order: ReplayOrder): Promise<ReplayJob>;
  /** Settles when it no longer runs, or the signal aborts. */
  settled(id: string, signal: AbortSignal): Promise<void>;
  /** Ends it if it runs, and forgets it. @throws ControllerError REPLAY_NOT_FOUND */
  remove(id: string): void;
  /** Ends those that run; for the end of the controller. */
  close(): Promise<void>;
};
