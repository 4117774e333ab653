/**
 * The waiting items of the engine, in their order: first those of unfinished groups, late items after all others. All
 * other items of a program keep their order, so once one of them is late, those after it are late too.
 */

import { isEvaluation, type Pending, pendingOf, type QueuedStart, type WorkItem } from "../engine-state.ts";
import { IdMapDraft } from "./id-map.ts";

export class WorkQueue {
  #first: Pending["first"];
  #soon: Pending["soon"];
  #late: Pending["late"];
  #lateItems: IdMapDraft<number>;
  #starts: IdMapDraft<number>;
  #evaluations: IdMapDraft<number>;

  constructor({ first, soon, late, lateItems, starts, evaluations }: Pending) {
    this.#first = first;
    this.#soon = soon;
    this.#late = late;
    this.#lateItems = new IdMapDraft(lateItems);
    this.#starts = new IdMapDraft(starts);
    this.#evaluations = new IdMapDraft(evaluations);
  }

  get pending(): Pending {
    return {
      first: this.#first,
      soon: this.#soon,
      late: this.#late,
      lateItems: this.#lateItems.finish(),
      starts: this.#starts.finish(),
      evaluations: this.#evaluations.finish(),
    };
  }

  get size(): number {
    return this.#first.size + this.#soon.size + this.#late.size;
  }

  /** Number of items that wait behind others. */
  get lateSize(): number {
    return this.#late.size;
  }

  startsOf(id: number): number {
    return this.#starts.get(id) ?? 0;
  }

  /** Whether a start waits that evaluates the conditions of the program. */
  hasEvaluation(id: number): boolean {
    return this.#evaluations.get(id) !== null;
  }

  push(item: WorkItem, isLate: boolean): void {
    if (!isLate && this.#lateItems.get(item.id) === null) {
      this.pushSoon(item);
      return;
    }
    this.#count(item, 1);
    this.#late = this.#late.push(item);
    add(this.#lateItems, item.id, 1);
  }

  /** Also when items of the program are late. */
  pushSoon(item: WorkItem): void {
    this.#count(item, 1);
    this.#soon = this.#soon.push(item);
  }

  /** The number of the next item of the unfinished groups; 0 without one. */
  get firstNumber(): number {
    return this.#first.first()?.number ?? 0;
  }

  pushFirst(item: WorkItem): void {
    this.#count(item, 1);
    this.#first = this.#first.push(item);
  }

  shiftFirst(): WorkItem | null {
    const item = this.#first.first();
    if (!item) return null;
    this.#first = this.#first.pop();
    this.#count(item, -1);
    return item;
  }

  shiftSoon(): WorkItem | null {
    const item = this.#soon.first();
    if (!item) return null;
    this.#soon = this.#soon.shift();
    this.#count(item, -1);
    return item;
  }

  shiftLate(): WorkItem | null {
    const item = this.#late.first();
    if (!item) return null;
    this.#late = this.#late.shift();
    this.#count(item, -1);
    add(this.#lateItems, item.id, -1);
    return item;
  }

  /** @returns the starts that were taken out: those of a program, or (null) all. */
  dropStarts(id: number | null): readonly QueuedStart[] {
    const isDropped = (item: WorkItem): item is QueuedStart => item.kind === "start" && (id === null || item.id === id);
    const dropped = this.all().filter(isDropped);
    if (dropped.length === 0) return dropped;
    const left = (items: readonly WorkItem[]) => items.filter((item) => !isDropped(item));
    const { first, soon, late, lateItems, starts, evaluations } = pendingOf(
      left(this.#first.all()),
      left(this.#soon.all()),
      left(this.#late.all()),
    );
    this.#first = first;
    this.#soon = soon;
    this.#late = late;
    this.#lateItems = new IdMapDraft(lateItems);
    this.#starts = new IdMapDraft(starts);
    this.#evaluations = new IdMapDraft(evaluations);
    return dropped;
  }

  all(): readonly WorkItem[] {
    return [...this.#first.all(), ...this.#soon.all(), ...this.#late.all()];
  }

  #count(item: WorkItem, by: number): void {
    if (item.kind === "start") add(this.#starts, item.id, by);
    if (isEvaluation(item)) add(this.#evaluations, item.id, by);
  }
}

function add(counts: IdMapDraft<number>, id: number, by: number): void {
  const count = (counts.get(id) ?? 0) + by;
  counts.set(id, count === 0 ? null : count);
}
