/** P12: all programs of a home verified, over HTTPS; one tree before it is saved; and programs that are all tied together. */

import type { Action, Condition } from "../../src/home/program-syntax.ts";
import type { Program } from "../../src/home/programs.ts";
import { verifyPrograms } from "../../src/programs/verify/verify-programs.ts";
import { inOneGo } from "../../test/support/in-one-go.ts";
import { seededHome } from "../../test/support/seeded-home.ts";
import { type RunningController, startController } from "../harness/controller.ts";
import { type HomeCopy, USUAL } from "../harness/homes.ts";
import { requestOnce } from "../harness/https-connection.ts";
import type { Bench, Measure, Result, Row } from "../harness/measure.ts";
import { type Spread, spreadOf } from "../harness/statistics.ts";

const GOAL = { of: "figure", bound: "at most", value: 150 } as const;
const PATH = "/api/programs/verify";
const TREE = {
  if: [{ type: "var", andOr: "and", varType: "2", id: 1, op: "IS", val: { value: 1, prec: 0 } }],
  then: [{ type: "wait", minutes: 1 }],
  else: [],
};
const TIED = 200;

export const verify: Measure = {
  id: "P12",
  title: "all programs verified",
  async run(bench): Promise<Result> {
    const { first, again, tree } = await overHttp(bench);
    const tied = await tiedTogether(bench.quick ? 3 : 10);
    const row = (what: string, spread: Spread): Row => ({ what, figure: spread.p50, unit: "ms", goal: GOAL, spread });
    return {
      rows: [
        row("200 programs, first request after a start", first),
        row("200 programs, again", again),
        row("one tree as if it were saved, beside 200 programs", tree),
        row(`${TIED} programs that all start one another`, tied),
      ],
      notes: [
        `${USUAL.nodes} nodes. The first three over TLS, answer included; the last one inside a process of the bench.`,
      ],
    };
  },
};

async function overHttp({ children, homes, quick }: Bench) {
  const home = await homes.copy({ ...USUAL, journalEntries: 0 });
  const first: number[] = [];
  const again: number[] = [];
  const tree: number[] = [];
  for (let start = 0; start < (quick ? 2 : 5); start += 1) {
    const controller = await startController(children, { home });
    first.push(await ask(controller, home, "{}"));
    for (let request = 0; request < (quick ? 5 : 20); request += 1) {
      again.push(await ask(controller, home, "{}"));
      tree.push(await ask(controller, home, JSON.stringify(TREE)));
    }
    await controller.end();
  }
  return { first: spreadOf(first), again: spreadOf(again), tree: spreadOf(tree) };
}

async function ask({ portal }: RunningController, home: HomeCopy, body: string): Promise<number> {
  const startMs = performance.now();
  const parts = { method: "POST", path: PATH, authorization: `Bearer ${home.accessToken}`, body };
  const { status } = await requestOnce(portal, parts);
  if (status !== 200) throw new Error(`${PATH} answered ${status}.`);
  return performance.now() - startMs;
}

/** Every one looks at two state variables and writes the next one: the worst that loops can be looked for in. */
async function tiedTogether(runs: number): Promise<Spread> {
  const { home, profile, commands } = await seededHome({ demo: true, demoNodes: USUAL.nodes });
  home.programs.clear();
  for (let index = 0; index < TIED; index += 1) home.programs.set(index + 2, tiedProgram(index));
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const startMs = performance.now();
    inOneGo(
      verifyPrograms({
        home,
        profile,
        nowMs: Date.parse("2026-06-01T10:00:00Z"),
        limits: commands.config,
        isChannel: () => true,
      }),
    );
    times.push(performance.now() - startMs);
  }
  return spreadOf(times);
}

function tiedProgram(index: number): Program {
  const variable = (offset: number) => ((index + offset) % 10) + 1;
  const is = (id: number, value: number): Condition => ({
    andOr: "and",
    kind: "variable",
    type: 2,
    id,
    comparison: "GE",
    operand: { kind: "value", value, prec: 0 },
  });
  const set = (id: number, value: number): Action => ({
    kind: "variable",
    type: 2,
    id,
    operator: "EQ",
    operand: { kind: "value", value, prec: 0 },
  });
  return {
    kind: "program",
    id: index + 2,
    version: 1,
    name: `Tied ${index}`,
    parentId: null,
    comment: "",
    enabled: true,
    runAtStartup: false,
    running: "idle",
    status: false,
    invalid: null,
    lastRunAtMs: null,
    lastFinishAtMs: null,
    nextRunAtMs: null,
    tree: {
      if: [is(variable(0), index % 4), is(variable(3), (index + 1) % 3)],
      then: [set(variable(1), index % 5)],
      else: [set(variable(1), (index + 2) % 5)],
    },
  };
}
