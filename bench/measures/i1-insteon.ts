/** I1: the real Insteon driver on a simulated modem: commands to a device's answer, also while link databases are read; memory. */

import type { CommandsInput, CommandsOutput, ModemInput } from "../generators/insteon.ts";
import { pause } from "../harness/arrivals.ts";
import { type RunningController, startController } from "../harness/controller.ts";
import { FIRST_ACCOUNTS, LOCAL_AUTHORIZATION } from "../harness/homes.ts";
import { requestOnce } from "../harness/https-connection.ts";
import type { Bench, Measure, Result } from "../harness/measure.ts";
import { residentMb } from "../harness/process-figures.ts";

const DEVICES = 60;
const LINKS = 20;
const FAST = 50;
const USUAL = 1;
const DISCOVERY_MS = 60_000;
const SETTLE_MS = 3000;

export const insteon: Measure = {
  id: "I1",
  title: `the Insteon driver with ${DEVICES} simulated devices`,
  async run(bench): Promise<Result> {
    const modem = bench.children.fork("generators/insteon.ts", { NODE_ENV: "test" });
    const { value: url } = await modem.call<string>("open", { devices: DEVICES, links: LINKS } satisfies ModemInput);
    await modem.call("hurry", FAST);
    const service = await startService(bench, "insteon", url);
    bench.say(`${DEVICES} devices are identified`);
    await untilKnown(service);
    await modem.call("hurry", USUAL);
    const input: CommandsInput = {
      target: service.local,
      authorization: LOCAL_AUTHORIZATION,
      commands: bench.quick ? 30 : 80,
    };
    bench.say("commands while link databases are read");
    const busy = await modem.call<CommandsOutput>("commands", input);
    await modem.call("hurry", FAST);
    await modem.call("untilRead", null);
    await modem.call("hurry", USUAL);
    bench.say("commands");
    const idle = await modem.call<CommandsOutput>("commands", input);
    await pause(SETTLE_MS);
    const withMb = residentMb(service.pid);
    await service.end();
    await modem.end();
    const without = await startService(bench, "no-insteon", "");
    await pause(SETTLE_MS);
    const withoutMb = residentMb(without.pid);
    await without.end();
    return {
      rows: [
        {
          what: "p99 from a command over HTTP to its answer, after the device's",
          figure: idle.value.spread.p99,
          unit: "ms",
          spread: idle.value.spread,
          health: idle.health,
        },
        {
          what: "p99 of it in the service: from the request to the modem, and from the device's answer to the client",
          figure: idle.value.ofService.p99,
          unit: "ms",
          goal: { of: "figure", bound: "at most", value: 5 },
          spread: idle.value.ofService,
        },
        {
          what: `p99 from a command to its answer while ${busy.value.read} link records are read`,
          figure: busy.value.spread.p99,
          unit: "ms",
          spread: busy.value.spread,
          peer: { name: "the same while none is read", figure: idle.value.spread.p99 },
        },
        {
          what: `resident memory with ${DEVICES} devices and ${DEVICES * (LINKS + 2)} link records`,
          figure: withMb,
          unit: "MB",
          peer: { name: "the same service without a modem", figure: withoutMb },
        },
      ],
      notes: [
        `Modem and devices stand behind a TCP port of another process. A message takes 60 ms through the air, an extended one 120. While the devices are identified, and their links are read without commands, the modem is ${FAST} times as fast.`,
        "One exchange at a time is on the air: a command waits for the exchange under way, never for a further one.",
      ],
    };
  },
};

function startService(bench: Bench, name: string, insteonPort: string): Promise<RunningController> {
  const home = { dir: bench.directory(name), nodes: 0 };
  return startController(bench.children, { home, settings: { demo: false, insteonPort }, env: FIRST_ACCOUNTS });
}

/** Waits until every device has reported its ramp rate, the last value that is read. */
async function untilKnown({ local }: RunningController): Promise<void> {
  const beginMs = performance.now();
  while (performance.now() - beginMs < DISCOVERY_MS) {
    const { body } = await requestOnce(local, { path: "/rest/status", authorization: LOCAL_AUTHORIZATION });
    const known = body.toString("utf8").match(/<property id="RR" value="\d+"/g) ?? [];
    if (known.length >= DEVICES) return;
    await pause(50);
  }
  throw new Error("The devices were not identified in time.");
}
