/** P18: a command of the command line, from the start of its process to its end. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Environment } from "../harness/children.ts";
import { startController } from "../harness/controller.ts";
import { OWNER } from "../harness/homes.ts";
import type { Measure, Result, Row } from "../harness/measure.ts";
import { type Spread, spreadOf } from "../harness/statistics.ts";

const HOME = { nodes: 50, journalEntries: 0, killed: false } as const;
const GOAL = { of: "figure", bound: "at most", value: 350 } as const;
const PROGRAM = fileURLToPath(new URL("../../bin/domovoi.js", import.meta.url));
/** The minimum of every command: start Node, load its TLS, send one request. */
const BARE = `require("node:https").get(process.env.DOMOVOI_URL + "/api/config", { rejectUnauthorized: false }, (answer) => answer.resume().on("end", () => process.exit()))`;

export const commandLine: Measure = {
  id: "P18",
  title: "a command of the command line, from start to end",
  async run(bench): Promise<Result> {
    const home = await bench.homes.copy(HOME);
    const controller = await startController(bench.children, { home });
    const { host, port } = controller.portal;
    const env = {
      DOMOVOI_URL: `https://${host}:${port}`,
      DOMOVOI_USER: OWNER.login,
      DOMOVOI_PASSWORD: OWNER.password,
      DOMOVOI_CA: join(home.dir, "secrets/ca-cert"),
    };
    const runs = bench.quick ? 8 : 20;
    const bare = await repeat(runs, ["-e", BARE], env);
    const nodes = await repeat(runs, [PROGRAM, "nodes"], env);
    const send = await repeat(runs, [PROGRAM, "send", home.switches[0] ?? "", "DON"], env);
    const help = await repeat(runs, [PROGRAM, "--help"], env);
    await controller.end();
    const row = (what: string, spread: Spread): Row => ({
      what,
      figure: spread.p50,
      unit: "ms",
      goal: GOAL,
      peer: { name: "bare Node, one request (limit)", figure: bare.p50 },
      spread,
    });
    return {
      rows: [
        row("domovoi nodes, median", nodes),
        row("domovoi send, median", send),
        row("domovoi --help, median", help),
      ],
      notes: [`A home of ${HOME.nodes} nodes on the same machine; each command logs in, loads the home and logs out.`],
    };
  },
};

async function repeat(runs: number, args: readonly string[], env: Environment): Promise<Spread> {
  const times: number[] = [];
  // The first one fills the compile cache.
  for (let run = 0; run <= runs; run += 1) {
    const startMs = performance.now();
    const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: "ignore" });
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0) throw new Error(`${args.slice(1).join(" ")} ended with ${code}.`);
    if (run > 0) times.push(performance.now() - startMs);
  }
  return spreadOf(times);
}
