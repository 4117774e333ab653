/** The status byte of programs, the property that documents list, and pieces of documents that are encoded once. */

import { describe, expect, test } from "vitest";
import type { Node } from "../../src/home/nodes.ts";
import type { Program, ProgramFolder } from "../../src/home/programs.ts";
import { FragmentCache } from "../../src/wire/fragment-cache.ts";
import { mainProperty } from "../../src/wire/main-property.ts";
import { runningWords, statusByte } from "../../src/wire/program-status.ts";

type State = Pick<Program, "status" | "running" | "invalid">;

const program = (of: Partial<State>) => {
  return { kind: "program", status: null, running: "idle", invalid: null, ...of } as Program;
};

describe("the status byte of a program", () => {
  test.each<[string, Partial<State>]>([
    ["11", {}],
    ["21", { status: true }],
    ["31", { status: false }],
    ["12", { running: "then" }],
    ["22", { status: true, running: "then" }],
    ["33", { status: false, running: "else" }],
    ["F1", { status: true, running: "then", invalid: "a broken line" }],
  ])("%s", (byte, of) => expect(statusByte(program(of))).toBe(byte));

  test.each([
    ["11", null],
    ["21", true],
    ["31", false],
  ])("of a folder: %s", (byte, status) => {
    expect(statusByte({ kind: "folder", status } as ProgramFolder)).toBe(byte);
  });
});

test("what a program runs is said in words", () => {
  const said = (["idle", "then", "else"] as const).map((running) => runningWords(program({ running })));
  expect(said).toEqual(["idle", "running then", "running else"]);
});

describe("documents list", () => {
  const status = { id: "ST", value: 1 };
  const node = (family: number, ...ids: readonly string[]) => {
    return { family, properties: new Map(ids.map((id) => [id, { ...status, id }])) } as unknown as Node;
  };

  test("the status of a wired or radio node that has one", () => {
    expect([
      mainProperty(node(1, "OL", "ST"))?.id,
      mainProperty(node(1, "OL")),
      mainProperty(node(4, "ST"))?.id,
    ]).toEqual(["ST", null, "ST"]);
  });

  test("no property of a plugin's node", () => {
    expect(mainProperty(node(10, "ST"))).toBeNull();
  });
});

describe("a piece of a document", () => {
  test("is encoded once for each version", () => {
    const cache = new FragmentCache<string>();
    let made = 0;
    const piece = (key: string, version: number) => cache.of(key, version, () => `${key}${version} ${++made}`);
    expect([piece("a", 1), piece("a", 1), piece("a", 2), piece("a", 2), piece("b", 2)]).toEqual([
      "a1 1",
      "a1 1",
      "a2 2",
      "a2 2",
      "b2 3",
    ]);
  });

  test("of a removed thing is dropped, and no other", () => {
    const cache = new FragmentCache<string>();
    let made = 0;
    const piece = (key: string) => cache.of(key, 1, () => String(++made));
    expect([piece("a"), piece("b")]).toEqual(["1", "2"]);
    cache.keepOnly(new Map([["a", null]]));
    expect([piece("a"), piece("b")]).toEqual(["1", "3"]);
  });
});
