/** A twin of a running controller with any home: the same documents, and the same home to a client. */

import { connect } from "@domovoi/client";
import fc from "fast-check";
import { expect, test } from "vitest";
import { SYSTEM_CAUSE } from "../../src/home/cause.ts";
import type { Change } from "../../src/home/change.ts";
import { EMPTY_TREE } from "../../src/home/program-syntax.ts";
import { fetchOriginal } from "../../src/twin/fetch-original.ts";
import type { Original } from "../../src/twin/original.ts";
import { EXAMPLES } from "../simulation/effort.ts";
import { arbitraryTree } from "../support/arbitrary-trees.ts";
import { compareJson, compareXml } from "../support/compare-documents.ts";
import { OWNER, startTestController, type TestController } from "../support/controller.ts";
import { startTwin } from "../support/twin.ts";

const CHARS_MAX = 10_000_000;

/** Each takes a controller and its twin. */
const HOMES = Math.ceil(EXAMPLES / 50);
const NODES = ["1A 2B 3C 1", "ZW002_1"];

const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).filter((text) => !/\p{Cc}/u.test(text));
const raw = fc.integer({ min: -1_000_000, max: 1_000_000 });
const timeMs = fc.integer({ min: 0, max: 4_000_000_000_000 });

/** Possible changes of a home, made like clients and drivers make them. */
const change: fc.Arbitrary<(address: string) => Change> = fc.oneof(
  name.map((text) => (address: string) => ({ type: "node-renamed" as const, address, name: text })),
  fc.boolean().map((enabled) => (address: string) => ({ type: "node-enabled" as const, address, enabled })),
  fc
    .record({
      id: fc.constantFrom("ST", "OL", "GV7", "CLITEMP", "BATLVL"),
      value: fc.option(raw),
      uom: fc.constantFrom(0, 4, 25, 51, 78, 100, 145, 999),
      prec: fc.integer({ min: 0, max: 4 }),
      text: fc.option(name),
      changedAtMs: timeMs,
    })
    .map((property) => (address: string) => ({ type: "property-changed" as const, address, property })),
  fc
    .record({
      type: fc.constantFrom(1 as const, 2 as const),
      id: fc.integer({ min: 1, max: 900 }),
      name,
      value: raw,
      init: raw,
    })
    .chain((variable) => fc.tuple(fc.constant(variable), fc.integer({ min: 0, max: 9 }), timeMs))
    .map(([variable, prec, writtenAtMs]) => () => ({
      type: "variable-added" as const,
      variable: { ...variable, prec, writtenAtMs },
    })),
  fc
    .record({
      id: fc.integer({ min: 500, max: 900 }),
      name,
      tree: arbitraryTree(),
      enabled: fc.boolean(),
      comment: name,
    })
    .chain((program) => fc.tuple(fc.constant(program), fc.option(timeMs), fc.option(timeMs), fc.option(fc.boolean())))
    .map(([program, lastRunAtMs, lastFinishAtMs, status]) => () => ({
      type: "program-added" as const,
      program: {
        kind: "program" as const,
        parentId: 1,
        runAtStartup: false,
        running: "idle" as const,
        invalid: null,
        nextRunAtMs: null,
        ...program,
        tree: { ...EMPTY_TREE, ...program.tree },
        lastRunAtMs,
        lastFinishAtMs,
        status,
      },
    })),
);

const home = fc.record({
  demoNodes: fc.constantFrom(0, 12, 40),
  changes: fc.array(fc.tuple(change, fc.constantFrom(...NODES)), { maxLength: 40 }),
});

async function original({ portal }: TestController): Promise<Original> {
  const fetch = async (path: string) => {
    const answer = await portal.get(path);
    return answer.status === 200 ? answer.text : null;
  };
  return fetchOriginal(fetch, CHARS_MAX, () => {});
}

const PATHS = [
  "/api/config",
  "/api/nodes",
  "/api/groups",
  "/api/programs",
  "/api/triggers",
  "/api/variables/1",
  "/api/variables/2",
  "/rest/profiles?include=nodedefs,editors,linkdefs",
  "/rest/status",
  "/rest/nodes",
  "/rest/networking/resources",
  "/rest/zwave/node/0/def/get",
  "/rest/zmatter/zwave/node/0/def/get",
] as const;

async function differences(first: TestController, second: TestController): Promise<readonly string[]> {
  const found = await Promise.all(
    PATHS.map(async (path) => {
      const [a, b] = await Promise.all([first.portal.get(path), second.portal.get(path)]);
      if (a.status !== b.status) return [`${path}: status ${a.status}, now ${b.status}`];
      if (a.status !== 200) return [];
      const compare = a.text.startsWith("<") ? compareXml : compareJson;
      return compare(a.text, b.text).map((line) => `${path} ${line}`);
    }),
  );
  return found.flat();
}

async function snapshot({ portal }: TestController) {
  await using loaded = await connect({
    url: portal.url,
    user: OWNER.username,
    password: OWNER.password,
    insecure: true,
    stream: "off",
  });
  return loaded.snapshot();
}

test("random homes: the twin of a controller serves the same documents, and a client loads the same home", {
  timeout: 60_000,
}, async () => {
  const homes = fc.asyncProperty(home, async ({ demoNodes, changes }) => {
    await using first = await startTestController({ demoNodes });
    await first.login();
    for (const [make, address] of changes) first.services.feed.commit(make(address), SYSTEM_CAUSE);
    await using running = await startTwin(await original(first));
    expect(await differences(first, running.twin)).toEqual([]);
    expect(await snapshot(running.twin)).toEqual(await snapshot(first));
  });
  await fc.assert(homes, { numRuns: HOMES });
});
