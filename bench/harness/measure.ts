/** The type of a measure, the resources that it may use, and its result. */

import type { Children } from "./children.ts";
import type { Homes } from "./homes.ts";
import type { Health } from "./own-health.ts";
import type { Spread } from "./statistics.ts";

export type Unit =
  | "ms"
  | "KB"
  | "MB"
  | "MB/s"
  | "frames/s"
  | "events/s"
  | "clients"
  | "reports"
  | "commands"
  | "loads/s"
  | "";

export type Goal = {
  /** Whether the figure itself or its ratio to the peer has to reach the bound. */
  readonly of: "figure" | "ratio";
  readonly bound: "at most" | "at least";
  readonly value: number;
};

export type Row = {
  readonly what: string;
  readonly figure: number;
  readonly unit: Unit;
  readonly goal?: Goal;
  /** A peer or a limit, measured in the same run unless its name says otherwise, in the same unit. */
  readonly peer?: { readonly name: string; readonly figure: number } | null;
  readonly spread?: Spread;
  /** Load of the generator while it measured this row. */
  readonly health?: Health;
  /** Share of a core that the server took meanwhile. */
  readonly serverCores?: number;
};

export type Result = { readonly rows: readonly Row[]; readonly notes: readonly string[] };

export type Bench = {
  /** Fewer and shorter runs. */
  readonly quick: boolean;
  /** The whole length of what is promised for minutes. */
  readonly long: boolean;
  readonly children: Children;
  readonly homes: Homes;
  /** A new empty directory that is removed at the end. */
  directory(name: string): string;
  /** Progress for the person who waits. */
  say(text: string): void;
};

export type Measure = {
  readonly id: string;
  readonly title: string;
  run(bench: Bench): Promise<Result>;
};
