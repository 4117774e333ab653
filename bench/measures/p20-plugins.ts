/** P20: what commands over HTTP (P4) and reports through programs (P5) feel beside 20 plugins with 2,000 nodes that report. */

import type { CommandsInput, CommandsOutput } from "../generators/commands.ts";
import type { SteadyOutput } from "../generators/lines.ts";
import { LOCAL_AUTHORIZATION } from "../harness/homes.ts";
import { requestHead } from "../harness/https-connection.ts";
import { deviceNames, USUAL_LINES } from "../harness/line-devices.ts";
import { startDevices, startLineService } from "../harness/line-service.ts";
import type { Goal, Measure, Result, Row } from "../harness/measure.ts";
import type { Spread } from "../harness/statistics.ts";
import { addressOf } from "../servers/line-driver.ts";
import type { PluginCounts, PluginLoad } from "../servers/plugin-load.ts";
import { steady, stop, wholeSteady } from "./p5-report.ts";

const LOAD: PluginLoad = { plugins: 20, nodes: 100, perSecond: 25 };
const COMMANDS_PER_SECOND = 50;
const GOAL: Goal = { of: "ratio", bound: "at most", value: 1.1 };

type Felt = { readonly commands: Spread; readonly reports: Spread };

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
      const [answered, reported] = await Promise.all([
        commander.call<CommandsOutput>("run", { ...commands, seconds: lasting }),
        wholeSteady(devices.call<SteadyOutput>("steady", steady(lasting))),
      ]);
      return { commands: answered.value.spread, reports: reported.value.spread };
    };
    await live(2);
    bench.say("without plugins");
    const without = await live(seconds);
    bench.say("starting the plugins");
    await service.server.call("startPlugins", LOAD);
    bench.say(`beside ${LOAD.plugins} plugins for ${seconds} s`);
    const beside = await live(seconds);
    const { value: counts } = await service.server.call<PluginCounts>("endPlugins", null);
    await Promise.all([devices.end(), commander.end(), stop(service)]);
    const row = (what: string, of: keyof Felt, which: "p50" | "p99"): Row => ({
      what: `${which} ${what}`,
      figure: beside[of][which],
      unit: "ms",
      goal: GOAL,
      peer: { name: "without plugins", figure: without[of][which] },
      spread: beside[of],
    });
    return {
      rows: [
        row("of a command over HTTP", "commands", "p50"),
        row("of a command over HTTP", "commands", "p99"),
        row("from report to command", "reports", "p50"),
        row("from report to command", "reports", "p99"),
        {
          what: "reports of plugins that the home did not get",
          figure: counts.sent - counts.received,
          unit: "reports",
          goal: { of: "figure", bound: "at most", value: 0 },
        },
      ],
      notes: [
        `${counts.sent} reports of ${LOAD.plugins} processes with ${LOAD.nodes} nodes each came through the broker while the rest was measured. The same service is measured before and with them; the plugins share its machine.`,
      ],
    };
  },
};
