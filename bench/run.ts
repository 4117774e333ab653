/**
 * `npm run bench -- [--quick | --long] [--postgres] [--json FILE] [P3 R10 …]`: every performance promise, with its peer or limit in the same
 * run. A missed goal is a figure, not a failure: the exit status is 0. `--json -` prints JSON alone.
 *
 * @see bench/README.md
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startPostgres } from "../test/support/postgres.ts";
import { Children } from "./harness/children.ts";
import { Homes } from "./harness/homes.ts";
import type { Bench, Measure } from "./harness/measure.ts";
import { type Outcome, outcomesAsJson, printOutcomes } from "./harness/report.ts";
import { SERVER } from "./harness/store-url.ts";
import { client } from "./measures/c1-client.ts";
import { insteon } from "./measures/i1-insteon.ts";
import { nodeRed } from "./measures/node-red.ts";
import { start } from "./measures/p1-start.ts";
import { memory } from "./measures/p2-memory.ts";
import { fullLoad } from "./measures/p3-full-load.ts";
import { command } from "./measures/p4-command.ts";
import { report } from "./measures/p5-report.ts";
import { sustained } from "./measures/p6-sustained.ts";
import { fanOut } from "./measures/p7-fan-out.ts";
import { replay } from "./measures/p8-replay.ts";
import { unrelatedPrograms } from "./measures/p9-unrelated-programs.ts";
import { history } from "./measures/p10-history.ts";
import { replay as week } from "./measures/p11-replay.ts";
import { verify } from "./measures/p12-verify.ts";
import { schedules } from "./measures/p13-schedules.ts";
import { page } from "./measures/p14-page.ts";
import { pageHour } from "./measures/p14-page-hour.ts";
import { login } from "./measures/p15-login.ts";
import { large } from "./measures/p16-large.ts";
import { commandLine } from "./measures/p18-cli.ts";
import { install } from "./measures/p19-install.ts";
import { plugins } from "./measures/p20-plugins.ts";
import { bridges } from "./measures/p21-bridges.ts";
import { rooms } from "./measures/p22-rooms.ts";
import { runawayPrograms } from "./measures/r9-runaway-programs.ts";
import { stalled } from "./measures/r10-stalled.ts";
import { reconnect } from "./measures/r11-reconnect.ts";
import { growth } from "./measures/r12-growth.ts";
import { pipelining } from "./measures/s15-pipelining.ts";
import { bodies } from "./measures/s16-bodies.ts";
import { guesses } from "./measures/s17-guesses.ts";
import { places } from "./measures/s18-places.ts";
import { radio } from "./measures/z1-radio.ts";

const MEASURES: readonly Measure[] = [
  start,
  memory,
  fullLoad,
  command,
  report,
  sustained,
  fanOut,
  replay,
  unrelatedPrograms,
  history,
  week,
  verify,
  schedules,
  page,
  pageHour,
  login,
  large,
  commandLine,
  install,
  plugins,
  bridges,
  rooms,
  runawayPrograms,
  stalled,
  reconnect,
  growth,
  pipelining,
  bodies,
  guesses,
  places,
  client,
  radio,
  insteon,
  nodeRed,
];
const RESULTS = fileURLToPath(new URL("./results/", import.meta.url));

const { values, positionals } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    long: { type: "boolean", default: false },
    json: { type: "string" },
    postgres: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
  allowPositionals: true,
});
if (values.help) {
  process.stdout.write(`Measures every performance promise, with its peer or limit in the same run.

  npm run bench -- [options] [measure …]     no measure: all of them

  --quick         fewer and shorter runs
  --long          the whole length of what is promised for minutes
  --postgres      every home in a PostgreSQL database
  --json FILE     the figures as JSON; "-" prints them alone

${MEASURES.map(({ id, title }) => `  ${id.padEnd(8)} ${title}`).join("\n")}
`);
  process.exit(0);
}
const asked = positionals.map((name) => name.toUpperCase());
const chosen = asked.length === 0 ? MEASURES : MEASURES.filter(({ id }) => asked.includes(id));
if (chosen.length === 0) {
  process.stderr.write(`There is no such measure. These are: ${MEASURES.map(({ id }) => id).join(" ")}\n`);
  process.exit(1);
}
// Before the first child, which gets the environment of this process.
const server = values.postgres ? await startPostgres() : null;
if (server) process.env[SERVER] = `postgres://home@127.0.0.1:${server.port}`;
try {
  await runAll(chosen, values);
} finally {
  await server?.stop();
}

type Options = { readonly quick: boolean; readonly long: boolean; readonly json?: string };

async function runAll(measures: readonly Measure[], { quick, long, json }: Options): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "domovoi-bench-"));
  const startedAt = new Date();
  const [loadBefore = 0] = loadavg();
  let count = 0;
  const directory = (name: string) => {
    count += 1;
    const path = join(root, `${count}-${name}`);
    mkdirSync(path);
    return path;
  };
  const children = new Children({ NODE_COMPILE_CACHE: directory("compile-cache"), TZ: "UTC" });
  const say = (text: string) => process.stderr.write(`   ${text}\n`);
  const bench: Bench = { quick, long, children, homes: new Homes(children, directory), directory, say };
  const stop = () => {
    void children.endAll().then(() => {
      rmSync(root, { recursive: true, force: true });
      process.exit(130);
    });
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const outcomes: Outcome[] = [];
  for (const measure of measures) outcomes.push(await runOne(measure, bench));
  rmSync(root, { recursive: true, force: true });
  const [loadAfter = 0] = loadavg();
  const about = { startedAt, quick, long, loadBefore, loadAfter, seconds: (Date.now() - startedAt.getTime()) / 1000 };
  if (json === "-") {
    process.stdout.write(asJson(outcomes, about));
    return;
  }
  printOutcomes(outcomes, (line) => process.stdout.write(`${line}\n`));
  writeJson(outcomes, about, json ?? null);
}

/** A measure that fails is reported, and the others continue. */
async function runOne(measure: Measure, bench: Bench): Promise<Outcome> {
  process.stderr.write(`${measure.id} ${measure.title}\n`);
  const startMs = performance.now();
  const secondsSince = () => (performance.now() - startMs) / 1000;
  try {
    const result = await measure.run(bench);
    return { measure, result, failure: null, seconds: secondsSince() };
  } catch (error) {
    const failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
    bench.say(failure);
    return { measure, result: null, failure, seconds: secondsSince() };
  } finally {
    await bench.children.endAll();
  }
}

type About = {
  readonly startedAt: Date;
  readonly quick: boolean;
  readonly long: boolean;
  /** Load average of the last minute. */
  readonly loadBefore: number;
  readonly loadAfter: number;
  readonly seconds: number;
};

function asJson(outcomes: readonly Outcome[], about: About): string {
  const machine = { node: process.version, processors: availableParallelism(), model: cpus()[0]?.model ?? "" };
  return outcomesAsJson(outcomes, { ...about, machine });
}

function writeJson(outcomes: readonly Outcome[], about: About, jsonFile: string | null): void {
  const name = `${about.startedAt.toISOString().replaceAll(":", "-").slice(0, 19)}.json`;
  const file = jsonFile ?? join(RESULTS, name);
  if (jsonFile === null) mkdirSync(RESULTS, { recursive: true });
  writeFileSync(file, asJson(outcomes, about));
  const { seconds, loadBefore, loadAfter } = about;
  const load = `load of the machine before ${loadBefore.toFixed(1)}, after ${loadAfter.toFixed(1)}, on ${availableParallelism()} processors`;
  process.stdout.write(`\n${Math.round(seconds)} s; ${load}. Results: ${file}\n`);
}
