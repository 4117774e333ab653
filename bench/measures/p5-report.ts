/** P5: a device reports, a program decides, the command is handed to the driver. */

import type { SteadyInput, SteadyOutput } from "../generators/lines.ts";
import type { Answer } from "../harness/children.ts";
import { USUAL_LINES } from "../harness/line-devices.ts";
import { type LineService, startDevices, startLineService } from "../harness/line-service.ts";
import type { Measure, Result } from "../harness/measure.ts";
import { processorSeconds } from "../harness/process-figures.ts";

export const REPORTS_PER_SECOND = 200;

export const report: Measure = {
  id: "P5",
  title: "device report → program decides → command handed to the driver, 200/s",
  async run(bench): Promise<Result> {
    const service = await startLineService(bench, USUAL_LINES);
    const generator = await startDevices(bench, service.listeners.line);
    const seconds = bench.quick ? 5 : 30;
    bench.say(`${REPORTS_PER_SECOND} reports a second for ${seconds} s`);
    await generator.call("steady", steady(2));
    const before = processorSeconds(service.server.pid);
    const { value, health } = await wholeSteady(generator.call<SteadyOutput>("steady", steady(seconds)));
    const serverCores = (processorSeconds(service.server.pid) - before) / seconds;
    await Promise.all([generator.end(), stop(service)]);
    const { spread } = value;
    const goal = (bound: number) => ({ of: "figure", bound: "at most", value: bound }) as const;
    return {
      rows: [
        {
          what: "p99 from report to command",
          figure: spread.p99,
          unit: "ms",
          goal: goal(3),
          spread,
          health,
          serverCores,
        },
        { what: "p99.9 from report to command", figure: spread.p999, unit: "ms", goal: goal(10) },
      ],
      notes: [
        `${USUAL_LINES.nodes} nodes, ${USUAL_LINES.programs} programs "if sensor A is on then lamp B on, else off"; each report starts one. Sensors and lamps are in the generator's process, at the other end of a TCP connection that a driver of the bench owns; counted from when the report was due there to the command's arrival there, so both ways of the connection are in it. The journal, the trace of the programs and the lamps' own reports are written meanwhile.`,
      ],
    };
  },
};

export function steady(seconds: number, { programs } = USUAL_LINES): SteadyInput {
  return { pairs: programs, perSecond: REPORTS_PER_SECOND, seconds };
}

/** @throws Error when a report led to no command. */
export async function wholeSteady(asked: Promise<Answer<SteadyOutput>>): Promise<Answer<SteadyOutput>> {
  const answer = await asked;
  if (answer.value.missing > 0) throw new Error(`${answer.value.missing} reports led to no command.`);
  return answer;
}

export async function stop({ server }: LineService): Promise<void> {
  await server.call("stop", null);
  await server.end();
}
