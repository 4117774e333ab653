/** P20: what commands over HTTP (P4) and reports through programs (P5) feel beside 20 plugins with 2,000 nodes that report. */

import type { CommandsInput, CommandsOutput } from "../generators/commands.ts";
import type { SteadyOutput } from "../generators/lines.ts";
import { LOCAL_AUTHORIZATION } from "../harness/homes.ts";
import { requestHead } from "../harness/https-connection.ts";
import { deviceNames, USUAL_LINES } from "../harness/line-devices.ts";
import { startDevices, startLineService } from "../harness/line-service.ts";
import type { Goal, Measure, Result, Row } from "../harness/measure.ts";
import { processorSeconds } from "../harness/process-figures.ts";
import type { Spread } from "../harness/statistics.ts";
import { addressOf } from "../servers/line-driver.ts";
import type { Health } from "../harness/own-health.ts";
import type { ConnectInput, ReportInput } from "../generators/plugins.ts";
import type { PluginLoad } from "../servers/plugin-load.ts";
import { steady, stop, wholeSteady } from "./p5-report.ts";

const LOAD: PluginLoad = { plugins: 20, nodes: 100, perSecond: 25 };
const COMMANDS_PER_SECOND = 50;
const GOAL: Goal = { of: "ratio", bound: "at most", value: 1.1 };

type Felt = {
  readonly commands: Spread;
  readonly reports: Spread;
  /** Figures of the service itself. */
  readonly service: Health;
  readonly serverCores: number;
};

export const plugins: Measure = {
  id: "P20",
  title: "20 plugins with 2,000 nodes and 500 reports/s beside commands and programs",
  async run(bench): Promise<Result> {
    const seconds = bench.quick ? 5 : bench.long ? 600 : 20;
    const service = await startLineService(bench, USUAL_LINES);
    const devices = await startDevices(bench, service.doors.line);
    const commander = bench.children.fork("generators/commands.ts");
    const others = deviceNames(USUAL_LINES).filter((name) => name.startsWith("m"));
    const commands: Omit<CommandsInput, "seconds"> = {
      target: service.doors.local,
      heads: others.map((name) =>
        requestHead({
          path: `/rest/nodes/${encodeURIComponent(addressOf(name))}/cmd/DON`,
          authorization: LOCAL_AUTHORIZATION,
        }),
      ),
      connections: 4,
      perSecond: COMMANDS_PER_SECOND,
    };
    const live = async (lasting: number): Promise<Felt> => {
      const before = processorSeconds(service.server.pid);
      const [answered, reported, observed] = await Promise.all([
        commander.call<CommandsOutput>("run", { ...commands, seconds: lasting }),
        wholeSteady(devices.call<SteadyOutput>("steady", steady(lasting))),
        service.server.call("observe", lasting * 1000),
      ]);
      const serverCores = (processorSeconds(service.server.pid) - before) / lasting;
      const { health } = observed;
      return { commands: answered.value.spread, reports: reported.value.spread, service: health, serverCores };
    };
    await live(2);
    bench.say("without plugins");
    const without = await live(seconds);
    bench.say("starting the plugins");
    const speaker = bench.children.fork("generators/plugins.ts");
    const { value: files } = await service.server.call<readonly string[]>("startPlugins", {
      dir: service.dir,
      load: LOAD,
    });
    await speaker.call("connect", { files, nodes: LOAD.nodes } satisfies ConnectInput);
    await service.server.call("havePluginNodes", LOAD);
    const perSecond = LOAD.plugins * LOAD.perSecond;
    const report = (lasting: number) =>
      speaker.call<number>("report", { perSecond, seconds: lasting } satisfies ReportInput);
    bench.say(`beside ${LOAD.plugins} plugins for ${seconds} s`);
    const warmedUp = await report(2);
    const [beside, reports] = await Promise.all([live(seconds), report(seconds)]);
    const sent = warmedUp.value + reports.value;
    const { value: received } = await service.server.call<number>("receivedOfPlugins", sent);
    await Promise.all([devices.end(), commander.end(), speaker.end(), stop(service)]);
    const row = (what: string, of: "commands" | "reports", which: "p50" | "p99"): Row => ({
      what: `${which} ${what}`,
      figure: beside[of][which],
      unit: "ms",
      goal: GOAL,
      peer: { name: "without plugins", figure: without[of][which] },
      spread: beside[of],
    });
    const own = (what: string, unit: Row["unit"], figureOf: (felt: Felt) => number): Row => ({
      what: `${what} of the service`,
      figure: figureOf(beside),
      unit,
      peer: { name: "without plugins", figure: figureOf(without) },
    });
    return {
      rows: [
        row("of a command over HTTP", "commands", "p50"),
        row("of a command over HTTP", "commands", "p99"),
        row("from report to command", "reports", "p50"),
        row("from report to command", "reports", "p99"),
        own("p99 of the event loop's delay", "ms", ({ service: { loopDelayP99Ms } }) => loopDelayP99Ms),
        own("longest event loop delay", "ms", ({ service: { loopDelayMaxMs } }) => loopDelayMaxMs),
        own("processor time a second", "ms", ({ serverCores }) => serverCores * 1000),
        {
          what: "reports of plugins that the home did not get",
          figure: sent - received,
          unit: "reports",
          goal: { of: "figure", bound: "at most", value: 0 },
        },
      ],
      notes: [
        `${sent} reports of ${LOAD.plugins} plugins with ${LOAD.nodes} nodes each came through the broker while the rest was measured. The service starts a process for each plugin; one further process speaks for all of them, so that what is measured is the service and not the machine's time for ${LOAD.plugins} interpreters. The same service is measured before and with them.`,
      ],
    };
  },
};
