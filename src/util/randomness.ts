/** Randomness as a thing that is passed in, so that a seed reproduces a run. */

import { randomBytes } from "node:crypto";

export type Randomness = {
  /** Unpredictable bytes where it is the system's; never use a seeded one for secrets. */
  bytes(count: number): Buffer;
  /** A number in [0, 1). */
  next(): number;
};

export const systemRandomness: Randomness = { bytes: (count) => randomBytes(count), next: () => Math.random() };

/** The same sequence for the same seed (mulberry32). */
export function seededRandomness(seed: number): Randomness {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  return { next, bytes: (count) => Buffer.from(Array.from({ length: count }, () => Math.floor(next() * 256))) };
}

/** A short unique id in lower-case hex, `count` bytes long. */
export function randomId(randomness: Randomness, count = 8): string {
  return randomness.bytes(count).toString("hex");
}
