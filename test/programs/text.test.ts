/** The text form of programs: what is printed is read back as it was, for every program; equal programs have equal texts. */

import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Change } from "../../src/home/change.ts";
import { Home } from "../../src/home/home.ts";
import type { ProgramTree } from "../../src/home/program-syntax.ts";
import { Profile } from "../../src/profile/profile.ts";
import { createProgramNames, type ProgramNames } from "../../src/programs/text/names.ts";
import { parseProgram, readEntry } from "../../src/programs/text/parse-program.ts";
import { printFolder, printProgram } from "../../src/programs/text/print-program.ts";
import type { FolderText, ProgramText } from "../../src/programs/text/program-text.ts";
import { atOnce } from "../../src/util/slices.ts";
import { arbitraryTree, type Names } from "../support/arbitrary-trees.ts";
import { startTestController, type TestController } from "../support/controller.ts";

let controller: TestController;
let demo: ProgramNames;
let known: Names;

/** Names as careless and hostile people choose them. */
const ODD_NAMES = [
  "It's",
  "a 'quoted' \\ name",
  "[1A 2B 3C 1]",
  " spaces ",
  "line\nbreak\r\t",
  "שלום \u2028 🏠",
  "If",
  ")",
];

beforeAll(async () => {
  controller = await startTestController();
  const { home, feed, profile } = controller.services;
  const node = home.nodes.get("1A 2B 3C 1");
  if (!node) throw new Error("The demo home has no hall light.");
  const { properties: _properties, link: _link, version: _version, ...record } = node;
  ODD_NAMES.forEach((name, at) => {
    const added: Change = { type: "node-added", node: { ...record, address: `odd]\\ ${at}`, name } };
    feed.commit(added, { kind: "system", id: "test", by: null });
  });
  demo = createProgramNames(home, profile);
  known = {
    addresses: [...home.nodes.keys(), ...home.groups.keys(), home.controller.uuid],
    words: ["ST", "OL", "RR", "DON", "DOF", "CLIMD", "CLISPH", "SECMD", "I_DIMMER", "I_RELAY"],
    ids: [...home.programs.keys(), 1, 2, 3, 4],
  };
});
afterAll(() => controller[Symbol.asyncDispose]());

const EMPTY_HOME = createProgramNames(
  new Home({
    uuid: "02:00:00:00:00:01",
    name: "Home",
    timeZone: "UTC",
    latitude: 0,
    longitude: 0,
    batchMode: false,
    batteryWrites: false,
  }),
  new Profile(),
);

const comment = fc.oneof(
  fc.constant(""),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.constantFrom("two\nlines", "\n", "a\n\nb\r\n", "'"),
);

function arbitraryProgram(tree: fc.Arbitrary<ProgramTree>): fc.Arbitrary<ProgramText> {
  return fc.record({
    name: fc.oneof(fc.constantFrom(...ODD_NAMES), fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 })),
    id: fc.option(fc.integer({ min: 1, max: 65_535 })),
    parentId: fc.oneof(fc.constantFrom(1, 3, 4), fc.integer({ min: 1, max: 65_535 })),
    enabled: fc.boolean(),
    runAtStartup: fc.boolean(),
    comment,
    tree,
  });
}

