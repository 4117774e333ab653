/** Recorded spans through the programs once more. @see docs/interface/replays.md */

import type { Replay, ReplayResult, Routes } from "./routes.ts";

export type { Replay, ReplayedAction, ReplayedDifference, ReplayResult } from "./routes.ts";

export type ReplayOrder = Omit<Routes["POST /api/replays"]["body"], "from" | "until"> & {
  readonly from: Date;
  /** Now when it is left out. */
  readonly until?: Date;
};

export type Replays = {
  /** Newest first, without results. */
  list(): Promise<readonly Omit<Replay, "result">[]>;
  begin(order: ReplayOrder): Promise<Replay>;
  /** Resolves when the replay has ended, and after a second at the latest. The controller cancels a replay that no client follows. */
  follow(id: string): Promise<Replay>;
  /** Cancels it when it runs. */
  remove(id: string): Promise<void>;
  /**
   * Begins one, follows it to its end and removes it from the controller.
   * @throws ClientError `REFUSED` when it fails; the reason of the signal when that aborts.
   */
  run(
    order: ReplayOrder,
    options?: { readonly onProgress?: (progress: number) => void; readonly signal?: AbortSignal },
  ): Promise<ReplayResult>;
};
