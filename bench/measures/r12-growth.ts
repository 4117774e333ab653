/** R12: what the service holds, hour after hour, while its devices report. Hours are those of 100 reports/s, run faster. */

import type { SustainedInput, SustainedOutput } from "../generators/sustained.ts";
import { USUAL_LINES } from "../harness/line-devices.ts";
import type { Bench, Goal, Measure, Result } from "../harness/measure.ts";
import { openFiles, residentMb } from "../harness/process-figures.ts";
import type { Held } from "../servers/line-controller.ts";
import { startSustained } from "./p6-sustained.ts";

const PER_SECOND = 5000;
const REPORTS_AN_HOUR = 100 * 3600;
/** Seconds of a leg; what is held is looked at after each. */
const LEG_S = 20;
/** Memory grows at first, while rings and caches fill and code is compiled. */
const WARM_UP_LEGS = 3;
const LONG_LEGS = 30;

type Sample = { readonly heapMb: number; readonly residentMb: number; readonly files: number };

export const growth: Measure = {
  id: "R12",
  title: "what is held over long times",
  async run(bench): Promise<Result> {
    const legs = legsOf(bench);
    const { service, generator } = await startSustained(bench);
    const input: SustainedInput = { home: USUAL_LINES, perSecond: PER_SECOND, seconds: LEG_S };
    const samples: Sample[] = [];
    let unseen = 0;
    bench.say(`${WARM_UP_LEGS + legs} times ${LEG_S} s of ${PER_SECOND} reports a second`);
    for (let leg = 0; leg < WARM_UP_LEGS + legs; leg += 1) {
      const { value } = await generator.call<SustainedOutput>("run", input);
      unseen += value.unseen;
      const { heapMb } = (await service.server.call<Held>("held", null)).value;
      const { pid } = service.server;
      if (leg >= WARM_UP_LEGS) samples.push({ heapMb, residentMb: residentMb(pid), files: openFiles(pid) });
    }
    await Promise.all([service.server.end(), generator.end()]);
    const hours = (LEG_S * PER_SECOND) / REPORTS_AN_HOUR;
    const files = samples.map(({ files }) => files);
    const atMost = (value: number): Goal => ({ of: "figure", bound: "at most", value });
    return {
      rows: [
        {
          what: "growth of what cannot be freed, an hour",
          figure: slope(samples.map(({ heapMb }) => heapMb)) / hours,
          unit: "MB",
          goal: atMost(1),
        },
        {
          what: "growth of resident memory, an hour",
          figure: slope(samples.map(({ residentMb }) => residentMb)) / hours,
          unit: "MB",
          goal: atMost(1),
        },
        {
          what: "more open files at the end than at first",
          figure: (files.at(-1) ?? 0) - (files[0] ?? 0),
          unit: "",
          goal: atMost(0),
        },
        { what: "lost, at the clients", figure: unseen, unit: "reports", goal: atMost(0) },
      ],
      notes: [
        `${(samples.length * hours).toFixed(1)} hours of 100 reports a second, at ${PER_SECOND.toLocaleString("en")}; ${USUAL_LINES.nodes} nodes, ${USUAL_LINES.programs} programs and clients of the stream as in P6. Slopes by least squares over ${samples.length} samples, after ${WARM_UP_LEGS} that are left out; heap and buffers after a full collection, resident memory as it is. The promise is seven days: --long runs ${(LONG_LEGS * hours).toFixed(0)} hours.`,
      ],
    };
  },
};

function legsOf({ quick, long }: Bench): number {
  if (long) return LONG_LEGS;
  return quick ? 3 : 9;
}

/** Slope of a line through values at equal distances: its rise from one to the next. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const rise = values.reduce((sum, value, index) => sum + (index - middle) * (value - mean), 0);
  const run = values.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  return rise / run;
}
