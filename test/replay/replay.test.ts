/** A recording through the programs once more: the same as it was, and what a changed program would have done. */

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Cause } from "../../src/home/cause.ts";
import type { Home } from "../../src/home/home.ts";
import type { Node } from "../../src/home/nodes.ts";
import type { ProgramTree } from "../../src/home/program-syntax.ts";
import type { ProgramDefinition } from "../../src/home/programs.ts";
import { createProgramNames } from "../../src/programs/text/names.ts";
import { printProgram } from "../../src/programs/text/print-program.ts";
import { replayResult } from "../../src/replay/replay-result.ts";
import { replayText } from "../../src/replay/replay-text.ts";
import { readChanges, revisedProgram } from "../../src/replay/revision.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { HOUR_MS, liveOn, replayed } from "./recorded-week.ts";

const HOURS = 14;
const END_MS = START_MS + HOURS * HOUR_MS;
const SEEDS = [1, 2, 3];

/** A program with another tree, by its name. */
const revising = (name: string, change: (tree: ProgramTree) => ProgramTree) => (home: Home) => {
  const programs = [...home.programs.values()].filter((entry) => entry.name === name);
  return programs.flatMap((entry): readonly ProgramDefinition[] =>
    entry.kind === "program" ? [{ ...entry, tree: change(entry.tree) }] : [],
  );
};

const shown = ({ services }: TestController, result: ReturnType<typeof replayed>) =>
  replayResult(result, services.profile, 100_000);

describe.each(SEEDS)("the recording of seed %i", (seed) => {
  let controller: TestController;
  let middleMs: number;

  beforeAll(async () => {
    controller = await startTestController({}, { seed });
    await liveOn(controller, HOURS / 2, seed);
    middleMs = controller.clock.now();
    await liveOn(controller, HOURS / 2, seed + 100);
    await controller.stop();
  });

  afterAll(() => controller[Symbol.asyncDispose]());

  test("gives again exactly what was really commanded", () => {
    const { recordedCommands, replayedCommands, missing, unknown, did } = replayed(controller.data, START_MS, END_MS);
    expect(missing).toBe(0);
    expect(unknown).toEqual({ properties: 0, others: 0 });
    expect(recordedCommands).toBeGreaterThan(20);
    expect(replayedCommands).toBe(recordedCommands);
    expect(did.length).toBeGreaterThan(0);
  });

  test("does so from the middle, too", () => {
    const { recordedCommands, replayedCommands } = replayed(controller.data, middleMs + 1, END_MS);
    expect(recordedCommands).toBeGreaterThan(10);
    expect(replayedCommands).toBe(recordedCommands);
  });

  test("is the same every time", () => {
    const [first, second] = [1, 2].map(() => shown(controller, replayed(controller.data, START_MS, END_MS)));
    expect(second).toEqual(first);
  });

  test("shows no difference for programs that are the same", () => {
    const same = replayed(controller.data, middleMs + 1, END_MS, (home) =>
      [...home.programs.values()].filter(({ kind }) => kind === "program"),
    );
    expect(same.differences).toEqual([]);
  });

  test("shows that a program without statements would have sent nothing, and nothing else that is certain", () => {
    const revise = revising("Fan When Warm", (tree) => ({ ...tree, then: [], else: [] }));
    const { differences, did, home } = replayed(controller.data, middleMs + 1, END_MS, revise);
    const id = [...home.programs.values()].find(({ name }) => name === "Fan When Warm")?.id;
    const own = did.filter(({ programId }) => programId === id);
    expect(own.length).toBeGreaterThan(0);
    const certain = differences?.filter(({ isCertain }) => isCertain).map(({ kind, programId }) => [kind, programId]);
    expect(certain).toEqual(own.map(() => ["removed", id]));
  });

  test("shows what a program with one more statement would have written", () => {
    const variable = { kind: "variable", type: 1, id: 10, operator: "EQ" } as const;
    const revise = revising("Fan When Warm", (tree) => ({
      ...tree,
      else: [...tree.else, { ...variable, operand: { kind: "value", value: 42, prec: 0 } }],
    }));
    const { differences } = replayed(controller.data, middleMs + 1, END_MS, revise);
    const written = differences?.map(({ kind, deed }) => [kind, deed.kind, "value" in deed ? deed.value : null]) ?? [];
    expect(written.length).toBeGreaterThan(0);
    expect(new Set(written.map(String))).toEqual(new Set(["added,write-variable,42000"]));
  });
});

