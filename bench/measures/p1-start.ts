/** P1: start of the process → right answers from `/api/config` and `/api/nodes`, after 100,000 journal entries. */

import { fileURLToPath } from "node:url";
import { certificateOf } from "../harness/certificate.ts";
import type { Child, Environment } from "../harness/children.ts";
import { startController } from "../harness/controller.ts";
import { type HomeCopy, USUAL } from "../harness/homes.ts";
import { requestOnce, type Target, targetOf } from "../harness/https-connection.ts";
import type { Bench, Measure, Result, Row } from "../harness/measure.ts";
import { type Spread, spreadOf } from "../harness/statistics.ts";

const GOAL = { of: "figure", bound: "at most", value: 300 } as const;
const BARE = fileURLToPath(new URL("../servers/bare-https.js", import.meta.url));
const NO_CACHE: Environment = { NODE_DISABLE_COMPILE_CACHE: "1" };
/** As large as the list of nodes. */
const BODY_BYTES = 250_000;

export const start: Measure = {
  id: "P1",
  title: "start of the process → right answers",
  async run(bench): Promise<Result> {
    const [warm, cold] = bench.quick ? [4, 2] : [9, 4];
    const home = await bench.homes.copy(USUAL);
    const killed = await bench.homes.copy({ ...USUAL, killed: true });
    bench.say("starting with warm and cold compile caches");
    await timeController(bench, home, {});
    await timeBare(bench, home, {});
    const warmBare = await repeat(warm, () => timeBare(bench, home, {}));
    const coldBare = await repeat(cold, () => timeBare(bench, home, NO_CACHE));
    const warmOwn = await repeat(warm, () => timeController(bench, home, {}));
    const coldOwn = await repeat(cold, () => timeController(bench, home, NO_CACHE));
    // Only the first start after a kill finds what it left, so each run gets a home of its own.
    const afterKill = await repeat(cold, async () => {
      const copy = await bench.homes.copy({ ...USUAL, killed: true });
      return timeController(bench, copy, {});
    });
    return {
      rows: [
        row("median, warm compile cache", warmOwn, "p50", warmBare),
        row("slowest, warm compile cache", warmOwn, "max", warmBare),
        row("median, no compile cache (first start ever)", coldOwn, "p50", coldBare),
        row("median, after a kill", afterKill, "p50", warmBare),
      ],
      notes: [
        `${killed.nodes} nodes, ${USUAL.journalEntries} journal entries since the home was made; TLS handshakes included.`,
        "The limit is a bare Node process with an HTTPS server that answers as many bytes.",
      ],
    };
  },
};

function row(what: string, own: Spread, which: "p50" | "max", bare: Spread): Row {
  const peer = { name: "bare Node with https (limit)", figure: bare[which] };
  return { what, figure: own[which], unit: "ms", goal: GOAL, peer, spread: own };
}

async function repeat(runs: number, time: () => Promise<number>): Promise<Spread> {
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) times.push(await time());
  return spreadOf(times);
}

async function timeController({ children }: Bench, home: HomeCopy, env: Environment): Promise<number> {
  const startMs = performance.now();
  const controller = await startController(children, { home, env });
  const authorization = `Bearer ${home.accessToken}`;
  const [config, tree] = await Promise.all([
    askJson<{ readonly uuid: string }>(controller.portal, "/api/config", authorization),
    askJson<{ readonly nodes: { readonly node: readonly object[] } }>(controller.portal, "/api/nodes", authorization),
  ]);
  const ms = performance.now() - startMs;
  const isRight = config.uuid === home.uuid && tree.nodes.node.length === home.nodes;
  await controller.end();
  if (!isRight) throw new Error("The answers after the start are not right.");
  return ms;
}

async function timeBare({ children }: Bench, home: HomeCopy, env: Environment): Promise<number> {
  const { cert, key } = certificateOf(home);
  const settings = { BENCH_CERT: cert, BENCH_KEY: key, BENCH_BODY_BYTES: String(BODY_BYTES) };
  const startMs = performance.now();
  const program = { command: process.execPath, args: [BARE], env: { ...env, ...settings }, ready: "ready " };
  const child: Child = await children.start(program);
  const target = targetOf(child.readyLine.split(" ")[1] ?? "");
  await Promise.all([askJson(target, "/api/config", ""), askJson(target, "/api/nodes", "")]);
  const ms = performance.now() - startMs;
  await child.end();
  return ms;
}

async function askJson<T>(target: Target, path: string, authorization: string): Promise<T> {
  const { body } = await requestOnce(target, { path, authorization });
  return (JSON.parse(body.toString()) as { readonly data: T }).data;
}
