/** Samples and their statistics: nearest-rank percentiles, never interpolated, so every figure is a sample. */

export type Spread = {
  readonly n: number;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
};

export class Samples {
  #values = new Float64Array(1024);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(value: number): void {
    if (this.#count === this.#values.length) {
      const larger = new Float64Array(this.#values.length * 2);
      larger.set(this.#values);
      this.#values = larger;
    }
    this.#values[this.#count] = value;
    this.#count += 1;
  }

  spread(): Spread {
    const sorted = this.#values.slice(0, this.#count).sort();
    const at = (share: number) => sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
    return { n: sorted.length, p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1) };
  }
}

export function spreadOf(values: Iterable<number>): Spread {
  const samples = new Samples();
  for (const value of values) samples.add(value);
  return samples.spread();
}

/** For many millions of samples, which as numbers would fill the memory: counts in steps of 10 µs up to a second. */
export class Buckets {
  readonly #counts = new Uint32Array(BUCKETS + 1);
  #n = 0;
  #max = 0;

  add(ms: number): void {
    const bucket = Math.max(0, Math.min(BUCKETS, Math.ceil(ms / BUCKET_MS)));
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#n += 1;
    if (ms > this.#max) this.#max = ms;
  }

  /** Percentiles are the upper ends of steps; beyond the last step they are the greatest sample. */
  spread(): Spread {
    return { n: this.#n, p50: this.#at(0.5), p99: this.#at(0.99), p999: this.#at(0.999), max: this.#max };
  }

  #at(share: number): number {
    let left = Math.ceil(this.#n * share);
    for (const [bucket, count] of this.#counts.entries()) {
      left -= count;
      if (left <= 0) return bucket === BUCKETS ? this.#max : bucket * BUCKET_MS;
    }
    return this.#max;
  }
}

const BUCKET_MS = 0.01;
const BUCKETS = 100_000;
