/**
 * P21: the latency of commands over HTTP (P4) and of reports through programs (P5) while bridges show 100 of the nodes to others, or a
 * Home Assistant supplies 1,000 entities, each in turns without it; the event loop while it starts, and in a flood; and what it holds.
 */

import type { CommandsInput, CommandsOutput } from "../generators/commands.ts";
import type { SteadyOutput } from "../generators/lines.ts";
import { LOCAL_AUTHORIZATION } from "../harness/homes.ts";
import { requestHead } from "../harness/https-connection.ts";
import { deviceNames, USUAL_LINES } from "../harness/line-devices.ts";
import { startDevices, startLineService } from "../harness/line-service.ts";
import type { Bench, Goal, Measure, Result, Row } from "../harness/measure.ts";
import { startMosquitto } from "../harness/mosquitto.ts";
import type { Health } from "../harness/own-health.ts";
import { residentMb } from "../harness/process-figures.ts";
import type { Spread } from "../harness/statistics.ts";
import { type Turns, turnsRow, turnsText } from "../harness/turns.ts";
import type { ManyEntities, ServedHomeAssistant } from "../servers/home-assistant.ts";
import type { BridgeInput } from "../servers/line-controller.ts";
import { addressOf } from "../servers/line-driver.ts";
import { steady, stop, wholeSteady } from "./p5-report.ts";

const NODES = 100;
const COMMANDS_PER_SECOND = 50;
const GOAL: Goal = { of: "ratio", bound: "at most", value: 1.1 };
const GAP_GOAL: Goal = { of: "figure", bound: "at most", value: 20 };
const TURNS = 8;
const QUICK_TURNS = 3;
const SECONDS = 10;
const QUICK_SECONDS = 3;
const MANY: ManyEntities = { entities: 1000, changesPerSecond: 20 };
const FLOOD_TIMES = 10;
const FLOOD_MS = 5000;

type Felt = { readonly commands: Spread; readonly reports: Spread };
/** `flood`: its devices change faster than any home. */
type Bridge = { readonly name: string; readonly flood?: () => Promise<unknown> } & BridgeInput;

export const bridges: Measure = {
  id: "P21",
  title: `bridges that show ${NODES} nodes, and a Home Assistant of ${MANY.entities}, beside commands and programs`,
  async run(bench): Promise<Result> {
    const broker = await startMosquitto(bench.children, bench.directory("broker"), null);
    const nodes = ["l", "m"].flatMap((kind) =>
      Array.from({ length: NODES / 2 }, (_, index) => addressOf(`${kind}${index}`)),
    );
    const matter = {
      name: "Matter bridge",
      type: "matterbridge",
      settings: { nodes, port: 0, networkInterface: "lo" },
    };
    const tried: Bridge[] = [matter];
    if (broker) {
      const url = `mqtt://127.0.0.1:${broker.target.port}`;
      tried.push({ name: "MQTT announcements", type: "announce", settings: { url, nodes } });
    }
    const supplier = bench.children.fork("servers/home-assistant.ts");
    const { value: served } = await supplier.call<ServedHomeAssistant>("start", MANY);
    const flood = () => supplier.call("flood", FLOOD_TIMES);
    tried.push({ name: "Home Assistant", type: "homeassistant", settings: { ...served }, flood });
    const parts = [];
    for (const bridge of tried) parts.push(await beside(bench, bridge));
    await Promise.all([broker?.end(), supplier.end()]);
    return { rows: parts.flatMap(({ rows }) => rows), notes: parts.flatMap(({ notes }) => notes) };
  },
};

const longest = (all: readonly Health[]) => Math.max(...all.map(({ loopDelayMaxMs }) => loopDelayMaxMs));

async function beside(bench: Bench, { name, type, settings, flood }: Bridge): Promise<Result> {
  const turns = bench.quick ? QUICK_TURNS : TURNS;
  const seconds = bench.quick ? QUICK_SECONDS : SECONDS;
  const service = await startLineService(bench, USUAL_LINES);
  const { server, listeners } = service;
  const devices = await startDevices(bench, listeners.line);
  const commander = bench.children.fork("generators/commands.ts");
  const commanded = deviceNames(USUAL_LINES).filter((each) => each.startsWith("m"));
  const commands: Omit<CommandsInput, "seconds"> = {
    target: listeners.local,
    heads: commanded.map((each) =>
      requestHead({
        path: `/rest/nodes/${encodeURIComponent(addressOf(each))}/cmd/DON`,
        authorization: LOCAL_AUTHORIZATION,
      }),
    ),
    connections: 4,
    perSecond: COMMANDS_PER_SECOND,
  };
  const live = async (lasting: number): Promise<Felt> => {
    const [answered, reported] = await Promise.all([
      commander.call<CommandsOutput>("run", { ...commands, seconds: lasting }),
      wholeSteady(devices.call<SteadyOutput>("steady", steady(lasting))),
    ]);
    return { commands: answered.value.spread, reports: reported.value.spread };
  };
  const set = (input: BridgeInput["settings"]) =>
    server.call("bridge", { type, settings: input } satisfies BridgeInput);
  await live(2);
  const withoutMb = residentMb(server.pid);
  const felt: Turns<Felt> = { without: [], beside: [] };
  const starts: Health[] = [];
  const floods: Health[] = [];
  let withMb = 0;
  for (let turn = 1; turn <= turns; turn += 1) {
    bench.say(`${name}, turn ${turn} of ${turns}: ${seconds} s without, ${seconds} s with it`);
    felt.without.push(await live(seconds));
    // The answer carries how well the service was meanwhile.
    starts.push((await set(settings)).health);
    felt.beside.push(await live(seconds));
    withMb = residentMb(server.pid);
    if (flood) {
      const [, { health }] = await Promise.all([flood(), server.call("observe", FLOOD_MS)]);
      floods.push(health);
    }
    await set(null);
  }
  await Promise.all([devices.end(), commander.end(), stop(service)]);
  const row = (what: string, figureOf: (felt: Felt) => number): Row =>
    turnsRow(felt, { what: `${what}, ${name}`, unit: "ms", goal: GOAL, peer: "without it", figureOf });
  const floodRows: readonly Row[] =
    floods.length === 0
      ? []
      : [
          {
            what: `longest event loop delay of the service while each of its devices changes ${FLOOD_TIMES} times at once`,
            figure: longest(floods),
            unit: "ms",
            goal: GAP_GOAL,
          },
        ];
  return {
    rows: [
      row("p50 of a command over HTTP", ({ commands: { p50 } }) => p50),
      row("p99 of a command over HTTP", ({ commands: { p99 } }) => p99),
      row("p50 from report to command", ({ reports: { p50 } }) => p50),
      row("p99 from report to command", ({ reports: { p99 } }) => p99),
      {
        what: `longest event loop delay of the service while it starts, ${name}`,
        figure: longest(starts),
        unit: "ms",
        goal: GAP_GOAL,
      },
      ...floodRows,
      {
        what: `resident memory with it, ${name}`,
        figure: withMb,
        unit: "MB",
        peer: { name: "before its first start", figure: withoutMb },
      },
    ],
    notes: [
      `${name}: programs command half of the nodes that are shown, requests over HTTP the other half. No client is connected to the bridge or the broker. ${turnsText("p99 of commands", felt, ({ commands: each }) => each.p99)} ${turnsText("p99 of reports", felt, ({ reports }) => reports.p99)}`,
    ],
  };
}
