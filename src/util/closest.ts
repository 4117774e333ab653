/** "Did you mean …": the closest of some words to one that was not found. */

/**
 * The word with the fewest letters to change, or else the shortest one that holds what was written; null when none is close
 * enough to have been meant. Case does not count.
 */
export function closestTo(written: string, known: Iterable<string>): string | null {
  if (written.length > WRITTEN_LENGTH_MAX) return null;
  const words = [...known];
  return nearest(written, words) ?? shortestWith(written, words);
}

const PART_LENGTH_MIN = 3;
/** A longer word is not a typing error, and comparing it with everything would take long. */
const WRITTEN_LENGTH_MAX = 60;
const DISTANCE_MAX = 6;

function shortestWith(written: string, words: readonly string[]): string | null {
  if (written.length < PART_LENGTH_MIN) return null;
  const part = written.toLowerCase();
  const holding = words.filter((word) => word.toLowerCase().includes(part));
  return holding.reduce<string | null>((best, word) => (best && best.length <= word.length ? best : word), null);
}

function nearest(written: string, known: readonly string[]): string | null {
  const wanted = written.toLowerCase();
  let best: { readonly word: string; readonly distance: number } | null = null;
  let max = Math.min(DISTANCE_MAX, Math.max(1, Math.floor(written.length / 3)));
  for (const word of known) {
    if (Math.abs(word.length - written.length) > max) continue;
    const distance = distanceBetween(wanted, word.toLowerCase(), max);
    if (distance > max) continue;
    best = { word, distance };
    max = distance - 1;
    if (max < 0) break;
  }
  return best?.word ?? null;
}

/** Letters to put in, take out or exchange, neighbours that changed places counting as one; anything above `max` is the same. */
function distanceBetween(a: string, b: string, max: number): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) row.push(step({ a, b, i, j, row, last, beforeLast }));
    if (Math.min(...row) > max) return max + 1;
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

type Step = {
  readonly a: string;
  readonly b: string;
  readonly i: number;
  readonly j: number;
  readonly row: readonly number[];
  readonly last: readonly number[];
  readonly beforeLast: readonly number[];
};

function step({ a, b, i, j, row, last, beforeLast }: Step): number {
  const isSame = a[i - 1] === b[j - 1];
  const cost = Math.min((row[j - 1] ?? 0) + 1, (last[j] ?? 0) + 1, (last[j - 1] ?? 0) + (isSame ? 0 : 1));
  const changedPlaces = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
  return changedPlaces ? Math.min(cost, (beforeLast[j - 2] ?? 0) + 1) : cost;
}
