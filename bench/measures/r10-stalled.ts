/** R10: 100 stream clients, 10 of them take nothing: what the others feel, what it costs, whether those are cut. */

import type { CauseInput, ConnectInput, LatencyOutput } from "../generators/subscribers.ts";
import { pause } from "../harness/arrivals.ts";
import { startController } from "../harness/controller.ts";
import { type HomeCopy, LOCAL_AUTHORIZATION, USUAL } from "../harness/homes.ts";
import { requestHead } from "../harness/https-connection.ts";
import type { Measure, Result } from "../harness/measure.ts";
import { processorSeconds, residentMb } from "../harness/process-figures.ts";
import { NUMBER_MARK } from "../harness/subscriber.ts";
import { HEARTBEAT } from "./p7-fan-out.ts";

const CLIENTS = 100;
const STALLED = 10;
const PER_SECOND = 200;
/** The system takes some five megabytes for a client that does not read; only then the service notices. */
const FILL_FRAMES = 9000;
const NAME_CHARACTERS = 190;
/** Shorter than the default of 30 s, so that the bench need not wait for it. */
const STALL_MS = 5000;
const WATCH_MS = 250;

export const stalled: Measure = {
  id: "R10",
  title: "100 stream clients, 10 of them stalled",
  async run(bench): Promise<Result> {
    const home = await bench.homes.copy(USUAL);
    const controller = await startController(bench.children, { home, settings: { streamStallMs: STALL_MS } });
    const generator = bench.children.fork("generators/subscribers.ts");
    bench.say("clients that take nothing");
    const stream = { target: controller.local, path: "/rest/subscribe", authorization: LOCAL_AUTHORIZATION };
    const connect: ConnectInput = { ...stream, clients: CLIENTS, replayEnd: HEARTBEAT };
    await generator.call("connect", { ...connect, clients: CLIENTS - STALLED });
    const path = `/rest/vars/set/1/1/${NUMBER_MARK}`;
    const cause = { kind: "variable", target: controller.local, authorization: LOCAL_AUTHORIZATION, path };
    const fill: CauseInput = { target: controller.local, heads: longNames(home) };
    // The same work before and after, so that the difference is what the stalled clients cost; twice, to fill the ring.
    for (let turn = 0; turn < 2; turn += 1) await generator.call("cause", fill);
    const beforeMb = residentMb(controller.pid);
    await generator.call("connectStalled", { ...connect, clients: STALLED });
    const watch = watchMemory(controller.pid);
    await generator.call("cause", fill);
    const seconds = bench.quick ? 8 : 20;
    const before = processorSeconds(controller.pid);
    const { value, health } = await generator.call<LatencyOutput>("latency", { cause, perSecond: PER_SECOND, seconds });
    const serverCores = (processorSeconds(controller.pid) - before) / seconds;
    const grownMb = (await watch.end()) - beforeMb;
    const { value: cut } = await generator.call<number>("countCut", null);
    await Promise.all([generator.end(), controller.end()]);
    if (value.missing > 0) throw new Error(`${value.missing} frames never came to the clients that read.`);
    const atMost = (bound: number) => ({ of: "figure", bound: "at most", value: bound }) as const;
    const cutGoal = { of: "figure", bound: "at least", value: STALLED } as const;
    return {
      rows: [
        {
          what: "p99 of the others",
          figure: value.spread.p99,
          unit: "ms",
          goal: atMost(20),
          spread: value.spread,
          health,
          serverCores,
        },
        { what: "memory, most of all more than before", figure: grownMb, unit: "MB", goal: atMost(50) },
        { what: "stalled clients that were cut", figure: cut, unit: "clients", goal: cutGoal },
      ],
      notes: [
        `${PER_SECOND} writes of a variable a second for ${seconds} s, after ${FILL_FRAMES} renamings that fill the system's buffers; the stalled clients stop reading at their upgrade. streamStallMs is ${STALL_MS / 1000} s here. Memory before was ${beforeMb.toFixed(0)} MB.`,
      ],
    };
  },
};

/** Renamings whose frames are long. */
function longNames({ switches }: HomeCopy): readonly string[] {
  return Array.from({ length: FILL_FRAMES }, (_, index) => {
    const name = encodeURIComponent(`${index} ${"€".repeat(NAME_CHARACTERS)}`);
    const address = encodeURIComponent(switches[index % switches.length] ?? "");
    return requestHead({ path: `/rest/nodes/${address}/change?name=${name}`, authorization: LOCAL_AUTHORIZATION });
  });
}

function watchMemory(pid: number) {
  let most = residentMb(pid);
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      most = Math.max(most, residentMb(pid));
      await pause(WATCH_MS);
    }
  })();
  return {
    async end() {
      isOver = true;
      await watching;
      return most;
    },
  };
}
