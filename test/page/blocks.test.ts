/** Edits of a program in blocks: every edited tree has a text, and the text reads back as that tree. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Home } from "../../src/home/home.ts";
import type { ProgramTree } from "../../src/home/program-syntax.ts";
import { LocatedValue } from "../../src/http/api/located-value.ts";
import { actionJson, conditionJson, parseTree } from "../../src/http/api/trigger-json.ts";
import { Profile } from "../../src/profile/profile.ts";
import { createProgramNames } from "../../src/programs/text/names.ts";
import { parseProgram } from "../../src/programs/text/parse-program.ts";
import { printProgram } from "../../src/programs/text/print-program.ts";
import {
  type Place,
  pathOf,
  type Statement,
  statementAt,
  statementsOf,
  type Tree,
} from "../../web/src/programs/blocks/tree.ts";
import {
  type Edited,
  insert,
  move,
  parenthesize,
  remove,
  replace,
  takeOut,
  toggleJoin,
} from "../../web/src/programs/blocks/tree-edits.ts";
import { programLines } from "../../web/src/programs/program-lines.ts";
import { arbitraryTree } from "../support/arbitrary-trees.ts";

const ZONE = { timeZone: "UTC", latitude: 0, longitude: 0, batchMode: false, batteryWrites: false };
const NAMES = createProgramNames(new Home({ uuid: "02:00:00:00:00:01", name: "Home", ...ZONE }), new Profile());
const HEADER = { name: "P", id: 1, parentId: 1, enabled: true, runAtStartup: false, comment: "" };

const CONDITION = { type: "triggerref", andOr: "or", refid: 7, is: true } as Statement;
const ACTION = { type: "wait", minutes: 5 } as Statement;

type Edit = (tree: Tree, place: Place) => Edited | null;

const EDITS: Readonly<Record<string, Edit>> = {
  insert: (tree, place) => insert(tree, place, place.clause === "if" ? CONDITION : ACTION),
  replace: (tree, place) => replace(tree, place, place.clause === "if" ? CONDITION : ACTION),
  remove,
  up: (tree, place) => move(tree, place, -1),
  down: (tree, place) => move(tree, place, 1),
  toggleJoin,
  parenthesize,
  takeOut,
};

const blocks = (tree: ProgramTree): Tree => ({
  if: tree.if.map(conditionJson),
  then: tree.then.map(actionJson),
  else: tree.else.map(actionJson),
});
const parsed = (tree: Tree): ProgramTree => new LocatedValue(JSON.parse(JSON.stringify(tree)), "").object(parseTree);
const textOf = (tree: Tree) => printProgram({ ...HEADER, tree: parsed(tree) }, NAMES);

/** Edits of random statements, one after the other. */
const steps = fc.array(fc.tuple(fc.constantFrom(...Object.keys(EDITS)), fc.nat()), { minLength: 1, maxLength: 8 });

function edited(tree: Tree, script: readonly (readonly [string, number])[]): Tree {
  return script.reduce((now, [name, at]) => {
    const places = Array.from(statementsOf(now), ([, place]) => place);
    const place = places[at % places.length];
    return (place && EDITS[name]?.(now, place)?.tree) ?? now;
  }, tree);
}

test("after any edits the text of the blocks reads back as their tree, and every block has its line", () => {
  fc.assert(
    fc.property(arbitraryTree(), steps, (tree, script) => {
      const after = edited(blocks(tree), script);
      const text = textOf(after);
      expect(parseProgram(text, NAMES).tree).toEqual(parsed(after));
      const paths = programLines(text).flatMap(({ path }) => path ?? []);
      expect(paths).toEqual(Array.from(statementsOf(after), ([, place]) => pathOf(place)));
    }),
    { numRuns: 300 },
  );
});

test("an edit says where its statement stands afterwards, and leaves the other statements the same objects", () => {
  fc.assert(
    fc.property(arbitraryTree(), fc.nat(), (tree, at) => {
      const before = blocks(tree);
      const all = [...statementsOf(before)];
      const [statement, place] = all[at % Math.max(1, all.length)] ?? [];
      fc.pre(statement !== undefined && place !== undefined && !statement.conditions);
      const bare = ({ andOr: _andOr, ...own }: Statement) => own;
      for (const edit of [EDITS.up, EDITS.down, EDITS.toggleJoin, EDITS.parenthesize, EDITS.takeOut]) {
        const result = edit?.(before, place as Place);
        if (!result) continue;
        const found = statementAt(result.tree, result.place) as Statement;
        expect(bare(found)).toEqual(bare(statement as Statement));
      }
      const others = all
        .filter(([each]) => each !== statement && !each.conditions && !each.andOr)
        .map(([each]) => each);
      const left = new Set(Array.from(statementsOf(remove(before, place as Place).tree), ([each]) => each));
      expect(others.every((each) => left.has(each))).toBe(true);
    }),
    { numRuns: 200 },
  );
});

describe("a list of conditions", () => {
  const [a, b, c] = [1, 2, 3].map((refid) => ({ type: "triggerref", andOr: "and", refid, is: true }) as Statement);
  const list = (...conditions: readonly (Statement | undefined)[]): Tree => ({
    if: conditions as readonly Statement[],
    then: [],
    else: [],
  });
  const or = (statement: Statement | undefined) => ({ ...statement, andOr: "or" }) as Statement;
  const at = (...indexes: readonly number[]): Place => ({ clause: "if", indexes });

  test("keeps its conjunctions in place when one moves", () => {
    expect(move(list(a, or(b), c), at(1), -1)?.tree).toEqual(list(b, or(a), c));
  });

  test("takes the condition above into parentheses, and gives it back", () => {
    const within = parenthesize(list(a, b, or(c)), at(2));
    expect(within?.tree).toEqual(list(a, { type: "paren", andOr: "and", conditions: [b as Statement, or(c)] }));
    expect(within?.place).toEqual(at(1, 1));
    expect(takeOut(within?.tree as Tree, at(1))?.tree).toEqual(list(a, b, or(c)));
    expect(takeOut(within?.tree as Tree, at(1, 1))?.tree).toEqual(
      list(a, { type: "paren", andOr: "and", conditions: [b as Statement] }, or(c)),
    );
  });

  test("loses parentheses that become empty", () => {
    expect(remove(list(a, { type: "paren", andOr: "or", conditions: [b as Statement] }), at(1, 0)).tree).toEqual(
      list(a),
    );
  });
});

test("an action moves from the end of Then to the beginning of Else, and back", () => {
  const then = [{ type: "wait", minutes: 1 } as Statement, ACTION];
  const moved = move({ if: [], then, else: [] }, { clause: "then", indexes: [1] }, 1);
  expect(moved).toEqual({ tree: { if: [], then: [then[0]], else: [ACTION] }, place: { clause: "else", indexes: [0] } });
  expect(moved && move(moved.tree, moved.place, -1)?.tree).toEqual({ if: [], then, else: [] });
});
