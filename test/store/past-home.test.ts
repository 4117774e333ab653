/** The present, with everything that has changed since taken back. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyChange } from "../../src/home/apply-change.ts";
import type { Change, JournalEntry } from "../../src/home/change.ts";
import { Home } from "../../src/home/home.ts";
import { homeByReplaying, homeByUndoing } from "../../src/store/recording/past-home.ts";
import { arbitraryChange } from "../support/arbitrary-changes.ts";
import { homeSnapshot } from "../support/home-snapshot.ts";
import { CAUSE, CONTROLLER, nodeAdded } from "../support/test-store.ts";

const NOTHING = { properties: 0, others: 0 };

const entriesOf = (changes: readonly Change[], fromSeq = 1) =>
  changes.map((change, at): JournalEntry => ({ seq: fromSeq + at, atMs: 0, cause: CAUSE, change }));

/** The change as it happens to this home: with what was there before. Null where it cannot happen. */
function happening(home: Home, change: Change): Change | null {
  switch (change.type) {
    case "property-changed": {
      const properties = home.nodes.get(change.address)?.properties;
      return properties ? { ...change, before: properties.get(change.property.id) ?? null } : null;
    }
    case "node-link-changed": {
      const node = home.nodes.get(change.address);
      return node ? { ...change, before: node.link } : null;
    }
    case "variable-written": {
      const variable = home.variables[change.variableType].get(change.id);
      return variable ? { ...change, before: variable.value } : null;
    }
    case "integration-changed":
    case "integration-removed": {
      const before = home.integrations.get(change.before.id);
      return before ? { ...change, before } : null;
    }
    case "node-added":
      return home.nodes.has(change.node.address) ? null : change;
    case "group-added":
      return home.groups.has(change.group.address) ? null : change;
    case "folder-added":
      return home.folders.has(change.folder.address) ? null : change;
    case "program-added":
      return home.programs.has(change.program.id) ? null : change;
    case "variable-added":
      return home.variables[change.variable.type].has(change.variable.id) ? null : change;
    case "integration-added":
      return home.integrations.has(change.integration.id) ? null : change;
    default:
      return change;
  }
}

function happenings(changes: readonly Change[]): readonly Change[] {
  const home = new Home(CONTROLLER);
  return changes.flatMap((change) => {
    const happened = happening(home, change);
    if (happened) applyChange(home, happened);
    return happened ? [happened] : [];
  });
}

function homeAfter(changes: readonly Change[]): Home {
  const home = new Home(CONTROLLER);
  for (const change of changes) applyChange(home, change);
  return home;
}

/**
 * Without the order of things, the times of values, the progress of programs, which is of the moment, and the highest ids, which
 * never go back.
 */
function contentOf(home: Home) {
  const byText = (one: unknown, other: unknown) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
  const { nodes, variables, programProgress: _, programHolds: ___, highestIds: __, ...others } = homeSnapshot(home);
  const sorted = Object.entries(others).map(([name, list]) => [
    name,
    Array.isArray(list) ? list.toSorted(byText) : list,
  ]);
  const links = [...home.nodes.values()].map(({ address, link }) => [address, link]);
  return {
    ...Object.fromEntries(sorted),
    nodes: nodes.map((node) => ({ ...node, properties: node.properties.toSorted(byText) })).toSorted(byText),
    links: links.toSorted(byText),
    variables: variables.map((variable) => ({ ...variable, writtenAtMs: 0 })).toSorted(byText),
    integrations: [...home.integrations.values()].toSorted(byText),
  };
}

function takenBack(changes: readonly Change[], at: number, before: readonly Change[] = []) {
  return homeByUndoing(homeAfter(changes), entriesOf(before), entriesOf(changes.slice(at), at + 1));
}

