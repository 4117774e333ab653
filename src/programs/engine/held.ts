/**
 * Comparisons with "for": since when each holds, and the two edges that start a program. Its time comes, or one that had reached its time
 * holds no longer. The record of a comparison is one of the progress of the program, in a row of its own.
 */

import type { Cause } from "../../home/cause.ts";
import type { ProgramHold } from "../../home/program-holds.ts";
import type { Trigger } from "../../home/program-progress.ts";
import type { Property } from "../../home/property.ts";
import { comparisonAbout, comparisonsOf, holdsNow, type TimedComparison } from "../holds.ts";
import type { Work } from "./work.ts";

/** The time of comparisons of a program has come; `hold` is the first of them. */
export type DueHold = { readonly id: number; readonly atMs: number; readonly hold: ProgramHold };
type Ended = { readonly id: number; readonly hold: ProgramHold };

/** Reports this close to the newest one may be on disk without what followed from them. */
const SPLIT_MS = 1000;

/** A report of a device. @returns programs of which a comparison holds no longer that had reached its time, with the first such one. */
export function followReport(
  work: Work,
  ids: readonly number[],
  node: string,
  property: Property,
  cause: Cause,
): readonly Ended[] {
  return ids.flatMap((id) => {
    let ended: ProgramHold | null = null;
    for (const leaf of work.facts.triggers.timedOf(id)) {
      const asked = comparisonAbout(leaf, node, (selector) => work.facts.members(selector));
      if (asked?.property !== property.id) continue;
      const hold = work.holdsOf(id).get(asked.key);
      const holds = holdsNow(asked, property);
      if (holds && !hold) work.setHold(id, asked.key, newHold(work, id, asked, property, cause), cause);
      if (holds || !hold) continue;
      if (hold.isHandled) ended ??= hold;
      work.setHold(id, asked.key, null, cause);
    }
    return ended === null ? [] : [{ id, hold: ended }];
  });
}

/**
 * The program, or the nodes that it means, are others. What is asked from now on counts since the report, and starts nothing when its
 * time is past already. What is no longer asked is forgotten.
 */
export function recount(work: Work, id: number, cause: Cause): void {
  reviewHolds(work, id, cause, () => true);
}

/**
 * The process has started. Values may be others than before, and the newest reports may have reached the disk without what followed
 * from them.
 * @returns a comparison that had reached its time and holds no longer
 */
export function resumeHolds(work: Work, id: number, newestMs: number, cause: Cause): ProgramHold | null {
  return reviewHolds(work, id, cause, ({ changedAtMs }) => changedAtMs < newestMs - SPLIT_MS);
}

/** @param mayBePast whether a time that is past already counts as handled, of a comparison that was not followed before */
function reviewHolds(
  work: Work,
  id: number,
  cause: Cause,
  mayBePast: (property: Property) => boolean,
): ProgramHold | null {
  const asked = askedOf(work, id);
  const holding = new Map<string, TimedComparison>();
  for (const each of asked) if (holdsNow(each, work.property(each.node, each.property))) holding.set(each.key, each);
  const stillAsked = new Set(asked.map(({ key }) => key));
  let ended: ProgramHold | null = null;
  for (const [key, hold] of work.holdsOf(id)) {
    if (holding.has(key)) continue;
    if (hold.isHandled && stillAsked.has(key)) ended ??= hold;
    work.setHold(id, key, null, cause);
  }
  for (const [key, each] of holding) {
    const property = work.property(each.node, each.property);
    if (!property || work.holdsOf(id).has(key)) continue;
    const hold = newHold(work, id, each, property, cause);
    const isHandled = mayBePast(property) && hold.sinceMs + hold.lastingMs <= work.nowMs;
    work.setHold(id, key, { ...hold, isHandled }, cause);
  }
  return ended;
}

/** The comparisons whose time has come, one moment for each instant; from now on they are handled. */
export function takeDueHolds(work: Work, id: number): readonly DueHold[] {
  const moments = new Map<number, DueHold>();
  const due = [...work.holdsOf(id).values()].filter((hold) => !hold.isHandled && dueMs(hold) <= work.nowMs);
  for (const hold of due.sort((a, b) => (a.node < b.node ? -1 : 1))) {
    const atMs = dueMs(hold);
    if (!moments.has(atMs)) moments.set(atMs, { id, atMs, hold });
    work.setHold(id, hold.key, { ...hold, isHandled: true }, hold.cause);
  }
  return [...moments.values()];
}

export function heldTrigger(work: Work, hold: ProgramHold, isOver: boolean): Trigger {
  const { node, property, sinceMs, lastingMs } = hold;
  const value = work.property(node, property)?.value ?? null;
  return { kind: "held", node, property, value, sinceMs, lastingMs, isOver };
}

export function pushHeld(work: Work, { id, hold }: DueHold): void {
  work.push({
    kind: "start",
    id,
    mode: "conditions",
    trigger: heldTrigger(work, hold, false),
    cause: hold.cause,
    happening: null,
    effort: work.freshEffort(),
  });
}

/** When the next comparison has held for its time; null: none will. */
export function nextHeldMs(work: Work, id: number): number | null {
  let nextMs: number | null = null;
  for (const hold of work.holdsOf(id).values())
    if (!hold.isHandled && (nextMs === null || dueMs(hold) < nextMs)) nextMs = dueMs(hold);
  return nextMs;
}

/** The clock was set back: what remains of their time stays as long as it was. */
export function setHoldsBack(work: Work, backMs: number): void {
  for (const [id, holds] of work.allHolds())
    for (const hold of holds.values())
      work.setHold(id, hold.key, { ...hold, sinceMs: hold.sinceMs - backMs }, hold.cause);
}

export function forgetHolds(work: Work, id: number, cause: Cause): void {
  for (const key of [...work.holdsOf(id).keys()]) work.setHold(id, key, null, cause);
}

function askedOf(work: Work, id: number): readonly TimedComparison[] {
  return work.facts.triggers
    .timedOf(id)
    .flatMap((leaf) => comparisonsOf(leaf, (selector) => work.facts.members(selector)));
}

function newHold(
  work: Work,
  id: number,
  { key, node, property, lastingMs }: TimedComparison,
  { changedAtMs }: Property,
  cause: Cause,
): ProgramHold {
  return { id, key, node, property, sinceMs: Math.min(changedAtMs, work.nowMs), lastingMs, isHandled: false, cause };
}

function dueMs({ sinceMs, lastingMs }: ProgramHold): number {
  return sinceMs + lastingMs;
}
