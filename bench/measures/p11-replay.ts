/** P11: one recorded week of a 500-node home through its programs once more, as they were and with one changed. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseConfig } from "../../src/config.ts";
import type { Cause } from "../../src/home/cause.ts";
import { ChangeFeed } from "../../src/home/change-feed.ts";
import type { Home } from "../../src/home/home.ts";
import { declareBuiltinProfile } from "../../src/profile/builtin/builtin.ts";
import { Profile } from "../../src/profile/profile.ts";
import { createProgramNames } from "../../src/programs/text/names.ts";
import { printProgram } from "../../src/programs/text/print-program.ts";
import { openStore } from "../../src/store/open-store.ts";
import { createLog } from "../../src/util/log.ts";
import { seededRandomness } from "../../src/util/randomness.ts";
import { VirtualClock } from "../../src/util/virtual-clock.ts";
import { type HomeCopy, USUAL } from "../harness/homes.ts";
import type { Bench, Measure, Result, Row } from "../harness/measure.ts";
import { spreadOf } from "../harness/statistics.ts";

const GOAL = { of: "figure", bound: "at most", value: 1500 } as const;
const PROGRAM = fileURLToPath(new URL("../../bin/domovoi.js", import.meta.url));
const MINUTES = 7 * 24 * 60;
const REPORT: Cause = { kind: "report", id: "virtual", by: "virtual" };

type Week = { readonly home: HomeCopy; readonly from: string; readonly to: string; readonly changed: string };

export const replay: Measure = {
  id: "P11",
  title: "a recorded week through the programs once more",
  async run(bench): Promise<Result> {
    const rows: Row[] = [];
    for (const reportsAMinute of bench.quick ? [10] : [10, 50]) {
      bench.say(`living through a week of ${reportsAMinute * MINUTES} reports`);
      const week = await live(bench, reportsAMinute);
      const name = `${(reportsAMinute * MINUTES).toLocaleString("en")} reports`;
      rows.push(await row(bench, `${name}, as they were`, week, []));
      rows.push(await row(bench, `${name}, and with a changed program`, week, ["--with", week.changed]));
    }
    return {
      rows,
      notes: [`${USUAL.nodes} nodes, 200 programs. The whole command, from its start to the end of the process.`],
    };
  },
};

async function row({ children, quick }: Bench, what: string, week: Week, more: readonly string[]): Promise<Row> {
  const { home, from, to } = week;
  const args = [PROGRAM, "replay", "--data", home.dir, "--from", from, "--until", to, "--json", ...more];
  const times: number[] = [];
  for (let run = 0; run < (quick ? 2 : 5); run += 1) {
    const startMs = performance.now();
    const child = await children.start({ command: process.execPath, args, ready: "{" });
    times.push(performance.now() - startMs);
    await child.end();
  }
  const spread = spreadOf(times);
  return { what, figure: spread.p50, unit: "ms", goal: GOAL, spread };
}

async function live(bench: Bench, reportsAMinute: number): Promise<Week> {
  const copy = await bench.homes.copy({ ...USUAL, journalEntries: 0 });
  const fromMs = Date.now() + 60_000;
  const clock = new VirtualClock(fromMs);
  const config = parseConfig({ data: copy.dir });
  const store = await openStore({ dir: copy.dir, config, clock, log: createLog("error") });
  const known = store.loadHome();
  if (!known) throw new Error("There is no home to live in.");
  const feed = new ChangeFeed(known.home, clock, known.lastSeq);
  feed.record(store.record);
  const report = reporter(known.home, feed, clock);
  for (let minute = 0; minute < MINUTES; minute += 1) {
    clock.moveTo(fromMs + minute * 60_000);
    for (let count = 0; count < reportsAMinute; count += 1) report();
    // A virtual week is faster than the disk.
    if (minute % 60 === 0) await store.committed(feed.lastSeq);
  }
  const changed = join(copy.dir, "changed.txt");
  writeFileSync(changed, changedProgram(known.home));
  await store.close();
  const time = (atMs: number) => new Date(atMs).toISOString();
  return { home: copy, from: time(fromMs), to: time(fromMs + MINUTES * 60_000), changed };
}

function reporter(home: Home, feed: ChangeFeed, clock: VirtualClock): () => void {
  const { next } = seededRandomness(11);
  const nodes = [...home.nodes.values()].filter(({ properties }) => properties.has("ST"));
  return () => {
    const node = nodes[Math.floor(next() * nodes.length)];
    const before = node?.properties.get("ST");
    if (!node || !before) return;
    const property = { ...before, value: Math.floor(next() * 256), changedAtMs: clock.now() };
    feed.commit({ type: "property-changed", address: node.address, property }, REPORT);
  };
}

/** The first program that a device starts, without its statements. */
function changedProgram(home: Home): string {
  const profile = new Profile();
  declareBuiltinProfile(profile);
  for (const entry of home.programs.values()) {
    if (entry.kind === "program" && entry.tree.if.some(({ kind }) => kind === "status"))
      return printProgram({ ...entry, tree: { ...entry.tree, then: [], else: [] } }, createProgramNames(home, profile));
  }
  throw new Error("No program is started by a device.");
}
