/** A replay's input from the store: the home at the beginning, and the entries from then on. */

import type { Entry } from "../home/change.ts";
import type { Home } from "../home/home.ts";

/** Entries that are missing: only their number is known. */
type Missing = { readonly seq: number; readonly atMs: number; readonly dropped: number };

/** Parts of the home at the beginning that are unknown. */
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
