/** Two lists of actions held against each other: what only one of them has, and what both have at another time. */

import { type Did, deedKey, targetKey } from "./did.ts";
import { firstSince, SAME_MS } from "./recorded-commands.ts";

export type Difference = Did & {
  /**
   * `removed`: it was done and would not have been; `added`: the other way round; `moved`: at `atMs` instead of `wasAtMs`; `changed`: in
   * the place of `instead`, with the same thing at the same time.
   */
  readonly kind: "removed" | "added" | "moved" | "changed";
  /** null unless it is moved. */
  readonly wasAtMs: number | null;
  /** null unless it is changed. */
  readonly instead: Did | null;
};

/** An action this much earlier or later is the same action at another time. */
const MOVED_MS_MAX = 3_600_000;

/** In the order of time. @param doubtful when programs of the other list were in doubt about what to do. */
export function differences(
  before: readonly Did[],
  after: readonly Did[],
  doubtful: readonly { readonly programId: number; readonly atMs: number }[],
): readonly Difference[] {
  const open = groupBy(after, deedKey);
  const gone = before.filter((did) => takeNear(open.get(deedKey(did)), did.atMs, SAME_MS) === null);
  const doubts = groupBy(doubtful, ({ programId }) => String(programId));
  const isCertain = ({ programId, atMs }: Did) =>
    !doubts.get(String(programId))?.some((doubt) => Math.abs(doubt.atMs - atMs) <= SAME_MS);
  // A program that does the same later or earlier does it instead; another program does it as well.
  const ofProgram = groupBy([...open.values()].flat().sort(byTime), ownKey);
  const moved = gone.map((did): Difference | Did => {
    const now = takeNear(ofProgram.get(ownKey(did)), did.atMs, MOVED_MS_MAX);
    if (!now) return did;
    return { ...now, kind: "moved", wasAtMs: did.atMs, instead: null, isCertain: now.isCertain && isCertain(did) };
  });
  const left = groupBy([...ofProgram.values()].flat().sort(byTime), targetKey);
  const others = moved.map((did): Difference => {
    if ("kind" in did) return did;
    const now = takeNear(left.get(targetKey(did)), did.atMs, SAME_MS);
    if (!now) return { ...did, kind: "removed", wasAtMs: null, instead: null, isCertain: isCertain(did) };
    return { ...now, kind: "changed", wasAtMs: null, instead: did, isCertain: now.isCertain && isCertain(did) };
  });
  const added = [...left.values()].flat().map((did): Difference => {
    return { ...did, kind: "added", wasAtMs: null, instead: null };
  });
  return [...others, ...added].sort(byTime);
}

function ownKey(did: Did): string {
  return `${did.programId} ${deedKey(did)}`;
}

function byTime(a: Did, b: Did): number {
  return a.atMs - b.atMs;
}

/** Takes the nearest one out of a list that is in the order of time; null: none is near enough. */
function takeNear(candidates: Did[] | undefined, atMs: number, nearMs: number): Did | null {
  if (!candidates) return null;
  let nearest = -1;
  let distance = nearMs + 1;
  for (let at = firstSince(candidates, atMs - nearMs); at < candidates.length; at += 1) {
    const away = Math.abs((candidates[at]?.atMs ?? 0) - atMs);
    if (away >= distance) break;
    nearest = at;
    distance = away;
  }
  return (nearest < 0 ? undefined : candidates.splice(nearest, 1)[0]) ?? null;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
