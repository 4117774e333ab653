/** Recorded spans through the programs once more. @see docs/interface/replays.md */

export type ReplayOrder = {
  readonly from: Date;
  /** Now when it is left out. */
  readonly until?: Date;
  readonly changes?: readonly {
    /** Id or name; left out, the text says it, or it is a new program. */
    readonly program?: string;
    /** As docs/programs.md has it. */
    readonly text: string;
  }[];
};

type Named = { readonly id: string; readonly name: string };

export type ReplayedAction = {
  readonly time: string;
  /** In the time zone of the home, such as `2026-11-20 07:00:12`. */
  readonly localTime: string;
  readonly program: Named;
  readonly action: "command" | "resource" | "notify" | "variable" | "link";
  /** Node, scene, network resource or variable; null for a notification. */
  readonly target: Named | null;
  readonly command: Named | null;
  readonly values: readonly string[];
  readonly text: string;
  /** False: it rests on a device that was commanded otherwise than in the recording. */
  readonly certain: boolean;
};

export type ReplayedDifference = ReplayedAction & {
  readonly kind: "added" | "removed" | "moved";
  /** When what is moved really took place. */
  readonly was: string | null;
  readonly localWas: string | null;
};

export type ReplayResult = {
  readonly from: string;
  readonly until: string;
  readonly zone: string;
  readonly journalEnds: string;
  readonly entries: number;
  readonly missing: number;
  readonly unknown: { readonly properties: number; readonly others: number };
  /** Commands that programs sent, and those of them that the unchanged programs send again. */
  readonly faithful: { readonly recorded: number; readonly repeated: number };
  readonly programs: readonly (Named & {
    readonly changed: boolean;
    readonly runsBefore: number;
    readonly runsAfter: number;
  })[];
  /** What the programs did; empty with changes. */
  readonly actions: readonly ReplayedAction[];
  readonly differences: readonly ReplayedDifference[];
  /** Also those that are left out. */
  readonly actionsTotal: number;
  readonly differencesTotal: number;
};

export type Replay = {
  readonly id: string;
  readonly state: "running" | "done" | "failed";
  readonly from: string;
  readonly until: string;
  /** 0 … 1. */
  readonly progress: number;
  readonly failure: string | null;
  /** null until it is done, and in lists. */
  readonly result: ReplayResult | null;
};

export type Replays = {
  /** Newest first, without results. */
  list(): Promise<readonly Replay[]>;
  begin(order: ReplayOrder): Promise<Replay>;
  /** Answers when it has ended, or within a second or so. A replay that nobody follows is canceled. */
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
