/**
 * P20: the latency of commands over HTTP (P4) and of reports through programs (P5) beside 20 plugins with 2,000 nodes. Periods in which
 * the plugins are silent and periods in which they report take turns.
 */

import type { CommandsInput, CommandsOutput } from "../generators/commands.ts";
import type { SteadyOutput } from "../generators/lines.ts";
import type { ConnectInput, ReportInput } from "../generators/plugins.ts";
import { LOCAL_AUTHORIZATION } from "../harness/homes.ts";
import { requestHead } from "../harness/https-connection.ts";
import { deviceNames, USUAL_LINES } from "../harness/line-devices.ts";
import { startDevices, startLineService } from "../harness/line-service.ts";
import type { Goal, Measure, Result, Row } from "../harness/measure.ts";
import type { Health } from "../harness/own-health.ts";
import { mainThreadSeconds, processorSeconds } from "../harness/process-figures.ts";
import type { Spread } from "../harness/statistics.ts";
import { type Turns, turnsRow, turnsText } from "../harness/turns.ts";
import { addressOf } from "../servers/line-driver.ts";
import type { PluginLoad } from "../servers/plugin-load.ts";
import { steady, stop, wholeSteady } from "./p5-report.ts";

const LOAD: PluginLoad = { plugins: 20, nodes: 100, perSecond: 25 };
const COMMANDS_PER_SECOND = 50;
const GOAL: Goal = { of: "ratio", bound: "at most", value: 1.1 };

/**
 * In each turn, plugins are silent for one period and send reports for the next. Periods are short, because the speed of the machine
 * drifts within minutes by more than the goal allows. The long run sends reports for ten minutes in all.
 */
const TURNS = 12;
const LONG_TURNS = 60;
const QUICK_TURNS = 3;
const SECONDS = 10;
const QUICK_SECONDS = 3;

type Felt = {
  readonly commands: Spread;
  readonly reports: Spread;
  /** Figures of the service itself. */
  readonly service: Health;
  readonly serverCores: number;
  readonly mainCores: number;
};

export const plugins: Measure = {
  id: "P20",
  title: "20 plugins with 2,000 nodes and 500 reports/s beside commands and programs",
  async run(bench): Promise<Result> {
    const turns = bench.quick ? QUICK_TURNS : bench.long ? LONG_TURNS : TURNS;
    const seconds = bench.quick ? QUICK_SECONDS : SECONDS;
    const service = await startLineService(bench, USUAL_LINES);
    const devices = await startDevices(bench, service.listeners.line);
    const commander = bench.children.fork("generators/commands.ts");
    const others = deviceNames(USUAL_LINES).filter((name) => name.startsWith("m"));
    const commands: Omit<CommandsInput, "seconds"> = {
      target: service.listeners.local,
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
      const { pid } = service.server;
      const [before, mainBefore] = [processorSeconds(pid), mainThreadSeconds(pid)];
      const [answered, reported, observed] = await Promise.all([
        commander.call<CommandsOutput>("run", { ...commands, seconds: lasting }),
        wholeSteady(devices.call<SteadyOutput>("steady", steady(lasting))),
        service.server.call("observe", lasting * 1000),
      ]);
      const serverCores = (processorSeconds(pid) - before) / lasting;
      const mainCores = (mainThreadSeconds(pid) - mainBefore) / lasting;
      const { health } = observed;
      return {
        commands: answered.value.spread,
        reports: reported.value.spread,
        service: health,
        serverCores,
        mainCores,
      };
    };
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
    const warmedUp = await Promise.all([live(2), report(2)]);
    let sent = warmedUp[1].value;
    const felt: Turns<Felt> = { without: [], beside: [] };
    for (let turn = 1; turn <= turns; turn += 1) {
      bench.say(`turn ${turn} of ${turns}: ${seconds} s silent, ${seconds} s with reports`);
      felt.without.push(await live(seconds));
      const [period, reports] = await Promise.all([live(seconds), report(seconds)]);
      felt.beside.push(period);
      sent += reports.value;
    }
    const { value: received } = await service.server.call<number>("receivedOfPlugins", sent);
    await Promise.all([devices.end(), commander.end(), speaker.end(), stop(service)]);
    const row = (what: string, unit: Row["unit"], figureOf: (felt: Felt) => number, goal?: Goal) =>
      turnsRow(felt, { what, unit, ...(goal && { goal }), peer: "plugins silent", figureOf });
    return {
      rows: [
        row("p50 of a command over HTTP", "ms", ({ commands: { p50 } }) => p50, GOAL),
        row("p99 of a command over HTTP", "ms", ({ commands: { p99 } }) => p99, GOAL),
        row("p50 from report to command", "ms", ({ reports: { p50 } }) => p50, GOAL),
        row("p99 from report to command", "ms", ({ reports: { p99 } }) => p99, GOAL),
        row("p99 of the event loop's delay of the service", "ms", ({ service: { loopDelayP99Ms } }) => loopDelayP99Ms),
        row("longest event loop delay of the service", "ms", ({ service: { loopDelayMaxMs } }) => loopDelayMaxMs),
        row("processor time a second of the service", "ms", ({ serverCores }) => serverCores * 1000),
        row("processor time a second of its main thread", "ms", ({ mainCores }) => mainCores * 1000),
        {
          what: "reports of plugins that the home did not get",
          figure: sent - received,
          unit: "reports",
          goal: { of: "figure", bound: "at most", value: 0 },
        },
      ],
      notes: [
        `${sent} reports of ${LOAD.plugins} plugins with ${LOAD.nodes} nodes each came through the broker. The service starts a process for each plugin; one further process speaks for all of them, so that what is measured is the service and not the machine's time for ${LOAD.plugins} interpreters. Each figure is the median of ${turns} periods of ${seconds} s; periods with and without reports took turns in one service. ${turnsText("p99 of commands", felt, ({ commands }) => commands.p99)} ${turnsText("p99 of reports", felt, ({ reports }) => reports.p99)}`,
      ],
    };
  },
};
