/** Values, texts and bytes that no well-behaved sender writes, from a seed: mutations of what devices send, and inventions. */

import { type Randomness, seededRandomness } from "../../../src/util/randomness.ts";

/** Members of every object, and others that mean something to a language. */
const NAMES = [
  "toString",
  "valueOf",
  "constructor",
  "__proto__",
  "hasOwnProperty",
  "toJSON",
  "then",
  "length",
  "0",
  "",
];
const NUMBERS = [0, -1, 1, 0.1, 101, 255, 256, 65_536, 2 ** 31, 2 ** 53, -(2 ** 53), 1e21, 1e308, 5e-324];
const TEXTS = [
  "ON",
  "OFF",
  "online",
  "\u0000",
  "\u202e",
  "\ud83d",
  "NaN",
  "1e999",
  "-0",
  "{{ value_json }}",
  "'",
  "%s",
  "\\",
];
const LONG_CHARS = 60_000;
const DEEP_LEVELS = 30_000;
const DEPTH_MAX = 5;
const CHILDREN_MAX = 6;

export class OddValues {
  readonly #randomness: Randomness;

  constructor(seed: number) {
    this.#randomness = seededRandomness(seed);
  }

  below(count: number): number {
    return Math.floor(this.#randomness.next() * count);
  }

  isChance(share: number): boolean {
    return this.#randomness.next() < share;
  }

  oneOf<T>(all: readonly T[]): T {
    return all[this.below(all.length)] as T;
  }

  bytes(count: number): Buffer {
    return this.#randomness.bytes(count);
  }

  /** A value of JSON of any kind. */
  value(depth = 0): unknown {
    const kind = this.below(depth > DEPTH_MAX ? 5 : 8);
    if (kind === 0) return this.oneOf(NUMBERS);
    if (kind === 1) return this.oneOf([...TEXTS, ...NAMES]);
    if (kind === 2) return this.oneOf([true, false, null]);
    if (kind === 3)
      return this.isChance(0.05) ? this.oneOf(["x", "[", " ", "\\"]).repeat(LONG_CHARS) : this.oneOf(TEXTS);
    if (kind === 4) return this.below(1000) / 10;
    if (kind === 5) return Array.from({ length: this.below(CHILDREN_MAX) }, () => this.value(depth + 1));
    const entries = Array.from({ length: this.below(CHILDREN_MAX) }, () => [this.oneOf(NAMES), this.value(depth + 1)]);
    return Object.fromEntries(entries as [string, unknown][]);
  }

  /** The value with some of its parts replaced, left out, repeated or named differently. */
  mutated(value: unknown, share = 0.15): unknown {
    if (this.isChance(share / 2)) return this.value();
    if (Array.isArray(value)) {
      const kept = value.filter(() => !this.isChance(share / 2)).map((each) => this.mutated(each, share));
      return this.isChance(share / 4) ? [...kept, ...kept, this.value()] : kept;
    }
    if (typeof value !== "object" || value === null) return this.isChance(share) ? this.value() : value;
    const entries = Object.entries(value)
      .filter(() => !this.isChance(share / 3))
      .map(([name, each]): [string, unknown] => [
        this.isChance(share / 4) ? this.oneOf(NAMES) : name,
        this.mutated(each, share),
      ]);
    if (this.isChance(share)) entries.push([this.oneOf(NAMES), this.value()]);
    return Object.fromEntries(entries);
  }

  /** JSON of the mutated value; now and then damaged, cut off, or nested far too deep. */
  json(value: unknown): string {
    const deep = this.oneOf(["[", '{"a":']);
    if (this.isChance(0.02)) return deep.repeat(DEEP_LEVELS);
    if (this.isChance(0.02)) return `${"[".repeat(DEEP_LEVELS)}${"]".repeat(DEEP_LEVELS)}`;
    const text = JSON.stringify(this.mutated(value)) ?? "";
    if (this.isChance(0.05)) return text.slice(0, this.below(text.length));
    if (this.isChance(0.05)) return this.oneOf(TEXTS);
    return text;
  }
}
