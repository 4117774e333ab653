/** P10: a year of one property in 1,000 points, out of 100 million samples; and what P5 feels of such questions. */

import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CHUNK_SAMPLES } from "../../src/store/samples/chunk.ts";
import { SamplesFile, writeChunk } from "../../src/store/samples/samples-file.ts";
import type { ChartsInput } from "../generators/charts.ts";
import type { SteadyOutput } from "../generators/lines.ts";
import { LOCAL_AUTHORIZATION } from "../harness/homes.ts";
import { USUAL_LINES } from "../harness/line-devices.ts";
import { type LineService, startDevices, startLineService } from "../harness/line-service.ts";
import type { Bench, Goal, Measure, Result } from "../harness/measure.ts";
import { type Spread, spreadOf } from "../harness/statistics.ts";
import { type Turns, turnsRow, turnsText } from "../harness/turns.ts";
import { addressOf } from "../servers/line-driver.ts";
import { REPORTS_PER_SECOND, steady, stop, wholeSteady } from "./p5-report.ts";

const MINUTE_MS = 60_000;
const YEAR_MINUTES = 365 * 24 * 60;
const YEAR_FROM_MS = Date.UTC(2025, 0, 1);
const PROPERTY = "OL";
const POINTS = 1000;
const EVERY_MS = 200;
const GOAL: Goal = { of: "ratio", bound: "at most", value: 1.1 };
/** Turns of a period without charts and one with them. */
const TURNS = 5;
const QUICK_TURNS = 3;

export const history: Measure = {
  id: "P10",
  title: "a year of one property in 1,000 points",
  async run(bench): Promise<Result> {
    const service = await startLineService(bench, USUAL_LINES);
    const nodes = bench.quick ? 10 : 190;
    const samples = fill(bench, service, nodes);
    const generator = await startDevices(bench, service.listeners.line);
    const seconds = bench.quick ? 4 : 10;
    const turns = bench.quick ? QUICK_TURNS : TURNS;
    const reports = async () => {
      const { value } = await wholeSteady(generator.call<SteadyOutput>("steady", steady(seconds)));
      return value.spread;
    };
    const page = bench.children.fork("generators/charts.ts");
    const charts = async (durationMs: number) => {
      const { value } = await page.call<number[]>("ask", chartsOf(service, nodes, durationMs));
      return value;
    };
    await generator.call("steady", steady(2));
    bench.say("charts alone");
    const alone = spreadOf(await charts(2 * seconds * 1000));
    const felt: Turns<Spread> = { without: [], beside: [] };
    const times: number[] = [];
    for (let turn = 1; turn <= turns; turn += 1) {
      bench.say(`turn ${turn} of ${turns}: ${REPORTS_PER_SECOND} reports a second without charts, then with them`);
      felt.without.push(await reports());
      const [taken, spread] = await Promise.all([charts(seconds * 1000), reports()]);
      times.push(...taken);
      felt.beside.push(spread);
    }
    await Promise.all([generator.end(), page.end(), stop(service)]);
    const goal = { of: "figure", bound: "at most", value: 30 } as const;
    const chart = (what: string, spread: Spread) => ({ what, figure: spread.p99, unit: "ms", goal, spread }) as const;
    const row = (what: string, figureOf: (spread: Spread) => number) =>
      turnsRow(felt, { what, unit: "ms", goal: GOAL, peer: "without charts", figureOf });
    return {
      rows: [
        chart("p99 of a chart over HTTPS", alone),
        chart("p99 of a chart, beside 200 reports/s", spreadOf(times)),
        row("p50 from report to command, beside charts", ({ p50 }) => p50),
        row("p99 from report to command, beside charts", ({ p99 }) => p99),
      ],
      notes: [
        `${samples.toLocaleString("en")} samples of ${nodes} nodes, one a minute, in chunks of ${CHUNK_SAMPLES}. A chart every ${EVERY_MS} ms, each of another node, by a process of lower priority, because a browser is another machine. The reports are P5's. Each figure beside charts is the median of ${turns} periods of ${seconds} s; periods without and with charts took turns. ${turnsText("p99 of reports", felt, ({ p99 }) => p99)}`,
      ],
    };
  },
};

/** @returns the number of samples. */
function fill({ say }: Bench, { dir }: LineService, nodes: number): number {
  const path = join(dir, "samples.sqlite");
  say(`writing a year of ${nodes} nodes`);
  // The service made the file with its first report, or makes no other.
  new SamplesFile(path, { ageMsMax: Number.MAX_SAFE_INTEGER, bytesMax: Number.MAX_SAFE_INTEGER }).append([], 0, 0);
  const db = new DatabaseSync(path, { timeout: 5000 });
  for (let node = 1; node <= nodes; node += 1) {
    db.exec("BEGIN IMMEDIATE");
    const insert = db.prepare("INSERT INTO series (address, property) VALUES (?, ?) RETURNING id");
    const { id: series } = insert.get(addressOf(`s${node}`), PROPERTY) as { id: number };
    for (let minute = 0; minute < YEAR_MINUTES; minute += CHUNK_SAMPLES) {
      const count = Math.min(CHUNK_SAMPLES, YEAR_MINUTES - minute);
      const times = Float64Array.from(
        { length: count },
        (_, at) => YEAR_FROM_MS + (minute + at) * MINUTE_MS + jitter(at),
      );
      const values = Float64Array.from(
        { length: count },
        (_, at) => 200 + Math.round(50 * Math.sin((minute + at) / 229)),
      );
      writeChunk(db, { series, times, values, uom: 4, prec: 1 });
    }
    db.exec("COMMIT");
  }
  db.close();
  return nodes * YEAR_MINUTES;
}

function chartsOf({ listeners }: LineService, nodes: number, durationMs: number): ChartsInput {
  return {
    target: listeners.portal,
    authorization: LOCAL_AUTHORIZATION,
    paths: Array.from(
      { length: nodes },
      (_, at) => `/api/history/${encodeURIComponent(addressOf(`s${at + 1}`))}/${PROPERTY}`,
    ),
    from: new Date(YEAR_FROM_MS).toISOString(),
    to: new Date(YEAR_FROM_MS + YEAR_MINUTES * MINUTE_MS).toISOString(),
    points: POINTS,
    everyMs: EVERY_MS,
    durationMs,
  };
}

/** Devices are late by some milliseconds, each time by others. */
function jitter(at: number): number {
  return (at * 7919) % 250;
}