describe("the home before some changes", () => {
  test("is what it was, when nothing of it is unknown", () => {
    let whole = 0;
    const life = fc.array(arbitraryChange, { maxLength: 40 }).map(happenings);
    const cut = life.chain((changes) =>
      fc.record({
        changes: fc.constant(changes),
        at: fc.integer({ min: Math.max(0, changes.length - 3), max: changes.length }),
      }),
    );
    fc.assert(
      fc.property(cut, ({ changes, at }) => {
        const { home, unknown } = takenBack(changes, at);
        if (unknown.properties + unknown.others > 0) return;
        whole += 1;
        expect(contentOf(home)).toEqual(contentOf(homeAfter(changes.slice(0, at))));
      }),
      { numRuns: 1000 },
    );
    expect(whole).toBeGreaterThan(100);
  });
});

const folder = (name: string): Change => ({ type: "folder-added", folder: { address: "f", name, parent: null } });
const variable: Change = {
  type: "variable-added",
  variable: { type: 2, id: 1, name: "x", value: 5, init: 0, prec: 0, writtenAtMs: 1 },
};
const node = nodeAdded("n");
const report = (value: number, before?: number | null): Change => {
  const property = (raw: number) => ({ id: "ST", value: raw, uom: 51, prec: 0, text: null, changedAtMs: 0 });
  const was = before === undefined ? {} : { before: before === null ? null : property(before) };
  return { type: "property-changed", address: "n", property: property(value), ...was };
};
const program = (fields: object): Change => ({ type: "program-ran", id: 2, run: fields });

describe("unknown is", () => {
  test.each<[string, readonly Change[], number, object]>([
    [
      "a thing whose change says nothing of before, however often it changed",
      [folder("a"), renamed("b"), renamed("c")],
      1,
      { properties: 0, others: 1 },
    ],
    ["each such thing", [folder("a"), variable, renamed("b"), renamedVariable("y")], 2, { properties: 0, others: 2 }],
    ["when a program ran last", [program({ status: true })], 0, { properties: 0, others: 1 }],
    ["a value of which no report says what was before", [node, report(1), report(2)], 2, { properties: 1, others: 0 }],
    ["no value that a report names, or names as none", [node, report(1, null), report(2, 1)], 2, NOTHING],
    [
      "nothing after what leaves no state",
      [node, { type: "control-sent", address: "n", control: "DON", value: 1 }],
      1,
      NOTHING,
    ],
  ])("%s", (_what, changes, at, unknown) => {
    expect(takenBack(changes, at).unknown).toEqual(unknown);
  });

  test("nothing that the journal before the instant says", () => {
    const changes = [node, report(1), report(2), folder("a"), renamed("b"), renamed("c")];
    const before: readonly Change[] = [
      node,
      { type: "control-sent", address: "n", control: "DON", value: 1 },
      report(1),
      folder("a"),
      renamed("b"),
    ];
    const { home, unknown } = takenBack(changes, 5, before);
    expect([home.folders.get("f")?.name, unknown]).toEqual(["b", NOTHING]);
  });
});

function renamed(name: string): Change {
  return { type: "folder-renamed", address: "f", name };
}

function renamedVariable(name: string): Change {
  return { type: "variable-renamed", variableType: 2, id: 1, name };
}

test("a report that does not say what was before leaves the value unknown, and one that does puts it back", () => {
  const level = (home: Home) => home.nodes.get("n")?.properties.get("ST")?.value;
  expect(level(takenBack([node, report(1), report(2)], 2).home)).toBeUndefined();
  expect(level(takenBack([node, report(1, null), report(2, 1), report(3, 2)], 2).home)).toBe(1);
});

test("a home is brought forward from its first controller on", () => {
  const controller = { type: "controller-changed", controller: CONTROLLER } as const;
  expect(homeByReplaying(null, entriesOf([folder("F")]))).toBeNull();
  expect([...(homeByReplaying(null, entriesOf([folder("F"), controller, folder("F")]))?.folders.keys() ?? [])]).toEqual(
    ["f"],
  );
  expect(homeByReplaying(null, entriesOf([folder("F"), controller]))?.folders.size).toBe(0);
});
