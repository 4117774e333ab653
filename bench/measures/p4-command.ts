/** P4: a command over HTTP, from when it is due to the answer, and to when it is handed to the driver. */

import type { CommandsInput, CommandsOutput } from "../generators/commands.ts";
import { type ForkedChild, pinToCore } from "../harness/children.ts";
import { HEAP_OF_SERVICE, startController } from "../harness/controller.ts";
import { type HomeCopy, USUAL } from "../harness/homes.ts";
import { requestHead, type Target } from "../harness/https-connection.ts";
import type { Bench, Measure, Result } from "../harness/measure.ts";
import { processorSeconds } from "../harness/process-figures.ts";
import { type Spread, spreadOf } from "../harness/statistics.ts";
import type { Listeners } from "../servers/embedded-controller.ts";
import { switchingPaths } from "./documents.ts";

const GOAL = { of: "figure", bound: "at most", value: 2 } as const;
const PER_SECOND = 50;

export const command: Measure = {
  id: "P4",
  title: "command over HTTP → handed to the driver, 50/s",
  async run(bench): Promise<Result> {
    const generator = bench.children.fork("generators/commands.ts");
    pinToCore(generator.pid, 1);
    const answered = await measureAnswers(bench, generator);
    const handed = await measureHandOver(bench, generator);
    await generator.end();
    return {
      rows: [
        { what: "p99 until handed to the driver", figure: handed.spread.p99, unit: "ms", goal: GOAL, ...handed },
        { what: "p99 until answered (includes all)", figure: answered.spread.p99, unit: "ms", goal: GOAL, ...answered },
      ],
      notes: [
        "Both count from when the command was due in the client; virtual devices answer at once. The hand-over is heard inside a controller that runs in a process of the bench, on the clock that all processes share.",
      ],
    };
  },
};

async function measureAnswers(bench: Bench, generator: ForkedChild) {
  bench.say("commands until their answers");
  const home = await bench.homes.copy(USUAL);
  const controller = await startController(bench.children, { home });
  await generator.call("run", inputOf(home, controller.portal, 2));
  const seconds = secondsOf(bench);
  const before = processorSeconds(controller.pid);
  const { value, health } = await generator.call<CommandsOutput>("run", inputOf(home, controller.portal, seconds));
  const serverCores = (processorSeconds(controller.pid) - before) / seconds;
  await controller.end();
  return { spread: value.spread, health, serverCores };
}

async function measureHandOver(bench: Bench, generator: ForkedChild) {
  bench.say("commands until the driver has them");
  const home = await bench.homes.copy(USUAL);
  const server = bench.children.fork("servers/embedded-controller.ts", HEAP_OF_SERVICE);
  const { value: listeners } = await server.call<Listeners>("start", home);
  await server.call("watchSent", null);
  await generator.call("run", inputOf(home, listeners.portal, 2));
  const { value, health } = await generator.call<CommandsOutput>(
    "run",
    inputOf(home, listeners.portal, secondsOf(bench)),
  );
  const { value: sentAtNs } = await server.call<Readonly<Record<string, number>>>("sentTimes", null);
  await server.end();
  return { spread: handOver(value, sentAtNs), health };
}

function handOver({ dueAtNs }: CommandsOutput, sentAtNs: Readonly<Record<string, number>>): Spread {
  const known = Object.entries(dueAtNs).map(([id, dueNs]) => ((sentAtNs[id] ?? Number.NaN) - dueNs) / 1e6);
  if (known.some(Number.isNaN)) throw new Error("A command was answered and never handed over.");
  return spreadOf(known);
}

function inputOf({ accessToken, switches }: HomeCopy, target: Target, seconds: number): CommandsInput {
  const authorization = `Bearer ${accessToken}`;
  const heads = switchingPaths(switches).map((path) => requestHead({ path, authorization }));
  return { target, heads, connections: 4, perSecond: PER_SECOND, seconds };
}

function secondsOf({ quick }: Bench): number {
  return quick ? 5 : 20;
}
