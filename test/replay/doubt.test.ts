/** Effects of a changed program on devices that were not commanded in the recording: assumed, and marked. */

import { afterEach, beforeEach, expect, test } from "vitest";
import type { Action, Condition } from "../../src/home/program-syntax.ts";
import { START_MS, startTestController, type TestController } from "../support/controller.ts";
import { program } from "../support/programs.ts";
import { HOUR_MS, replayed } from "./recorded-week.ts";

const LAMP = "1A 2B 3C 1";
const MOTION = "2D 7F E1 1";
const OTHER_LAMP = "1A 60 A 1";
const MINE = 200;
const THEIRS = 201;

const switchOn = (node: string): Action => ({ kind: "command", node, command: "DON", parameters: [] });
const write: Action = {
  kind: "variable",
  type: 1,
  id: 9,
  operator: "ADD=",
  operand: { kind: "value", value: 1, prec: 0 },
};
const motion: Condition = { kind: "control", andOr: "and", node: MOTION, command: "DON", comparison: "IS" };
const isOn = (node: string): Condition => ({
  kind: "status",
  andOr: "and",
  node,
  property: "ST",
  comparison: "GT",
  value: { value: 0, prec: 0, uom: 100 },
});

let controller: TestController;

beforeEach(async () => {
  controller = await startTestController();
});
afterEach(() => controller[Symbol.asyncDispose]());

const programOf = (id: number, conditions: readonly Condition[], then: readonly Action[]) =>
  program(id, { tree: { if: conditions, then, else: [] } });

/** Motion is seen: `MINE` follows its command, `THEIRS` follows a lamp. */
async function live(mine: readonly Action[], watched: string): Promise<void> {
  const { feed } = controller.services;
  const cause = { kind: "request", id: "r", by: "owner" } as const;
  feed.commit({ type: "program-added", program: programOf(MINE, [motion], mine) }, cause);
  feed.commit({ type: "program-added", program: programOf(THEIRS, [isOn(watched)], [write]) }, cause);
  await controller.clock.advance(60_000);
  const report = { kind: "report", id: "virtual", by: "virtual" } as const;
  feed.commit({ type: "control-sent", address: MOTION, control: "DON", value: 0 }, report);
  await controller.clock.advance(60_000);
  await controller.stop();
}

function changed(mine: readonly Action[]): readonly unknown[] {
  const { differences } = replayed(controller.data, START_MS + 30_000, START_MS + HOUR_MS, (home) => {
    const entry = home.programs.get(MINE);
    return entry?.kind === "program" ? [{ ...entry, tree: { ...entry.tree, then: mine } }] : [];
  });
  const about = (differences ?? []).filter(({ programId }) => programId === MINE || programId === THEIRS);
  return about.map(({ kind, programId, deed, isCertain }) => [kind, programId, deed.kind, isCertain]);
}

test("holds back the report of a command that is not given, and marks what followed from it", async () => {
  await live([switchOn(LAMP)], LAMP);
  expect(changed([])).toEqual([
    ["removed", MINE, "send", true],
    ["removed", THEIRS, "write-variable", false],
  ]);
});

test("assumes that a lamp goes on at its command, and marks what follows from the assumption", async () => {
  await live([], LAMP);
  expect(changed([switchOn(LAMP)])).toEqual([
    ["added", MINE, "send", true],
    ["added", THEIRS, "write-variable", false],
  ]);
});

test("leaves alone what has nothing to do with the devices in doubt", async () => {
  await live([switchOn(LAMP)], LAMP);
  expect(changed([switchOn(LAMP), switchOn(OTHER_LAMP)])).toEqual([["added", MINE, "send", true]]);
});
