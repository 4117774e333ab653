/**
 * The parts of a chart, made from samples and summaries in the order of their times. A value holds until the next sample, also
 * in the parts that it reaches into.
 */

import type { Sample, SeriesPoint, SeriesQuery } from "../../home/history.ts";
import { type ChunkSamples, UNKNOWN, type Weighted } from "./chunk.ts";

type Unit = { readonly uom: number; readonly prec: number };

/** Samples that lie in one part; `lo` is above `hi` when all values are unknown. */
type Totals = Weighted & {
  readonly fromMs: number;
  readonly lastMs: number;
  readonly count: number;
  readonly lo: number;
  readonly hi: number;
  readonly last: number;
};

type Run = { -readonly [K in keyof Totals]: Totals[K] };

type Part = Unit & {
  count: number;
  lo: number;
  hi: number;
  area: number;
  knownMs: number;
  /** The latest known value. */
  known: number;
  /** The latest value; unknown too. */
  last: number;
  lastMs: number;
};

export class SeriesParts {
  readonly #fromMs: number;
  readonly #toMs: number;
  readonly #endMs: number;
  readonly #count: number;
  readonly #width: number;
  readonly #hasBefore: boolean;
  readonly #parts = new Map<number, Part>();
  /** The value that holds, and from when. */
  #value = UNKNOWN;
  #sinceMs = Number.NEGATIVE_INFINITY;
  #unit: Unit = { uom: 0, prec: 0 };

  /** @param before the last sample before the span */
  constructor({ fromMs, toMs, points, nowMs }: SeriesQuery, before: Sample | undefined) {
    [this.#fromMs, this.#toMs] = [Math.floor(fromMs), Math.floor(toMs)];
    this.#endMs = Math.min(this.#toMs, Math.floor(nowMs));
    this.#count = points;
    this.#width = (this.#toMs - this.#fromMs) / points;
    this.#hasBefore = before !== undefined;
    if (before) [this.#value, this.#sinceMs, this.#unit] = [before.value, this.#fromMs, before];
  }

  /** The one part that all of a time lies in, or null. */
  wholeIn(beginMs: number, endMs: number): number | null {
    if (beginMs < this.#fromMs || endMs >= this.#toMs) return null;
    const part = this.#partAt(beginMs);
    return endMs < this.#beginOf(part + 1) ? part : null;
  }

  /** Of samples outside the span nothing is counted. Most samples follow one of the same part: these are added as one. */
  addEach({ times, values }: ChunkSamples, unit: Unit): void {
    let run: Run | null = null;
    let [at, endMs] = [0, 0];
    for (let index = 0; index < times.length; index += 1) {
      const atMs = times[index] ?? 0;
      const value = values[index] ?? 0;
      if (run && atMs >= run.lastMs && atMs < endMs) {
        extend(run, atMs, value);
        continue;
      }
      if (run) this.add(at, run, unit);
      run = null;
      if (atMs < this.#fromMs || atMs >= this.#toMs) continue;
      at = this.#partAt(atMs);
      endMs = this.#beginOf(at + 1);
      run = runOf(atMs, value);
    }
    if (run) this.add(at, run, unit);
  }

  /** @param at the part that all of it lies in */
  add(at: number, totals: Totals, unit: Unit): void {
    this.#hold(totals.fromMs);
    this.#merge(at, totals, unit);
    // Older values do not hold any more: the clock was set back.
    if (totals.lastMs < this.#sinceMs) return;
    this.#value = totals.last;
    this.#sinceMs = totals.lastMs;
    this.#unit = unit;
  }

  /** From the first part about which something is known to the latest one. */
  points(pause: () => void): readonly SeriesPoint[] {
    this.#hold(this.#endMs);
    const known = [...this.#parts.keys()];
    const first = this.#hasBefore ? 0 : Math.min(...known);
    const last = Math.max(this.#endMs > this.#fromMs ? this.#partAt(this.#endMs - 1) : -1, ...known);
    const points: SeriesPoint[] = [];
    let unit = this.#unit;
    for (let at = first; at <= last; at += 1) {
      pause();
      const part = this.#parts.get(at);
      unit = part ?? unit;
      const time = new Date(this.#beginOf(at)).toISOString();
      points.push({ time, count: part?.count ?? 0, ...valuesOf(part), uom: unit.uom, prec: unit.prec });
    }
    return points;
  }

  /** Whole milliseconds, as all times are. */
  #beginOf(at: number): number {
    return at >= this.#count ? this.#toMs : Math.floor(this.#fromMs + at * this.#width);
  }

  #partAt(atMs: number): number {
    let at = Math.min(this.#count - 1, Math.floor((atMs - this.#fromMs) / this.#width));
    while (atMs < this.#beginOf(at)) at -= 1;
    while (atMs >= this.#beginOf(at + 1)) at += 1;
    return at;
  }

  #hold(untilMs: number): void {
    const value = this.#value;
    let atMs = this.#sinceMs;
    if (value === UNKNOWN || untilMs <= atMs) return;
    for (let at = this.#partAt(atMs); atMs < untilMs; at += 1) {
      const endMs = Math.min(untilMs, this.#beginOf(at + 1));
      const knownMs = endMs - atMs;
      if (knownMs === 0) continue;
      const held = { fromMs: atMs, lastMs: endMs - 1, count: 0, lo: value, hi: value, last: value };
      this.#merge(at, { ...held, area: value * knownMs, knownMs }, this.#unit);
      atMs = endMs;
    }
    this.#sinceMs = untilMs;
  }

  /** When the unit changes only the later values count, because different units cannot be added. */
  #merge(at: number, more: Totals, { uom, prec }: Unit): void {
    const { count, lo, hi, area, knownMs, last, lastMs } = more;
    const part = this.#parts.get(at);
    if (!part || part.uom !== uom || part.prec !== prec) {
      const known = last === UNKNOWN ? hi : last;
      if (!part || lastMs >= part.lastMs)
        this.#parts.set(at, { count, lo, hi, area, knownMs, known, last, lastMs, uom, prec });
      return;
    }
    part.count += count;
    if (lo < part.lo) part.lo = lo;
    if (hi > part.hi) part.hi = hi;
    part.area += area;
    part.knownMs += knownMs;
    if (lastMs < part.lastMs) return;
    if (last !== UNKNOWN) part.known = last;
    part.last = last;
    part.lastMs = lastMs;
  }
}

function valuesOf(part: Part | undefined): Pick<SeriesPoint, "min" | "max" | "mean" | "last"> {
  if (!part || part.lo > part.hi) return { min: null, max: null, mean: null, last: null };
  const { lo, hi, area, knownMs, known, last } = part;
  // A sum of many numbers is not exact.
  const mean = knownMs > 0 ? Math.min(hi, Math.max(lo, area / knownMs)) : known;
  return { min: lo, max: hi, mean, last: last === UNKNOWN ? null : last };
}

function runOf(atMs: number, value: number): Run {
  const [count, lo, hi] = value === UNKNOWN ? [0, UNKNOWN, -UNKNOWN] : [1, value, value];
  return { fromMs: atMs, lastMs: atMs, count, lo, hi, area: 0, knownMs: 0, last: value };
}

function extend(run: Run, atMs: number, value: number): void {
  if (run.last !== UNKNOWN) {
    const heldMs = atMs - run.lastMs;
    run.area += run.last * heldMs;
    run.knownMs += heldMs;
  }
  run.lastMs = atMs;
  run.last = value;
  if (value === UNKNOWN) return;
  run.count += 1;
  if (value < run.lo) run.lo = value;
  if (value > run.hi) run.hi = value;
}