describe("every program", () => {
  test("is read from its text as it was, in a home that knows what it names", () => {
    fc.assert(
      fc.property(arbitraryProgram(arbitraryTree(known)), (program) => {
        expect(parseProgram(printProgram(program, demo), demo)).toEqual(program);
      }),
      { numRuns: 1000 },
    );
  });

  test("is read from its text as it was, in a home that knows nothing of it", () => {
    fc.assert(
      fc.property(arbitraryProgram(arbitraryTree()), (program) => {
        expect(parseProgram(printProgram(program, EMPTY_HOME), EMPTY_HOME)).toEqual(program);
      }),
      { numRuns: 500 },
    );
  });

  test("is the same program when its text is read in another home, for ids say what is meant", () => {
    fc.assert(
      fc.property(arbitraryProgram(arbitraryTree(known)), (program) => {
        expect(parseProgram(printProgram(program, demo), EMPTY_HOME)).toEqual(program);
      }),
      { numRuns: 300 },
    );
  });

  test("has a text that stays the same when it is read and printed again, however it was laid out", () => {
    fc.assert(
      fc.property(arbitraryProgram(arbitraryTree(known)), fc.boolean(), (program, isWindows) => {
        const text = printProgram(program, demo);
        const relaid = text
          .split("\n")
          .map((line) => `\t${line.trim()}  `)
          .join(isWindows ? "\r\n\r\n" : "\n# a remark\n");
        expect(printProgram(parseProgram(relaid, demo), demo)).toBe(text);
      }),
      { numRuns: 300 },
    );
  });

  test("of the demo home equals its text", () => {
    for (const entry of controller.services.home.programs.values()) {
      if (entry.kind === "folder") continue;
      const { name, id, parentId, enabled, runAtStartup, comment: said, tree } = entry;
      const program = { name, id, parentId: parentId ?? 0, enabled, runAtStartup, comment: said, tree };
      expect(parseProgram(printProgram(program, demo), demo)).toEqual(program);
    }
  });
});

describe("every program folder", () => {
  test("is read from its text as it was, and its text stays the same when it is printed again", () => {
    const folder = arbitraryProgram(arbitraryTree(known)).map(({ name, id, parentId, tree }): FolderText => {
      return { name, id, parentId: id === 1 ? 1 : parentId, conditions: tree.if };
    });
    fc.assert(
      fc.property(folder, fc.constantFrom(demo, EMPTY_HOME), (written, names) => {
        const text = printFolder(written, names);
        const read = atOnce(readEntry(text, names)).entry;
        expect(read).toEqual(written);
        expect(printFolder(read as FolderText, names)).toBe(text);
      }),
    );
  });

  test("has no switches, no comment and no clauses, and is no program", () => {
    const refused = (text: string) => () => atOnce(readEntry(`Program folder 'Winter'\n${text}`, demo)).entry;
    for (const line of ["Enabled no", "Run at startup yes", "Comment 'x'", "Then", "Else", "Program 'x'"]) {
      expect(refused(line)).toThrow(/^Line 2, column 1: A program folder has/);
    }
    expect(() => parseProgram("Program folder 'Winter'", demo)).toThrow("This is a program folder, no program.");
  });
});

test("any text is a program or is refused with lines and columns, never something else", () => {
  const pieces = fc.constantFrom(
    ..."Program 'x'|Folder|If|Then|Else|And|Or|(|)|Status|Control|'Hall Ceiling'|[1A 2B 3C 1]|[ST]|is|not|>=|60%|=|,".split(
      "|",
    ),
    ..."State variable|On Mon,|Time is|sunset|+|15 minutes|06:30|(next day)|Set|Wait|Repeat|times|Foreign|{}|'|[|\\|\n|\n".split(
      "|",
    ),
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(pieces, { maxLength: 40 }).map((all) => all.join(" ")),
  );
  fc.assert(
    fc.property(text, (given) => {
      const whole = `Program 'x'\nIf\n${given}`;
      try {
        const program = parseProgram(whole, demo);
        expect(parseProgram(printProgram(program, demo), demo)).toEqual(program);
      } catch (error) {
        expect(error).toMatchObject({ code: "BAD_PROGRAM_TEXT" });
        const sentences = (error as Error).message.split("\n");
        const form = /^(Line \d+, column \d+: .+\.?|The rest was not read\.)$/u;
        expect(sentences.filter((sentence) => !form.test(sentence))).toEqual([]);
      }
    }),
    { numRuns: 2000 },
  );
});

test("a long text is read a line a slice, and a line that is too long is a problem of its own", () => {
  const read = readEntry(`Program 'A'\nThen\n${"Wait 1 second\n".repeat(500)}`, demo);
  expect([...read].length).toBeGreaterThan(500);
  for (const line of ["[", " ", "(", "'"].map((character) => `If ${character.repeat(1_000_000)}`))
    expect(() => parseProgram(`Program 'A'\n${line}`, demo)).toThrow(
      /Line 2, column 12289: A line has at most 12288 characters/,
    );
});
