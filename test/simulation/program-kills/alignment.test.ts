/** The faults that the witness of the program kills finds, and the observations that it accepts. */

import { describe, expect, test } from "vitest";
import { seededRandomness } from "../../../src/util/randomness.ts";
import { Alignment, type Step } from "./alignment.ts";

const step = (words: string): Step => ({ words, isIdempotent: words !== "BRT" });
/** One run: three statements, of which the second may not be repeated; twice. */
const CYCLE = ["DON 1", "BRT", "DON 2"].map(step);

/** The statement that may be missing, else null. */
function leftOut(lives: readonly (readonly string[])[], steps: number, cycle = CYCLE): number | null {
  const alignment = new Alignment(cycle);
  return lives.every((seen) => alignment.live(seen)) ? alignment.endedAfter(steps) : null;
}

describe("explained observations", () => {
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

test("the last one of all may have been left out when it may not be repeated", () => {
  const cycle = ["DON 1", "BRT"].map(step);
  expect(leftOut([["DON 1", "BRT", "DON 1"], []], 4, cycle)).toBe(1);
  expect(leftOut([["DON 1", "BRT"], []], 4, cycle)).toBe(null);
});

describe("faults that are found", () => {
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

describe("settled statements are dropped", () => {
  const ALIKE = ["DON 1", "BRT", "BRT", "DON 2", "BRT", "BRT", "BRT", "DON 3"].map(step);
  const LIVES = 1000;

  test("a thousand lives are followed as widely as ten", () => {
    const alignment = new Alignment(ALIKE);
    const randomness = seededRandomness(1);
    const widths: number[] = [];
    let at = 0;
    for (let life = 0; life < LIVES; life += 1) {
      const begun = Math.ceil((at + 1) / ALIKE.length);
      alignment.settle((begun - 2) * ALIKE.length);
      const handed = Math.floor(5 * randomness.next());
      const seen = Array.from({ length: handed }, (_none, index) => ALIKE[(at + index) % ALIKE.length]?.words ?? "");
      at += handed;
      expect(alignment.live(seen, begun * ALIKE.length)).toBe(true);
      widths.push(alignment.width);
    }
    expect(Math.max(...widths)).toBeLessThanOrEqual(4 * ALIKE.length);
    expect(alignment.endedAfter(at)).toBe(0);
  });

  test("a statement after the end of its run is no explanation", () => {
    const alignment = new Alignment(["BRT", "BRT"].map(step));
    expect(alignment.live(["BRT"])).toBe(true);
    expect(alignment.reached).toBe(1);
    alignment.settle(2);
    expect(alignment.reached).toBe(2);
    expect(alignment.endedAfter(2)).toBe(1);
  });
});
