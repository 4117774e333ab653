/** Two lists of deeds held against each other: what only one of them has. */

import { type Did, deedKey } from "./did.ts";
import { SAME_MS } from "./recorded-commands.ts";

export type Difference = Did & {
  /** `removed`: it was done and would not have been; `added`: it would have been done and was not. */
  readonly kind: "removed" | "added";
};

/** In the order of time. @param doubtful when programs of the other list were in doubt about what to do. */
export function differences(
  before: readonly Did[],
  after: readonly Did[],
  doubtful: readonly { readonly programId: number; readonly atMs: number }[],
): readonly Difference[] {
  const waiting = new Map<string, Did[]>();
  for (const did of after) {
    const key = deedKey(did);
    const others = waiting.get(key);
    if (others) others.push(did);
    else waiting.set(key, [did]);
  }
  const doubts = new Map<number, number[]>();
  for (const { programId, atMs } of doubtful) doubts.set(programId, [...(doubts.get(programId) ?? []), atMs]);
  const removed = before.filter((did) => !takeMatch(waiting.get(deedKey(did)), did.atMs));
  const added = [...waiting.values()].flat();
  const all: Difference[] = [
    ...removed.map((did) => ({
      ...did,
      kind: "removed" as const,
      isCertain: !isNear(doubts.get(did.programId), did.atMs),
    })),
    ...added.map((did) => ({ ...did, kind: "added" as const })),
  ];
  return all.sort((a, b) => a.atMs - b.atMs);
}

function takeMatch(candidates: Did[] | undefined, atMs: number): boolean {
  const at = candidates?.findIndex((other) => Math.abs(other.atMs - atMs) <= SAME_MS) ?? -1;
  if (at < 0) return false;
  candidates?.splice(at, 1);
  return true;
}

function isNear(times: readonly number[] | undefined, atMs: number): boolean {
  return times?.some((time) => Math.abs(time - atMs) <= SAME_MS) ?? false;
}