/** Moves, a device that is disabled, a removed room, a device that another definition makes something else. */
test.each([11, 12])(
  "is exact by room and role and for a time, while the home changes (seed %i)",
  async (seed) => {
    await using controller = await startTestController({}, { seed });
    await controller.login();
    const { home, feed } = controller.services;
    const OWNER: Cause = { kind: "request", id: "owner", by: "owner" };
    const add = async (name: string, lines: string) =>
      expect((await controller.portal.post("/api/programs/text", { text: `Program '${name}'\n${lines}` })).status).toBe(
        200,
      );
    await add(
      "Dark kitchen",
      "If\nStatus of any lamp in 'Kitchen' is On for 3 minutes\nThen\nSet all lamps in 'Kitchen' Off",
    );
    await add(
      "Lit room",
      "If\nNumber of lamps in 'Living Room' that are On > 1\nThen\nSet all lamps in 'Hall' On 40%\nElse\nSet all lamps in 'Hall' Off",
    );
    await add(
      "Nothing open",
      "If\nStatus of no contact is Open for 2 minutes\nThen\nSet 'Porch Light' DOF\nElse\nSet 'Porch Light' DON",
    );
    const folder = (name: string) => [...home.folders.values()].find((each) => each.name === name)?.address ?? "";
    const moves = ["1A 2B 3C 1", "1A 30 F4 1", "1A 2F A2 1"];
    await liveOn(controller, 1, seed);
    for (const [at, address] of moves.entries()) {
      const parent = { address: folder(["Kitchen", "Living Room", "Hall"][at] ?? ""), kind: "folder" } as const;
      feed.commit({ type: "parent-changed", kind: "node", address, parent }, OWNER);
      await liveOn(controller, 1, seed + at);
    }
    const middleMs = controller.clock.now();
    feed.commit({ type: "node-enabled", address: "1A 2F 91 1", enabled: false }, OWNER);
    const { properties: _p, link: _l, version: _v, ...lamp } = home.nodes.get("1A 30 1 1") as Node;
    feed.commit({ type: "node-revised", node: { ...lamp, role: "appliance" } }, OWNER);
    await liveOn(controller, 2, seed + 10);
    await controller.stop();
    for (const fromMs of [START_MS, middleMs + 1]) {
      const { recordedCommands, replayedCommands } = replayed(controller.data, fromMs, controller.clock.now());
      expect(recordedCommands).toBeGreaterThan(30);
      expect(replayedCommands).toBe(recordedCommands);
    }
  },
  120_000,
);

test("takes the text of a program: one that is there, or a new one", async () => {
  await using controller = await startTestController();
  await liveOn(controller, 2, 7);
  await controller.stop();
  const { profile } = controller.services;
  const told = (text: string) =>
    replayed(controller.data, START_MS + 1, END_MS, (home, present) =>
      readChanges(present, profile, [{ program: null, text }]).map((change) => revisedProgram(home, change)),
    ).differences;
  const rows = (text: string) => [...new Set(told(text)?.map(({ kind, programId }) => `${kind} ${programId}`))];
  const { home } = controller.services;
  const fan = [...home.programs.values()].find(({ name }) => name === "Fan When Warm");
  if (fan?.kind !== "program") throw new Error("The demo home has a program for the fan.");
  const printed = printProgram({ ...fan, tree: { ...fan.tree, else: [] } }, createProgramNames(home, profile));
  expect(rows(printed)).toEqual([`removed ${fan.id}`]);
  const tree: ProgramTree = { ...fan.tree, then: [], else: [{ kind: "notify", recipient: 1, content: null }] };
  const fresh = printProgram({ ...fan, id: null, name: "New", tree }, createProgramNames(home, profile));
  expect(rows(fresh)).toEqual([expect.stringMatching(/^added \d+$/)]);
});

test("keeps the change when the recording removes the program and takes that back", async () => {
  await using controller = await startTestController();
  const { home, feed } = controller.services;
  const fan = [...home.programs.values()].find(({ name }) => name === "Fan When Warm");
  if (fan?.kind !== "program") throw new Error("The demo home has a program for the fan.");
  const cause = { kind: "request", id: "r1", by: "owner" } as const;
  await liveOn(controller, 1, 6);
  feed.commit({ type: "program-removed", id: fan.id }, cause);
  feed.commit({ type: "program-added", program: fan }, cause);
  await liveOn(controller, 1, 7);
  await controller.stop();
  const revise = revising("Fan When Warm", (tree) => ({ ...tree, then: [], else: [] }));
  const { differences, did } = replayed(controller.data, START_MS + 1, END_MS, revise);
  const own = did.filter(({ programId }) => programId === fan.id);
  expect(own.length).toBeGreaterThan(0);
  const certain = differences?.filter(({ isCertain }) => isCertain).map(({ kind, programId }) => [kind, programId]);
  expect(certain).toEqual(own.map(() => ["removed", fan.id]));
});

test("reports the same differences as text and as JSON", async () => {
  await using controller = await startTestController();
  await liveOn(controller, 2, 7);
  await controller.stop();
  const revise = revising("Fan When Warm", (tree) => ({ ...tree, then: [], else: [] }));
  const result = shown(controller, replayed(controller.data, START_MS + 1, END_MS, revise));
  const lines = replayText(result)
    .split("\n")
    .filter((line) => /^[-+~][ ?] \d/.test(line));
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.length).toBe(result.differences.length);
  const once = result.programs.map((program) => ({ ...program, runsBefore: 1, runsAfter: 2 }));
  const single = replayText({ ...result, entries: 1, programs: once, differencesTotal: 1 });
  expect(single).toContain(": 1 recorded entry.\n");
  expect(single).toContain(" ran once, with the change 2 times.\n1 difference.");
});

test("says when the journal ends before the span does", async () => {
  await using controller = await startTestController();
  await liveOn(controller, 1, 7);
  await controller.stop();
  const head = (toMs: number) =>
    replayText(shown(controller, replayed(controller.data, START_MS, toMs))).split("\n")[2];
  expect(head(START_MS + 1000)).toBe("");
  expect(head(END_MS + 3_600_000_000)).toMatch(
    /^The journal ends at 2026-05-0\d \d\d:\d\d:\d\d\. Everything after it follows/,
  );
});
