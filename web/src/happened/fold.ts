/** Entries of the same subject within a short time of each other are shown as one. */

import { dayOf } from "../text/home-zone.ts";

type Foldable = { readonly subject: string; readonly atMs: number };
export type Group<T> = { readonly newest: T; readonly others: readonly T[] };

const FOLD_MS = 600_000;

/** @param entries newest first @returns groups by their newest entry; all of a group are of one day */
export function folded<T extends Foldable>(entries: readonly T[]): readonly Group<T>[] {
  const groups: { newest: T; others: T[]; oldestMs: number }[] = [];
  const open = new Map<string, (typeof groups)[number]>();
  for (const entry of entries) {
    const { subject, atMs } = entry;
    const group = open.get(subject);
    if (group !== undefined && group.oldestMs - atMs <= FOLD_MS && dayOf(group.oldestMs) === dayOf(atMs)) {
      group.others.push(entry);
      group.oldestMs = atMs;
    } else {
      const made = { newest: entry, others: [], oldestMs: atMs };
      open.set(subject, made);
      groups.push(made);
    }
  }
  return groups;
}
