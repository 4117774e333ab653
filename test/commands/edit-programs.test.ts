/** Limits of programs and program folders, and the titles of their edits. */

import { describe, expect, test } from "vitest";
import {
  createProgram,
  createProgramFolder,
  type Revision,
  removeProgram,
  reviseProgram,
} from "../../src/commands/edit-programs.ts";
import { type Action, type Condition, EMPTY_TREE, type ProgramTree } from "../../src/home/program-syntax.ts";
import { program, programFolder } from "../support/programs.ts";
import { type CommandServices, codeOf, createServices, REQUEST, told } from "./command-services.ts";

const ROOT = programFolder(1, null);
const QUERY_ALL = program(2, { name: "Query All" });
const WRITTEN = { name: "New", parentId: null, comment: "", enabled: true, runAtStartup: false, tree: EMPTY_TREE };
const FIRE: Action = { kind: "resource", id: 1 };
const LEAF: Condition = { kind: "program", andOr: "and", id: 1, is: true };
const within = (...conditions: readonly Condition[]): Condition => ({ kind: "paren", andOr: "and", conditions });

async function programServices(settings = {}) {
  const services = await createServices(settings);
  services.feed.commit({ type: "program-added", program: ROOT }, REQUEST);
  services.feed.commit({ type: "program-added", program: QUERY_ALL }, REQUEST);
  return services;
}

const titles = ({ home }: CommandServices) => [...home.edits.values()].map(({ title }) => title);

describe("a comment", () => {
  const LIMITS = { programCommentCharsMax: 10 };

  test.each([
    ["of the maximum length", "x".repeat(10), "none"],
    ["that is one character too long", "x".repeat(11), "BAD_BODY"],
    ["in lines, with tabs", "a\r\n\tb\nc", "none"],
    ["with another control character", "a\u0000", "BAD_BODY"],
    ["with half of a surrogate pair", "a\ud800", "BAD_BODY"],
  ])("%s: %j is %s", async (_what, comment, code) => {
    const services = await programServices(LIMITS);
    expect(await codeOf(createProgram(services, { ...WRITTEN, comment }, REQUEST))).toBe(code);
  });
});

describe("a program", () => {
  const LIMITS = { programStatementsMax: 10, programDepthMax: 2 };
  const SEVEN = within(...Array.from({ length: 6 }, () => LEAF));

  test.each<[string, string, ProgramTree]>([
    ["the maximum number of statements", "none", { if: [SEVEN], then: [FIRE, FIRE], else: [FIRE] }],
    ["one condition too many", "PROGRAM_TOO_LARGE", { if: [SEVEN, LEAF], then: [FIRE, FIRE], else: [FIRE] }],
    ["one statement too many in Then", "PROGRAM_TOO_LARGE", { if: [SEVEN], then: [FIRE, FIRE, FIRE], else: [FIRE] }],
    ["one statement too many in Else", "PROGRAM_TOO_LARGE", { if: [SEVEN], then: [FIRE, FIRE], else: [FIRE, FIRE] }],
    ["the maximum depth of parentheses", "none", { if: [LEAF, within(within(LEAF))], then: [], else: [] }],
    [
      "parentheses one level too deep",
      "PROGRAM_TOO_LARGE",
      { if: [LEAF, within(within(within(LEAF)))], then: [], else: [] },
    ],
  ])("with %s is answered with %s", async (_what, code, tree) => {
    const services = await programServices(LIMITS);
    expect(await codeOf(createProgram(services, { ...WRITTEN, tree }, REQUEST))).toBe(code);
  });

  test("is refused when the home has programsMax programs", async () => {
    const services = await programServices({ programsMax: 3 });
    await createProgram(services, WRITTEN, REQUEST);
    expect(await codeOf(createProgram(services, WRITTEN, REQUEST))).toBe("LIMIT_REACHED");
  });

  test("is refused in a folder that does not exist", async () => {
    const services = await programServices();
    const { id } = await createProgram(services, WRITTEN, REQUEST);
    for (const parentId of [id, 99]) {
      expect(await codeOf(createProgram(services, { ...WRITTEN, parentId }, REQUEST))).toBe("BAD_VALUE");
    }
  });
});

