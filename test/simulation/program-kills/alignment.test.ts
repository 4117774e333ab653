/** What the witness of the program kills finds, and what it does not let pass. */

import { describe, expect, test } from "vitest";
import { Alignment, type Step } from "./alignment.ts";

const step = (words: string): Step => ({ words, isIdempotent: words !== "BRT" });
/** One run: three statements, of which the second may not be repeated; twice. */
const CYCLE = ["DON 1", "BRT", "DON 2"].map(step);

/** What is left out when it can be explained, else null. */
function leftOut(lives: readonly (readonly string[])[], steps: number, cycle = CYCLE): number | null {
  const alignment = new Alignment(cycle);
  return lives.every((seen) => alignment.live(seen)) ? alignment.endedAfter(steps) : null;
}

describe("what a witness has seen is explained", () => {
  test.each<[string, string[][], number, number]>([
    ["by a run without an end", [["DON 1", "BRT", "DON 2"]], 3, 0],
    ["by two runs", [["DON 1", "BRT", "DON 2", "DON 1", "BRT", "DON 2"]], 6, 0],
    ["by a run that goes on after an end", [["DON 1", "BRT"], ["DON 2"]], 3, 0],
    ["by ends before anything happened", [[], ["DON 1", "BRT"], [], ["DON 2"]], 3, 0],
    [
      "by one that is sent again after an end",
      [
        ["DON 1", "BRT"],
        ["DON 1", "DON 2"],
      ],
      3,
      0,
    ],
    ["by one that is sent again after every end", [["DON 1"], ["DON 1"], ["DON 1", "BRT", "DON 2"]], 3, 0],
    ["by one that the disk knew and nobody had seen", [["DON 1"], ["DON 2"]], 3, 1],
    ["by a run whose last statements nobody knows of", [["DON 1"], ["DON 2", "DON 1", "BRT", "DON 2"]], 6, 1],
  ])("%s", (_claim, lives, steps, skipped) => {
    expect(leftOut(lives, steps)).toBe(skipped);
  });
});

describe("what must not happen is found", () => {
  test.each<[string, string[][], number]>([
    ["a statement twice in one life", [["DON 1", "DON 1", "BRT", "DON 2"]], 3],
    [
      "one that may not be repeated, repeated after an end",
      [
        ["DON 1", "BRT"],
        ["BRT", "DON 2"],
      ],
      3,
    ],
    ["a finished run once more", [["DON 1", "BRT", "DON 2"], [], ["DON 1", "BRT", "DON 2"]], 3],
    ["one sent again that was finished two lives ago", [["DON 1", "BRT"], ["DON 2"], ["DON 1"]], 3],
    [
      "an idempotent statement left out",
      [
        ["DON 1", "BRT"],
        ["DON 1", "BRT", "DON 2"],
      ],
      6,
    ],
    ["two in the wrong order", [["BRT", "DON 1", "DON 2"]], 3],
    ["a foreign one", [["DON 1", "BRT", "DON 9"]], 3],
    ["one more run than was asked for", [["DON 1", "BRT", "DON 2", "DON 1", "BRT", "DON 2"]], 3],
    ["a run that did not come to its end", [["DON 1", "BRT"]], 3],
  ])("%s", (_claim, lives, steps) => {
    expect(leftOut(lives, steps)).toBe(null);
  });
});
