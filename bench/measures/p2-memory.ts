/** P2: resident memory when nothing happens, with 500 and 10,000 nodes, and after one client has loaded everything. */

import { fileURLToPath } from "node:url";
import { pause } from "../harness/arrivals.ts";
import { certificateOf } from "../harness/certificate.ts";
import { startController } from "../harness/controller.ts";
import { type HomeCopy, USUAL } from "../harness/homes.ts";
import { requestOnce, type Target } from "../harness/https-connection.ts";
import type { Bench, Measure, Result } from "../harness/measure.ts";
import { anonymousMb, residentMb } from "../harness/process-figures.ts";
import { FULL_LOAD } from "./documents.ts";

const BARE = fileURLToPath(new URL("../servers/bare-https.js", import.meta.url));
const LARGE = { nodes: 10_000, journalEntries: 0, killed: false } as const;
const SETTLE_MS = 12_000;
const QUICK_SETTLE_MS = 5000;
const AFTER_LOAD_MS = 3000;
/** The first start after an upgrade reads the whole journal into samples; its garbage is not the memory of an idle controller. */
const IMPORT_MS = 10_000;

export const memory: Measure = {
  id: "P2",
  title: "resident memory, idle",
  async run(bench): Promise<Result> {
    const { children, homes, quick } = bench;
    const usualHome = await homes.copy(USUAL);
    bench.say("making a home of 10,000 nodes");
    const largeHome = await homes.copy(LARGE);
    const coldHome = await homes.copy(USUAL);
    bench.say("starting each once before: a warm compile cache, and the samples of the journal so far");
    await (await startBare(bench, usualHome)).end();
    for (const home of [usualHome, largeHome, coldHome]) {
      const before = await startController(children, { home });
      await pause(IMPORT_MS);
      await before.end();
    }

    const bare = await startBare(bench, usualHome);
    const usual = await startController(children, { home: usualHome });
    const large = await startController(children, { home: largeHome });
    const cold = await startController(children, { home: coldHome, env: { NODE_DISABLE_COMPILE_CACHE: "1" } });
    bench.say("letting them settle");
    await pause(quick ? QUICK_SETTLE_MS : SETTLE_MS);
    const peer = { name: "bare Node with ws and https", figure: residentMb(bare.pid) };
    const [usualMb, largeMb] = [residentMb(usual.pid), residentMb(large.pid)];
    const coldMb = residentMb(cold.pid);
    const bareOwn = { name: "bare Node with ws and https", figure: anonymousMb(bare.pid) };
    const [usualOwnMb, largeOwnMb] = [anonymousMb(usual.pid), anonymousMb(large.pid)];
    await loadAll(usual.portal, usualHome);
    await pause(AFTER_LOAD_MS);
    const loadedMb = residentMb(usual.pid);
    await Promise.all([bare, usual, large, cold].map((child) => child.end()));
    const atMost = (value: number) => ({ of: "figure", bound: "at most", value }) as const;
    return {
      rows: [
        { what: "500 nodes, 200 programs", figure: usualMb, unit: "MB", goal: atMost(100), peer },
        { what: "10,000 nodes, 4,000 programs", figure: largeMb, unit: "MB", goal: atMost(160), peer },
        { what: "500 nodes, without pages of files", figure: usualOwnMb, unit: "MB", peer: bareOwn },
        { what: "10,000 nodes, without pages of files", figure: largeOwnMb, unit: "MB", peer: bareOwn },
        { what: "500 nodes, started without a compile cache", figure: coldMb, unit: "MB", goal: atMost(100), peer },
        { what: "500 nodes, after one full load", figure: loadedMb, unit: "MB", peer },
      ],
      notes: [
        `Resident set, in units of 2^20 bytes, after a start on an existing directory and ${(quick ? QUICK_SETTLE_MS : SETTLE_MS) / 1000} s of rest. Pages of files are those of Node's own program and libraries, which all Node processes of a machine share and the system takes back when it needs them.`,
      ],
    };
  },
};

function startBare({ children }: Bench, home: HomeCopy) {
  const { cert, key } = certificateOf(home);
  const env = { BENCH_CERT: cert, BENCH_KEY: key };
  return children.start({ command: process.execPath, args: [BARE], env, ready: "ready " });
}

async function loadAll(target: Target, home: HomeCopy): Promise<void> {
  const authorization = `Bearer ${home.accessToken}`;
  await Promise.all(FULL_LOAD.map((path) => requestOnce(target, { path, authorization })));
}
