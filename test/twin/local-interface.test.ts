/** A whole demo home, read by the local account alone: what an older client can read makes the same home. */

import { expect, test } from "vitest";
import { parseConfig } from "../../src/config.ts";
import type { Change } from "../../src/home/change.ts";
import { readController } from "../../src/twin/read-controller.ts";
import { LOCAL, startTestController } from "../support/controller.ts";
import { planOf } from "../support/twin.ts";

const MS = 60_000;

test("programs, scenes with levels, variables and folders are those of the controller", { timeout: MS }, async () => {
  await using original = await startTestController();
  const access = { url: original.local.url, user: LOCAL.username, password: LOCAL.password, insecure: true };
  const documents = await readController(
    { ...access, mode: "local", clock: original.clock },
    parseConfig({}),
    () => {},
  );
  const plan = planOf(documents);
  const { home } = original.services;
  expect([plan.problems, plan.unread, plan.isLocal]).toEqual([[], [], true]);
  const programs = of(plan.changes, "program-added").map(({ program }) => program);
  const trees = programs.map((each) => [each.id, each.name, each.parentId, treeOf(each)]);
  const expected = [...home.programs.values()].map((each) => [each.id, each.name, each.parentId, treeOf(each)]);
  expect(trees.toSorted(byId)).toEqual(expected.toSorted(byId));
  expect(of(plan.changes, "variable-added").map(({ variable: { writtenAtMs: _at, ...own } }) => own)).toEqual(
    [...home.variables[1].values(), ...home.variables[2].values()].map(({ writtenAtMs: _at, ...own }) => own),
  );
  expect(of(plan.changes, "folder-added").map(({ folder }) => folder)).toEqual([...home.folders.values()]);
  expect(plan.scenesWithLevels).toBe(home.groups.size);
});

function of<T extends Change["type"]>(changes: readonly Change[], type: T) {
  return changes.filter((change): change is Extract<Change, { type: T }> => change.type === type);
}

function treeOf(
  program: { kind: "program"; tree: object } | { kind: "folder"; conditions: readonly object[] },
): object {
  return program.kind === "folder" ? program.conditions : program.tree;
}

function byId([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return Number(a) - Number(b);
}
