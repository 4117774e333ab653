/** What a replay needs of the store: the home as it was, and what happened from then on. */

import type { Entry } from "../home/change.ts";
import type { Home } from "../home/home.ts";

/** Entries that are missing: only their number is known. */
export type Missing = { readonly seq: number; readonly atMs: number; readonly dropped: number };

/** What of the home at the beginning could not be found out. */
export type Unknown = {
  /** Properties of nodes whose value then is not known; they have none in the replay. */
  readonly properties: number;
  /** Other things that were changed since and of which only the present form is known. */
  readonly others: number;
};

export type Recording = {
  readonly fromMs: number;
  readonly toMs: number;
  /** When the last entry of the journal was made, within the span or not. */
  readonly endsAtMs: number;
  /** A new home each time, as it was at `fromMs`. */
  home(): Home;
  readonly unknown: Unknown;
  /** The home as it is now: the names that people know. */
  present(): Home;
  /** Everything from `fromMs` to `toMs`, in order. */
  entries(): Iterable<Entry | Missing>;
  /** Only the lives of commands, also those that go on a while after `toMs`. */
  commands(): Iterable<Entry>;
};
