/** "When A turns on, turn B on" by Domovoi and by Node-RED, at the same line, in the same run. */

import type { FullOutput, SteadyOutput } from "../generators/lines.ts";
import { type ForkedChild, pinToCore } from "../harness/children.ts";
import type { Target } from "../harness/https-connection.ts";
import { USUAL_LINES } from "../harness/line-devices.ts";
import { startDevices, startLineService } from "../harness/line-service.ts";
import type { Bench, Measure, Result, Row } from "../harness/measure.ts";
import { installNodeRed, nodeRedVersion, startNodeRed } from "../harness/node-red.ts";
import { processorSeconds } from "../harness/process-figures.ts";
import { wholeSteady } from "./p5-report.ts";

const RATES = [200, 2000] as const;
/** The guard against devices that report without end would otherwise be what is measured. */
const SETTINGS = { nodeReportsPerSecond: 10_000 };

type Server = { readonly pid: number; readonly line: Target };
type Measured = {
  readonly steady: readonly (Awaited<ReturnType<typeof steadyAt>> & { readonly serverCores: number })[];
  readonly full: FullOutput;
  readonly fullCores: number;
};

export const nodeRed: Measure = {
  id: "NODE-RED",
  title: `"when A turns on, turn B on", beside Node-RED ${nodeRedVersion()}`,
  async run(bench): Promise<Result> {
    const service = await startLineService(bench, USUAL_LINES, SETTINGS);
    const own = await measure(bench, "Domovoi", { pid: service.server.pid, line: service.listeners.line });
    await service.server.end();
    let theirs: Measured | null = null;
    let absence = "";
    try {
      const dir = await installNodeRed(bench.say);
      const peer = await startNodeRed(bench.children, dir, bench.directory("node-red"));
      theirs = await measure(bench, "Node-RED", peer);
      await peer.end();
    } catch (error) {
      absence = error instanceof Error ? error.message : String(error);
      bench.say(absence);
    }
    return { rows: [...steadyRows(own, theirs), fullRow(own, theirs)], notes: notes(theirs, absence) };
  },
};

async function measure(bench: Bench, name: string, { pid, line }: Server): Promise<Measured> {
  const generator = await startDevices(bench, line);
  const steady = [];
  for (const perSecond of RATES) {
    bench.say(`${name}, ${perSecond} events a second`);
    const seconds = bench.quick ? 4 : 15;
    await steadyAt(generator, perSecond, 1);
    const before = processorSeconds(pid);
    const answer = await steadyAt(generator, perSecond, seconds);
    steady.push({ ...answer, serverCores: (processorSeconds(pid) - before) / seconds });
  }
  bench.say(`${name}, as many events as can be`);
  pinToCore(pid, 0);
  pinToCore(generator.pid, 1);
  const seconds = bench.quick ? 4 : 10;
  const before = processorSeconds(pid);
  const { value: full } = await generator.call<FullOutput>("full", { pairs: USUAL_LINES.programs, seconds });
  const fullCores = (processorSeconds(pid) - before) / (seconds + 1);
  await generator.end();
  return { steady, full, fullCores };
}

function steadyAt(generator: ForkedChild, perSecond: number, seconds: number) {
  return wholeSteady(generator.call<SteadyOutput>("steady", { pairs: USUAL_LINES.programs, perSecond, seconds }));
}

function steadyRows(own: Measured, theirs: Measured | null): readonly Row[] {
  return RATES.map((rate, index) => {
    const ours = own.steady[index];
    const peer = theirs?.steady[index];
    if (!ours) throw new Error("Every rate is measured.");
    return {
      what: `p99 from event to command, ${rate.toLocaleString("en")}/s`,
      figure: ours.value.spread.p99,
      unit: "ms",
      peer: peer ? { name: "Node-RED", figure: peer.value.spread.p99 } : null,
      spread: ours.value.spread,
      health: ours.health,
      serverCores: ours.serverCores,
    };
  });
}

function fullRow({ full, fullCores }: Measured, theirs: Measured | null): Row {
  const peer = theirs && { name: "Node-RED", figure: theirs.full.perSecond };
  return {
    what: "most events a second",
    figure: full.perSecond,
    unit: "events/s",
    peer,
    spread: full.spread,
    serverCores: fullCores,
  };
}

function notes(theirs: Measured | null, absence: string): readonly string[] {
  return [
    "Both ends are the same for both: events and commands are lines of text over one TCP connection on loopback, from and to the same generator, counted there; each server in a process of its own. At most: every sensor reports again as soon as its lamp was commanded, 200 pairs; each server with all of its threads on one core, the generator on the other.",
    "Not the same: Domovoi checks the report, keeps it as the home's state, tells every step of the command's life, writes journal and trace to disk, and takes the lamp's own report; each pair is a program of its own among 200. Node-RED (tcp in → switch → change → tcp out, its own defaults) has one flow for all pairs, keeps nothing and writes nothing: the least that it can do.",
    ...(theirs ? [] : [`${absence} The comparison is left out.`]),
    ...(theirs
      ? [
          `Node-RED: ${RATES.map((rate, index) => `${rate}/s p50 ${theirs.steady[index]?.value.spread.p50.toFixed(2)} p99 ${theirs.steady[index]?.value.spread.p99.toFixed(2)} p99.9 ${theirs.steady[index]?.value.spread.p999.toFixed(2)} ms, ${theirs.steady[index]?.serverCores.toFixed(2)} cores`).join("; ")}.`,
        ]
      : []),
  ];
}
