/** Ids of new programs and variables. */

import { invariant } from "../errors.ts";
import type { Home } from "../home/home.ts";
import { type Reference, referencesOf } from "../programs/references.ts";

const ID_MAX = 65_535;

/**
 * The highest one plus one, passed over those that went and are still named by a program, which must not find a stranger in
 * the place of what it means. Only when the ids have run out are the gaps filled.
 *
 * @param taken by their ids.
 * @param removed ids that went.
 * @param idOf the id, where the reference is to such a thing.
 */
export function newId(
  home: Home,
  taken: ReadonlyMap<number, unknown>,
  removed: ReadonlySet<number>,
  idOf: (reference: Reference) => number | null,
): number {
  const missed = new Set<number | null>();
  if (removed.size > 0) {
    for (const entry of home.programs.values())
      for (const reference of referencesOf(entry)) missed.add(idOf(reference));
  }
  const isFree = (id: number) => !taken.has(id);
  const isOpen = (id: number) => isFree(id) && !(removed.has(id) && missed.has(id));
  const above = firstWhere(isOpen, Math.max(0, ...taken.keys()) + 1);
  const id = above ?? firstWhere(isOpen, 1) ?? firstWhere(isFree, 1);
  invariant(id !== null, "There are more ids than a home may hold programs or variables.");
  return id;
}

function firstWhere(fits: (id: number) => boolean, from: number): number | null {
  for (let id = from; id <= ID_MAX; id += 1) if (fits(id)) return id;
  return null;
}
