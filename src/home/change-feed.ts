/**
 * Numbers every change, applies it, then publishes it, in order. A listener always finds the new value in the home.
 * Listeners record; they never commit (that is an error), they act in a turn of their own.
 */

import { invariant } from "../errors.ts";
import type { Clock } from "../util/clock.ts";
import { applyChange, applyEntry, entriesOf } from "./apply-change.ts";
import type { Cause } from "./cause.ts";
import type { Change, EditEntry, Entry, JournalEntry } from "./change.ts";
import type { Edit } from "./edit.ts";
import type { Home } from "./home.ts";

type FeedListener = (entry: Entry) => void;
/** Gets an edit as a whole. */
export type Recorder = (entry: JournalEntry) => void;

export class ChangeFeed {
  readonly #home: Home;
  readonly #clock: Clock;
  readonly #recorders: Recorder[] = [];
  readonly #listeners: FeedListener[] = [];
  #lastSeq: number;
  #isPublishing = false;

  /** @param lastSeq number of the last entry in the journal; 0 for a new home. */
  constructor(home: Home, clock: Clock, lastSeq: number) {
    this.#home = home;
    this.#clock = clock;
    this.#lastSeq = lastSeq;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  commit(change: Change, cause: Cause): Entry {
    const entry: Entry = { ...this.#next(cause), change: withBefore(this.#home, change) };
    applyChange(this.#home, change);
    this.#publish(entry, [entry]);
    return entry;
  }

  /** Applies all changes of an edit before any listener is called, as one entry of the journal. */
  commitEdit(edit: Edit, cause: Cause): EditEntry {
    const entry: EditEntry = { ...this.#next(cause), edit };
    applyEntry(this.#home, entry);
    this.#publish(entry, entriesOf(entry));
    return entry;
  }

  #next(cause: Cause): Pick<Entry, "seq" | "atMs" | "cause"> {
    invariant(!this.#isPublishing, "A listener records; it does not commit.");
    return { seq: this.#lastSeq + 1, atMs: this.#clock.now(), cause };
  }

  #publish(entry: JournalEntry, changes: readonly Entry[]): void {
    this.#lastSeq = entry.seq;
    this.#isPublishing = true;
    try {
      for (const recorder of this.#recorders) recorder(entry);
      for (const each of changes) for (const listener of this.#listeners) listener(each);
    } finally {
      this.#isPublishing = false;
    }
  }

  /** For the journal, which comes before all listeners. */
  record(recorder: Recorder): void {
    this.#recorders.push(recorder);
  }

  /** Listeners are called in the order in which they were added. @returns a function that ends it. */
  listen(listener: FeedListener): () => void {
    this.#listeners.push(listener);
    return () => {
      const at = this.#listeners.indexOf(listener);
      if (at >= 0) this.#listeners.splice(at, 1);
    };
  }
}

/** A property carries what the home holds until now, so that the journal can be read backwards. */
function withBefore(home: Home, change: Change): Change {
  if (change.type !== "property-changed") return change;
  const before = home.nodes.get(change.address)?.properties.get(change.property.id) ?? null;
  return { ...change, before };
}