describe("an edit of a program", () => {
  test.each<[Revision, string]>([
    [{ name: "Dusk" }, 'Rename the program "New" to "Dusk"'],
    [{ enabled: true, name: "Dusk" }, 'Enable the program "New"'],
    [{ enabled: false }, 'Disable the program "New"'],
    [{ comment: "Checked." }, 'Change the program "New"'],
    [{ comment: "Checked.", name: "Dusk" }, 'Change the program "New"'],
    [{ conditions: [LEAF] }, 'Change the program "New"'],
  ])("of %j has the title %j", async (revision, title) => {
    const services = await programServices();
    const { id } = await createProgram(services, { ...WRITTEN, enabled: revision.enabled !== true }, REQUEST);
    await reviseProgram(services, id, revision, null, REQUEST);
    expect(titles(services)).toEqual(['Create the program "New"', title]);
  });

  test("is refused when the program has another version than its writer saw", async () => {
    const services = await programServices();
    const { id, version } = await createProgram(services, WRITTEN, REQUEST);
    const revise = (seen: number | null, name: string) => codeOf(reviseProgram(services, id, { name }, seen, REQUEST));
    expect([await revise(version, "Dusk"), await revise(version, "Dawn")]).toEqual(["none", "CONFLICT"]);
    expect([await revise(null, "Night"), await codeOf(removeProgram(services, id, version, REQUEST))]).toEqual([
      "none",
      "CONFLICT",
    ]);
  });

  test("that changes nothing is published too, and is no edit", async () => {
    const services = await programServices();
    const { id, name } = await createProgram(services, WRITTEN, REQUEST);
    await reviseProgram(services, id, { name }, null, REQUEST);
    expect([told(services, "program-changed").length, titles(services).length]).toEqual([1, 1]);
    expect(services.durable.at(-1)).toBe(services.feed.lastSeq);
  });

  test("replaces only the conditions, or all statements", async () => {
    const services = await programServices();
    const tree = { if: [], then: [FIRE], else: [] };
    const { id } = await createProgram(services, { ...WRITTEN, tree }, REQUEST);
    expect(await reviseProgram(services, id, { conditions: [LEAF] }, null, REQUEST)).toMatchObject({
      tree: { if: [LEAF], then: [FIRE], else: [] },
    });
    const other = { if: [], then: [], else: [FIRE] };
    expect(await reviseProgram(services, id, { tree: other }, null, REQUEST)).toMatchObject({ tree: other });
  });
});

describe("a folder of programs", () => {
  const add = async (services: CommandServices, parentId: number | null) =>
    (await createProgramFolder(services, { name: "Room", parentId, conditions: [] }, REQUEST)).id;

  test("keeps fields that an edit leaves out, and has no comment", async () => {
    const services = await programServices();
    const id = await add(services, null);
    await reviseProgram(services, id, { conditions: [LEAF] }, null, REQUEST);
    const renamed = await reviseProgram(services, id, { name: "Hall" }, null, REQUEST);
    expect(renamed).toMatchObject({ name: "Hall", parentId: 1, conditions: [LEAF] });
    expect(await codeOf(reviseProgram(services, id, { comment: "x" }, null, REQUEST))).toBe("BAD_BODY");
    expect(titles(services)).toEqual([
      'Create the program folder "Room"',
      'Change the program folder "Room"',
      'Rename the program folder "Room" to "Hall"',
    ]);
  });

  test("is refused below programFolderDepthMax; one that is already deeper can be renamed", async () => {
    const services = await programServices({ programFolderDepthMax: 2 });
    const top = await add(services, null);
    const second = await add(services, top);
    expect(await codeOf(add(services, second))).toBe("LIMIT_REACHED");
    const other = await add(services, null);
    const moved = (parentId: number) => codeOf(reviseProgram(services, top, { parentId }, null, REQUEST));
    expect([await moved(other), await moved(top), await moved(second)]).toEqual([
      "LIMIT_REACHED",
      "BAD_VALUE",
      "BAD_VALUE",
    ]);
    const deep = programFolder(50, second);
    services.feed.commit({ type: "program-added", program: deep }, REQUEST);
    expect(await codeOf(reviseProgram(services, 50, { name: "Deeper" }, null, REQUEST))).toBe("none");
  });

  test("is the root folder, which can be changed and cannot be moved", async () => {
    const services = await programServices();
    const other = await add(services, null);
    expect(await codeOf(reviseProgram(services, 1, { name: "All" }, null, REQUEST))).toBe("none");
    expect(await codeOf(reviseProgram(services, 1, { parentId: other }, null, REQUEST))).toBe("BAD_REQUEST");
  });

  test("can be moved out of a circle of folders, as an imported home may have", { timeout: 5000 }, async () => {
    const services = await programServices();
    for (const [id, parentId] of [
      [50, 51],
      [51, 50],
    ] as const) {
      services.feed.commit({ type: "program-added", program: programFolder(id, parentId) }, REQUEST);
    }
    expect(await codeOf(reviseProgram(services, 50, { parentId: 1 }, null, REQUEST))).toBe("none");
  });

  test("can be removed when it is empty; the root folder and Query All cannot", async () => {
    const services = await programServices();
    const id = await add(services, null);
    const inside = await add(services, id);
    const remove = (each: number) => codeOf(removeProgram(services, each, null, REQUEST));
    expect([await remove(id), await remove(inside), await remove(id)]).toEqual(["FOLDER_NOT_EMPTY", "none", "none"]);
    expect([await remove(1), await remove(2)]).toEqual(["BAD_REQUEST", "BAD_REQUEST"]);
  });
});
