/**
 * Data that is not on disk yet: the entries for the journal, and the set of outdated state rows. The rows themselves
 * are read when a batch is taken, so while the disk is away the latest values count and memory stays bounded.
 */

import { invariant } from "../errors.ts";
import type { JournalEntry } from "../home/change.ts";
import type { JournalRow, StateTable } from "./database/tables.ts";
import { STATE_TABLES } from "./database/tables.ts";
import type { Batch } from "./database/write-batch.ts";
import { encodeJournal, type Gap } from "./journal.ts";
import { mayWait, rowsOf } from "./rows.ts";

/** The present body of a state row; null when the thing does not exist (any more). */
type RowSource = (table: StateTable, key: string) => string | null;

/** A batch on its way, with what is needed to take it back. */
export type Taken = {
  readonly batch: Batch;
  readonly lastSeq: number;
  /** False when entries are left for another batch. */
  readonly isAll: boolean;
  readonly items: readonly (JournalEntry | Gap)[];
  readonly rows: DirtyRows;
  readonly afterSeq: number;
};

/** Keeps one batch's memory and time small after a long outage. The state in it may be ahead of its journal then. */
const BATCH_ENTRIES_MAX = 8192;

export class Backlog {
  readonly #source: RowSource;
  readonly #entriesMax: number;
  #items: (JournalEntry | Gap)[] = [];
  #rows = new DirtyRows();
  #lastSeq: number;
  #journalSeq: number;

  /**
   * @param lastSeq number of the last entry on disk.
   * @param journalSeq number of the last entry in the journal's rows, which leave out what is transient.
   * @param entriesMax entries kept; of more, the oldest facts go first.
   */
  constructor(source: RowSource, lastSeq: number, journalSeq: number, entriesMax: number) {
    this.#source = source;
    this.#lastSeq = lastSeq;
    this.#journalSeq = journalSeq;
    this.#entriesMax = entriesMax;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0 && this.#rows.isEmpty;
  }

  /** Entries that wait. */
  get size(): number {
    return this.#items.length;
  }

  add(entry: JournalEntry): void {
    this.#items.push(entry);
    for (const row of rowsOf(entry)) this.touch(...row);
    if (this.#items.length > this.#entriesMax) this.#items = thinOut(this.#items);
  }

  /** A row is out of date. */
  touch(table: StateTable, key: string, removed?: "removed"): void {
    this.#rows.touch(table, key, removed !== undefined);
  }

  /** For a rebuilt database: the outdated rows of the old one do not matter. */
  forgetRows(): void {
    this.#rows = new DirtyRows();
  }

  /** The oldest entries and all rows that are out of date. */
  take(nowMs: number): Taken {
    const rows = this.#rows;
    const isAll = this.#items.length <= BATCH_ENTRIES_MAX;
    const items = isAll ? this.#items : this.#items.slice(0, BATCH_ENTRIES_MAX);
    this.#items = isAll ? [] : this.#items.slice(BATCH_ENTRIES_MAX);
    this.#rows = new DirtyRows();
    const afterSeq = this.#journalSeq;
    const journal = encodeJournal(items, afterSeq);
    this.#journalSeq = journal.at(-1)?.[0] ?? afterSeq;
    this.#lastSeq = items.at(-1)?.seq ?? this.#lastSeq;
    const batch = this.#batch(rows, journal, nowMs);
    return { batch, lastSeq: this.#lastSeq, isAll, items, rows, afterSeq };
  }

  /** The disk did not take it: it comes before everything that was added since. */
  giveBack(taken: Taken): void {
    this.#items = [...taken.items, ...this.#items];
    if (this.#items.length > this.#entriesMax) this.#items = thinOut(this.#items);
    this.#journalSeq = taken.afterSeq;
    taken.rows.append(this.#rows);
    this.#rows = taken.rows;
  }

  #batch(rows: DirtyRows, journal: readonly JournalRow[], nowMs: number): Batch {
    const puts: [StateTable, string, string][] = [];
    const deletes = rows.removed();
    for (const [table, key] of rows.touched()) {
      const body = this.#source(table, key);
      if (body !== null) puts.push([table, key.toWellFormed(), body]);
      else deletes.push([table, key.toWellFormed()]);
    }
    return { nowMs, lastSeq: this.#lastSeq, deletes, puts, journal };
  }
}

/** Keys of rows that are out of date, in the order in which new ones came. */
class DirtyRows {
  /** Only the tables that were touched: most batches touch three of them. */
  readonly #touched = new Map<StateTable, Set<string>>();
  readonly #removed = new Map<StateTable, Set<string>>();
  isEmpty = true;

  touch(table: StateTable, key: string, isRemoved: boolean): void {
    this.isEmpty = false;
    if (isRemoved) {
      keysOf(this.#removed, table).add(key);
      this.#touched.get(table)?.delete(key);
    } else {
      keysOf(this.#touched, table).add(key);
    }
  }

  append(later: DirtyRows): void {
    for (const table of STATE_TABLES) {
      for (const key of later.#removed.get(table) ?? NONE) this.touch(table, key, true);
      for (const key of later.#touched.get(table) ?? NONE) this.touch(table, key, false);
    }
  }

  *touched(): Iterable<readonly [StateTable, string]> {
    for (const table of STATE_TABLES) for (const key of this.#touched.get(table) ?? NONE) yield [table, key];
  }

  removed(): [StateTable, string][] {
    return STATE_TABLES.flatMap((table) =>
      [...(this.#removed.get(table) ?? NONE)].map((key): [StateTable, string] => [table, key.toWellFormed()]),
    );
  }
}

const NONE: ReadonlySet<string> = new Set();

function keysOf(sets: Map<StateTable, Set<string>>, table: StateTable): Set<string> {
  const known = sets.get(table);
  if (known) return known;
  const keys = new Set<string>();
  sets.set(table, keys);
  return keys;
}

/** Drops the facts of the older half, or all of the older half where that is not enough, and leaves a gap in their place. */
function thinOut(items: readonly (JournalEntry | Gap)[]): (JournalEntry | Gap)[] {
  const half = items.length >> 1;
  const older = items.slice(0, half);
  const edits = older.filter((item) => !("dropped" in item) && !mayWait(item));
  const kept = new Set(edits.length < half / 2 ? edits : []);
  const dropped = older.filter((item) => !kept.has(item));
  return [...withGap([...kept], dropped), ...items.slice(half)];
}

function withGap(
  kept: readonly (JournalEntry | Gap)[],
  dropped: readonly (JournalEntry | Gap)[],
): (JournalEntry | Gap)[] {
  const last = dropped.at(-1);
  invariant(last, "Less than half of the older entries are retained.");
  const count = dropped.reduce((sum, item) => sum + ("dropped" in item ? item.dropped : 1), 0);
  const gap: Gap = { seq: last.seq, atMs: last.atMs, dropped: count };
  const at = kept.findIndex(({ seq }) => seq > gap.seq);
  return at < 0 ? [...kept, gap] : [...kept.slice(0, at), gap, ...kept.slice(at)];
}
