/**
 * Sets of integers as sorted runs that do not touch: what a value can be, and where a comparison holds. A run may be open to
 * either side by an infinity.
 */

/** `[first, last, first, last, …]`, ends inclusive. */
export type NumberSet = readonly number[];

export const NOTHING: NumberSet = [];
export const EVERYTHING: NumberSet = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** Empty when `first` lies behind `last`. */
export function numbersBetween(first: number, last: number): NumberSet {
  return first <= last ? [first, last] : NOTHING;
}

export function pointsOf(values: Iterable<number>): NumberSet {
  return unionOf([...values].map((value) => [value, value] as const));
}

/** Union of ranges in any order, which may overlap. */
export function unionOf(runs: readonly (readonly [first: number, last: number])[]): NumberSet {
  const union: number[] = [];
  for (const [first, last] of [...runs].sort((a, b) => a[0] - b[0])) {
    if (first > last) continue;
    const end = union.at(-1);
    if (end !== undefined && first <= end + 1) union[union.length - 1] = Math.max(end, last);
    else union.push(first, last);
  }
  return union;
}

export function unite(a: NumberSet, b: NumberSet): NumberSet {
  return unionOf([...runsOf(a), ...runsOf(b)]);
}

export function intersect(a: NumberSet, b: NumberSet): NumberSet {
  const common: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const [firstA = 0, lastA = 0, firstB = 0, lastB = 0] = [a[i], a[i + 1], b[j], b[j + 1]];
    const first = Math.max(firstA, firstB);
    const last = Math.min(lastA, lastB);
    if (first <= last) common.push(first, last);
    if (lastA < lastB) i += 2;
    else j += 2;
  }
  return common;
}

/** The numbers of `all` that are not in `set`. */
export function without(all: NumberSet, set: NumberSet): NumberSet {
  const gaps: number[] = [];
  let next = Number.NEGATIVE_INFINITY;
  for (const [first, last] of runsOf(set)) {
    if (next < first) gaps.push(next, first - 1);
    next = last + 1;
  }
  if (next !== Number.POSITIVE_INFINITY) gaps.push(next, Number.POSITIVE_INFINITY);
  return intersect(all, gaps);
}

export function contains(set: NumberSet, value: number): boolean {
  let low = 0;
  let high = set.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((set[middle * 2 + 1] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  const first = set[low * 2];
  return first !== undefined && first <= value;
}

export function isEmpty(set: NumberSet): boolean {
  return set.length === 0;
}

export function holdsAll(set: NumberSet, of: NumberSet): boolean {
  return isEmpty(without(of, set));
}

/** The least number of the set that is not below; null without one. */
export function firstFrom(set: NumberSet, least: number): number | null {
  const [first] = intersect(set, [least, Number.POSITIVE_INFINITY]);
  return first ?? null;
}

/** A number of the set near zero, a multiple of `step` where there is one; 0 when it is empty. */
export function anyOf(set: NumberSet, step = 1): number {
  if (set.length === 0 || contains(set, 0)) return 0;
  const ends = set.filter((end) => Number.isFinite(end));
  const whole = ends.flatMap((end) => [floorTo(end, step), ceilTo(end, step)]).filter((near) => contains(set, near));
  const near = whole.length > 0 ? whole : ends;
  return near.reduce((best, end) => (Math.abs(end) < Math.abs(best) ? end : best), near[0] ?? 0);
}

/**
 * One number for every way in which a multiple of `step` in `domain` can be in or out of each of the sets, so
 * everything that the sets distinguish has an example.
 *
 * @param max examples at most.
 */
export function examplesOf(
  sets: readonly NumberSet[],
  { domain, step }: { readonly domain: NumberSet; readonly step: number },
  max: number,
): readonly number[] {
  const examples = new Map<string, number>();
  for (const candidate of candidatesOf(sets, domain, step)) {
    const ways = sets.map((set) => (contains(set, candidate) ? "1" : "0")).join("");
    if (!examples.has(ways)) examples.set(ways, candidate);
    if (examples.size >= max) break;
  }
  return [...examples.values()];
}

/** Truth changes only at the ends of runs, so the numbers at and beside them stand for all. */
function candidatesOf(sets: readonly NumberSet[], domain: NumberSet, step: number): readonly number[] {
  const candidates = new Set<number>([anyOf(domain, step)]);
  for (const set of [...sets, domain]) {
    for (const end of set) {
      for (const near of [floorTo(end - 1, step), floorTo(end, step), ceilTo(end, step), ceilTo(end + 1, step)]) {
        candidates.add(near);
      }
    }
  }
  return [...candidates].filter((candidate) => Number.isFinite(candidate) && contains(domain, candidate));
}

function floorTo(value: number, step: number): number {
  return Math.floor(value / step) * step;
}

function ceilTo(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}

function runsOf(set: NumberSet): readonly (readonly [first: number, last: number])[] {
  const runs: [number, number][] = [];
  for (let at = 0; at < set.length; at += 2) runs.push([set[at] ?? 0, set[at + 1] ?? 0]);
  return runs;
}
