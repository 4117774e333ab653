/** What other controllers write is read without assumptions: a value of an unexpected form counts as absent. */

import { describe, expect, test } from "vitest";
import { readXml } from "../../src/util/read-xml.ts";
import { elementAsObject, number, objects, readInstant, readObject, text, truth, whole } from "../../src/wire/loose.ts";
import { parseJsonTree, type Tree } from "../../src/wire/spelling/tree.ts";

const ABSENT: readonly (Tree | undefined)[] = [undefined, null, [], {}, ["1"], { _: "1" }];

describe("a scalar", () => {
  test.each<[Tree, string]>([
    ["a", "a"],
    [" a ", " a "],
    [1.5, "1.5"],
    [true, "true"],
    [parseJsonTree("5.0"), "5.0"],
  ])("%j is the text %j", (tree, expected) => expect(text(tree)).toBe(expected));

  test.each<[Tree, number | null]>([
    [7, 7],
    ["7", 7],
    [" 7.5\n", 7.5],
    ["-2", -2],
    ["", null],
    ["  ", null],
    ["seven", null],
    ["1e999", null],
  ])("%j is the number %j", (tree, expected) => expect(number(tree)).toBe(expected));

  test.each<[Tree, number | undefined, number | null]>([
    [0, undefined, 0],
    ["12", undefined, 12],
    [-1, undefined, null],
    [-1, -1, -1],
    [1, 2, null],
    [2, 2, 2],
    [1.5, undefined, null],
    [2 ** 53, undefined, null],
    ["x", undefined, null],
  ])("%j of at least %j is the whole number %j", (tree, min, expected) => expect(whole(tree, min)).toBe(expected));

  test.each<[Tree, boolean]>([
    [true, true],
    ["True", true],
    [" T ", true],
    [1, true],
    ["1", true],
    [false, false],
    ["false", false],
    ["F", false],
    [0, false],
    ["yes", false],
  ])("%j is %j", (tree, expected) => {
    expect([truth(tree), truth(tree, true)]).toEqual([expected, expected]);
  });

  test.each<[Tree, number | null]>([
    ["2026-05-02T12:00:00Z", Date.UTC(2026, 4, 2, 12)],
    ["later", null],
    ["", null],
  ])("%j is the instant %j", (tree, expected) => expect(readInstant(tree)).toBe(expected));

  test.each(ABSENT)("%j counts as absent", (tree) => {
    expect([text(tree), number(tree), whole(tree), truth(tree), truth(tree, true), readInstant(tree)]).toEqual([
      "",
      null,
      null,
      false,
      true,
      null,
    ]);
  });
});

describe("objects", () => {
  test("an object is a list of one, and what is none is left out of a list", () => {
    expect(objects({ a: 1 })).toEqual([{ a: 1 }]);
    expect(objects([{ a: 1 }, "x", null, [{}], { b: 2 }])).toEqual([{ a: 1 }, { b: 2 }]);
    expect([objects(undefined), objects("x"), objects(null)]).toEqual([[], [], []]);
  });

  test("what is no object is an empty one", () => {
    expect([readObject({ a: 1 }), readObject([1]), readObject("x"), readObject(undefined)]).toEqual([
      { a: 1 },
      {},
      {},
      {},
    ]);
  });
});

describe("an element of XML becomes what the JSON surface would have", () => {
  const asObject = (xml: string) => elementAsObject(readXml(xml));

  test("attributes and children are members; text beside attributes is under _", () => {
    expect(
      asObject('<node flag="128"><address>1 2 3 1</address><parent type="3">44</parent><pnode a="1"/></node>'),
    ).toEqual({
      flag: "128",
      address: "1 2 3 1",
      parent: { type: "3", _: "44" },
      pnode: { a: "1" },
    });
  });

  test("children within children are objects", () => {
    expect(asObject('<node><sgid x="1"><one>1</one></sgid><rgb><r/></rgb></node>')).toEqual({
      sgid: { x: "1", one: "1" },
      rgb: { r: "" },
    });
  });

  test("properties and links are lists, also of one, and absent without any", () => {
    expect(asObject('<node><name>x</name><property id="ST" value="0"/></node>')).toEqual({
      name: "x",
      property: [{ id: "ST", value: "0" }],
    });
    expect(asObject('<group><link type="16">a</link><name>y</name><link type="32">b</link></group>')).toEqual({
      name: "y",
      link: [
        { type: "16", _: "a" },
        { type: "32", _: "b" },
      ],
    });
    expect(asObject("<node/>")).toEqual({});
  });
});
