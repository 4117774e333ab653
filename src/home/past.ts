/** The port to the home as it was. */

import type { ChangeType, Entry } from "./change.ts";
import type { Home } from "./home.ts";

export type JournalQuestion = {
  readonly types: readonly ChangeType[];
  /** Text that the entry holds, such as an address or an id. It narrows the search. */
  readonly holding: string;
  readonly untilMs: number;
  /** null: as far back as the journal is searched (`historySearchEntriesMax`). */
  readonly sinceMs: number | null;
  /** Only entries with smaller numbers. */
  readonly beforeSeq?: number;
  readonly matches: (entry: Entry) => boolean;
  /** Number of entries, the newest first. */
  readonly limit: number;
};

/** `sinceMs`: how far back the search went; null = the journal is empty. */
export type JournalAnswer = { readonly entries: readonly Entry[]; readonly sinceMs: number | null };

/** The home at an instant. It is no part of the running home: nothing of it may be changed. */
export type PastHome = {
  readonly home: Home;
  /** Things whose value at that time is not in the journal. */
  readonly unknown: { readonly properties: number; readonly others: number };
};

export type ChangesQuery = {
  /** The changes next to this time are looked for. */
  readonly atMs: number;
  readonly fromMs: number;
  /** Exclusive. */
  readonly toMs: number;
  /** Equal parts of the span. */
  readonly parts: number;
};

export type NearChanges = {
  /** Time of the first entry in the journal; null = it is empty. */
  readonly beginsMs: number | null;
  /** Times of the last change before and the first one after; null when none is near. */
  readonly beforeMs: number | null;
  readonly afterMs: number | null;
  /** Parts with at least one change, in order. */
  readonly parts: readonly { readonly fromMs: number; readonly count: number }[];
};

export type PastHomes = {
  /** @throws ControllerError BAD_VALUE before the journal begins, STORE_UNAVAILABLE, TOO_MANY_REQUESTS */
  homeAt(atMs: number): Promise<PastHome>;
  /** How much changed when. @throws ControllerError STORE_UNAVAILABLE, TOO_MANY_REQUESTS */
  changes(query: ChangesQuery): Promise<NearChanges>;
};
