import { describe, expect, test } from "vitest";
import { mutantsOf, mutatedLine } from "../../tools/mutation/mutants.ts";

function linesOf(text: string): readonly string[] {
  return mutantsOf("example.ts", text).map((mutant) => mutatedLine(text, mutant));
}

describe("the mutants of a line", () => {
  test.each<readonly [what: string, line: string, mutants: readonly string[]]>([
    [
      "a condition and its boundary",
      "if (a < b) go();",
      ["if (true) go();", "if (false) go();", "if (a <= b) go();", "if (a >= b) go();", "if (a < b) ;"],
    ],
    ["a loop that runs once", "while (a) b = c;", ["if (a) b = c;", "while (false) b = c;", "while (a) ;"]],
    ["a statement that is not waited for", "await go();", [";", "go();"]],
    ["arithmetic", "const a = b + c * 2;", ["const a = b - c * 2;", "const a = b + c / 2;", "const a = b + c * 20;"]],
    ["a default", "const a = b ?? c;", ["const a = b;"]],
    ["a method for another", "const a = b.some(c);", ["const a = b.every(c);"]],
    ["a method left out", "const a = b.filter(c);", ["const a = (() => b)(c);"]],
    [
      "a constant for another",
      "const a = [0, 1, 5, true];",
      [
        "const a = [1, 1, 5, true];",
        "const a = [0, 0, 5, true];",
        "const a = [0, 1, 50, true];",
        "const a = [0, 1, 5, false];",
      ],
    ],
    ["a sign", "const a = !b;", ["const a = b;"]],
  ])("%s", (_what, line, mutants) => {
    expect(linesOf(line).toSorted()).toEqual(mutants.toSorted());
  });

  test.each([
    ["a type", "type A = { b: 1 | true };"],
    ["texts put together", 'const a = "b" + c;'],
    ["an invariant", 'invariant(a > 0, "It is positive.");'],
    ["a line of the log", 'this.#ports.log.warn("Late.", { ms: 5 });'],
  ])("none of %s", (_what, line) => {
    expect(linesOf(line)).toEqual([]);
  });

  test("are known by their line", () => {
    const [mutant] = mutantsOf("example.ts", "const a = 5;\nconst b = !a;\n").slice(-1);
    expect(mutant).toMatchObject({ file: "example.ts", line: 2, operator: "sign" });
  });
});
