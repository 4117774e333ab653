/** Merging two spellings of one document: unchanged fields are as received, changed ones are ours. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeTrees, type Rules } from "../../src/wire/spelling/merge.ts";
import { parseJsonTree, type Tree, writeJsonTree } from "../../src/wire/spelling/tree.ts";

const idOf = (item: Tree) => String(Reflect.get(Object(item), "id") ?? "") || null;
const RULES: Rules = {
  keyOf: (list) => (list === "things" ? idOf : undefined),
  staysUnlisted: (_item, list) => list === "things",
  fixed: new Set(["stamp"]),
  added: new Set(),
};
const merge = (received: Tree, base: Tree, ours: Tree) => mergeTrees(received, base, ours, RULES);

const tree = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Tree>;
const thing = fc.record({ id: fc.integer({ min: 1, max: 6 }).map(String), name: fc.string(), on: fc.boolean() });
const things = fc.uniqueArray(thing, { selector: ({ id }) => id, maxLength: 6 });

describe("putting two spellings together", () => {
  test("unchanged fields are as received", () => {
    fc.assert(fc.property(tree, tree, (received, base) => void expect(merge(received, base, base)).toEqual(received)));
  });

  test("without a received difference the result is ours, in the received spelling", () => {
    fc.assert(
      fc.property(tree, tree, (base, ours) => void expect(inTexts(merge(base, base, ours))).toEqual(inTexts(ours))),
    );
  });

  test("things that were received in any order keep that order, with new ones after them", () => {
    fc.assert(
      fc.property(things, things, (before, now) => {
        const received = before.toReversed();
        const { things: merged } = merge({ things: received }, { things: before }, { things: now }) as {
          things: typeof now;
        };
        const left = received.filter(({ id }) => now.some((each) => each.id === id));
        const fresh = now.filter(({ id }) => !before.some((each) => each.id === id));
        expect(merged.map(({ id }) => id)).toEqual([...left, ...fresh].map(({ id }) => id));
        expect(merged.toSorted(byId)).toEqual(now.toSorted(byId));
      }),
    );
  });

  test.each<[what: string, received: Tree, base: Tree, ours: Tree, merged: Tree]>([
    ["a text stays a text", { v: "5" }, { v: 5 }, { v: 6 }, { v: "6" }],
    ["a number stays a number", { v: 5 }, { v: "5" }, { v: "6" }, { v: 6 }],
    ["a number in another spelling stays a number", { v: parseJsonTree("5.0") }, { v: "5" }, { v: "6" }, { v: 6 }],
    ["a text in place of a list stays a text", { v: [5] }, { v: "5" }, { v: "6" }, { v: "6" }],
    ["a truth stays a truth", { v: false }, { v: "false" }, { v: "true" }, { v: true }],
    ["an id that is no number stays a text", { v: 26 }, { v: "001A" }, { v: "001B" }, { v: "001B" }],
    ["what we do not know stays", { v: 1, x: [1] }, { v: 1 }, { v: 2 }, { v: 2, x: [1] }],
    ["what was not received stays untold", { v: 1 }, { v: 1, own: "a" }, { v: 1, own: "a" }, { v: 1 }],
    [
      "a field that was not received is as received when it changes",
      { v: 1 },
      { v: 1, own: "a" },
      { v: 1, own: "b" },
      { v: 1, own: "b" },
    ],
    ["a field that only we have now replaces a received one", { v: "1" }, {}, { v: 2 }, { v: "2" }],
    ["but not when ours is empty", { v: "1" }, {}, { v: "" }, { v: "1" }],
    ["what is new is received", { v: 1 }, { v: 1 }, { v: 1, parent: "7" }, { v: 1, parent: "7" }],
    ["a field that we stop sending stays", { v: "", n: "Pump" }, { v: "" }, { v: "1", n: "" }, { v: "1", n: "Pump" }],
    ["what is gone is gone", { v: 1, parent: "7" }, { v: 1, parent: "7" }, { v: 1 }, { v: 1 }],
    [
      "a fixed member is left alone",
      { stamp: "a", v: 1 },
      { stamp: "b", v: 1 },
      { stamp: "c", v: 2 },
      { stamp: "a", v: 2 },
    ],
    ["a list without keys is received as a whole", { l: [1, 2] }, { l: [1] }, { l: [3] }, { l: [3] }],
    [
      "a list of one that was received as a thing stays one",
      { things: { id: "1", v: "1", x: 0 } },
      { things: [{ id: "1", v: 1 }] },
      { things: [{ id: "1", v: 2 }] },
      { things: { id: "1", v: "2", x: 0 } },
    ],
    [
      "a list of one that was received as a thing is a list when there are more",
      { things: { id: "1", x: 0 } },
      { things: [{ id: "1", v: 1 }] },
      { things: [{ id: "1", v: 1 }, { id: "2" }] },
      { things: [{ id: "1", x: 0 }, { id: "2" }] },
    ],
    [
      "a thing that was not received stays untold",
      { things: [] },
      { things: [{ id: "1", v: 1 }] },
      { things: [{ id: "1", v: 2 }] },
      { things: [] },
    ],
    [
      "a thing that we cannot hold stays where it is",
      { things: [{ x: 1 }, { id: "1", v: 1 }, { y: 1 }] },
      { things: [{ id: "1", v: 1 }] },
      { things: [{ id: "1", v: 2 }] },
      { things: [{ x: 1 }, { id: "1", v: 2 }, { y: 1 }] },
    ],
    [
      "the second of two equal ids stays as it was received",
      {
        things: [
          { id: "1", v: 1 },
          { id: "1", v: 9 },
        ],
      },
      { things: [{ id: "1", v: 1 }] },
      { things: [{ id: "1", v: 2 }] },
      {
        things: [
          { id: "1", v: 2 },
          { id: "1", v: 9 },
        ],
      },
    ],
  ])("%s", (_what, received, base, ours, merged) => {
    expect(merge(received, base, ours)).toEqual(merged);
  });

  test("numbers keep how they were written", () => {
    const written = '{"min":-50.0,"max":1e3,"id":12345678901234567890,"plain":7,"__proto__":{"a":1.50}}';
    expect(writeJsonTree(parseJsonTree(written))).toBe(written);
    expect(writeJsonTree(merge(parseJsonTree(written), { plain: 7 }, { plain: 8 }))).toBe(written.replace(":7", ":8"));
  });
});

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}

/** Without the difference between 5 and "5". */
function inTexts(value: Tree): unknown {
  return JSON.parse(JSON.stringify(value), (_member, each) => (typeof each === "object" ? each : String(each)));
}
