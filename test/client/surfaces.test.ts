/**
 * Random homes through both surfaces of the service: equal homes, as far as both serve the same. @see client/RULES.md
 */

import { connect, type HomeSnapshot } from "@domovoi/client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SYSTEM_CAUSE } from "../../src/home/cause.ts";
import type { Change } from "../../src/home/change.ts";
import { EMPTY_TREE } from "../../src/home/program-syntax.ts";
import { LOCAL, OWNER, startTestController, type TestController } from "../support/controller.ts";

/** Includes characters that a reader loses when it trims or does not decode. */
const name = fc.oneof(
  fc.constantFrom(" padded ", "a  b", "<&>\"'", "]]>", "&amp;", "12345"),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }).filter((text) => !/\p{Cc}/u.test(text)),
);
const raw = fc.integer({ min: -1_000_000, max: 1_000_000 });
/** Whole seconds, because XML has no others; and not in October, when an hour of local time occurs twice. */
const timeMs = fc
  .integer({ min: 0, max: 4_000_000 })
  .map((thousands) => thousands * 1_000_000)
  .filter((ms) => new Date(ms).getUTCMonth() !== 9);
const maybeTimeMs = fc.option(timeMs);

const FOLDERS = ["40001", "40002", "40003"];
const GROUPS = ["41001", "41002"];
const NODES = ["77 1 F 1", "77 1 F 2", "ZW091_1", "ZY092_1", "n003_a/b c", "M95_1"];
const FAMILIES = [1, 1, 4, 12, 10, 15];

const folderParent = fc.option(fc.constantFrom(...FOLDERS).map((address) => ({ address, kind: "folder" as const })));

const folders = fc.array(fc.tuple(name, folderParent), { minLength: 3, maxLength: 3 }).map((all) =>
  all.map(([text, parent], index): Change => {
    // A folder lies in one that was made before it, so that there is no ring.
    const isBefore = parent !== null && FOLDERS.indexOf(parent.address) < index;
    return {
      type: "folder-added",
      folder: { address: FOLDERS[index] ?? "", name: text, parent: isBefore ? parent : null },
    };
  }),
);

const nodeParts = fc.record({
  name,
  nodeDefId: fc.constantFrom("DimmerLampSwitch_ADV", "RelayLampSwitch_ADV", "RemoteLinc2_ADV", "No_Such_Def"),
  parent: folderParent,
  enabled: fc.boolean(),
  devtype: fc.option(
    fc.record({ generic: fc.constant("4.17.1"), manufacturer: fc.constant("99.3.7"), category: fc.constant(109) }),
  ),
  properties: fc.array(
    fc.record({
      id: fc.constantFrom("ST", "OL", "GV7", "CLITEMP", "BATLVL"),
      value: fc.option(raw),
      uom: fc.constantFrom(0, 4, 25, 51, 78, 100, 145, 999),
      prec: fc.integer({ min: 0, max: 4 }),
      text: fc.option(name),
      changedAtMs: timeMs,
    }),
    { maxLength: 4 },
  ),
});

const nodes = fc.array(nodeParts, { minLength: NODES.length, maxLength: NODES.length }).map((all) =>
  all.flatMap(({ properties, devtype, ...parts }, index): Change[] => {
    const address = NODES[index] ?? "";
    const family = FAMILIES[index] ?? 1;
    const isRadio = family === 4 || family === 12;
    const own = {
      address,
      family,
      instance: family === 10 ? 3 : 1,
      type: "1.32.69.0",
      primary: address,
      driver: "virtual",
    };
    return [
      { type: "node-added", node: { ...parts, ...own, devtype: isRadio ? devtype : null } },
      ...properties.map((property) => ({ type: "property-changed" as const, address, property })),
    ];
  }),
);

