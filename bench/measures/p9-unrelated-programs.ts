/**
 * P9: what one report costs the programs as unrelated ones grow from 10 to 10,000. In this process, without a disk and
 * without devices: the engine with its index, its state and the home alone. The two are measured turn by turn.
 */

import { parseConfig } from "../../src/config.ts";
import { SYSTEM_CAUSE } from "../../src/home/cause.ts";
import { ChangeFeed } from "../../src/home/change-feed.ts";
import { Home } from "../../src/home/home.ts";
import type { ProgramTree } from "../../src/home/program-syntax.ts";
import { Profile } from "../../src/profile/profile.ts";
import { ProgramRunner } from "../../src/programs/runner.ts";
import { createLog } from "../../src/util/log.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import type { Measure, Result } from "../harness/measure.ts";

const FEW = 10;
const MANY = 10_000;
const REPORTS_A_ROUND = 2000;
const RELATED_ID = 2;
const WATCHED = "watched";

export const unrelatedPrograms: Measure = {
  id: "P9",
  title: `one report, ${FEW} → ${MANY} unrelated programs`,
  async run({ quick, say }): Promise<Result> {
    const [few, many] = [houseWith(FEW), houseWith(MANY)];
    const rounds = quick ? 20 : 100;
    const times = { few: [] as number[], many: [] as number[] };
    for (let round = 0; round < rounds + 5; round += 1) {
      const [a, b] = [await reportsMs(few), await reportsMs(many)];
      if (round < 5) continue;
      times.few.push(a);
      times.many.push(b);
    }
    say(`${rounds} rounds of ${REPORTS_A_ROUND} reports each`);
    const [before, after] = [median(times.few), median(times.many)];
    return {
      rows: [
        {
          what: `${REPORTS_A_ROUND} reports, each starts one program of ${MANY}`,
          figure: after,
          unit: "ms",
          goal: { of: "ratio", bound: "at most", value: 1.1 },
          peer: { name: `of ${FEW}`, figure: before },
        },
      ],
      notes: ["Medians of rounds that take turns in one process; each report starts one program with one statement."],
    };
  },
};

type Ground = { report(value: number): void; sent(): number };

function houseWith(unrelated: number): Ground {
  const home = new Home({
    uuid: "02:00:00:00:00:01",
    name: "Home",
    timeZone: "Europe/Berlin",
    latitude: 52.52,
    longitude: 13.405,
    batchMode: false,
    batteryWrites: true,
  });
  const clock = new VirtualClock(Date.UTC(2026, 5, 10));
  const feed = new ChangeFeed(home, clock, 0);
  for (let index = 0; index < 100; index += 1) addNode(feed, `node ${index}`);
  addNode(feed, WATCHED);
  addProgram(feed, RELATED_ID, WATCHED);
  for (let index = 0; index < unrelated; index += 1) addProgram(feed, RELATED_ID + 1 + index, `node ${index % 100}`);
  let sent = 0;
  const runner = new ProgramRunner({
    config: parseConfig({}),
    home,
    feed,
    profile: new Profile(),
    durability: { committed: async () => {} },
    clock,
    log: createLog("silent"),
    send: async () => {
      sent += 1;
      return { outcome: "done", commandId: null, detail: "" };
    },
  });
  runner.start(false);
  return {
    sent: () => sent,
    report(value) {
      const property = { id: "ST", value, uom: 51, prec: 0, text: null, changedAtMs: clock.now() };
      feed.commit({ type: "property-changed", address: WATCHED, property }, SYSTEM_CAUSE);
    },
  };
}

function addNode(feed: ChangeFeed, address: string): void {
  const plain = { nodeDefId: "X", family: 1, instance: 1, type: "1.1.1.1", parent: null, devtype: null };
  const node = { ...plain, address, name: address, primary: address, enabled: true, driver: "bench" };
  feed.commit({ type: "node-added", node }, SYSTEM_CAUSE);
}

function addProgram(feed: ChangeFeed, id: number, node: string): void {
  const value = { value: 50, prec: 0, uom: 51 };
  const tree: ProgramTree = {
    if: [{ andOr: "and", kind: "status", node, property: "ST", comparison: "GT", value }],
    then: [{ kind: "command", node: "node 0", command: "DON", parameters: [] }],
    else: [{ kind: "command", node: "node 0", command: "DOF", parameters: [] }],
  };
  const times = { status: null, lastRunAtMs: null, lastFinishAtMs: null, nextRunAtMs: null };
  const flags = { comment: "", enabled: true, runAtStartup: false, running: "idle", invalid: null } as const;
  const program = { kind: "program", id, name: `Program ${id}`, parentId: null, tree, ...flags, ...times } as const;
  feed.commit({ type: "program-added", program }, SYSTEM_CAUSE);
}

async function reportsMs({ report, sent }: Ground): Promise<number> {
  const before = sent();
  const startedMs = performance.now();
  for (let count = 0; count < REPORTS_A_ROUND; count += 1) {
    report(count % 100);
    // The program acts in its own turn; its statement's outcome comes in the next.
    await Promise.resolve();
    await Promise.resolve();
  }
  // A program that does this much has its turn behind everything else.
  for (let turns = 0; turns < REPORTS_A_ROUND && sent() - before < REPORTS_A_ROUND; turns += 1)
    await new Promise<void>((resolve) => setImmediate(resolve));
  const endedMs = performance.now();
  if (sent() - before !== REPORTS_A_ROUND) throw new Error("A report did not start its program.");
  return endedMs - startedMs;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
