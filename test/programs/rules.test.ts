/** The page of rules and the tests that it names go together. */

import { describe, expect, test } from "vitest";
import { listFolder, readText } from "../support/source-tree.ts";

/** Rules of this many are promised; fewer would mean that the page was cut. */
const RULES_MIN = 100;
/** Tests of separate parts and of formats, which are not rules of how programs run. */
const NO_RULES: ReadonlySet<string> = new Set([
  "rules",
  "runner",
  "text",
  "text-problems",
  "trigger-json",
  "trigger-xml",
]);

const rows = [...readText("docs/program-rules.md").matchAll(/^\| (.+?) \| (`.+`) \|$/gm)].map(
  ([, rule, tests = ""]) => {
    const named = [...tests.matchAll(/`([^:`]+): ([^`]+)`/g)];
    return { rule, tests: named.map(([, file = "", name = ""]) => ({ file, name })) };
  },
);

const sources = new Map<string, string>();
function sourceOf(file: string): string {
  const text = sources.get(file) ?? readText(`test/programs/${file}.test.ts`);
  sources.set(file, text);
  return text;
}

const isThere = (file: string, name: string) => ['"', "`"].some((mark) => sourceOf(file).includes(mark + name + mark));

describe("the page of rules", () => {
  test(`has ${RULES_MIN} rules or more, each with its tests`, () => {
    expect(rows.length).toBeGreaterThanOrEqual(RULES_MIN);
    expect(rows.filter(({ tests }) => tests.length === 0)).toEqual([]);
  });

  test("names tests that are there", () => {
    const missing = rows.flatMap(({ tests }) => tests).filter(({ file, name }) => !isThere(file, name));
    expect(missing).toEqual([]);
  });

  test("leaves out no file of rules", () => {
    const files = listFolder("test/programs")
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => name.replace(/\.test\.ts$/, ""));
    const named = new Set(rows.flatMap(({ tests }) => tests.map(({ file }) => file)));
    expect(files.filter((file) => !named.has(file) && !NO_RULES.has(file))).toEqual([]);
  });
});