const groups = fc
  .array(fc.tuple(name, folderParent, fc.uniqueArray(fc.constantFrom(...NODES)), fc.array(fc.boolean())), {
    minLength: 2,
    maxLength: 2,
  })
  .map((all) =>
    all.map(
      ([text, parent, members, roles], index): Change => ({
        type: "group-added",
        group: {
          address: GROUPS[index] ?? "",
          name: text,
          parent,
          deviceGroup: 40 + index,
          members: members.map((address, at) => ({ address, isController: roles[at] ?? false })),
          blocks: [{ controller: GROUPS[index] ?? "", links: [] }],
        },
      }),
    ),
  );

const programs = fc
  .array(fc.tuple(name, fc.boolean(), fc.option(fc.boolean()), maybeTimeMs, maybeTimeMs, fc.nat(3)), { maxLength: 5 })
  .map((all) =>
    all.map(([text, isFolder, status, lastRunAtMs, lastFinishAtMs, above], index): Change => {
      const common = { id: 900 + index, version: 1, name: text, parentId: 1, status, lastRunAtMs, lastFinishAtMs };
      if (isFolder)
        return { type: "program-added", program: { ...common, kind: "folder", nextRunAtMs: null, conditions: [] } };
      const running = (["idle", "then", "else"] as const)[above % 3] ?? "idle";
      const own = { kind: "program" as const, comment: "", invalid: null, tree: EMPTY_TREE, running };
      return {
        type: "program-added",
        program: { ...common, ...own, enabled: above > 0, runAtStartup: above > 1, nextRunAtMs: lastRunAtMs },
      };
    }),
  );

const variables = fc
  .array(fc.tuple(fc.constantFrom(1 as const, 2 as const), name, raw, raw, fc.integer({ min: 0, max: 9 }), timeMs), {
    maxLength: 4,
  })
  .map((all) =>
    all.map(
      ([type, text, value, init, prec, writtenAtMs], index): Change => ({
        type: "variable-added",
        variable: { type, id: 900 + index, name: text, value, init, prec, writtenAtMs },
      }),
    ),
  );

const home = fc.tuple(folders, nodes, groups, programs, variables).map((all): readonly Change[] => all.flat());

function snapshotOf({ portal, local }: TestController, mode: "portal" | "local"): Promise<HomeSnapshot> {
  const [{ url }, { username: user, password }] = mode === "portal" ? [portal, OWNER] : [local, LOCAL];
  return connect({ url, mode, user, password, insecure: true, stream: "off" }).then(async (loaded) => {
    expect(loaded.problems).toEqual([]);
    const snapshot = loaded.snapshot();
    await loaded.close();
    return snapshot;
  });
}

/** Without fields that only the portal has: the roles of nodes, and the effects of scene links on members. */
function toldByBoth(snapshot: HomeSnapshot): object {
  const groups = snapshot.groups.map((group) => ({
    ...group,
    ...{ intents: null, targetsResolved: null, anyOn: null, allOn: null, hasStateTarget: null },
  }));
  const nodes = snapshot.nodes.map((node) => ({ ...node, role: null, linkState: null, isSecured: null }));
  return { ...snapshot, nodes, groups };
}

test("M17 random homes are the same through the portal and the local surface", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(home, async (changes) => {
      await using controller = await startTestController({ demo: false });
      for (const change of changes) controller.services.feed.commit(change, SYSTEM_CAUSE);
      const [portal, local] = await Promise.all([snapshotOf(controller, "portal"), snapshotOf(controller, "local")]);
      expect(toldByBoth(local)).toEqual(toldByBoth(portal));
      expect(portal.nodes.length).toBe(NODES.length);
    }),
    { numRuns: 6 },
  );
});

test("M17 the demo home is the same through the portal and the local surface", async () => {
  await using controller = await startTestController();
  const [portal, local] = await Promise.all([snapshotOf(controller, "portal"), snapshotOf(controller, "local")]);
  expect(toldByBoth(local)).toEqual(toldByBoth(portal));
  expect(portal.groups.every((group) => "targetsResolved" in group && group.targetsResolved)).toBe(true);
});
